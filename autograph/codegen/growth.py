"""What a program in NumPy's terms keeps for its backward passes while it runs, and that it has an
end.

A loop without an end would fill the memory, and the system would end the process. So every so many
trips the memory of the process is looked at.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograph.codegen.trampoline import available_memory
from ops.core.memory import growth_limit

_FIRST = 16  # trips before the first look: short loops do without
_SECOND, _MOST = 64, 1024  # trips until the second one, and at most between two


class Growth:
    """The memory that one call of a program takes for what it keeps."""

    def __init__(self) -> None:
        self._before: int | None = None  # what the process had at the first look
        self._limit = 0
        self._trips = 0
        self._next_look = _FIRST

    def of(self, main: Callable[..., Any]) -> Callable[..., Any]:
        """A program's main function, each call of which begins anew."""

        @functools.wraps(main)
        def function(*inputs: Any) -> Any:
            self._before, self._trips, self._next_look = None, 0, _FIRST
            return main(*inputs)

        return function

    def step(self) -> None:
        """Something more is kept.

        Raises:
            MemoryError: it is more than `growth_limit` allows, or than there is.
        """
        self._trips += 1
        if self._trips >= self._next_look:
            self._look()

    def _look(self) -> None:
        now, step = _resident(), _MOST
        if now is None:
            pass
        elif self._before is None:
            self._before, self._limit, step = now, growth_limit(), _SECOND
        else:
            used = now - self._before
            available = available_memory()
            if available is not None:
                self._limit = min(self._limit, used + available * 3 // 4)
            if used > self._limit:
                raise MemoryError(f"what is kept for a gradient grows beyond {self._limit} bytes")
            if used > 0:  # so that half of what is left may be used until then
                step = max(min(self._trips * (self._limit - used) // (2 * used), step), 1)
        self._next_look = self._trips + step


def _resident() -> int | None:
    """The bytes of memory that the process has, or None if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
