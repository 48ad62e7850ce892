"""Places for buffers in one block of memory: two that are not needed at the same time may share it.

Each gets the lowest place that is free for all of its life, the largest first.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograph.kernels.ir.ir import Buffer


class Placement:
    """The places of buffers.

    Args:
        lives: the first and the last time at which a buffer is used.
        alignment: of each, in bytes.

    Attributes:
        offsets: in bytes.
        nbytes: of the block.
        overlapping: pairs that share memory.
    """

    def __init__(self, lives: Mapping[Buffer, tuple[int, int]], alignment: int):
        self._alignment = alignment
        self.offsets: dict[Buffer, int] = {}
        self.nbytes = 0
        self.overlapping: list[tuple[Buffer, Buffer]] = []
        # What was placed: from where to where, from when to when.
        self._placed: list[tuple[int, int, int, int, Buffer]] = []
        for buffer in sorted(lives, key=lambda b: -b.nbytes):
            self._place(buffer, *lives[buffer])

    def _place(self, buffer: Buffer, first: int, last: int) -> None:
        size = max(-(-buffer.nbytes // self._alignment), 1) * self._alignment
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
