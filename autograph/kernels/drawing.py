"""Kernels that draw from generators which they do not make.

A kernel draws from the generator itself, which then is further than before. Where the kernel is
given up, to be made faster or since it meets what it is not made for, and what it computed is
computed again, the generator is where it was at first: see `Drawing.restart`. While the kernel
runs, other threads do not draw from it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Collection, Sequence
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
        in_order = sorted(handles, key=lambda handle: handle.number)
        self._handles = [(handle, cell_of(handle.number)) for handle in in_order]
        self.takes_turns = _takes_turns()
        # For each run of the kernel in this thread, the generators and where they were.
        self._began: list[list[tuple[np.random.BitGenerator, Any]]] = []

    def restart(self) -> None:
        """Have the generators be where they were when the kernel began."""
        for bits, state in self._began[-1]:
            bits.state = state

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that runs the kernel, and may call `restart`."""

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            found = [bits_of(handle.generator) for handle, _ in self._handles]
            locks: list[Any] = [cell.lock for _, cell in self._handles]
            if not self.takes_turns:
                # All threads take them in one order, so that none waits for one that waits for it:
                # another kernel may be given the same generators the other way round.
                in_order = found if len(found) == 1 else sorted(found, key=id)
                locks += [bits.lock for bits in in_order]
            return self._locked(locks, found, function, args)

        return run

    def _locked(
        self,
        locks: Sequence[Any],
        found: Sequence[np.random.BitGenerator],
        function: Callable[..., Any],
        args: tuple,
    ) -> Any:
        """``function(*args)`` with some generators, where no other thread takes some locks."""
        if len(locks) > 2:
            with locks[0]:
                return self._locked(locks[1:], found, function, args)
        with locks[0], locks[-1]:  # which may be one and the same
            cells = [cell for _, cell in self._handles]
            before = [cell.put(bits) for cell, bits in zip(cells, found)]
            self._began.append([(bits, bits.state) for bits in found])
            try:
                return function(*args)
            finally:
                self._began.pop()
                for cell, place in zip(cells, before):
                    cell.put_back(place)


@functools.cache
def _takes_turns() -> bool:
    """Whether no other thread may run while a kernel draws: before NumPy 2.4 the lock of a
    generator is one that a thread can take once only, so the kernel does without."""
    return not isinstance(np.random.PCG64(0).lock, _REENTRANT)
