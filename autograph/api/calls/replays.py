"""What a function has changed by the time it raises an exception.

A program changes arguments, and what is outside, once it has run: where it raises an exception,
nothing is changed. Python has then changed what comes before. So the function itself is run, as
Python runs it, up to the same exception, if that takes no longer than it took to record it: no
loop and no recursive call comes before; and if the program has done nothing that can't be done
twice, like printing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.api.calls import bets
from autograph.errors import AutographError, Location
from autograph.graph.graph import Node
from autograph.graph.wiring import is_loop
from autograph.signals import raised_by_handler
from autograph.staging.border.endings import raised_by_user

if TYPE_CHECKING:
    from autograph.api.calls.compiled import Compiled


def is_replayed(compiled: Compiled, error: BaseException) -> bool:
    """Whether a function whose program raised an exception is run up to that."""
    if _is_others(error):
        return False
    traced = compiled.traced
    if traced.module.graphs or not bets.repeatable(traced, compiled.donated):
        return False
    place = compiled.program.location_of(error)
    return _comes_to(traced.module.main.nodes, place) is True


def _is_others(error: BaseException) -> bool:
    """Whether an exception is not one that the function raises: ours, that of a handler of signals,
    or one that NumPy's settings ask for, which are others while it is run again."""
    others = isinstance(error, (AutographError, FloatingPointError))
    return others or raised_by_handler(error)


def _comes_to(nodes: Iterable[Node], place: Location | None) -> bool | None:
    """Whether operations that raise exceptions there come before loops; None if there is none of
    both."""
    for node in nodes:
        if is_loop(node):
            return False
        for region in node.regions:
            found = _comes_to(region.nodes, place)
            if found is not None:
                return found
        if node.location == place:
            return True
    return None


def replay(
    function: Callable,
    args: tuple,
    kwargs: Mapping[str, Any],
    compiled: Compiled | None,
    error: Exception,
) -> None:
    """Run a function for what it changes before an exception, if that is to be done.

    Args:
        compiled: what raised the exception; None if recording did, which it does where no loop
            comes before.
    """
    if compiled is None:
        is_wanted = raised_by_user(error) and not _is_others(error)
    else:
        is_wanted = is_replayed(compiled, error)
    if is_wanted:
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            function(*args, **kwargs)
