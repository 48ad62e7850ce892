"""Places for buffers in one block of memory: two that are not needed at the same time may share it.

Each gets the lowest place that is free for all of its life, the largest first. What the caller gets
is memory, too, until something is written there: a buffer that is not needed any more by then may
be in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from autograph.kernels.ir.ir import Buffer
from ops.core.records import NamedTuple

_NO_ROOMS: Mapping[Buffer, int] = MappingProxyType({})


class _Placed(NamedTuple):
    """Where and when a buffer is."""

    start: int
    end: int
    since: int
    until: int
    buffer: Buffer


class Placement:
    """The places of buffers.

    Args:
        lives: the first and the last time at which a buffer is used.
        alignment: of each, in bytes.
        rooms: buffers of others in which some may be, and from when on that is not so.

    Attributes:
        offsets: in bytes, from where the block or the room starts.
        room: of those that are in one, which.
        nbytes: of the block.
        overlapping: pairs that share memory, those with rooms included.
    """

    def __init__(
        self,
        lives: Mapping[Buffer, tuple[int, int]],
        alignment: int,
        rooms: Mapping[Buffer, int] = _NO_ROOMS,
    ):
        self._alignment = alignment
        self._lives = lives
        self.offsets: dict[Buffer, int] = {}
        self.room: dict[Buffer, Buffer] = {}
        self._place(_NO_ROOMS)
        alone = self.nbytes
        if rooms and alone:
            self._place(rooms)
            if self.nbytes == alone:  # they would share memory for nothing
                self._place(_NO_ROOMS)

    def _place(self, rooms: Mapping[Buffer, int]) -> None:
        """Place all of them anew."""
        self.offsets.clear()
        self.room.clear()
        block: list[_Placed] = []
        others: dict[Buffer, list[_Placed]] = {room: [] for room in rooms}
        for buffer in sorted(self._lives, key=lambda b: -b.nbytes):
            since, until = self._lives[buffer]
            size = max(-(-buffer.nbytes // self._alignment), 1) * self._alignment
            for room, taken in others.items():
                if until >= rooms[room] or buffer.dtype.itemsize > room.dtype.itemsize:
                    continue
                at = _lowest(taken, since, until, size)
                if at + buffer.nbytes <= room.nbytes:
                    taken.append(_Placed(at, at + size, since, until, buffer))
                    self.offsets[buffer], self.room[buffer] = at, room
                    break
            else:
                at = self.offsets[buffer] = _lowest(block, since, until, size)
                block.append(_Placed(at, at + size, since, until, buffer))
        self.nbytes = max((p.end for p in block), default=0)
        self._blocks = [block, *others.values()]

    @property
    def overlapping(self) -> Iterator[tuple[Buffer, Buffer]]:
        for placed in self._blocks:
            for a, b in itertools.combinations(placed, 2):
                if a.start < b.end and b.start < a.end:
                    yield a.buffer, b.buffer
        yield from self.room.items()


def _lowest(placed: list[_Placed], since: int, until: int, size: int) -> int:
    """The lowest place that is free for a time."""
    taken = sorted((p.start, p.end) for p in placed if p.since <= until and since <= p.until)
    at = 0
    for start, end in taken:
        if at + size <= start:
            break
        at = max(at, end)
    return at
