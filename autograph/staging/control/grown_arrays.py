"""Arrays that get longer in each trip of a loop: ``history = np.hstack((history, x))``.

Such a loop is recorded as one through which an array goes whose length along that axis only the run
knows; where it is known how many trips there are, `autograph.staging.control.grown_lists` knows the
length after them, and makes room for all from the start. An array that a trip makes longer in
another way is none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograph.errors import LoopStateError
from autograph.graph.graph import Graph, Value, walk
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.growth import Additions, added
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import Variable
from autograph.staging.values.leaves import Known
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType

# Loops of at most so many trips that read such arrays as they are by then run as Python: that is as
# much to record, and what is recorded has known lengths.
_MOST_TRIPS = 16


class GrownArrays:
    """Those of a loop that is recorded.

    Attributes:
        refusal: why the loop is refused if they can't be of any length; None if there are none.
    """

    def __init__(self) -> None:
        # The axes along which they grow, by the position of a variable and of its leaf.
        self._axes: dict[tuple[int, int], int] = {}
        self.refusal: LoopStateError | None = None

    def found(
        self,
        facts: Sequence[Variable],
        given: Sequence[Value | None],
        after: Side,
        makes_trip: bool,
        refusal: LoopStateError,
    ) -> bool:
        """Find those that a trip has appended to; whether there are more.

        Args:
            facts: what is known of the variables before the trip.
            given: the graph values of their leaves then; None for what is no array.
            after: the variables after it.
            makes_trip: whether it is known that there is one, which may leave another dtype.
            refusal: what is to be raised otherwise.
        """
        known, place, more = recorder().state(Additions), 0, False
        ends = after.leaves_for(facts)
        for i, (fact, variable, left) in enumerate(zip(facts, after.variables, ends)):
            starts, place = given[place : place + len(fact.leaves)], place + len(fact.leaves)
            if fact.structure != variable.structure or fact.defined != variable.defined:
                continue
            for j, (start, end) in enumerate(zip(starts, left)):
                if start is None or not isinstance(end, GraphArray) or (i, j) in self._axes:
                    continue
                value = after.value_of(end)
                if not makes_trip and value.type.dtype != start.type.dtype:
                    continue
                grown = added(value, start, known)
                if grown is not None and grown.axis is not None:
                    self._axes[i, j] = grown.axis
                    more = True
        self.refusal = self.refusal or (refusal if more else None)
        return more

    def of_any_length(self, facts: Sequence[Variable]) -> Iterator[Variable]:
        """What is known of the variables before any trip."""
        for i, fact in enumerate(facts):
            own = {j: axis for (k, j), axis in self._axes.items() if k == i}
            leaves: list[Any] = list(fact.leaves)
            for j, axis in own.items():
                kind = leaves[j].type if isinstance(leaves[j], Known) else leaves[j]
                if isinstance(kind, ArrayType) and axis < kind.ndim:
                    leaves[j] = kind.with_length(axis, None)
            yield replace(fact, leaves=tuple(leaves)) if own else fact

    def refuse_short(self, trips: Any, body: Graph) -> None:
        """Refuse a loop of so few trips that it had better run as Python."""
        if self.refusal is None or not isinstance(trips, int) or is_length(trips):
            return
        if trips <= _MOST_TRIPS and _has_unknown_lengths(body):
            raise self.refusal


def _has_unknown_lengths(body: Graph) -> bool:
    types = (v.type for node in walk(body) for v in (*node.inputs, *node.outputs))
    return any(isinstance(type, ArrayType) and not type.is_static for type in types)
