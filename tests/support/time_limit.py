"""An end for tests that might hang."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any


class TooLongError(BaseException):
    """Nothing that a program raises, and nothing that it catches."""


@contextlib.contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise `TooLongError` in what takes longer."""

    def stop(*_: Any) -> None:
        raise TooLongError(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
