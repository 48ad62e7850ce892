"""Arrays whose lengths are known only at run time, combined along axes: a loop goes over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def extremum(state: State, node: Node) -> Operand | Measured:
    """The place of the first of the greatest, or smallest, elements, or of the first NaN: of all of
    a row, or along an axis of a matrix."""
    array, result = demand.as_measured(state, node.inputs[0]), node.outputs[0]
    axes = node.attrs["axis"] or (0,)
    for axis in axes:
        kernels.require(array.lengths[axis] > 0)
    greater, dtype = node.op is ops.argmax, result.type.dtype

    def place(index: Sequence[Operand]) -> Operand:
        def element(i: Operand) -> Operand:
            return array.element((*index[: axes[0]], i, *index[axes[0] :]))

        return state.b.cast(_first_extreme(state, array.lengths[axes[0]], element, greater), dtype)

    if len(array.lengths) == 1:
        return place(())
    return one_by_one(state, result, *_kept(array, axes), place)


def _first_extreme(
    state: State, count: Operand, element: Callable[[Operand], Operand], greater: bool
) -> Operand:
    b = state.b
    first = element(b.long(0))

    def trip(i: Operand, best: Operand, at: Operand) -> tuple[Operand, Operand]:
        x = element(i)
        better = x > best if greater else x < best
        if x.dtype.kind == "f":
            better = (better | (x != x)) & (best == best)
        return kernels.select(better, x, best), kernels.select(better, i, at)

    if first.dtype.kind == "b":
        raise CannotLower(reasons.UNKNOWN.of())
    return b.for_(count, (first, b.long(0)), trip)[1]


def reduced(state: State, node: Node) -> Operand | Measured:
    """A reduction along some axes, or all."""
    fold, result = node.op.fold, node.outputs[0]
    assert fold is not None
    array = demand.as_measured(state, node.inputs[0])
    dtype, axes = result.type.dtype, reduced_axes(node)
    how = fold.combine, fold.start(dtype)
    if fold.combine in ("min", "max"):
        for axis in axes:
            kernels.require(array.lengths[axis] > 0)

    def element(index: Sequence[Operand]) -> Operand:
        return fold.before(array.element(index), dtype)

    def found(index: Sequence[Operand]) -> Operand:
        lengths = [array.lengths[axis] for axis in axes]
        return total_of_all(state, lengths, *how, lambda at: element(_merged(index, axes, at)))

    kept = [axis for axis in range(len(array.lengths)) if axis not in axes]
    if kept and len(array.lengths) == 2:
        of_kept = totals(state, result, array, axes[0], how, lambda i, j: element((i, j)))
    elif kept:
        of_kept = one_by_one(state, result, *_kept(array, axes), found)
    else:
        number = found(())
        if not result.type.shape:
            return number
        of_kept = Measured((), (), lambda index: number)
    return (
        of_kept if len(result.type.shape) == len(kept) else _with_ones(state, of_kept, kept, axes)
    )


def one_by_one(
    state: State,
    result: Value,
    lengths: tuple[Operand, ...],
    most: tuple[int | None, ...],
    found: Callable[[Sequence[Operand]], Operand],
) -> Measured:
    """An array in memory, of which each element takes a loop to be found."""
    b = state.b
    memory = measured.allocated(state, result, lengths, most)

    def load(index: Sequence[Operand]) -> Operand:
        return b.load(memory.buffer, memory.start + measured.flat(b, index, sizes))

    array = Measured(lengths, most, load, settled=True)
    sizes = measured.sizes_of(array)

    def rows(index: tuple[Operand, ...]) -> tuple:
        if len(index) < len(lengths):
            b.for_(lengths[len(index)], (), lambda i: rows((*index, i)))
        else:
            b.store(memory.buffer, memory.start + measured.flat(b, index, sizes), found(index))
        return ()

    rows(())
    return array


def _kept(array: Measured, axes: Sequence[int]) -> tuple[tuple[Operand, ...], tuple]:
    """The lengths along all axes but some, and what they are at most."""
    kept = [axis for axis in range(len(array.lengths)) if axis not in axes]
    return tuple(array.lengths[k] for k in kept), tuple(array.most[k] for k in kept)


def _merged(
    index: Sequence[Operand], axes: Sequence[int], along: Sequence[Operand]
) -> tuple[Operand, ...]:
    """An index of all axes: of those that are kept, and along the others."""
    given, own = iter(index), dict(zip(axes, along))
    return tuple(own[k] if k in own else next(given) for k in range(len(index) + len(axes)))


def _with_ones(state: State, found: Measured, kept: Sequence[int], axes: Sequence[int]) -> Measured:
    """The same with axes of length 1 in the places of those that were reduced."""
    ndim = len(kept) + len(axes)
    lengths = dict(zip(kept, found.lengths))
    most = dict(zip(kept, found.most))
    return found._replace(
        lengths=tuple(lengths.get(k, state.b.long(1)) for k in range(ndim)),
        most=tuple(most.get(k, 1) for k in range(ndim)),
        element=lambda index: found.element([index[k] for k in kept]),
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
