"""Iterators of the user's own classes of which only the run knows where they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import Recorded, is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.steps import Iteration


class OwnIteration(Iteration):
    """An iterator whose ``__next__`` raises `StopIteration` as the run decides."""

    is_open = True

    def __init__(self, iterator: Any):
        self.iterator = iterator
        self._ends = ENDS if isinstance(iterator, ByIndex) else (StopIteration,)

    def following(self) -> tuple[Any, Any]:
        sites = ops.sites()
        there, error, item = self.attempted(sites)
        if there is not True:
            self._raise_others(sites, error)
        return there, item

    def attempted(self, sites: Any) -> tuple:
        """Whether there is another item, what was raised, and the item; see `ops.attempted`."""
        iterator, ends = self.iterator, self._ends
        if isinstance(iterator, ByIndex):
            found: tuple = ops.attempted(sites, lambda: ends, iterator.item)
            iterator.index = iterator.index + 1
            return found
        take = type(iterator).__next__
        found = ops.attempted(sites, lambda: ends, lambda: ops.call(take, iterator))
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

    def _raise_others(self, sites: Any, error: Any) -> None:
        """Let those around hear of what was raised that they handle, and that is not the end."""
        if all(isinstance(raised, self._ends) for raised in sites.exceptions):
            return
        is_end = lambda: ops.handles(sites, error, lambda: self._ends)
        passes = ops.or_(ops.equal(error, 0), is_end)
        if ops.handles(sites, error, lambda: BaseException) is False:  # there is none left
            return

        def again() -> None:
            raise ops.reraised(sites, error)

        ops.cond(passes, lambda: None, again)


ENDS = (
    IndexError,
    StopIteration,
)  # what tells Python's iterator over indices that there is no more


class ByIndex(Recorded):
    """What Python makes to go through an object of the user's that has ``__getitem__``, and nothing
    else for that: it takes what stands at 0, at 1 and so on."""

    def __init__(self, source: Any):
        self.source = source
        self.index: Any = 0

    def __iter__(self) -> ByIndex:
        return self

    def __next__(self) -> Any:
        try:
            item = self.item()
        except IndexError:
            raise StopIteration from None
        self.index = self.index + 1
        return item

    def item(self) -> Any:
        """What comes next."""
        return ops.call(type(self.source).__getitem__, self.source, self.index)


def is_indexed(value: Any) -> bool:
    """Whether Python would go through a value so."""
    if not is_user_object(value) or isinstance(value, Recorded):
        return False
    return hasattr(type(value), "__getitem__") and not hasattr(type(value), "__iter__")


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
