"""Iterators that call functions of the user's, of which only the run knows where they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import Recorded, is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.sequences.steps import Iteration, content_of
from ops.control.constructs import Undefined


class OwnIteration(Iteration):
    """An iterator whose ``__next__`` raises `StopIteration` as the run decides."""

    is_open = True

    def __init__(self, iterator: Any):
        self.iterator = iterator
        self._ends = iterator.ends if isinstance(iterator, ByCall) else (StopIteration,)

    def following(self) -> tuple[Any, Any]:
        sites = ops.sites()
        there, error, item = self.attempted(sites)
        if there is not True:
            self._raise_others(sites, error)
        return there, item

    def attempted(self, sites: Any) -> tuple:
        """Whether there is another item, what was raised, and the item; see `ops.attempted`."""
        iterator, ends = self.iterator, self._ends
        if isinstance(iterator, ByCall):
            return iterator.attempted(sites)
        take = type(iterator).__next__
        found: tuple = ops.attempted(sites, lambda: ends, lambda: ops.call(take, iterator))
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


class ByCall(Recorded):
    """An iterator of Python's whose items a function of the user's gives.

    Attributes:
        ends: the exceptions that tell that there is no more.
    """

    ends: tuple[type[Exception], ...] = (StopIteration,)

    def __iter__(self) -> ByCall:
        return self

    def __next__(self) -> Any:
        sites = ops.sites()
        there, _, item = self.attempted(sites)
        if not there:
            raise StopIteration
        return item

    def attempted(self, sites: Any) -> tuple:
        """Whether there is another item, what was raised, and the item; see `ops.attempted`."""
        found: tuple = ops.attempted(sites, lambda: self.ends, self.item)
        return found

    def item(self) -> Any:
        """What comes next."""
        raise NotImplementedError


class ByIndex(ByCall):
    """What Python makes to go through an object of the user's that has ``__getitem__``, and nothing
    else for that: it takes what stands at 0, at 1 and so on."""

    ends = (IndexError, StopIteration)

    def __init__(self, source: Any):
        self.source = source
        self.index: Any = 0

    def attempted(self, sites: Any) -> tuple:
        found = super().attempted(sites)
        self.index = self.index + 1
        return found

    def item(self) -> Any:
        return ops.call(type(self.source).__getitem__, self.source, self.index)


class Until(ByCall):
    """``iter(function, sentinel)``"""

    def __init__(self, function: Callable, sentinel: Any):
        self.function = function
        self.sentinel = sentinel
        self.is_over: Any = False  # for good

    def attempted(self, sites: Any) -> tuple:
        nothing = Undefined("the next item")
        names = ("whether there is one", "what was raised", "the next item")
        begin = lambda: super(Until, self).attempted(sites)
        there, error, item = ops.cond(self.is_over, lambda: (False, 0, nothing), begin, names)
        item = content_of(item)
        there = ops.and_(there, lambda: ops.not_(ops.eq_(item, self.sentinel)))
        self.is_over = ops.not_(there)
        return there, error, item

    def item(self) -> Any:
        return ops.call(self.function)


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
