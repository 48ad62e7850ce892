"""Effects that happen once, although what has them may begin again.

A kernel calls Python in the middle of a loop: it prints. Such a kernel may be given up afterwards,
to be made faster or since it meets what it is not made for, and what it computed is computed again:
by the same kernel in other code, or by the program in NumPy's terms. What was printed must not be
printed again. So the effects of a thread are numbered, and those that have happened are left out
where the numbers come again. The same arguments have the same effects in the same order, whatever
code computes them.

An effect may itself call functions with kernels, as a stream of the user's can that stands for
``sys.stdout``. What they do has numbers of its own, which do not count around it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any


class _Progress:
    """How far a thread is.

    Attributes:
        position: how many effects it has come to.
        done: how many of them have happened; more than that while something is repeated.
        start: the position where the kernel began that runs now.
    """

    __slots__ = ("done", "position", "start")

    def __init__(self) -> None:
        self.position = self.done = self.start = 0


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.progress = _Progress()


_thread = _OfThread()


def once(effect: Callable[..., None]) -> Callable[..., None]:
    """An effect that is left out where what has had it is repeated."""

    @functools.wraps(effect)
    def counted(*args: Any) -> None:
        now = _thread.progress
        if now.position < now.done:
            now.position += 1
            return
        number = now.position = now.done = now.done + 1
        try:
            effect(*args)
        finally:  # whatever was counted meanwhile
            now.position = now.done = number

    return counted


def repeatable(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that may call `restart`, and repeat what it has done till then."""

    @functools.wraps(function)
    def run(*args: Any) -> Any:
        now = _thread.progress
        around, is_first = now.start, now.position == now.done
        now.start = now.position
        try:
            return function(*args)
        finally:
            now.start = around
            if is_first:  # nothing around it is repeated: what was left is not to come any more
                now.position = now.done

    return run


def restart() -> None:
    """What the innermost `repeatable` function of this thread has done is done again now."""
    now = _thread.progress
    now.position = now.start
