"""The collector of cyclic garbage, which waits while a function is compiled.

A graph consists of many small objects that refer to each other and stay. Python would go through
all of them again each time their number has grown by some part, which in the end takes longer than
compiling.
"""

from __future__ import annotations

import functools
import gc
import os
import threading
from collections.abc import Callable

from autograph.api.type_parameters import P, R

_waits_for: list[int] = []  # the thread for which it waits


def _forked() -> None:
    """In a forked process nothing is compiled but by the thread that forked it."""
    if _waits_for and _waits_for[0] != threading.get_ident():
        _waits_for.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def collector_waits(function: Callable[P, R]) -> Callable[P, R]:
    """The function, during calls of which no cyclic garbage is collected."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        _waits_for[:] = [threading.get_ident()]
        try:
            return function(*args, **kwargs)
        finally:
            _waits_for.clear()
            gc.enable()

    return called
