"""Memory that a kernel needs while it runs, kept from call to call.

A workspace belongs to one kernel on one stream, and to one thread of the host: the stream runs one
call after the other, so that the next one may have the memory before the last has ended. Nothing
that a caller gets is in it. Since it stays where it is, a graph may refer to it.

All workspaces together keep `MOST_KEPT` bytes: beyond that those give theirs back, to CuPy's pool,
that have not been used for the longest time; and all that are not in use where memory runs out.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Any

MOST_KEPT = 256 * 2**20

_uses = itertools.count()
_all: weakref.WeakSet[Workspace] = weakref.WeakSet()
_lock = threading.RLock()  # who has a workspace, and which there are


class Workspace:
    """Memory by what it is for.

    Args:
        allocate: gives memory, an object with an address ``ptr``, which lasts as long as that.

    Attributes:
        moved: whether some of it is elsewhere, or gone, since this was set to False.
        fixed: whether none may be allocated.
        busy: whether a call has it: then no other thread gives its memory back.
    """

    def __init__(self, allocate: Callable[[int], Any]):
        self._allocate = allocate
        self._blocks: dict[Hashable, tuple[int, Any]] = {}
        self._last_use = 0
        self.moved = self.fixed = self.busy = self._grown = False
        with _lock:
            _all.add(self)

    @property
    def nbytes(self) -> int:
        """How many bytes are kept."""
        return sum(nbytes for nbytes, _ in self._blocks.values())

    def begin(self) -> bool:
        """Let a call have it from now on; whether it may."""
        with _lock:
            if self.busy:
                return False
            self.busy, self._last_use = True, next(_uses)
        return True

    def memory(self, nbytes: int, what: Hashable) -> int:
        """The address of memory of that many bytes at least, for something.

        Raises:
            MemoryError: there is none.
            NotFixed: there is none yet, and none may be allocated.
        """
        known = self._blocks.get(what)
        if known is not None and known[0] >= nbytes:
            return known[1].ptr
        if self.fixed:
            raise NotFixed("memory is allocated")
        try:
            made = self._allocate(max(nbytes, 1))
        except MemoryError:
            if not release_idle():
                raise
            made = self._allocate(max(nbytes, 1))
        self._blocks[what] = nbytes, made
        self.moved |= known is not None
        self._grown = True
        return made.ptr

    def end(self) -> None:
        """The call has launched all that it does."""
        self.busy = False
        if self._grown:
            self._grown = False
            _keep_little()

    def release(self) -> None:
        """Give all memory back."""
        self._blocks.clear()
        self.moved = True


class NotFixed(Exception):
    """Something would be elsewhere the next time."""


def release_idle() -> bool:
    """Let workspaces that no call has give their memory back; whether there was some."""
    with _lock:
        found = [x for x in _all if not x.busy and x.nbytes]
        for each in found:
            each.release()
    return bool(found)


def _keep_little() -> None:
    """Let those give their memory back whose last use is the longest ago, if it is too much."""
    with _lock:
        kept = sum(x.nbytes for x in _all)
        for each in sorted((x for x in _all if not x.busy), key=lambda x: x._last_use):
            if kept <= MOST_KEPT:
                return
            kept -= each.nbytes
            each.release()
