"""Whether random numbers are drawn twice from the same part of a key's stream.

Values are numbered: two have the same number if they are the same operator of the same numbers, so
that what is computed twice in the same way is one. A draw is told by the numbers of its key and of
the block where it begins, and by its domain. In a loop what a trip does not change has the number
that it has before the loop: a draw of such a key is the same one in each trip. Of branches one is
taken, so that what both draw is drawn once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.errors import Location
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.wiring import branches_of, is_loop, loop_of, wiring
from ops.control import regions
from ops.core.records import NamedTuple
from ops.random.philox import FOLD, random_blocks


class Reuse(NamedTuple):
    """A draw that is made twice.

    Attributes:
        first, second: where; the same place in a loop.
        in_loop: whether it is one draw that each trip makes again.
    """

    first: Location | None
    second: Location | None
    in_loop: bool


_Draws = dict[Any, Location | None]


def reused_draw(module: Module) -> Reuse | None:
    """The first draw that is made twice; None if there is none."""
    search = _Search(module.graphs)
    numbers = {v: search.new() for v in module.main.inputs}
    search.graph(module.main, numbers)
    return search.found


class _Search:
    """Numbers values, and notes what is drawn.

    Attributes:
        found: the first draw that is made twice.
    """

    def __init__(self, graphs: Mapping[str, Graph]):
        self.found: Reuse | None = None
        self._graphs = graphs
        self._calls: list[str] = []
        self._numbers: dict[Any, int] = {}
        self._descriptions: dict[int, Any] = {}
        self._count = 0

    def new(self) -> int:
        """The number of a value that is like no other."""
        self._count += 1
        return self._count

    def graph(self, graph: Graph, numbers: dict[Value, int]) -> _Draws:
        """What a graph draws; ``numbers`` has those of its inputs, and of what it captures."""
        drawn: _Draws = {}
        for node in graph.nodes:
            self._add(drawn, self._node(node, numbers))
        return drawn

    def _add(self, drawn: _Draws, more: _Draws) -> None:
        for draw, place in more.items():
            if draw in drawn:
                self.found = self.found or Reuse(drawn[draw], place, False)
            drawn[draw] = place

    def _number(self, value: Value, numbers: dict[Value, int]) -> int:
        if isinstance(value, Constant):
            data = value.data if value.is_scalar else id(value.data)
            return self._of(("constant", type(data), repr(data)))
        if value not in numbers:
            numbers[value] = self.new()
        return numbers[value]

    def _of(self, description: Any) -> int:
        if description not in self._numbers:
            number = self._numbers[description] = self.new()
            self._descriptions[number] = description
        return self._numbers[description]

    def _node(self, node: Node, numbers: dict[Value, int]) -> _Draws:
        if node.op is regions.cond:
            return self._branches(node, numbers)
        if is_loop(node):
            return self._loop(node, numbers)
        if node.op is regions.call:
            return self._call(node, numbers)
        if node.regions:
            return self._regions(node, numbers)
        operands = tuple(self._number(v, numbers) for v in node.inputs)
        if node.op.effect is not None:
            numbers.update((v, self.new()) for v in node.outputs)
            return {}
        attrs = repr(sorted(node.attrs.items(), key=lambda item: item[0]))
        for place, value in enumerate(node.outputs):
            numbers[value] = self._of((node.op.name, operands, attrs, place))
        if node.op is random_blocks and node.attrs["domain"] != FOLD:
            return {(*operands, node.attrs["domain"]): node.location}
        return {}

    def _branches(self, node: Node, numbers: dict[Value, int]) -> _Draws:
        branches = branches_of(node)
        drawn = {**self.graph(branches.then, numbers), **self.graph(branches.orelse, numbers)}
        numbers.update((v, self.new()) for v in node.outputs)
        return drawn

    def _loop(self, node: Node, numbers: dict[Value, int]) -> _Draws:
        loop = loop_of(node)
        before = self._count
        for variable in wiring(node).carried:
            same = variable.left is variable.entered
            number = self._number(variable.start, numbers) if same else self.new()
            for value in (variable.entered, *variable.tested):
                numbers[value] = number
            numbers[variable.result] = number if same else self.new()
        fixed = {v: n for v, n in numbers.items() if n <= before}
        numbers.update((v, self.new()) for v in loop.indices)
        drawn: _Draws = {}
        for region in (*loop.tests, loop.body):
            self._add(drawn, self.graph(region, numbers))
        known = set(fixed.values())
        for (key, start, _), place in drawn.items():
            if self._is_known(key, known) and self._is_known(start, known):
                self.found = self.found or Reuse(place, place, True)
        return drawn

    def _is_known(self, number: int, known: set[int]) -> bool:
        """Whether a value is the same in all trips: it is from before the loop, or computed of what
        is."""
        if number in known:
            return True
        what, inputs, *_ = self._descriptions.get(number, (None, ()))
        return what == "constant" or (
            bool(inputs) and all(self._is_known(n, known) for n in inputs)
        )

    def _call(self, node: Node, numbers: dict[Value, int]) -> _Draws:
        name = node.attrs["callee"]
        graph = self._graphs.get(name)
        drawn: _Draws = {}
        if graph is not None and name not in self._calls:  # of a recursion one call
            self._calls.append(name)
            inner = dict(zip(graph.inputs, (self._number(v, numbers) for v in node.inputs)))
            drawn = self.graph(graph, inner)
            self._calls.pop()
            for value, result in zip(graph.outputs, node.outputs):
                numbers[result] = self._number(value, inner)
        return drawn

    def _regions(self, node: Node, numbers: dict[Value, int]) -> _Draws:
        """What runs once, as far as random numbers are concerned: a function with its own rule, or
        what is computed once more for a gradient."""
        wires = wiring(node)
        for source, target in wires.enters:
            numbers[target] = self._number(source, numbers) if wires.whole else self.new()
        drawn: _Draws = {}
        for region in wires.runs:
            drawn.update(self.graph(region, numbers))
        numbers.update((v, self.new()) for v in node.outputs)
        return drawn
