"""Arrays whose lengths only the run knows, and what is computed of them, element by element.

Each rule gives what the result is. Where two lengths would have to be the same and are not, the
kernel gives up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ops
from autograph.graph.graph import Node, Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.lowering import scalars
from autograph.kernels.lowering.analysis.unknown_lengths import takes_part
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.complex_numbers import ComplexPart
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Held, Measured, shape_of
from ops.core import kernels
from ops.core.registry import Elementwise

_DEAR = 10  # the cost of an element, see `ops.core.registry.Op`


def bind(state: State, node: Node, result: Held) -> None:
    """Let a node's result be what a rule has found."""
    (value,) = node.outputs
    if isinstance(result, Measured) and value.type.is_static:
        result = _of_known_shape(state, value, result)
        is_part = node.op is ops.getitem and not result.is_dear
        if not is_part or not _is_read_by_element(state, value):
            result = measured.of_known_size(state, value, result)
    state.env[value] = result


def _of_known_shape(state: State, value: Value, found: Measured) -> Measured:
    """An array whose shape was known before."""
    shape = shape_of(value)
    for n, length in zip(shape, found.lengths):
        kernels.require(length == state.b.long(n))
    return found._replace(lengths=tuple(map(state.b.long, shape)))


def _is_read_by_element(state: State, value: Value) -> bool:
    """Whether what is read of an array are single elements, perhaps of its rows, as of a row in
    ``rows[i][j]``, which is not copied for that."""
    users = state.plan.uses.get(value, ())
    return value not in state.plan.outputs and all(
        takes_part(user)
        and (not user.outputs[0].type.shape or _is_read_by_element(state, user.outputs[0]))
        for user in users
    )


def length(state: State, node: Node) -> Operand:
    """The length of an axis."""
    found = demand.as_measured(state, node.inputs[0]).lengths[node.attrs["axis"]]
    return state.b.cast(found, node.outputs[0].type.dtype)


def filled(state: State, node: Node) -> Measured:
    """An array of one number."""
    number, *operands = node.inputs
    lengths, most = _lengths(state, node.attrs["shape"], operands)
    element = demand.scalar(state, number)
    dtype = node.outputs[0].type.dtype
    return Measured(lengths, most, lambda index: state.b.cast(element, dtype))


def numbered(state: State, node: Node) -> Measured:
    """The integers from 0 on."""
    count = state.b.cast(demand.scalar(state, node.inputs[0]), LONG)
    kernels.require(count >= 0)
    dtype = node.outputs[0].type.dtype
    return Measured((count,), (None,), lambda index: state.b.cast(index[0], dtype))


def repeated(state: State, node: Node) -> Measured:
    """An array broadcast to a shape."""
    value, *operands = node.inputs
    lengths, most = _lengths(state, node.attrs["shape"], operands)
    if not value.type.shape:
        number = demand.scalar(state, value)
        return Measured(lengths, most, lambda index: number)
    given = measured.kept(state, value, demand.as_measured(state, value))
    behind = len(lengths) - len(given.lengths)
    for n, own, wanted in zip(value.type.shape, given.lengths, lengths[behind:]):
        if n != 1:
            kernels.require(own == wanted)

    def element(index: Sequence[Operand]) -> Operand:
        own = zip(value.type.shape, index[behind:])
        return given.element([state.b.long(0) if n == 1 else i for n, i in own])

    return Measured(lengths, most, element, given.reads)


def _lengths(
    state: State, shape: Sequence[int | None], operands: Sequence[Value]
) -> tuple[tuple[Operand, ...], tuple[int | None, ...]]:
    """The lengths of a shape, of which the unknown ones are operands, and what they are at most."""
    given = iter(operands)
    lengths: list[Operand] = []
    for n in shape:
        if n is None:
            lengths.append(state.b.cast(demand.scalar(state, next(given)), LONG))
            kernels.require(lengths[-1] >= 0)
        else:
            lengths.append(state.b.long(n))
    return tuple(lengths), tuple(shape)


def computed(state: State, node: Node) -> Measured:
    """An operator that makes each element of those in the same place, such as a copy."""
    b, result = state.b, node.outputs[0]
    types = [v.type for v in node.inputs]
    if isinstance(node.op, Elementwise):
        scalars.computed_in(node.op, tuple(t._replace(shape=()) for t in types))
    ndim = len(result.type.shape)
    given = [demand.as_measured(state, v) if v.type.shape else None for v in node.inputs]
    numbers = [None if v.type.shape else demand.scalar(state, v) for v in node.inputs]
    lengths: list[Operand] = [b.long(1)] * ndim
    most: list[int | None] = [1] * ndim
    for value, array in zip(node.inputs, given):
        if array is None:
            continue
        behind = ndim - len(array.lengths)
        for axis, (n, length) in enumerate(zip(value.type.shape, array.lengths), behind):
            if n == 1:
                continue
            before = lengths[axis]
            if isinstance(before, ir.Number) and before.value == 1:
                lengths[axis], most[axis] = length, array.most[axis - behind]
            else:
                kernels.require(lengths[axis] == length)
                known = [m for m in (most[axis], array.most[axis - behind]) if m is not None]
                most[axis] = min(known, default=None)

    def read(number: int, index: Sequence[Operand | int]) -> Operand:
        array, known = given[number], numbers[number]
        if array is not None:
            return array.element([b.long(i) for i in index])
        assert known is not None  # it is an array or a number
        return known

    def element(index: Sequence[Operand]) -> Operand:
        if not isinstance(node.op, Elementwise):
            assert node.op.element is not None
            found = node.op.element(read, tuple(index), types, node.attrs)
            return b.cast(found, result.type.dtype)
        operands = [read(i, kernels.aligned(index, t.shape)) for i, t in enumerate(types)]
        return scalars.apply(node.op, types, result.type, operands, node.location)

    again: dict[Value, Measured] = {}
    for value, array in zip(node.inputs, given):
        if array is None:
            continue
        wide = any(n == 1 for n in value.type.shape) or len(value.type.shape) < ndim
        users = state.plan.uses.get(value, ())
        once = len(users) <= 1 or (array.is_plain and _are_parts(users))
        if wide or not once:
            again[value] = array
    kept = measured.all_kept(state, again)
    given = [array and kept.get(v, array) for v, array in zip(node.inputs, given)]
    arrays = [array for array in given if array is not None]
    reads = frozenset().union(*(array.reads for array in arrays))
    is_plain = not any(array.is_dear for array in arrays)
    is_dear = node.op.cost >= _DEAR or not is_plain
    return Measured(tuple(lengths), tuple(most), element, reads, is_dear=is_dear, is_plain=is_plain)


def _are_parts(users: Sequence[Node]) -> bool:
    """Whether nodes compute both parts of the same complex numbers, in a dear way: one loop does
    where these are kept."""
    first, *others = users
    return (
        isinstance(first.op, ComplexPart)
        and first.op.cost >= _DEAR
        and all(isinstance(x.op, ComplexPart) and x.op.formula is first.op.formula for x in others)
    )


def joined(state: State, node: Node) -> Measured:
    """Arrays joined along an axis."""
    b, axis = state.b, node.attrs["axis"]
    dtype = node.outputs[0].type.dtype
    parts = [demand.as_measured(state, v) for v in node.inputs]
    lengths, most = list(parts[0].lengths), list(parts[0].most)
    starts = [b.long(0)]
    for part in parts[1:]:
        for k, length in enumerate(part.lengths):
            if k != axis:
                kernels.require(length == lengths[k])
                most[k] = part.most[k] if most[k] is None else most[k]
    for part in parts:
        starts.append(starts[-1] + part.lengths[axis])
    known = [part.most[axis] for part in parts]
    lengths[axis] = starts.pop()
    most[axis] = None if None in known else sum(n for n in known if n is not None)

    def own(k: int, index: Sequence[Operand]) -> list[Operand]:
        return [i - starts[k] if n == axis else i for n, i in enumerate(index)]

    def element(index: Sequence[Operand], k: int = 0) -> Operand:
        if k == len(parts) - 1:
            return b.cast(parts[k].element(own(k, index)), dtype)
        return b.if_(
            index[axis] < starts[k + 1],
            lambda: (b.cast(parts[k].element(own(k, index)), dtype),),
            lambda: (element(index, k + 1),),
        )[0]

    def there(index: Sequence[Operand], k: int) -> list[Operand]:
        return [i + starts[k] if n == axis else i for n, i in enumerate(index)]

    def visit(body: Callable[[Sequence[Operand], Operand], None]) -> None:
        own_lengths = [part.lengths[axis] for part in parts]
        numbers = {int(n.value) for n in own_lengths if isinstance(n, ir.Number)}
        if len(numbers) == 1 and all(isinstance(n, ir.Number) for n in own_lengths):

            def each_part(index: Sequence[Operand]) -> None:
                found = [b.cast(part.element(index), dtype) for part in parts]
                for k, element in enumerate(found):
                    body(there(index, k), element)

            measured.over(state, parts[0].lengths, each_part)
            return
        for k, part in enumerate(parts):

            def place(index: Sequence[Operand], element: Operand, k: int = k) -> None:
                body(there(index, k), b.cast(element, dtype))

            measured.visit(state, part, place)

    reads = frozenset().union(*(part.reads for part in parts))
    is_dear = any(part.is_dear for part in parts)
    return Measured(tuple(lengths), tuple(most), element, reads, False, is_dear, visit=visit)
