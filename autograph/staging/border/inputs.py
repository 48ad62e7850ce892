"""The inputs of the graph that is recorded, whose values code may turn out to need."""

from __future__ import annotations

import math

from autograph.graph.graph import Constant, Value
from autograph.graph.wiring import is_loop
from autograph.staging.ground.checkpointing import inside
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.restarts import SpecializeArguments
from ops.core.types import ArrayType

_LONG = 100  # elements of an array that nobody passes to say how long something is


class Inputs:
    """The inputs of a graph.

    Attributes:
        positions: of each among the arguments; they become static if their values are needed while
            recording.
        outer: the positions of those that come from outside of the function, where numbers are
            taken for constant otherwise.
        aliases: for inputs of graphs recorded inside this one, the values they stand for.
    """

    def __init__(self) -> None:
        self.positions: dict[Value, int] = {}
        self.outer: range = range(0)
        self.aliases: dict[Value, Value] = {}

    def demand_number(self, value: Value) -> None:
        """`demand`, but not for what elements of arrays decide."""
        if not any(source.type.shape for source in self._sources(value)):
            self.demand(value)

    def demand_length(self, value: Value) -> None:
        """`demand`, where what only the run knows does as well: not for what a loop finds out of
        the elements of a long array, as a count of those that are kept. There would be a program
        for all its contents, and few of them know what such a loop finds."""
        if not self._is_found_in_loop(value):
            self.demand(value)

    def _is_found_in_loop(self, value: Value) -> bool:
        is_long = any(_is_long(source.type) for source in self._sources(value))
        return is_long and any(
            found.producer is not None and is_loop(found.producer) for found in self._behind(value)
        )

    def demand(self, value: Value) -> None:
        """Code needs the concrete ``value``.

        If integer arguments alone determine it, start again with those arguments as part of the
        signature. Floats are too many to compile the function for each, but for those outside.
        """
        sources = self._sources(value)
        integers = all(source.type.dtype.kind in "iub" for source in sources)
        if sources and sources <= self.positions.keys():
            positions = sorted(self.positions[source] for source in sources)
            if integers or all(position in self.outer for position in positions):
                raise SpecializeArguments(positions, user_location())

    def _sources(self, value: Value) -> set[Value]:
        """The values without a producer that ``value`` is computed from."""
        behind = self._behind(value)
        return {found for found in behind if found.producer is None and found not in self.aliases}

    def _behind(self, value: Value) -> set[Value]:
        """The values that ``value`` is computed from, and itself."""
        pending, seen = [value], set[Value]()
        while pending:
            value = inside(pending.pop())
            if value in seen or isinstance(value, Constant):
                continue
            seen.add(value)
            if value in self.aliases:
                pending.append(self.aliases[value])
            elif value.producer is not None:
                pending.extend(value.producer.uses())
        return seen


def _is_long(type: ArrayType) -> bool:
    known = [length for length in type.shape if isinstance(length, int)]
    return len(known) < len(type.shape) or math.prod(known) > _LONG
