"""How much longer the lists of a loop get in each trip, where the body tells."""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.graph import Graph
from autograph.staging.ground.checkpointing import inside
from autograph.staging.joins.variables import MAYBE, Variable
from autograph.staging.values.leaves import ColumnOf, carried


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
                step = _appended(body.outputs[position], body.inputs[offset + position])
                if step is not None:
                    growth[position] = step
            position += len(carried(kind))
    return growth


def _appended(value, start) -> int | None:
    """How many rows were appended to ``start`` to give ``value``."""
    count = 0
    while (value := inside(value)) is not start:
        producer = value.producer
        if producer is None or producer.op not in (ops.append_row, ops.drop_row):
            return None
        count += 1 if producer.op is ops.append_row else -1
        value = producer.inputs[0]
    return count
