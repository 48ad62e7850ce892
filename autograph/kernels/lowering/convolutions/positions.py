"""A convolution with a short kernel: lanes are places along the result, and a tile of features is
summed at once.

In the loop over channels, each place of the kernel is one vector, loaded once, times a number for
each feature of the tile. Short rows of the result are computed together, the ends of the rows of
the array included, and picked from what came out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Buffer, Number, Operand
from autograph.kernels.lowering.convolutions.geometry import OutputClass, by_positions
from autograph.kernels.lowering.convolutions.shape import Shape, smaller
from autograph.kernels.lowering.convolutions.spreading import Spread, over, size_of, spread
from autograph.kernels.lowering.convolutions.tiles import (
    MOST_UNROLLED,
    NANOSECONDS,
    VECTOR_BYTES,
    padded,
    tile_of,
    tiles,
)
from autograph.kernels.lowering.values import Memory
from ops.core import kernels
from ops.core.records import dataclass

_MOST_TOGETHER = 1 << 15  # bytes of rows that are computed together
_MOST_PIECES = 16  # phases, and classes, each of which has loops of its own


def work(shape: Shape) -> float:
    """About how many products take as long as this does; infinity if it is not done like this."""
    axes, classes = _geometry(shape)
    phases = math.prod(len(axis.runs) for axis in axes)
    if max(phases, math.prod(map(len, classes))) > _MOST_PIECES:
        return math.inf
    lanes = VECTOR_BYTES // shape.dtype.itemsize
    total = 0.0
    for chosen in itertools.product(*classes):
        *outer, last = (c.count for c in chosen)
        rows = math.prod(outer) * -(-last // lanes) * lanes
        total += rows * math.prod(len(c.taps) for c in chosen)
    return total * shape.images * shape.channels * padded(shape.features)


def nbytes(shape: Shape) -> int:
    """How much memory it needs."""
    axes, _ = _geometry(shape)
    return shape.images * shape.channels * size_of(axes) * shape.dtype.itemsize


def _geometry(shape: Shape) -> tuple[tuple, tuple]:
    found = [by_positions(window) for window in shape.windows]
    return tuple(axis for axis, _ in found), tuple(classes for _, classes in found)


def convolve(b: KernelBuilder, shape: Shape, x: Memory, kernel: Memory, target: Memory) -> None:
    """Add the loops to a kernel."""
    axes, classes = _geometry(shape)
    tile = tile_of(shape.features)
    put = spread(b, x, shape.images * shape.channels, axes)
    count = tiles(shape.features, tile)
    packed = _packed(b, shape, kernel, tile)
    taps = math.prod(shape.sizes)
    size = math.prod(shape.places)
    trips = shape.images * count
    with b.each(trips, "parallel", work=work(shape) / trips * NANOSECONDS) as trip:
        image, part = kernels.quotient(trip, count), kernels.rest(trip, count)
        group = kernels.quotient(image, shape.batch)
        feature = smaller(part * tile, shape.features - tile)
        tile_at = _Tile(
            b,
            shape,
            put,
            packed,
            target.buffer,
            put.memory.start + image * (shape.channels * put.plane),
            (group * count + part) * (shape.channels * taps * tile),
            target.start + (image * shape.features + feature) * size,
            tile,
        )
        for chosen in itertools.product(*classes):
            tile_at.compute(chosen)


def _packed(b: KernelBuilder, shape: Shape, kernel: Memory, tile: int) -> Memory:
    """The kernel with the features of a tile next to each other:
    ``(groups, tiles, channels, places, features of a tile)``."""
    taps, count = math.prod(shape.sizes), tiles(shape.features, tile)
    length = shape.channels * taps
    packed = b.temporary(shape.dtype, shape.groups * count * length * tile, "packed")
    with b.each(packed.size) as i:
        rest, within = kernels.quotient(i, tile), kernels.rest(i, tile)
        rest, place = kernels.quotient(rest, length), kernels.rest(rest, length)
        group, part = kernels.quotient(rest, count), kernels.rest(rest, count)
        feature = smaller(part * tile, shape.features - tile) + within
        found = kernel.start + (group * shape.features + feature) * length + place
        b.store(packed, i, b.load(kernel.buffer, found))
    return Memory(packed, b.long(0))


@dataclass(frozen=True)
class _Tile:
    """A tile of features of one image.

    Attributes:
        x_start, packed_start, y_start: where the image, the tile of the kernel, and the first
            feature of the result begin.
        tile: how many features.
    """

    b: KernelBuilder
    shape: Shape
    put: Spread
    packed: Memory
    y: Buffer
    x_start: Operand
    packed_start: Operand
    y_start: Operand
    tile: int

    def compute(self, classes: Sequence[OutputClass]) -> None:
        """The places of one class along each axis."""
        b = self.b
        counts = [c.count for c in classes]
        taps = self._taps(classes)
        if self._together(counts):
            length = self._reach(counts)
            rows = b.local(self.shape.dtype, self.tile * length, "rows")
            with b.each(length) as place:
                for t, total in enumerate(self._totals(place, taps)):
                    b.store(rows, place + t * length, total)

            def pick(index: Sequence[Operand]) -> None:
                place = _place(index[1:], self.put.steps)
                total = b.load(rows, index[0] * length + place)
                self._store(index[0], index[1:], classes, total)

            over(b, [self.tile, *counts], pick)
            return

        def element(index: Sequence[Operand]) -> None:
            for t, total in enumerate(self._totals(_place(index, self.put.steps), taps)):
                self._store(b.long(t), index, classes, total)

        over(b, counts, element)

    def _together(self, counts: Sequence[int]) -> bool:
        """Whether rows are computed together: less is computed in vain than in steps of vectors."""
        lanes = VECTOR_BYTES // self.shape.dtype.itemsize
        *outer, last = counts
        length = self._reach(counts)
        if length * self.tile * self.shape.dtype.itemsize > _MOST_TOGETHER:
            return False
        # A few sums wait for each other: they take longer steps, for which rows are too short.
        worth = 0.9 if self.tile > 3 else 1.1
        return length < worth * math.prod(outer) * -(-last // lanes) * lanes

    def _reach(self, counts: Sequence[int]) -> int:
        """From the first place to behind the last one."""
        return sum((n - 1) * step for n, step in zip(counts, self.put.steps)) + 1

    def _taps(self, classes: Sequence[OutputClass]) -> list[tuple[int, int]]:
        """The places of the kernel by their numbers, and where each finds what it multiplies."""
        found = []
        for taps in itertools.product(*(c.taps for c in classes)):
            number = 0
            for tap, size in zip(taps, self.shape.sizes):
                number = number * size + tap.number
            offset = self.put.offset([t.phase for t in taps], [t.offset for t in taps])
            found.append((number, offset))
        return found

    def _totals(self, place: Operand, taps: Sequence[tuple[int, int]]) -> Sequence[Operand]:
        """The sums of the tile at a place."""
        b, tile = self.b, self.tile
        size = math.prod(self.shape.sizes) * tile

        def channel(c: Operand, *totals: Operand) -> Sequence[Operand]:
            first = self.x_start + c * self.put.plane + place
            weights = self.packed_start + c * size
            if len(taps) <= MOST_UNROLLED:
                for number, offset in taps:
                    totals = self._added(totals, first + offset, weights + number * tile)
                return totals
            numbers, offsets = (b.constant([tap[k] for tap in taps]) for k in (0, 1))

            def tap(k: Operand, *totals: Operand) -> Sequence[Operand]:
                at = first + b.load(offsets, k), weights + b.load(numbers, k) * tile
                return self._added(totals, *at)

            return b.for_(len(taps), totals, tap)

        return b.for_(self.shape.channels, [Number(0, self.shape.dtype)] * tile, channel)

    def _added(
        self, totals: Sequence[Operand], found: Operand, weight: Operand
    ) -> tuple[Operand, ...]:
        """The sums and one product more for each."""
        b = self.b
        x = b.load(self.put.memory.buffer, found)
        return tuple(
            b.compute("fma", b.load(self.packed.buffer, weight + t), x, total)
            for t, total in enumerate(totals)
        )

    def _store(
        self,
        feature: Operand,
        index: Sequence[Operand],
        classes: Sequence[OutputClass],
        total: Operand,
    ) -> None:
        places = self.shape.places
        at = self.y_start + feature * math.prod(places)
        for k, (i, c) in enumerate(zip(index, classes)):
            at = at + (i * c.step + c.first) * math.prod(places[k + 1 :])
        self.b.store(self.y, at, total)


def _place(index: Sequence[Operand], steps: Sequence[int]) -> Operand:
    place, *others = (i * step for i, step in zip(index, steps))
    for other in others:
        place = place + other
    return place
