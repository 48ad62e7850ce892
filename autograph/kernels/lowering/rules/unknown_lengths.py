"""Arrays whose lengths only the run knows, and what is computed of them, element by element.

Each rule gives what the result is. Where two lengths would have to be the same and are not, the
kernel gives up.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering import scalars
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Measured, Memory, shape_of
from ops.core import kernels
from ops.core.registry import Elementwise


def bind(state: State, node: Node, result: Operand | Measured | Memory) -> None:
    """Let a node's result be what a rule has found."""
    (value,) = node.outputs
    if isinstance(result, Measured) and value.type.is_static:
        state.env[value] = _of_known_shape(state, value, result)
    else:
        state.env[value] = result


def _of_known_shape(state: State, value: Value, found: Measured) -> Memory:
    """An array in memory. Its shape was known before."""
    shape = shape_of(value)
    for n, length in zip(shape, found.lengths):
        kernels.require(length == state.b.long(n))
    measured.settle(state)
    memory = state.places.give(value)
    measured.over(
        state,
        tuple(map(state.b.long, shape)),
        lambda index: state.places.store(value, index, found.element(index)),
    )
    return memory


def length(state: State, node: Node) -> Operand:
    """The length of an axis."""
    found = demand.as_measured(state, node.inputs[0]).lengths[node.attrs["axis"]]
    return state.b.cast(found, node.outputs[0].type.dtype)


def computed(state: State, node: Node) -> Measured:
    """An elementwise operator, or a copy, also of another dtype."""
    b, result = state.b, node.outputs[0]
    types = [v.type for v in node.inputs]
    if isinstance(node.op, Elementwise):
        scalars.computed_in(node.op, tuple(t._replace(shape=()) for t in types))
    ndim = len(result.type.shape)
    given = [demand.as_measured(state, v) if v.type.shape else None for v in node.inputs]
    numbers = [None if v.type.shape else demand.scalar(state, v) for v in node.inputs]
    lengths: list[Operand] = [b.long(1)] * ndim
    most = [1] * ndim
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
                most[axis] = min(most[axis], array.most[axis - behind])

    def element(index: Sequence[Operand]) -> Operand:
        operands = []
        for value, array, known in zip(node.inputs, given, numbers):
            if array is not None:
                own = index[ndim - len(array.lengths) :]
                at = [b.long(0) if n == 1 else i for n, i in zip(value.type.shape, own)]
                known = array.element(at)
            assert known is not None  # it is an array or a number
            operands.append(known)
        if isinstance(node.op, Elementwise):
            return scalars.apply(node.op, types, result.type, operands, node.location)
        return b.cast(operands[0], result.type.dtype)

    return Measured(tuple(lengths), tuple(most), element)
