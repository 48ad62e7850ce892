"""Products of matrices go to the BLAS library, transposes and batches included; in a lane they are
loops.

A product that is only added to an array is added to it by the library, ``c = a @ b + c``, if nobody
reads that array any more and the memory is the kernel's own: sums of gradients in loops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import ops
from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import DOUBLE, SINGLE, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.access import peeled
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.changes import may_change, take
from autograph.kernels.lowering.loops import is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Memory, shape_of
from ops.core.symbolic_lengths import example_of, is_length
from ops.core.types import is_type

_SMALL = 512  # multiplications that are done before a library function has begun
# A library function packs both matrices before it multiplies, which takes longer than so many
# multiplications for each element of the result do. If these columns are few, they are written out.
_SHORT, _FEW = 8, 4
_IN_ORDER = 16  # so many numbers are added up one after the other before sums in vectors have begun


def multiply(state: State, node: Node) -> None:
    """``x @ y``."""
    (result,) = node.outputs
    x, y = node.inputs
    dtype = result.type.dtype
    if any(isinstance(v, Constant) for v in node.inputs):
        raise CannotLower(reasons.CONSTANT.of(node.location))
    if x.type.dtype != dtype or y.type.dtype != dtype:
        raise CannotLower(reasons.of_product(node))
    x_shape, y_shape = shape_of(x), shape_of(y)
    rows = x_shape[-2] if len(x_shape) > 1 else 1
    columns = y_shape[-1] if len(y_shape) > 1 else 1
    inner = x_shape[-1]
    batch = shape_of(result)[: max(len(x_shape), len(y_shape), 2) - 2]
    if math.prod(batch) * rows * columns == 0 or inner == 0:
        raise CannotLower(reasons.of_product(node))
    by_hand = state.serial or dtype not in (SINGLE, DOUBLE)
    is_small = is_few(rows * columns * inner, _SMALL)
    if not by_hand and not shape_of(result) and _is_vector(state, inner, is_small):
        _of_vectors(state, result, (x, y), inner)
    elif by_hand or is_small:
        _by_hand(state, result, (x, y), batch, (rows, columns, inner))
    elif not state.shared.for_gpu and _is_short((x, y), columns, inner):
        _of_short_rows(state, node, (*batch, rows, columns))
    else:
        _by_library(state, node, batch, (rows, columns, inner))


def _is_vector(state: State, inner: int, is_small: bool) -> bool:
    """Whether a product of two vectors is a loop whose sums are vectors on a CPU. In order each
    addition waits for the one before."""
    return is_length(inner) or (
        is_small and not state.shared.for_gpu and not is_few(inner, _IN_ORDER)
    )


def _of_vectors(state: State, result: Value, operands: tuple[Value, Value], length: int) -> None:
    """A product of two vectors, which may be short: a loop that others can be joined to."""
    for value in operands:
        demand.memory(state, value)

    def trip(k: Operand) -> list[tuple[str, Operand, object]]:
        x, y = (state.elements.at(value, (k,)) for value in operands)
        return [("+", x * y, 0)]

    (state.env[result],) = state.loops.loop(length, "vector", trip, work=0.5)


def _is_short(operands: tuple[Value, Value], columns: int, inner: int) -> bool:
    """Whether loops are faster than the library, of a product whose inner axis is short: those over
    columns of a transpose do not read what lies together."""
    x, y = operands
    is_matrix = x.type.ndim > 1 and is_few(inner, _SHORT)
    return is_matrix and (not peeled(y)[1] or is_few(columns, _FEW))


def _of_short_rows(state: State, node: Node, shape: tuple[int, ...]) -> None:
    """A product each of whose elements is a sum that is written out."""
    b, (result,), (x, y) = state.b, node.outputs, node.inputs
    # A transpose is read through.
    left, right = (demand.memory(state, peeled(value)[0]) for value in (x, y))
    sum_ = _sum_in_place(state, node, (left, right))
    target = state.places.give(result) if sum_ is None else state.env[sum_]
    inner, columns = shape_of(x)[-1], shape[-1]

    def visit(place: tuple[Operand, ...]) -> None:
        *index, row, column = place
        total: Operand = ir.Number(0, result.type.dtype)
        for k in map(b.long, range(inner)):
            of_y = (k,) if y.type.ndim == 1 else (*_own(index, y), k, column)
            of_x = state.elements.at(x, (*_own(index, x), row, k))
            total = total + of_x * state.elements.at(y, of_y)
        where = target.start + b.flat_index(place, shape)
        if sum_ is not None:
            total = total + b.load(target.buffer, where)
        b.store(target.buffer, where, total)

    def visit_row(place: tuple[Operand, ...]) -> None:
        for column in map(b.long, range(columns)):
            visit((*place, column))

    if is_few(columns, _FEW):
        state.loops.over(shape[:-1], visit_row, 0.3 * inner * columns)
    else:
        state.loops.over(shape, visit, 0.3 * inner)
    b.written(target.buffer)
    if sum_ is None:
        state.env[result] = target


def _by_library(
    state: State, node: Node, batch: tuple[int, ...], lengths: tuple[int, int, int]
) -> None:
    """A product of the library, for each matrix of a batch that needs a call of its own."""
    (result,), (x, y) = node.outputs, node.inputs
    rows, columns, inner = lengths
    x_shape, y_shape = shape_of(x), shape_of(y)
    (a, a_transposed), (b, b_transposed) = peeled(x), peeled(y)
    left, right = demand.memory(state, a), demand.memory(state, b)
    sum_ = _sum_in_place(state, node, (left, right))
    if sum_ is None:
        target = state.places.give(result)
    else:
        target = state.env[sum_]
    a_stride = rows if a_transposed else inner
    b_stride = inner if b_transposed or len(y_shape) == 1 else columns
    if len(y_shape) == 1:
        b_stride, b_transposed = inner, True

    if not a_transposed and math.prod(y_shape[:-2]) == 1:
        # One matrix on the right: the rows of the whole batch are those of one product.
        rows, batch, x_shape = rows * math.prod(batch), (), (rows * math.prod(batch), inner)
    axes = tuple((1,) * (len(batch) + 2 - len(s)) + s[:-2] for s in (x_shape, y_shape))
    looped = _looped(batch, axes)
    sizes = (math.prod(x_shape[-2:]), math.prod(y_shape[-2:]), rows * columns)
    steps = tuple(
        size if math.prod(own[looped:]) != 1 else 0 for size, own in zip(sizes, (*axes, batch))
    )

    def product(flat: Operand) -> tuple:
        index = split_index(flat, batch[:looped])
        starts = (
            _start(memory, own, size, index)
            for memory, own, size in zip((left, right, target), (*axes, batch), sizes)
        )
        measure = state.b.measure
        state.b.add(
            ir.Multiply(
                left.buffer,
                right.buffer,
                target.buffer,
                *map(measure, (rows, columns, inner)),
                *starts,
                *map(measure, (a_stride, b_stride, columns)),
                a_transposed,
                b_transposed,
                1.0,
                0.0 if sum_ is None else 1.0,
                *map(measure, (math.prod(batch[looped:]), *steps)),
                example_of(rows * columns * inner),
            )
        )
        state.b.written(target.buffer)
        return ()

    if looped:
        state.b.for_(math.prod(batch[:looped]), (), product)
    else:
        product(state.b.long(0))
    if sum_ is None:
        state.env[result] = target


def _start(memory: Memory, own: tuple[int, ...], size: int, index: Sequence[Operand]) -> Operand:
    """Where the first matrix of a batch starts."""
    place = memory.start
    for axis, i in enumerate(index):
        if own[axis] != 1:
            place = place + i * (size * math.prod(own[axis + 1 :]))
    return place


def _looped(batch: tuple[int, ...], operands: Sequence[tuple[int, ...]]) -> int:
    """How many axes of a batch, from the left, need a loop: along the others each operand has all
    matrices, or one."""
    looped = len(batch)
    while looped and all(
        math.prod(own[looped - 1 :]) in (1, math.prod(batch[looped - 1 :])) for own in operands
    ):
        looped -= 1
    return looped


def _sum_in_place(state: State, node: Node, operands: tuple[Memory, Memory]) -> Value | None:
    """The sum of a product and an array, if that is all that the product is for, and the memory of
    the array can become that of the sum, which it is from now on; None if not."""
    (product,) = node.outputs
    plan = state.plan
    users = plan.uses.get(product, ())
    if len(users) != 1 or users[0].op is not ops.add or product in plan.outputs:
        return None
    (sum_,) = users[0].outputs
    others = [v for v in users[0].inputs if v is not product]
    if len(others) != 1 or not all(is_type(product.type, v.type) for v in (others[0], sum_)):
        return None
    (other,) = others
    memory = state.env.get(other)
    if not isinstance(memory, Memory) or other in plan.outputs:
        return None
    position = state.progress.position
    if any(n is not users[0] and plan.position[n] >= position for n in plan.uses[other]):
        return None
    wanted = state.places.wanted(sum_)
    if wanted is not None and not _same_place(wanted, memory):
        return None
    if any(operand.buffer is memory.buffer for operand in operands):
        return None
    if not may_change(state, other, memory):
        return None
    take(state, other, memory)
    state.env.end(other)
    state.env[sum_] = memory
    state.progress.finished.add(users[0])
    return sum_


def _same_place(x: Memory, y: Memory) -> bool:
    return x.buffer is y.buffer and x.start is y.start


def _by_hand(
    state: State,
    result: Value,
    operands: tuple[Value, Value],
    batch: tuple[int, ...],
    sizes: tuple[int, int, int],
) -> None:
    """A small product as loops."""
    b = state.b
    rows, columns, inner = sizes
    x, y = operands
    for value in operands:
        demand.memory(state, peeled(value)[0])  # a transpose is read through
    target = state.places.give(result) if shape_of(result) else None
    dtype = result.type.dtype
    combine = "|" if dtype.kind == "b" else "+"
    shape = (*batch, rows, columns)

    def total(index: tuple[Operand, ...], row: Operand, column: Operand) -> Operand:
        def trip(k: Operand, sum_: Operand) -> tuple:
            left = (k,) if len(shape_of(x)) == 1 else (*_own(index, x), row, k)
            right = (k,) if len(shape_of(y)) == 1 else (*_own(index, y), k, column)
            product = state.elements.at(x, left).__kernel__(
                "&" if dtype.kind == "b" else "*",
                (state.elements.at(x, left), state.elements.at(y, right)),
            )
            return (sum_.__kernel__(combine, (sum_, product)),)

        return b.for_(inner, [ir.Number(0, dtype)], trip)[0]

    def body(place: tuple[Operand, ...]) -> None:
        *index, row, column = place
        flat = b.flat_index(place, shape)
        b.store(target.buffer, target.start + flat, total(tuple(index), row, column))

    if target is None:
        zero = b.long(0)
        state.env[result] = total((), zero, zero)
        return
    state.loops.nested(shape, body)
    state.env[result] = target


def _own(index: Sequence[Operand], value: Value) -> tuple[Operand | int, ...]:
    """The part of a batch's index that is for one operand."""
    shape = shape_of(value)[:-2]
    return tuple(0 if n == 1 else i for n, i in zip(shape, index[len(index) - len(shape) :]))
