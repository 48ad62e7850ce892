"""Iterators of the user's own classes of which only the run knows where they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.steps import Iteration


class OwnIteration(Iteration):
    """An iterator whose ``__next__`` raises `StopIteration` as the run decides."""

    is_open = True

    def __init__(self, iterator: Any):
        self.iterator = iterator

    def following(self) -> tuple[Any, Any]:
        iterator, take = self.iterator, type(self.iterator).__next__
        there, _, item = ops.attempted(
            ops.sites(), lambda: StopIteration, lambda: ops.call(take, iterator)
        )
        return there, item

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        def more(going: Any, *state: Any) -> Any:
            return going if test is None else ops.and_(going, lambda: test(*state))

        def step(_: Any, *state: Any) -> tuple:
            there, item = self.following()
            trip = lambda: tuple(body(item, *state))
            return (there, *ops.cond(there, trip, lambda: state, tuple(names)))

        start = (True, *init)
        _, *end = ops.while_loop(more, step, start, ("whether it goes on", *names))
        return tuple(end)


def is_own(value: Any) -> bool:
    """Whether a value is an iterator of a class of the user's."""
    return (
        is_user_object(value)
        and hasattr(type(value), "__next__")
        and not isinstance(value, Iteration)
    )


def is_left_open(value: Any, begin: Callable[[Any], Any] = iter) -> bool:
    """Whether a value is an iterator of a class of the user's of which only the run knows if there
    is another item.

    Args:
        begin: what is done to it before it is asked for the item.
    """
    if not is_own(value):
        return False

    def following() -> Any:
        iterator = begin(value)
        return OwnIteration(iterator).following()[0] if is_own(iterator) else None

    return isinstance(recorder().tried(following), GraphArray)
