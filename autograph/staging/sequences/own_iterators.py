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
        sites = ops.sites()
        there, error, item = self.attempted(sites)
        if there is not True:
            _raise_others(sites, error)
        return there, item

    def attempted(self, sites: Any) -> tuple:
        """Whether there is another item, what was raised, and the item; see `ops.attempted`."""
        iterator, take = self.iterator, type(self.iterator).__next__
        found: tuple = ops.attempted(sites, lambda: StopIteration, lambda: ops.call(take, iterator))
        return found

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


def _raise_others(sites: Any, error: Any) -> None:
    """Let those around hear of what was raised that they handle, and that is no `StopIteration`."""
    if all(isinstance(raised, StopIteration) for raised in sites.exceptions):
        return
    is_end = lambda: ops.handles(sites, error, lambda: StopIteration)
    passes = ops.or_(ops.equal(error, 0), is_end)
    if ops.handles(sites, error, lambda: BaseException) is False:  # there is none left
        return

    def again() -> None:
        raise ops.reraised(sites, error)

    ops.cond(passes, lambda: None, again)


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
        return OwnIteration(iterator).attempted(ops.sites())[0] if is_own(iterator) else None

    try:
        return isinstance(recorder().tried(following), GraphArray)
    except Exception as error:  # it is raised again when it is asked for the item, and not undone
        if recorder().is_of_program(error):
            return False
        raise
