"""Loops through iterators of the user's own classes, of which only the run knows where they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.graph.graph import Value
from autograph.staging.control.catching import attempted
from autograph.staging.control.control import cond, truth
from autograph.staging.control.sites import RecordedSites
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder


def own_iterator(iterable: Any) -> Any:
    """The iterator that a loop goes through, if it is an object of a class of the user's; None if
    it is another one."""
    if not (is_user_object(iterable) and hasattr(type(iterable), "__next__")):
        return None
    found = iter(iterable)
    return found if is_user_object(found) else None


def ends_as_the_run_decides(iterator: Any) -> bool:
    """Whether only the run knows if there is another item."""
    there = recorder().tried(lambda: _taken(iterator)[0])
    return isinstance(truth(there), Value)


def by_next(
    iterator: Any, body: Callable, names: Sequence[str], test: Callable | None
) -> tuple[Callable, Callable]:
    """The test and the body of a ``while`` that goes through an iterator. Before its state stands
    whether there was an item."""

    def more(going: Any, *state: Any) -> Any:
        return going if test is None else recorder().and_(going, lambda: test(*state))

    def step(_: Any, *state: Any) -> tuple:
        there, item = _taken(iterator)
        return (there, *cond(there, lambda: body(item, *state), lambda: state, tuple(names)))

    return more, step


def _taken(iterator: Any) -> tuple[Any, Any]:
    """Whether there is another item, and it."""
    take = type(iterator).__next__
    there, _, item = attempted(
        RecordedSites(),
        lambda: StopIteration,
        lambda: recorder().call(take, (iterator,), {}),
    )
    return there, item
