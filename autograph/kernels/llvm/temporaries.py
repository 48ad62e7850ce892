"""Where a kernel's temporaries are, in one block of memory.

A temporary lives from the first to the last statement of the kernel's outermost block in which it
is used; two whose lives do not overlap may share memory. Each gets the lowest place that is free
for all of its life, the largest first.
"""

from __future__ import annotations

from autograph.kernels import ir
from autograph.kernels.ir import Buffer, Kernel
from autograph.kernels.llvm import uses

_ALIGNMENT = 64


class Plan:
    """The places of temporaries.

    Attributes:
        offsets: in bytes.
        nbytes: of the block.
        overlapping: pairs that share memory.
    """

    def __init__(self, kernel: Kernel):
        lives: dict[Buffer, tuple[int, int]] = {}
        for time, statement in enumerate(kernel.body):
            for s in ir.walk(ir.Block([statement])):
                for buffer in uses.buffers(s):
                    if buffer.kind == "temporary":
                        lives[buffer] = (lives.get(buffer, (time, time))[0], time)
        self.offsets: dict[Buffer, int] = {}
        self.nbytes = 0
        self.overlapping: list[tuple[Buffer, Buffer]] = []
        for buffer in sorted(lives, key=lambda b: -b.nbytes):
            self._place(buffer, lives)

    def _place(self, buffer: Buffer, lives: dict[Buffer, tuple[int, int]]) -> None:
        first, last = lives[buffer]
        size = _room(buffer)
        taken = sorted(
            (offset, offset + _room(other))
            for other, offset in self.offsets.items()
            if lives[other][0] <= last and first <= lives[other][1]
        )
        at = 0
        for start, end in taken:
            if at + size <= start:
                break
            at = max(at, end)
        for other, offset in self.offsets.items():
            if at < offset + _room(other) and offset < at + size:
                self.overlapping.append((buffer, other))
        self.offsets[buffer] = at
        self.nbytes = max(self.nbytes, at + size)


def _room(buffer: Buffer) -> int:
    return max(-(-buffer.nbytes // _ALIGNMENT), 1) * _ALIGNMENT
