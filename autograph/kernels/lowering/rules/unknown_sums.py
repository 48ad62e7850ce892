"""Arrays whose lengths are known only at run time, combined along axes: a loop goes over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ops
from autograph.graph.graph import Node, Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.unknown_lengths import reduced_axes
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.arrays.totals import total, total_of_all
from autograph.kernels.lowering.loops import combined
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Measured
from ops.core import kernels

# That are added to sums of columns in one pass over these.
_ROWS = 4


def totals(
    state: State,
    result: Value,
    matrix: Measured,
    axis: int,
    how: tuple[str, Any],
    element: Callable[[Operand, Operand], Operand],
) -> Measured:
    """Elements of a matrix combined along an axis, in memory.

    Args:
        how: what combines, and what they start from.
        element: for a row and a column.
    """
    b, (combine, start) = state.b, how
    most, length = matrix.most[1 - axis], matrix.lengths[1 - axis]
    memory = measured.allocated(state, result, (length,), (most,))

    def store(i: Operand, total: Operand) -> None:
        b.store(memory.buffer, memory.start + i, total)

    def total_of_row(i: Operand) -> tuple:
        count = matrix.lengths[1]
        store(i, total(state, count, combine, start, lambda at: element(i, *at)))
        return ()

    def add_rows(first: Operand, count: int) -> tuple:
        def add(at: tuple[Operand, ...]) -> None:
            so_far = b.load(memory.buffer, memory.start + at[0])
            for n in range(count):
                so_far = combined(combine, so_far, element(first + n, *at))
            store(at[0], so_far)

        measured.over(state, (matrix.lengths[1],), add)
        return ()

    if axis == 1:
        b.for_(matrix.lengths[0], (), total_of_row)
    else:
        nothing = ir.Number(start, result.type.dtype)
        measured.over(state, (matrix.lengths[1],), lambda at: store(at[0], nothing))
        groups = b.compute("quotient", matrix.lengths[0], b.long(_ROWS))
        rest = matrix.lengths[0] - groups * _ROWS
        b.for_(groups, (), lambda i: add_rows(i * _ROWS, _ROWS))
        b.for_(rest, (), lambda i: add_rows(groups * _ROWS + i, 1))
    return Measured(
        (matrix.lengths[1 - axis],),
        (most,),
        lambda at: b.load(memory.buffer, memory.start + at[0]),
        settled=True,
    )


def extremum(state: State, node: Node) -> Operand:
    """The place of the first of the greatest, or smallest, elements, or of the first NaN."""
    b, array = state.b, demand.as_measured(state, node.inputs[0])
    kernels.require(array.lengths[0] > 0)
    first = array.element((b.long(0),))
    greater = node.op is ops.argmax

    def trip(i: Operand, best: Operand, at: Operand) -> tuple[Operand, Operand]:
        x = array.element((i,))
        better = x > best if greater else x < best
        if x.dtype.kind == "f":
            better = (better | (x != x)) & (best == best)
        return kernels.select(better, x, best), kernels.select(better, i, at)

    if first.dtype.kind == "b":
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    _, at = b.for_(array.lengths[0], (first, b.long(0)), trip)
    return b.cast(at, node.outputs[0].type.dtype)


def reduced(state: State, node: Node) -> Operand | Measured:
    """A reduction that leaves one axis, or none, besides those of length 1."""
    fold, result = node.op.fold, node.outputs[0]
    assert fold is not None
    array = demand.as_measured(state, node.inputs[0])
    dtype, axes = result.type.dtype, reduced_axes(node)
    kept = [axis for axis in range(len(array.lengths)) if axis not in axes]
    found: Operand | Measured
    if kept:
        found = totals(
            state,
            result,
            array,
            axes[0],
            (fold.combine, fold.start(dtype)),
            lambda i, j: fold.before(array.element((i, j)), dtype),
        )
    else:
        if fold.combine in ("min", "max"):
            for length in array.lengths:
                kernels.require(length > 0)
        found = total_of_all(
            state,
            array.lengths,
            fold.combine,
            fold.start(dtype),
            lambda index: fold.before(array.element(index), dtype),
        )
    if len(result.type.shape) == len(kept):
        return found
    ones: list[Operand] = [state.b.long(1)] * len(array.lengths)
    if isinstance(found, Operand):
        number = found
        return Measured(tuple(ones), (1,) * len(ones), lambda index: number)
    (axis,), of_axis = kept, found
    ones[axis] = of_axis.lengths[0]
    most: list[int | None] = [1] * len(ones)
    most[axis] = of_axis.most[0]
    return of_axis._replace(
        lengths=tuple(ones),
        most=tuple(most),
        element=lambda index: of_axis.element((index[axis],)),
    )


def unbroadcast(state: State, node: Node) -> Operand | Measured:
    """An array summed over axes that had length 1 before they were broadcast. Those of which only
    the run knows it had not, or the kernel gives up."""
    array, *lengths = node.inputs
    given, following = demand.as_measured(state, array), iter(lengths)
    for n, length in zip(node.attrs["shape"], given.lengths):
        if n is None:
            kernels.require(state.b.cast(demand.scalar(state, next(following)), LONG) == length)
    return reduced(state, node) if reduced_axes(node) else given
