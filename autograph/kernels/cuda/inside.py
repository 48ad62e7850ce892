"""Kernels of a program that becomes a graph as a whole: they are parts of that graph, and make none
of their own.

First the program runs on the stream that is captured later, so that all is loaded then, and all
memory is there; after each of its kernels what a capture needs besides is prepared. Then the stream
is captured, and kernels are noted. What a kernel says, whether it gave up, ran out of room or was
told to end, is copied to a place of the program's: its next call says something else, and the host
looks at all of it at once, when the graph has run.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from autograph.kernels.cuda.conditional import ConditionalNodes
from autograph.kernels.cuda.graphs import why_not_noted
from autograph.kernels.cuda.plan import CudaKernel
from autograph.kernels.cuda.run import STATUS_BYTES, Attempt, Full, decides, run
from autograph.kernels.cuda.stopping import STATUS_AT
from autograph.kernels.cuda.workspace import NotFixed
from autograph.kernels.ir.interpreter import GaveUp

_PLACES = 64  # for what kernels say, in one piece of memory
_WORDS = STATUS_BYTES // 4

current: ContextVar[ProgramRun | None] = ContextVar("inside", default=None)


class ProgramRun:
    """A run of a program, or a capture of one.

    Args:
        cupy: CuPy.
        noted: whether the stream is captured.
        meets: whether processes meet in the program.

    Attributes:
        refused: why the program cannot be a graph, as far as it is known; "" if it may be.
        may_stop: whether a kernel may be told to end.
    """

    def __init__(self, cupy: Any, noted: bool, meets: bool):
        self._cupy, self.noted, self._meets = cupy, noted, meets
        self._said: list[Any] = []  # memory for what kernels say
        self._count = 0
        self._may_fail = self.may_stop = False
        self.refused = ""

    def run(
        self,
        plan: CudaKernel,
        device: Any,
        given: Sequence[Any],
        places: Sequence[int],
        room: int,
        conditional: str,
    ) -> int:
        """Run a kernel, or note it; see `autograph.kernels.cuda.run.run`.

        Args:
            device: `autograph.kernels.cuda.launch.GpuDevice`, of the current stream.
            conditional: why the device cannot decide about loops and branches.

        Raises:
            NotFixed: it cannot be a part of a graph, and is noted.
        """
        if not device.workspace.begin():
            raise NotFixed("a call has been interrupted by another one")
        try:
            if not self.noted:
                room = self._run(plan, device, given, places, room)
            attempt = Attempt(plan, device, given, places, room, True)
            self._look_at(attempt, conditional)
            if self.noted:
                if self.refused:
                    raise NotFixed(self.refused)
                with device.noting():
                    attempt.tell()
                    attempt.launch_all(functools.partial(ConditionalNodes, device))
            elif not self.refused:
                try:
                    device.rehearse(attempt.launch_all, decides(plan.steps))
                except NotFixed as error:
                    self.refuse(str(error))
            if attempt.status is not None:
                place = self._place()
                if self.noted:
                    device.copy(place, attempt.status, STATUS_BYTES)
            return room
        finally:
            device.workspace.end()

    def _run(self, plan: CudaKernel, device: Any, given: Any, places: Any, room: int) -> int:
        try:
            return run(plan, device, given, places, room)
        except (GaveUp, MemoryError) as error:
            self.refuse(f"a kernel gives up: {error}")
            raise

    def refuse(self, why: str) -> None:
        """Note why there is no graph."""
        self.refused = self.refused or why

    def _look_at(self, attempt: Attempt, conditional: str) -> None:
        """Look whether a kernel can be a part of a graph, after those before it.

        After one that has given up the others compute with what has no meaning, which harms nobody
        as long as they end, and as no process waits for another.
        """
        plan = attempt.plan
        self.refuse(why_not_noted(plan, conditional))
        if attempt.status is None:
            return
        may_stop = plan.may_stop or decides(plan.steps)
        name = plan.kernel.name
        if self._meets:
            self.refuse(f"processes meet, and the host has to look whether {name} has ended well")
        if self._may_fail and may_stop:
            self.refuse(f"{name} may not end after a kernel that gives up")
        self._may_fail |= plan.may_fail
        self.may_stop |= may_stop

    # -- what kernels say --------------------------------------------------------------------------

    def _place(self) -> int:
        """A place for what a kernel says."""
        at = self._count % _PLACES
        if at == 0:
            self._said.append(self._cupy.cuda.alloc(_PLACES * STATUS_BYTES))
        self._count += 1
        return int(self._said[-1].ptr) + at * STATUS_BYTES

    def release(self) -> None:
        """Give the memory of these places back: the run has ended."""
        self._said.clear()

    @property
    def says(self) -> bool:
        """Whether the host has to look at what kernels say."""
        return bool(self._count)

    def look(self, stream: Any) -> None:
        """Look at it, once all is done on a stream.

        Raises:
            KeyboardInterrupt, GaveUp, Full: see `autograph.kernels.cuda.run.Attempt.look`.
        """
        runtime = self._cupy.cuda.runtime
        found = np.empty((len(self._said), _PLACES, _WORDS), np.int32)
        for memory, words in zip(self._said, found):
            kind = runtime.memcpyDeviceToHost
            runtime.memcpyAsync(words.ctypes.data, memory.ptr, words.nbytes, kind, stream.ptr)
        stream.synchronize()
        said = found.reshape(-1, _WORDS)[: self._count]
        if said[:, STATUS_AT].any():
            raise KeyboardInterrupt
        if said[:, 0].any():
            raise GaveUp("a kernel of a graph")
        if said[:, 1].any():
            raise Full
