"""A counted loop over levels, whose columns are computed one after the other; see
`autograph.kernels.lowering.analysis.by_columns`."""

from __future__ import annotations

import math

from autograph.graph.graph import Node, Value
from autograph.graph.wiring import loop_of
from autograph.kernels.ir.builder import flat_index, split_index
from autograph.kernels.ir.ir import LONG, Buffer, Number, Operand
from autograph.kernels.lowering.analysis.by_columns import ByColumns
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.nest import NS
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory, scalar_dtype, shape_of

_TRIPS = 20  # if it is not known how many there are


def trips(state: State, node: Node, columns: ByColumns, places: dict[Value, Memory]) -> Operand:
    """The trips of a loop, for each column; gives how many there are.

    Args:
        places: of the arrays that the loop changes, by the inputs of its body.
    """
    count = state.b.cast(demand.scalar(state, node.inputs[0]), LONG)
    known = float(count.value) if isinstance(count, Number) else _TRIPS
    work = max(known, 1.0) * (4 + columns.cost) * NS
    *outer, last = columns.columns

    def row(flat: Operand) -> tuple:
        lead = split_index(flat, outer)

        def column(i: Operand) -> tuple:
            _column(state, node, columns, places, count, (*lead, i))
            return ()

        state.loops.loop(last, "vector", column, work)
        return ()

    if math.prod(outer) == 1:
        row(state.b.long(0))
    else:
        state.loops.loop(math.prod(outer), "parallel", row, work * last)
    for place in places.values():
        state.b.written(place.buffer)
    return count


def _column(
    state: State,
    node: Node,
    columns: ByColumns,
    places: dict[Value, Memory],
    count: Operand,
    index: tuple[Operand, ...],
) -> None:
    """The trips for one column."""
    loop, b = loop_of(node), state.b
    body = columns.body
    inputs = dict(zip(loop.state, body.inputs[len(loop.indices) :]))
    scalars = [v for v in loop.state if v in columns.scalars]

    def place_of(value: Value) -> tuple[Buffer, Operand]:
        memory = places[value]
        return memory.buffer, memory.start + flat_index(index, shape_of(value))

    def trip(number: Operand, *current: Operand) -> list[Operand]:
        inner = state.inner(body, serial=True)
        inner.env[body.inputs[0]] = b.cast(number, scalar_dtype(body.inputs[0]))
        for value, position in zip(body.inputs[-len(index) :], index):
            inner.env[value] = position
        for value, operand in zip(scalars, current):
            inner.env[inputs[value]] = operand
        for value in loop.state:
            if value not in columns.scalars:
                inner.env[inputs[value]] = places[value]
        results = state.shared.lower_region(inner, body, [None] * len(body.outputs))
        for value, result in zip(loop.state, results):
            changed = isinstance(result, Memory) and result.buffer is places[value].buffer
            assert changed or value in columns.scalars
        return [
            b.cast(result, value.type.dtype)
            for value, result in zip(loop.state, results)
            if value in columns.scalars and isinstance(result, Operand)
        ]

    init = [b.load(*place_of(value), value.name) for value in scalars]
    left = b.for_(count, init, trip, [v.name for v in scalars])
    for value, result in zip(scalars, left):
        b.store(*place_of(value), result)
