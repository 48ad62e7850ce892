"""The lists and arrays of a loop that grow by the same number of rows in each trip.

Where the number of trips is known, so are their lengths: they have room for all rows from the
start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ops
from autograph.graph.graph import Graph, Value
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.growth import Additions, Grown, grown_by
from autograph.staging.joins.room import RowGrowth, bare, with_room
from autograph.staging.joins.variables import Variable
from autograph.staging.lists.columns import Lengths
from autograph.staging.lists.lists import Column
from autograph.staging.lists.text_elements import MadeColumn
from autograph.staging.values.leaves import ColumnOf, carried
from ops.core.operands import dims_of
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_same
from ops.core.types import Type


class GrownLists(NamedTuple):
    """Lists of the state of a loop, which are kept as rows, and arrays to which rows are added.

    Attributes:
        trips: how many there are, an int, a symbolic length or number; None if it is not known
            before.
        growth: for each, by its position in the state, how many rows a trip adds, and along which
            axis.
        starts: how many rows those have before the loop of which that is known.
    """

    trips: Any
    growth: dict[int, Grown]
    starts: dict[int, int]

    @classmethod
    def of(
        cls, body: Graph, facts: Sequence[Variable], leaves: Sequence[Sequence[Any]], trips: Any
    ) -> GrownLists:
        """Those of a loop.

        Args:
            body: the region.
            facts: what is known of the variables of the state.
            leaves: of these variables, before the loop.
            trips: see above.
        """
        if trips is None:
            return cls(None, {}, {})
        growth = grown_by(body, facts, offset=1, known=recorder().state(Additions))
        return cls(trips, growth, _starts(facts, leaves, growth))

    def with_room(
        self, body: Graph, init: list[Value], types: list[Type]
    ) -> tuple[Graph, list[Value], list[Type]]:
        """The body, the state before the loop and its types, with room from the start for all
        rows, if the number of trips is known."""
        if not isinstance(self.trips, int) or self.trips < 1:
            return body, init, types
        lists = {
            k: RowGrowth(self.starts[k], grown.rows, grown.axis or 0)
            for k, grown in self.growth.items()
            if k in self.starts and grown.behind
        }
        body, arrays = with_room(body, self.trips, lists, init)
        init = [arrays.get(k, v) for k, v in enumerate(init)]
        return body, init, [init[k].type if k in arrays else t for k, t in enumerate(types)]

    def with_lengths(self, results: Sequence[Value], init: Sequence[Value]) -> list[Value]:
        """The results of the loop, the lists with their length; if the number of trips is symbolic,
        it is noted.

        Args:
            init: the state before the loop, without more room.
        """
        found = list(results)
        for position, grown in self.growth.items():
            axis, step = grown.axis or 0, grown.rows
            start, value = self.starts.get(position), found[position]
            if start is None:
                continue
            if not isinstance(self.trips, int):
                if axis == 0:
                    recorder().state(Lengths)[value] = self.trips * step + start
                continue
            shape = value.type.with_length(axis, start + self.trips * step).shape
            if not is_same(value.type.shape, shape):
                found[position] = ops.refine(value, shape=shape)
            more = grown._replace(rows=self.trips * step)
            recorder().state(Additions)[found[position]] = bare(init[position]), more
        return found


def _starts(
    facts: Sequence[Variable], leaves: Sequence[Sequence[Any]], growth: Mapping[int, Grown]
) -> dict[int, int]:
    """For each value of the state that grows: how many rows it has before the loop."""
    starts, position = {}, 0
    for fact, own in zip(facts, leaves):
        position += 1 if len(fact.types) > sum(map(_values, fact.leaves)) else 0
        for leaf, kind in zip(own, fact.leaves):
            if position in growth:
                axis = growth[position].axis or 0
                known = _length(leaf) if isinstance(kind, ColumnOf) else _extent(leaf, axis)
                if known is not None:
                    starts[position] = known
            position += _values(kind)
    return starts


def _length(leaf: Any) -> int | None:
    """How many rows there are of a part of the elements of a list; None if it is not known, or the
    variable is None before the loop."""
    if leaf is None:
        return None
    if isinstance(leaf, MadeColumn):
        return leaf.length
    return leaf.value.type.shape[0] if isinstance(leaf, Column) else len(leaf.parts)


def _extent(leaf: Any, axis: int) -> int | None:
    """How long an array is along an axis; None if it is not known, or the variable is still a list
    before the loop."""
    return None if isinstance(leaf, list) else dims_of(leaf)[axis]


def _values(kind: Any) -> int:
    return len(carried(kind))
