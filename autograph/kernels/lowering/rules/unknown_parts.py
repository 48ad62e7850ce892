"""Parts of arrays whose lengths only the run knows, such as ``x[:i]``: taken, written, and the same
elements in another shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import ops
from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.ir.ir import BOOL, LONG, Buffer, Number, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.unknown_lengths import is_but_the_first, keeps_axes
from autograph.kernels.lowering.arrays import demand, growing, lookups, measured
from autograph.kernels.lowering.arrays.changes import buffers_written, changeable
from autograph.kernels.lowering.arrays.cuts import Cut
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    GrowingRows,
    Held,
    Measured,
    Memory,
    is_growing,
    shape_of,
)
from ops.arrays.indexing import increased_element, set_element
from ops.arrays.rearrange import rolled_from
from ops.core import kernels
from ops.core.registry import Elementwise
from ops.core.subscripts import may_repeat


def _cut(
    state: State,
    node: Node,
    first: int,
    lengths: Sequence[Operand],
    most: Sequence[int | None],
    held: Mapping[Value, Measured] = MappingProxyType({}),
) -> Cut:
    """What a node's subscripts select; see `Cut`.

    Args:
        held: of some operands what they are, if not what they are bound to.
    """

    def given(j: int) -> Operand | Measured:
        value = node.inputs[first + j]
        if not value.type.shape:
            return demand.scalar(state, value)
        return held.get(value) or demand.as_measured(state, value)

    return Cut(state, node, first, lengths, most, given)


def part(state: State, node: Node) -> Held:
    """``x[index]``."""
    if is_but_the_first(node) and isinstance(state.env.get(node.inputs[0]), GrowingRows):
        return growing.drop_first(state, node)
    source = demand.as_measured(state, node.inputs[0])
    cut = _cut(state, node, 1, source.lengths, source.most)
    if not cut.lengths:
        return source.element(cut.place(()))
    return Measured(
        tuple(cut.lengths),
        tuple(cut.most),
        lambda index: source.element(cut.place(index)),
        source.reads | cut.reads,
        is_dear=source.is_dear,
        is_loaded=source.is_loaded or source.settled,
    )


def reshaped(state: State, node: Node) -> Measured | Memory:
    """The same elements with other axes."""
    source = demand.as_measured(state, node.inputs[0])
    if not keeps_axes(node):
        return _in_other_axes(state, node, source)
    given, wanted = node.inputs[0].type.shape, node.outputs[0].type.shape
    axes = [axis for axis, n in enumerate(given) if n != 1]
    places = [axis for axis, n in enumerate(wanted) if n != 1]
    operands = iter(node.inputs[1:])
    for axis, target in zip(axes, places):
        length: int | Operand | None = wanted[target]
        if length is None and len(node.inputs) > 1:
            length = state.b.cast(demand.scalar(state, next(operands)), LONG)
        if length is not None:
            kernels.require(source.lengths[axis] == state.b.long(length))
    b = state.b
    lengths: list[Operand] = [b.long(1)] * len(wanted)
    most: list[int | None] = [1] * len(wanted)
    for axis, target in zip(axes, places):
        lengths[target], most[target] = source.lengths[axis], source.most[axis]

    def element(index: Sequence[Operand]) -> Operand:
        at = [b.long(0)] * len(given)
        for axis, target in zip(axes, places):
            at[axis] = index[target]
        return source.element(at)

    lengths_and_most = tuple(lengths), tuple(most)
    return Measured(*lengths_and_most, element, source.reads, source.settled, source.is_dear)


def _in_other_axes(state: State, node: Node, source: Measured) -> Measured | Memory:
    """The elements of an array, which is in memory or will be, in the same order."""
    b, (value, *operands), result = state.b, node.inputs, node.outputs[0]
    count = b.long(1)
    for length in source.lengths:
        count = count * length
    if result.type.is_static:
        kernels.require(count == b.long(result.type.size))
        return measured.of_known_size(state, result, source)
    given = iter(operands)
    lengths: list[Operand] = []
    known = math.prod(n for n in result.type.shape if n is not None)
    if not operands and (result.type.shape.count(None) > 1 or not known):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    for n in result.type.shape:
        if n is not None:
            lengths.append(b.long(n))
        elif operands:
            lengths.append(b.cast(demand.scalar(state, next(given)), LONG))
        else:  # what is left, as of -1
            lengths.append(b.compute("quotient", count, b.long(known)))
    wanted = b.long(1)
    for length in lengths:
        kernels.require(length >= 0)
        wanted = b.compute("multiply_checked", wanted, length)
    kernels.require(count == wanted)
    at_flat, reads = _in_a_row(state, value, source)

    def element(index: Sequence[Operand]) -> Operand:
        return at_flat(measured.flat(b, index, lengths))

    return Measured(tuple(lengths), result.type.shape, element, reads, is_dear=source.is_dear)


def _in_a_row(
    state: State, value: Value, source: Measured
) -> tuple[Callable[[Operand], Operand], frozenset[Buffer]]:
    """What gives the element of an array with some number, and the memory that is read then."""
    b = state.b
    if value.type.is_static:
        memory = demand.memory(state, value)
        reads = frozenset([memory.buffer])
        return lambda number: b.load(memory.buffer, memory.start + number), reads
    axes = [axis for axis, n in enumerate(value.type.shape) if n != 1]
    if len(axes) == 1:
        (own,) = axes
        zero, ndim = b.long(0), len(value.type.shape)
        return (
            lambda number: source.element([number if k == own else zero for k in range(ndim)]),
            source.reads,
        )
    if state.keeps:
        raise CannotLower(reasons.ADDS_UP.of())
    address, _ = measured.in_new_memory(state, value.type, source)
    buffer = measured.rows_at(state, value.type, address)
    return lambda number: b.load(buffer, number), frozenset()


def transposed(state: State, node: Node) -> Measured:
    """The same elements with the axes in another order."""
    source, axes = demand.as_measured(state, node.inputs[0]), node.attrs["axes"]

    def element(index: Sequence[Operand]) -> Operand:
        return source.element([index[axes.index(axis)] for axis in range(len(axes))])

    return Measured(
        tuple(source.lengths[axis] for axis in axes),
        tuple(source.most[axis] for axis in axes),
        element,
        source.reads,
        source.settled,
        source.is_dear,
    )


def rolled(state: State, node: Node) -> Measured:
    """The same elements, moved along axes; those that leave come in again."""
    value, *shifts = node.inputs
    source, axes = demand.as_measured(state, value), node.attrs["axis"]
    moves = [
        (axis, _at_least_one(state, source.lengths[axis]), demand.scalar(state, shift), shift.type)
        for axis, shift in zip((0,) if axes is None else axes, shifts)
    ]

    def element(index: Sequence[Operand]) -> Operand:
        place = list(index)
        for axis, n, by, type_ in moves:
            place[axis] = rolled_from(place[axis], n, by, type_)
        return source.element(place)

    lengths_and_most = source.lengths, source.most
    return Measured(*lengths_and_most, element, source.reads, source.settled, source.is_dear)


def padded(state: State, node: Node) -> Measured:
    """The same elements with zeros around them."""
    b, (value,), widths = state.b, node.inputs, node.attrs["widths"]
    source, zero = demand.as_measured(state, value), Number(0, value.type.dtype)
    lengths = tuple(n + (before + after) for n, (before, after) in zip(source.lengths, widths))
    most = tuple(n and n + before + after for n, (before, after) in zip(source.most, widths))

    def element(index: Sequence[Operand]) -> Operand:
        own = [i - before for i, (before, _) in zip(index, widths)]
        inside: Operand = Number(True, BOOL)
        for i, n in zip(own, source.lengths):
            inside = inside & (i >= 0) & (i < n)
        return b.if_(inside, lambda: (source.element(own),), lambda: (zero,))[0]

    return Measured(lengths, most, element, source.reads, is_dear=source.is_dear)


def _at_least_one(state: State, length: Operand) -> Operand:
    return state.b.compute("max", length, state.b.long(1))


def write(state: State, node: Node) -> Memory | GrowingRows:
    """``x[index] = value``, or ``x[index] += value``, for a part of unknown length."""
    b = state.b
    array, value = node.inputs[:2]
    if isinstance(array, Constant):
        raise CannotLower(reasons.CONSTANT.of(node.location))
    shape = shape_of(array)
    source = None if array.type.is_static else demand.as_measured(state, array)
    lengths = tuple(map(b.long, shape)) if source is None else source.lengths
    arrays: dict[Value, Measured] = {}
    for v in node.inputs[1:]:
        if v.type.shape:
            demand.as_measured(state, v)
        else:
            demand.scalar(state, v)
    if array.type.is_static:
        written = buffers_written(state, node, demand.memory(state, array))
    else:
        written = [measured.rows_at(state, array.type, b.long(0))]
    in_step = value if _reads_in_step(state, node, value, written) else None
    measured.settle(state, written, in_step)
    for v in node.inputs[1:]:
        if v.type.shape:
            found = demand.as_measured(state, v)
            if not found.settled and found.may_read(written) and v is not in_step:
                found = measured.copied(state, v, found)[0]
            arrays[v] = found
    cut = _cut(state, node, 2, lengths, shape if source is None else source.most, arrays)
    given = arrays.get(value)
    number = None if value.type.shape else demand.scalar(state, value)
    result, place_of, buffer = _to_change(state, node)
    own = value.type.shape
    if len(own) > len(cut.lengths):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    behind = len(cut.lengths) - len(own)
    if given is not None:
        for n, length, wanted in zip(own, given.lengths, cut.lengths[behind:]):
            if n != 1:
                kernels.require(length == wanted)

    adds, one = node.op is ops.index_add, array.type._replace(shape=())

    def change(index: tuple[Operand, ...]) -> None:
        element = number
        if given is not None:
            element = given.element(
                [b.long(0) if n == 1 else i for n, i in zip(own, index[behind:])]
            )
        at = place_of(cut.place(index))
        if adds:
            element = increased_element(b.load(buffer, at), element, one, value.type, (), ())
        else:
            element = set_element(element, array.type, value.type)
        b.store(buffer, at, element)

    if cut.lengths:
        measured.over(state, cut.lengths, change, ordered=cut.repeats)
    else:
        change(())
    return result


def _reads_in_step(state: State, node: Node, value: Value, written: list[Buffer]) -> bool:
    """Whether elements of a value, which a node writes to a part of an array, are computed from
    none in the memory that is written but the one in their place: they are when the same part is
    taken, and what is done with it goes element by element."""
    array = node.inputs[0]
    same = (node.attrs["index"], [*map(id, node.inputs[2:])])
    if may_repeat([v.type for v in node.inputs[2:]], node.attrs["index"]):
        return False
    rank, pending, seen = len(value.type.shape), [value], set()
    while pending:
        v = pending.pop()
        held = state.env.get(v)
        if v in seen or not v.type.shape:
            continue
        seen.add(v)
        waits = v is array or not isinstance(held, Memory | Measured)
        if not waits and not demand.as_measured(state, v).may_read(written):
            continue
        maker = v.producer
        if maker is None or len(v.type.shape) != rank or 1 in v.type.shape:
            return False
        if maker.op is ops.getitem and maker.inputs[0] is array:
            if (maker.attrs["index"], [*map(id, maker.inputs[1:])]) != same:
                return False
        elif maker.op is ops.reshape:
            pending.append(maker.inputs[0])
        elif isinstance(maker.op, Elementwise) or maker.op is ops.add_same:
            pending += maker.inputs
        else:
            return False
    return True


def _to_change(
    state: State, node: Node
) -> tuple[Memory | GrowingRows, Callable[[Sequence[Operand]], Operand], Buffer]:
    """The array that a node changes, or a copy of it, where an element of it is, and in what."""
    array = node.inputs[0]
    if is_growing(array):
        rows = growing.changeable(state, node, array)
        if lookups.has_table(state, array, node.outputs[0]):
            lookups.forget(state, rows)
        shape: list[Operand | int] = [1, *measured.row_lengths(state, array.type, rows)]
        memory = measured.rows_at(state, array.type, rows.address)
        return rows, lambda index: measured.flat(state.b, index, shape), memory
    place = changeable(state, node, array, node.outputs[0])
    lengths = shape_of(array)
    return (
        place,
        lambda index: place.start + measured.flat(state.b, index, lengths),
        place.buffer,
    )
