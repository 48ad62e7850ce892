"""Where a kernel's temporaries are, in one block of memory.

A temporary lives from the first to the last statement of the kernel's outermost block in which it
is used; two whose lives do not overlap may share memory. Each gets the lowest place that is free
for all of its life, the largest first.
"""

from __future__ import annotations

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Kernel

_ALIGNMENT = 64


class TemporaryPlacement:
    """The places of temporaries.

    Attributes:
        offsets: in bytes.
        nbytes: of the block.
        overlapping: pairs that share memory.
    """

    def __init__(self, kernel: Kernel):
        lives: dict[Buffer, tuple[int, int]] = {}
        for time, statement in enumerate(kernel.body):
            for s in ir.walk([statement]):
                for buffer in uses.buffers(s):
                    if buffer.kind == "temporary":
                        lives[buffer] = (lives.get(buffer, (time, time))[0], time)
        self.offsets: dict[Buffer, int] = {}
        self.nbytes = 0
        self.overlapping: list[tuple[Buffer, Buffer]] = []
        # What was placed: from where to where, from when to when.
        self._placed: list[tuple[int, int, int, int, Buffer]] = []
        for buffer in sorted(lives, key=lambda b: -b.nbytes):
            self._place(buffer, *lives[buffer])

    def _place(self, buffer: Buffer, first: int, last: int) -> None:
        size = _room(buffer)
        taken = sorted(
            (start, end)
            for start, end, since, until, _ in self._placed
            if since <= last and first <= until
        )
        at = 0
        for start, end in taken:
            if at + size <= start:
                break
            at = max(at, end)
        self.overlapping += [
            (buffer, other)
            for start, end, _, _, other in self._placed
            if at < end and start < at + size
        ]
        self._placed.append((at, at + size, first, last, buffer))
        self.offsets[buffer] = at
        self.nbytes = max(self.nbytes, at + size)


def _room(buffer: Buffer) -> int:
    return max(-(-buffer.nbytes // _ALIGNMENT), 1) * _ALIGNMENT
