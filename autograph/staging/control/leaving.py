"""``with`` statements whose managers hear of what the run raises; see
`autograph.source.desugar.managers`.

An ``__exit__`` of a class of the user's is recorded for each exception that the block may raise, in
a branch of its own, and for the block that raises none. A manager of Python's own does what it does
while the program is recorded: that can be done once.
"""

from __future__ import annotations

import contextlib
from typing import Any

import ops
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.classes.managers import (
    Closing,
    GeneratorManager,
    Stack,
    Suppress,
    refuse_unfinished,
)
from autograph.staging.classes.specials import original
from autograph.staging.control.catching import usable
from autograph.staging.control.control import truth
from autograph.staging.control.sites import RecordedSites
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder


def entered(manager: Any) -> Any:
    """See `ops.entered`."""
    if not _is_heard_again(manager):
        if _let_go(manager):  # since what was recorded by then was of no use
            _method(manager, "__exit__", None, None, None)
        recorder().managers.held.append(manager)
    return _method(manager, "__enter__")


def left(manager: Any) -> None:
    """See `ops.left`."""
    if isinstance(manager, (GeneratorManager, Stack)) and not manager.is_here():
        refuse_unfinished(manager, recorder().location())
    if _is_heard_again(manager) or _let_go(manager):
        _method(manager, "__exit__", None, None, None)


def swallows(sites: RecordedSites, error: Any, manager: Any) -> Any:
    """See `ops.swallows`."""
    recorder().managers.leave(manager)
    if not isinstance(manager, (GeneratorManager, Stack)) and _let_go(manager):
        _method(manager, "__exit__", None, None, None)
    numbers = sites.present
    if not numbers:  # the number was carried by a loop, which nobody has set
        return True

    def of(place: int) -> Any:
        number = numbers[place]
        own = lambda: _swallows(usable(sites, number), manager)
        if place == len(numbers) - 1:
            return own()
        return ops.cond(ops.equal(error, number), own, lambda: of(place + 1))

    return of(0)


def _swallows(error: BaseException, manager: Any) -> Any:
    if isinstance(manager, (GeneratorManager, Stack)):
        if manager.reacts((type(error),)):
            refuse_unfinished(manager, recorder().location())
        return False
    if isinstance(manager, Closing):
        manager.close()
        return False
    if isinstance(manager, Suppress):
        return contextlib.suppress.__exit__(manager, type(error), error, None)
    if is_user_object(manager):
        found = truth(_method(manager, "__exit__", type(error), error, None))
        return GraphArray(found) if isinstance(found, Value) else found
    return False


def _is_heard_again(manager: Any) -> bool:
    """Whether all that leaving a manager does is recorded, or nothing at all, so that it may be
    recorded for several ways to leave it."""
    return is_user_object(manager) or isinstance(manager, (Closing, Suppress))


def _let_go(manager: Any) -> bool:
    """Whether a manager of Python's own is still held: take it for left."""
    held = recorder().managers.held
    place = next((i for i, other in enumerate(held) if other is manager), None)
    if place is not None:
        del held[place]
    return place is not None


def _method(manager: Any, name: str, *args: Any) -> Any:
    if isinstance(manager, Closing):
        if name == "__enter__":
            return manager.__enter__()
        recorder().managers.leave(manager)
        return manager.close()
    method = getattr(type(manager), name)
    if is_user_object(manager):
        return recorder().call(original(method), (manager, *args), {})
    return method(manager, *args)
