"""How much longer the lists of a loop get in each trip, where the body tells."""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.graph import Constant, Graph, Value
from autograph.graph.wiring import loop_of, wiring
from autograph.staging.ground.checkpointing import inside
from autograph.staging.joins.variables import MAYBE, Variable
from autograph.staging.values.leaves import ColumnOf, carried
from ops.control import regions


def grown_by(body: Graph, facts: Sequence[Variable], offset: int) -> dict[int, int]:
    """For the values of a loop's state that are lists kept as rows: how many elements a trip adds.

    Lists of which that depends on the way through the body are not among them.

    Args:
        body: the region; its outputs begin with the state.
        facts: what is known of the variables of the state.
        offset: how many inputs the body has before the state.
    """
    growth = {}
    position = 0
    for fact in facts:
        position += fact.defined == MAYBE
        for kind in fact.leaves:
            if isinstance(kind, ColumnOf):
                step = appended(body.outputs[position], body.inputs[offset + position])
                if step is not None:
                    growth[position] = step
            position += len(carried(kind))
    return growth


def appended(value: Value, start: Value) -> int | None:
    """How many rows were appended to ``start`` to give ``value``; None if the graph does not tell.

    Loops that make a known number of trips are looked into.
    """
    count = 0
    while (value := inside(value)) is not start:
        node = value.producer
        if node is None:
            return None
        if node.op is regions.for_loop:
            variable, trips = wiring(node).carried[node.place(value)], loop_of(node).count
            step = appended(variable.left, variable.entered)
            if step is None or not isinstance(trips, Constant):
                return None
            count += step * max(int(trips.data), 0)
            value = variable.start
        elif node.op in (ops.append_row, ops.drop_row):
            count += 1 if node.op is ops.append_row else -1
            value = node.inputs[0]
        else:
            return None
    return count
