"""Ends a check that does not end: one on a device may wait for ever."""

from __future__ import annotations

import contextlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterator

from benchmarks.gpu import device

_LONGEST = 20  # seconds that a check may take, with all that is compiled for it


def longest() -> float:
    """How long a check may take, in seconds."""
    return _LONGEST * (device.LONGER if device.rehearsing() else 1)


@contextlib.contextmanager
def watched(end: Callable[[str], None]) -> Iterator[None]:
    """What is done here may take so long and no longer.

    Args:
        end: ends the process, from another thread. It is told what took so long, and where.
    """
    here = threading.get_ident()

    def tell() -> None:
        stack = "".join(traceback.format_stack(sys._current_frames().get(here)))
        end(f"took more than {longest():g} s\n{stack[-3000:]}")

    timer = threading.Timer(longest(), tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
