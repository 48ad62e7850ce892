"""The inputs of the graph that is recorded, whose values code may turn out to need."""

from __future__ import annotations

from autograph.graph.graph import Constant, Value
from autograph.staging.ground.checkpointing import inside
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.restarts import SpecializeArguments


class Inputs:
    """The inputs of a graph.

    Attributes:
        positions: of each among the arguments; they become static if their values are needed while
            recording.
        outer: the positions of those that come from outside of the function, where numbers are
            taken for constant otherwise.
        aliases: for inputs of graphs recorded inside this one, the values they stand for.
        given: for arguments of functions that are transformed, what the caller gave.
    """

    def __init__(self) -> None:
        self.positions: dict[Value, int] = {}
        self.outer: range = range(0)
        self.aliases: dict[Value, Value] = {}
        self.given = ByIdentity()

    def demand(self, value: Value) -> None:
        """Code needs the concrete ``value``.

        If integer arguments alone determine it, start again with those arguments as part of the
        signature. Floats are too many to compile the function for each, but for those outside.
        Elements of arrays are never part of it: an array may change, and what is in it is read at
        each call, of one that is static as well.
        """
        sources = self._sources(value)
        if not sources <= self.positions.keys() or any(x.type.shape for x in sources):
            return
        integers = all(source.type.dtype.kind in "iub" for source in sources)
        positions = sorted(self.positions[source] for source in sources)
        if positions and (integers or all(position in self.outer for position in positions)):
            raise SpecializeArguments(positions, user_location())

    def outermost(self, value: Value) -> Value:
        """What an input of a graph recorded inside this one stands for, or ``value`` itself."""
        while value in self.aliases:
            value = self.aliases[value]
        return value

    def is_given(self, value: Value) -> bool:
        """Whether a value is one of the arguments itself."""
        return self.outermost(value) in self.positions

    def _sources(self, value: Value) -> set[Value]:
        """The values without a producer that ``value`` is computed from."""
        pending, seen, found = [value], set[Value](), set[Value]()
        while pending:
            value = inside(pending.pop())
            if value in seen or isinstance(value, Constant):
                continue
            seen.add(value)
            if value in self.aliases:
                pending.append(self.aliases[value])
            elif value.producer is not None:
                pending.extend(value.producer.uses())
            else:
                found.add(value)
        return found
