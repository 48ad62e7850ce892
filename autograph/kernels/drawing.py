"""Kernels that draw from generators which they do not make.

A kernel draws from the generator itself, which then is further than before. Where the kernel is
given up, to be made faster or since it meets what it is not made for, and what it computed is
computed again, the generator is where it was at first: see `Drawing.restart`. While the kernel
runs, other threads do not draw from it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from autograph.kernels.native.random import cell_of
from ops.random.numpy_streams import GivenGenerator, bits_of

_REENTRANT = type(threading.RLock())


class Drawing(threading.local):
    """A kernel's generators.

    Args:
        handles: what the graph knows them by.

    Attributes:
        takes_turns: whether no other thread may run while the kernel does.
    """

    def __init__(self, handles: Collection[GivenGenerator]):
        self._handles = [(h, cell_of(h.number)) for h in handles]
        self.takes_turns = _takes_turns()
        self._states: list[tuple[np.random.BitGenerator, Any]] = []

    def restart(self) -> None:
        """Have the generators be where they were when the kernel began."""
        for bits, state in self._states:
            bits.state = state

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that runs the kernel, and may call `restart`."""

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            return self._run(function, args, 0)

        return run

    def _run(self, function: Callable[..., Any], args: tuple, position: int) -> Any:
        """``function(*args)`` with the generators from some position on."""
        if position == len(self._handles):
            return function(*args)
        handle, cell = self._handles[position]
        generator = handle.generator
        bits = bits_of(generator)
        lock = cell.lock if self.takes_turns else bits.lock
        with cell.lock, lock:
            before = cell.put(generator)
            self._states.append((bits, bits.state))
            try:
                return self._run(function, args, position + 1)
            finally:
                self._states.pop()
                cell.put_back(before)


@functools.cache
def _takes_turns() -> bool:
    """Whether no other thread may run while a kernel draws: before NumPy 2.4 the lock of a
    generator is one that a thread can take once only, so the kernel does without."""
    return not isinstance(np.random.PCG64(0).lock, _REENTRANT)
