"""Exceptions that handlers of signals raise.

Python runs a handler between any two steps of whatever it does. What the handler raises, such as
the TimeoutError of an alarm, is then no answer to what was tried there.
"""

from __future__ import annotations

import functools
import signal
import traceback
from typing import Any


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
