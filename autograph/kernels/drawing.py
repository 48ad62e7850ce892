"""Kernels that draw from generators which they do not make.

A kernel draws from the generator itself, which then is further than before. Where the kernel is
given up, to be made faster or since it meets what it is not made for, and what it computed is
computed again, the generator is where it was at first: see `Drawing.restart`. While the kernel
runs, other threads do not draw from it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.kernels.native.random import place_of
from ops.random.numpy_streams import GivenGenerator, bits_of

_REENTRANT = type(threading.RLock())


class Drawing(threading.local):
    """A kernel's generators.

    Args:
        handles: what the graph knows them by, in the order in which the kernel takes them.

    Attributes:
        takes_turns: whether no other thread may run while the kernel does.
    """

    def __init__(self, handles: Sequence[GivenGenerator]):
        self._handles = handles
        self.takes_turns = _takes_turns()
        # For each run of the kernel in this thread, the generators and where they were.
        self._began: list[list[tuple[np.random.BitGenerator, Any]]] = []

    def restart(self) -> None:
        """Have the generators be where they were when the kernel began."""
        for bits, state in self._began[-1]:
            bits.state = state

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that runs the kernel, and may call `restart`.

        Args:
            function: is given where the generators are after all else.
        """
        if len(self._handles) == 1:
            return self._around_one(function, self._handles[0])

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            found = [bits_of(handle.generator) for handle in self._handles]
            # All threads take locks in one order, so that none waits for one that waits for it:
            # another kernel may be given the same generators the other way round.
            locks: list[Any] = []
            if not self.takes_turns:
                locks = [bits.lock for bits in sorted(found, key=id)]
            return self._locked(locks, found, function, args)

        return run

    def _around_one(
        self, function: Callable[..., Any], handle: GivenGenerator
    ) -> Callable[..., Any]:
        """The same of one generator, as most kernels have: calls may be short."""

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            bits = bits_of(handle.generator)
            if self.takes_turns:
                return self._run((bits,), function, args)
            with bits.lock:
                return self._run((bits,), function, args)

        return run

    def _locked(
        self,
        locks: Sequence[Any],
        found: Sequence[np.random.BitGenerator],
        function: Callable[..., Any],
        args: tuple,
    ) -> Any:
        """`_run` where no other thread takes some locks."""
        if not locks:
            return self._run(found, function, args)
        with locks[0]:
            return self._locked(locks[1:], found, function, args)

    def _run(
        self, found: Sequence[np.random.BitGenerator], function: Callable[..., Any], args: tuple
    ) -> Any:
        """``function(*args)`` with some generators."""
        began = self._began
        began.append([(bits, bits.state) for bits in found])
        try:
            return function(*args, *map(place_of, found))
        finally:
            began.pop()


@functools.cache
def _takes_turns() -> bool:
    """Whether no other thread may run while a kernel draws: before NumPy 2.4 the lock of a
    generator is one that a thread can take once only, so the kernel does without."""
    return not isinstance(np.random.PCG64(0).lock, _REENTRANT)
