"""A convolution with a long kernel, and few places in the result: lanes are features, and a tile of
places is summed at once.

The derivative by a kernel is one: its kernel is as long as the result was, and its channels are
the batch. The features of the kernel are put next to each other, so that each place of it is one
vector, times a number of the array for each place of the tile.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, split_index
from autograph.kernels.ir.ir import Number, Operand
from autograph.kernels.lowering.convolutions.geometry import by_features
from autograph.kernels.lowering.convolutions.shape import Shape, smaller
from autograph.kernels.lowering.convolutions.spreading import in_order, row_steps, size_of, spread
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

_LANES = 8  # that a step has at least
_ENOUGH = 16  # pieces of work, for threads
_OF_KERNEL = 1 << 18  # bytes that stay in a cache
_MOST_PARTS = 16
_SPREAD = 4  # what it takes to put an element next to others, in multiplications
_SCATTERED = 16  # what it takes to store a sum away from the others of its vector


def work(shape: Shape) -> float:
    """About how many products take as long as this does."""
    sums = padded(shape.batch * math.prod(shape.places))
    features = -(-shape.features // _LANES) * _LANES
    channels = shape.groups * shape.channels
    products = channels * math.prod(shape.sizes) * (sums * features + _SPREAD * shape.features)
    by_itself = channels if math.prod(shape.sizes) > MOST_UNROLLED else 0
    return products + (by_itself + _SCATTERED * shape.groups) * sums * features


def nbytes(shape: Shape) -> int:
    """How much memory it needs."""
    elements = shape.images * shape.channels * size_of([*map(by_features, shape.windows)])
    elements += shape.groups * shape.features * shape.channels * math.prod(shape.sizes)
    return elements * shape.dtype.itemsize


def convolve(b: KernelBuilder, shape: Shape, x: Memory, kernel: Memory, target: Memory) -> None:
    """Add the loops to a kernel."""
    put = spread(b, x, shape.images * shape.channels, tuple(map(by_features, shape.windows)))
    size = math.prod(shape.places)
    sums, taps = shape.batch * size, math.prod(shape.sizes)
    tile = tile_of(sums)
    width = min(shape.features, VECTOR_BYTES // shape.dtype.itemsize)
    pieces = (tiles(shape.features, width), tiles(sums, tile))
    packed = _packed(b, shape, kernel, width)
    parts = _parts(shape, width, pieces)
    table = None
    if parts > 1:
        table = b.temporary(shape.dtype, parts * shape.groups * sums * shape.features, "parts")
    moves = [w.stride * step for w, step in zip(shape.windows, put.steps)]
    jumps = [w.kernel_dilation * step for w, step in zip(shape.windows, put.steps)]
    trips = parts * shape.groups * math.prod(pieces)
    with b.each(trips, "parallel", work=work(shape) / trips * NANOSECONDS) as trip:
        part, group, vector, number = split_index(trip, (parts, shape.groups, *pieces))
        own = smaller(number * tile, sums - tile)
        places = [split_index(own + t, (shape.batch, *shape.places)) for t in range(tile)]
        starts = [
            _along(
                put.memory.start + (group * shape.batch + image) * (shape.channels * put.plane),
                index,
                moves,
            )
            for image, *index in places
        ]
        begin = kernels.quotient(part * shape.channels, parts)
        end = kernels.quotient((part + 1) * shape.channels, parts)
        weights = (group * pieces[0] + vector) * (shape.channels * taps * width)
        with b.each(width) as lane:

            def channel(k: Operand, *totals: Operand) -> Sequence[Operand]:
                c = begin + k

                def tap(index: Sequence[Operand], totals: Sequence[Operand]) -> Sequence[Operand]:
                    place = _along(c * taps, index, row_steps(shape.sizes)) * width
                    weight = b.load(packed, weights + place + lane)
                    offset = _along(c * put.plane, index, jumps)
                    return [
                        b.compute("fma", b.load(put.memory.buffer, start + offset), weight, total)
                        for start, total in zip(starts, totals)
                    ]

                if taps <= MOST_UNROLLED:
                    for index in itertools.product(*map(range, shape.sizes)):
                        totals = tuple(tap([b.long(i) for i in index], totals))
                    return totals
                # What is summed by itself loses less by rounding.
                found = _summed(b, shape.sizes, [Number(0, shape.dtype)] * tile, tap)
                return [total + x for total, x in zip(totals, found)]

            totals = b.for_(end - begin, [Number(0, shape.dtype)] * tile, channel)
            feature = smaller(vector * width, shape.features - width) + lane
            for t, ((image, *index), total) in enumerate(zip(places, totals)):
                if table is not None:
                    row = (part * shape.groups + group) * sums + own + t
                    b.store(table, row * shape.features + feature, total)
                else:
                    first = ((group * shape.batch + image) * shape.features + feature) * size
                    place = _along(first, index, row_steps(shape.places))
                    b.store(target.buffer, target.start + place, total)
    if table is not None:
        _together(b, shape, table, parts, target)


def _parts(shape: Shape, width: int, pieces: tuple[int, int]) -> int:
    """In how many parts the channels are summed: enough pieces of work for threads, and what a part
    reads of the kernel stays in a cache while the tiles take turns."""
    length = shape.channels * math.prod(shape.sizes) * width * shape.dtype.itemsize
    wanted = max(-(-_ENOUGH // (shape.groups * math.prod(pieces))), -(-length // _OF_KERNEL))
    return min(shape.channels, wanted, _MOST_PARTS)


def _packed(b: KernelBuilder, shape: Shape, kernel: Memory, width: int) -> ir.Buffer:
    """The kernel with the features of a vector next to each other:
    ``(groups, vectors, channels, *sizes, features of a vector)``."""
    taps, features, vectors = math.prod(shape.sizes), shape.features, tiles(shape.features, width)
    planes = shape.groups * vectors * shape.channels
    packed = b.temporary(shape.dtype, planes * taps * width, "packed")
    with b.each(planes, "parallel", work=_SPREAD * NANOSECONDS * taps * width) as number:
        group, vector, channel = split_index(number, (shape.groups, vectors, shape.channels))
        feature = group * features + smaller(vector * width, features - width)
        first = kernel.start + (feature * shape.channels + channel) * taps

        def row(index: tuple[Operand, ...]) -> None:
            (lane,) = index
            with b.each(taps) as tap:
                found = b.load(kernel.buffer, first + lane * (shape.channels * taps) + tap)
                b.store(packed, (number * taps + tap) * width + lane, found)

        in_order(b, [width], row)
    return packed


def _together(b: KernelBuilder, shape: Shape, table: ir.Buffer, parts: int, target: Memory) -> None:
    """The sums of what the parts of the channels gave."""
    size = math.prod(shape.places)
    length = shape.images * size * shape.features
    with b.each(length, work=float(parts)) as i:
        image, feature, place = split_index(i, (shape.images, shape.features, size))
        first = (image * size + place) * shape.features + feature

        def part(k: Operand, total: Operand) -> tuple[Operand]:
            return (total + b.load(table, k * length + first),)

        (total,) = b.for_(parts, [Number(0, shape.dtype)], part)
        b.store(target.buffer, target.start + i, total)


def _summed(
    b: KernelBuilder,
    lengths: Sequence[int],
    totals: Sequence[Operand],
    body: Callable[[Sequence[Operand], Sequence[Operand]], Sequence[Operand]],
) -> Sequence[Operand]:
    """What a loop over each axis makes of totals."""

    def loops(index: tuple[Operand, ...], totals: Sequence[Operand]) -> Sequence[Operand]:
        axis = len(index)
        if axis == len(lengths):
            return body(index, totals)
        if lengths[axis] == 1:
            return loops((*index, b.long(0)), totals)
        return b.for_(lengths[axis], totals, lambda i, *inner: loops((*index, i), inner))

    return loops((), totals)


def _along(first: Operand, index: Sequence[Operand], steps: Sequence[int]) -> Operand:
    """Where an element is."""
    for i, step in zip(index, steps):
        first = first + i * step
    return first
