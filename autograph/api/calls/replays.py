"""What a function has changed by the time it raises an exception.

A program changes arguments, and what is outside, once it has run: where it raises an exception,
nothing is changed. Python has then changed what comes before. So the function itself is run, as
Python runs it, up to the same exception, if that takes no longer than it took to record it: no
loop and no recursive call comes before; and if the program has done nothing that can't be done
twice, like printing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np

from autograph.api.calls import bets
from autograph.codegen.program import Program
from autograph.errors import AutographError, Location
from autograph.graph.graph import Node
from autograph.graph.wiring import is_loop
from autograph.signals import raised_by_handler
from autograph.staging.border.endings import raised_by_user
from autograph.staging.trace import Traced


def is_raised_at_once(error: BaseException) -> bool:
    """Whether an exception that left a recording is the function's: no loop comes before it."""
    return raised_by_user(error) and not _is_others(error)


def is_replayed(
    error: BaseException, traced: Traced, program: Program, donated: Collection[int]
) -> bool:
    """Whether a function whose program raised an exception is run up to that.

    Args:
        donated: the positions of arguments whose memory the program may write to.
    """
    if _is_others(error):
        return False
    if traced.module.graphs or not bets.repeatable(traced, donated):
        return False
    return _comes_to(traced.module.main.nodes, program.location_of(error)) is True


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


def run(function: Callable, args: tuple, kwargs: Mapping[str, Any]) -> None:
    """Run a function that has raised an exception while it was recorded: it raises that, with what
    it has given it, warns as it does before, and may raise another one earlier."""
    with contextlib.suppress(AutographError):
        function(*args, **kwargs)


def replay(function: Callable, args: tuple, kwargs: Mapping[str, Any]) -> None:
    """Run a function for what it changes before it raises an exception."""
    with contextlib.suppress(Exception), np.errstate(all="ignore"):
        function(*args, **kwargs)
