"""Places for buffers in one block of memory: two that are not needed at the same time may share it.

Each gets the lowest place that is free for all of its life, the largest first. What the caller gets
is memory, too, until something is written there: a buffer that is not needed any more by then may
be in it. One that is read for the last time where another one is written may be where that is if no
element is needed any more when it is written over: see `overlays`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from autograph.kernels.ir.ir import Buffer
from ops.core.records import NamedTuple

_NO_ROOMS: Mapping[Buffer, int] = MappingProxyType({})
_Pairs = Sequence[tuple[Buffer, Buffer]]


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
        following: pairs of which the second may be where the first is, from the time on at which
            the one is needed for the last time, and the other for the first.

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
        following: _Pairs = (),
    ):
        self._alignment = alignment
        self._lives = lives
        self.offsets: dict[Buffer, int] = {}
        self.room: dict[Buffer, Buffer] = {}
        best: tuple[Mapping[Buffer, int], _Pairs] = _NO_ROOMS, ()
        self._place(*best)
        # Each only if less memory is taken: else they would share it for nothing.
        for way in ((rooms, ()), (rooms, following)):
            if self.nbytes and (way[0] or way[1]) and way != best:
                before = self.nbytes
                self._place(*way)
                if self.nbytes < before:
                    best = way
                else:
                    self._place(*best)

    def _place(self, rooms: Mapping[Buffer, int], following: _Pairs) -> None:
        """Place all of them anew."""
        self.offsets.clear()
        self.room.clear()
        block: list[_Placed] = []
        others: dict[Buffer, list[_Placed]] = {room: [] for room in rooms}
        chains = _chains(self._lives, following)
        last = set(following)
        for chain in sorted(chains, key=lambda of: -_nbytes(of)):
            size = self._size(_nbytes(chain))
            since, until = self._lives[chain[0]][0], self._lives[chain[-1]][1]
            for room, taken in others.items():
                into = until == rooms[room] and (chain[-1], room) in last
                if not (until < rooms[room] or into):
                    continue
                if any(b.dtype.itemsize > room.dtype.itemsize for b in chain):
                    continue
                at = _lowest(taken, since, until, size)
                if at + _nbytes(chain) <= room.nbytes and (at == 0 or not into):
                    self.room.update(dict.fromkeys(chain, room))
                    break
            else:
                taken = block
                at = _lowest(block, since, until, size)
            for buffer in chain:
                self.offsets[buffer] = at
                end = at + self._size(buffer.nbytes)
                taken.append(_Placed(at, end, *self._lives[buffer], buffer))
        self.nbytes = max((p.end for p in block), default=0)
        self._blocks = [block, *others.values()]

    def _size(self, nbytes: int) -> int:
        """What is taken for so many bytes."""
        return max(-(-nbytes // self._alignment), 1) * self._alignment

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


def _nbytes(chain: Sequence[Buffer]) -> int:
    return max(b.nbytes for b in chain)


def _chains(lives: Mapping[Buffer, tuple[int, int]], following: _Pairs) -> list[list[Buffer]]:
    """The buffers, those at one place together, in order."""
    chains = {b: [b] for b in lives}
    for old, new in following:
        if old in chains and new in chains:
            first, second = chains[old], chains[new]
            if first[-1] is old and second[0] is new and first is not second:
                first += second
                chains.update(dict.fromkeys(second, first))
    return list({id(chain): chain for chain in chains.values()}.values())
