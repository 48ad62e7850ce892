"""Where elements are not zero, which as many are as only the run knows."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.builder import split_index
from autograph.kernels.ir.ir import BOOL, LONG, Operand
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Measured, Memory, shape_of


def places(state: State, node: Node) -> Measured:
    """``np.nonzero(x)[axis]``."""
    (value,), b = node.inputs, state.b
    memory, count = _found(state, value, node.outputs[0])
    shape, axis = shape_of(value), node.attrs["axis"]

    def element(index: Sequence[Operand]) -> Operand:
        flat = b.load(memory.buffer, memory.start + index[0])
        return flat if len(shape) == 1 else split_index(flat, shape)[axis]

    most = value.type.size if value.type.is_static else None
    return Measured((count,), (most,), element, settled=True)


def _found(state: State, value: Value, result: Value) -> tuple[Memory, Operand]:
    """The numbers of the elements of an array that are not zero, and how many there are. They are
    found once in a block."""
    if value not in state.nonzero:
        given, b = demand.as_measured(state, value), state.b
        most = (value.type.size,) if value.type.is_static else given.most
        lengths = (b.long(value.type.size),) if value.type.is_static else given.lengths
        memory = measured.allocated(state, result, lengths, most)
        flat = demand.memory(state, value) if value.type.is_static else None

        def trip(i: Operand, count: Operand) -> tuple[Operand]:
            at = given.element([i]) if flat is None else b.load(flat.buffer, flat.start + i)
            b.store(memory.buffer, memory.start + count, i)
            there = at if at.dtype == BOOL else at != 0
            return (count + b.cast(there, LONG),)

        (count,) = b.for_(lengths[0], (b.long(0),), trip)
        state.nonzero[value] = memory, count
    return state.nonzero[value]
