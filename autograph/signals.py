"""Exceptions that handlers of signals raise.

Python runs a handler between any two steps of whatever it does. What the handler raises, such as
the TimeoutError of an alarm, is then no answer to what was tried there. And what was to be done in
the next step never is.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

# Those with which a process is told something; others tell of errors, or have no handlers.
_TELLING = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
)


@contextlib.contextmanager
def waiting() -> Iterator[None]:
    """Handlers of signals wait until what is done here is done: where C frees something, and Python
    notes in the next step that it is free, an exception between these would have it freed twice.
    """
    came: list[tuple[int, FrameType | None]] = []
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
    is_main = threading.current_thread() is threading.main_thread()  # no other runs handlers
    try:
        with contextlib.ExitStack() as after:
            for number in _TELLING if is_main else ():
                handler = signal.getsignal(number)
                if callable(handler):
                    handlers[number] = handler
                    after.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, frame: came.append((number, frame)))
            yield
    finally:
        for number, frame in came:
            handlers[number](number, frame)


def raised_by_handler(error: BaseException) -> bool:
    """Whether an exception comes out of a handler of a signal, as far as its traceback tells."""
    frames = traceback.walk_tb(error.__traceback__)
    codes = [frame.f_code for frame, _ in frames]
    # `signal.valid_signals` makes a member of an enumeration of each, in 100 times the time.
    handlers = {_code(signal.getsignal(number)) for number in range(1, signal.NSIG)}
    return any(code in handlers for code in codes)


def _code(handler: Any) -> Any:
    """The code that a handler runs; None if it is none of Python's."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    handler = getattr(handler, "__func__", handler)  # of a method
    if not hasattr(handler, "__code__"):
        handler = getattr(type(handler), "__call__", None)  # noqa: B004
    return getattr(handler, "__code__", None)
