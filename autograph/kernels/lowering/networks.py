"""Networks of comparisons that put a few scalars in order: which are compared does not depend on
what they are."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import BOOL, Operand
from ops.core import kernels

_Pair = tuple[Operand, Operand]


def exchanges(count: int, in_order: bool = False) -> Iterator[tuple[int, int]]:
    """The positions that are compared, one after the other.

    Batcher's merge exchange: Knuth, The Art of Computer Programming 3, section 5.2.2, algorithm M.

    Args:
        in_order: compare neighbours only, by which equal elements stay in their order.
    """
    if in_order:
        for end in range(count - 1, 0, -1):
            for i in range(end):
                yield i, i + 1
        return
    half = 1 << max((count - 1).bit_length() - 1, 0)
    part = half
    while part and count > 1:
        step, rest, distance = half, 0, part
        while True:
            for i in range(count - distance):
                if i & part == rest:
                    yield i, i + distance
            if step == part:
                break
            distance, step, rest = step - part, step >> 1, part
        part >>= 1


def precedes(x: Operand, y: Operand) -> Operand:
    """Whether a scalar comes before another one: NaN comes last."""
    if x.dtype == BOOL:
        return ~x & y
    if x.dtype.kind != "f":
        return x < y
    return ~(y <= x) & (x == x)


def in_order(b: KernelBuilder, values: Sequence[Operand], stable: bool) -> list[Operand]:
    """Scalars in ascending order.

    Args:
        stable: whether zeros of different signs stay in their order.
    """

    def sorted_by(pair: Callable[[Operand, Operand], _Pair]) -> list[Operand]:
        found = list(values)
        for i, j in exchanges(len(found), stable):
            found[i], found[j] = pair(found[i], found[j])
        return found

    def exchanged(x: Operand, y: Operand, swap: Operand) -> _Pair:
        return kernels.select(swap, y, x), kernels.select(swap, x, y)

    if values[0].dtype == BOOL:
        return sorted_by(lambda x, y: (x & y, x | y))
    plain = lambda: sorted_by(lambda x, y: exchanged(x, y, y < x))
    if values[0].dtype.kind != "f" or len(values) < 2:
        return plain()
    has_nan = functools.reduce(operator.or_, (x != x for x in values))
    with_nan = lambda: sorted_by(lambda x, y: exchanged(x, y, precedes(y, x)))
    return list(b.if_(has_nan, with_nan, plain))


def places_in_order(
    b: KernelBuilder, values: Sequence[Operand], stable: bool
) -> tuple[list[Operand], Operand]:
    """The positions that scalars had before they were put in ascending order, and whether some are
    equal, so that the order of these is not said.

    Args:
        stable: whether equal ones stay in their order.
    """
    found, places = list(values), [b.long(i) for i in range(len(values))]
    for i, j in exchanges(len(found), stable):
        swap = precedes(found[j], found[i])
        for items in (found, places):
            x, y = items[i], items[j]
            items[i], items[j] = kernels.select(swap, y, x), kernels.select(swap, x, y)
    different = [precedes(x, y) for x, y in zip(found, found[1:])]
    return places, ~functools.reduce(operator.and_, different)
