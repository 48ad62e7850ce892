"""Running totals of arrays whose lengths only the run knows, as NumPy adds them: one after the
other, along the last axis in a register, along another one for all columns at once."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Node
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Measured
from ops.core import kernels


def running(state: State, node: Node) -> Measured:
    """An operator that declares a `ops.core.kernels.Scan`."""
    b, scan, (result,) = state.b, node.op.scan, node.outputs
    assert scan is not None
    axis = scan.axis(node.inputs[0].type, **node.attrs)
    arrays = [demand.as_measured(state, v) for v in node.inputs]
    lengths, most = arrays[0].lengths, arrays[0].most
    for other in arrays[1:]:
        for n, length in zip(other.lengths, lengths):
            kernels.require(n == length)
    memory = measured.allocated(state, result, lengths, most)
    sizes = [length if n is None else n for length, n in zip(lengths, most)]

    def place(index: Sequence[Operand]) -> Operand:
        return memory.start + measured.flat(b, index, sizes)

    def elements(index: Sequence[Operand]) -> list[Operand]:
        return [b.cast(array.element(index), result.type.dtype) for array in arrays]

    def first(index: Sequence[Operand]) -> Operand:
        total = elements(index)[-1]
        b.store(memory.buffer, place(index), total)
        return total

    def following(index: Sequence[Operand], total: Operand) -> Operand:
        total = scan.following(total, *elements(index))
        b.store(memory.buffer, place(index), total)
        return total

    def chain(lead: tuple[Operand, ...]) -> None:
        start = first((*lead, b.long(0)))
        step = lambda j, total: (following((*lead, j + 1), total),)
        b.for_(lengths[axis] - 1, (start,), step)

    def rows() -> tuple:
        lead = lengths[:axis]
        if lead:
            measured.over(state, lead, chain, ordered=True)
        else:
            chain(())
        return ()

    def at(others: Sequence[Operand], j: Operand) -> tuple[Operand, ...]:
        return (*others[:axis], j, *others[axis:])

    def columns() -> tuple:
        others = (*lengths[:axis], *lengths[axis + 1 :])

        def begin(index: tuple[Operand, ...]) -> None:
            first(at(index, b.long(0)))

        measured.over(state, others, begin)

        def step(j: Operand) -> tuple:
            def one(index: tuple[Operand, ...]) -> None:
                before = b.load(memory.buffer, place(at(index, j)))
                following(at(index, j + 1), before)

            measured.over(state, others, one)
            return ()

        b.for_(lengths[axis] - 1, (), step)
        return ()

    b.if_(lengths[axis] > 0, rows if axis == len(lengths) - 1 else columns)
    return Measured(lengths, most, lambda index: b.load(memory.buffer, place(index)), settled=True)
