"""How much longer the lists and arrays of a loop get in each trip, where the body tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ops
from autograph.graph.graph import Constant, Graph, Value
from autograph.graph.wiring import loop_of, wiring
from autograph.staging.ground.checkpointing import inside
from autograph.staging.joins.variables import MAYBE, Variable
from autograph.staging.values.leaves import ColumnOf, carried
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.types import ArrayType


class Grown(NamedTuple):
    """How much longer an array or a list gets.

    Attributes:
        axis: along which axis; None: it does not.
        count: by how many rows; those of a list are along its first axis.
        behind: whether they all are behind those that were there.
    """

    axis: int | None
    count: int
    behind: bool = True

    def __add__(self, more: Grown) -> Grown | None:
        """What both add up to; None if they are along two axes."""
        if self.axis is None or more.axis in (None, self.axis):
            axis = more.axis if self.axis is None else self.axis
            return Grown(axis, self.count + more.count, self.behind and more.behind)
        return None


class Additions(dict[Value, tuple[Value, Grown]]):
    """What loops with room for all rows give: the array before, and how much longer it got."""


Known = Mapping[Value, tuple[Value, Grown]]
_NONE: Known = {}
_SAME = Grown(None, 0)


def grown_by(
    body: Graph, facts: Sequence[Variable], offset: int, known: Known = _NONE
) -> dict[int, Grown]:
    """For the values of a loop's state that are lists kept as rows, or arrays of which only the run
    knows one length: how many rows a trip adds.

    Those of which that depends on the way through the body are not among them.

    Args:
        body: the region; its outputs begin with the state.
        facts: what is known of the variables of the state.
        offset: how many inputs the body has before the state.
        known: see `added`.
    """
    growth = {}
    position = 0
    for fact in facts:
        position += fact.defined == MAYBE
        for kind in fact.leaves:
            if isinstance(kind, ColumnOf) or (isinstance(kind, ArrayType) and not kind.is_static):
                grown = added(body.outputs[position], body.inputs[offset + position], known)
                if grown is not None and isinstance(kind, ColumnOf):
                    growth[position] = grown._replace(axis=0)
                elif grown is not None and grown.axis is not None:
                    growth[position] = grown
            position += len(carried(kind))
    return growth


def added(value: Value, start: Value, known: Known = _NONE) -> Grown | None:
    """How many rows were added to ``start`` to give ``value``; None if the graph does not tell.

    Loops that make a known number of trips are looked into.

    Args:
        known: what loops give that have room for all rows: see `Additions`.
    """
    found: Grown | None = _SAME
    while found is not None and (value := inside(value)) is not start:
        if value in known:
            value, more = known[value]
            found += more
            continue
        node = value.producer
        if node is None:
            return None
        if node.op is regions.for_loop:
            variable, trips = wiring(node).carried[node.place(value)], loop_of(node).count
            step = added(variable.left, variable.entered, known)
            if step is None or not isinstance(trips, Constant):
                return None
            found += step._replace(count=step.count * max(int(trips.data), 0))
            value = variable.start
        elif node.op in (ops.append_row, ops.drop_row):
            found += Grown(0, 1 if node.op is ops.append_row else -1)
            value = node.inputs[0]
        elif node.op is ops.refine:
            value = node.inputs[0]
        elif node.op is ops.concatenate:
            parts = [(added(part, start, known), k) for k, part in enumerate(node.inputs)]
            own = [(grown, k) for grown, k in parts if grown is not None]
            if len(own) != 1:
                return None
            (grown, k), axis = own[0], node.attrs["axis"]
            lengths = [v.type.shape[axis] for i, v in enumerate(node.inputs) if i != k]
            if not all(isinstance(n, int) for n in lengths):
                return None
            found += Grown(axis, sum(lengths), behind=k == 0)
            return None if found is None else found + grown
        else:
            return None
    return found
