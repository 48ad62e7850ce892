"""What is recorded again and again, until what is assumed of its state is what comes out.

So are the body of a loop, whose state goes from trip to trip, and a recursive function, whose state
goes from call to call. The arrays and containers from outside that they change in place belong to
the state: they enter the region as inputs, and what they hold at its end is written back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph.graph.builder import Builder
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.crossing import Rebuilt, rebuild
from autograph.staging.joins.origins import mark_carried
from autograph.staging.joins.state import Slots, fill_all
from autograph.staging.joins.variables import Variable


class FixedPoint:
    """State that is right once recording it, `record`, changes nothing of what is known of it.

    Args:
        variables: how many variables the state begins with; the values of `slots` follow.

    Attributes:
        arrays: the arrays from outside that are changed in place, with their types.
        slots: the containers from outside that are changed.
    """

    most_passes = 50  # types only move up short ladders, one variable at a time

    def __init__(self, variables: int):
        self.variables = variables
        self.arrays = ByIdentity()
        self.slots: list[Slots] = []

    def settles(self, discard: Callable[[], None] = lambda: None) -> bool:
        """Record until a pass gives what it assumed; False if too many don't.

        Args:
            discard: drops what else was recorded in a pass that assumed what is wrong.
        """
        for _ in range(self.most_passes):
            if self.record():
                return True
            discard()
        return False

    def record(self) -> bool:
        """Record once; False if what is known had to be widened."""
        raise NotImplementedError

    def prepare(self, entered: Rebuilt) -> None:
        """Note what is known of the variables as a region sees them."""
        raise NotImplementedError

    def enter(
        self, builder: Builder, facts: Sequence[Variable], names: Iterable[str | None]
    ) -> Rebuilt:
        """Make the inputs of a region that carry the state; returns the variables in it."""
        types = [type for fact in facts for type in fact.types]
        entered = rebuild(facts, [builder.input(type, name) for type, name in zip(types, names)])
        self.prepare(entered)
        mark_carried(facts, entered.leaves)
        self._fill(entered)
        for array, type in self.arrays.items():
            array.write(builder.input(type, array.value.name))
        return entered

    def write_back(
        self,
        facts: Sequence[Variable],
        results: Sequence[Value],
        arrays: Sequence[GraphArray],
        replace_leaf: Callable[[list[list[Any]]], list[list[Any]]],
    ) -> Rebuilt:
        """The variables after a node, whose last results are what ``arrays`` hold then."""
        for array, value in zip(arrays, results[len(results) - len(arrays) :]):
            array.write(value)
        rebuilt = rebuild(facts, results, replace_leaf)
        self._fill(rebuilt)
        return rebuilt

    def _fill(self, state: Rebuilt) -> None:
        fill_all(self.slots, state.contents[self.variables :], recorder().frozen)
