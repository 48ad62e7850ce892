"""Where each value of a graph is defined, and where it is last needed.

Control flow is structured, so no iteration to a fixed point is needed. A value lives in the graph
that defines it from its definition to the last node there that uses it. If that node is a loop that
captures the value, it lives throughout the loop; if it is a conditional, up to its last use in each
branch, and the same question is asked again inside the branch.
"""

from __future__ import annotations

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.purity import is_speculatable
from autograph.graph.wiring import loop_of, wiring
from ops.control import regions
from ops.core.records import NamedTuple


class Point(NamedTuple):
    """Just after a node of a graph, given by its index; -1 is where the graph begins."""

    graph: Graph
    index: int  # type: ignore[assignment]  # it hides a method of tuples


class Liveness:
    """The live ranges of the values of one function's graph, regions included.

    Attributes:
        place: the point at which a value is defined.
        around: the point in the enclosing graph at which a region's node stands.
        start, end: positions of a node in program order; what its regions hold lies between them.
        dead: nodes that compute what nobody uses, and do nothing else.
    """

    def __init__(self, graph: Graph):
        self.place: dict[Value, Point] = {}
        self.around: dict[Graph, Point] = {}
        self.start: dict[Node, int] = {}
        self.end: dict[Node, int] = {}
        self.dead: set[Node] = set()
        self._last: dict[Graph, dict[Value, int]] = {}
        self._uses: dict[Value, int] = {}
        self._begin: dict[Graph, int] = {}
        self._finish: dict[Graph, int] = {}
        self._clock = 0
        self._visit(graph)
        self._count_uses(graph)

    def _visit(self, graph: Graph) -> None:
        last: dict[Value, int] = {}
        self._last[graph] = last
        self._begin[graph] = self._tick()
        self.place.update((value, Point(graph, -1)) for value in graph.inputs)
        for index, node in enumerate(graph.nodes):
            self.start[node] = self._tick()
            for region in node.regions:
                self.around[region] = Point(graph, index)
                self._visit(region)
                last.update((value, index) for value in region.captures)
            for test in wiring(node).tests:
                # The body, or the code after the loop, takes over the state where the test ends.
                self._last[test].update((value, len(test.nodes)) for value in test.inputs)
            last.update((value, index) for value in node.inputs)
            self.place.update((value, Point(graph, index)) for value in node.outputs)
            self.end[node] = self._tick()
        last.update((value, len(graph.nodes)) for value in graph.outputs)
        self._finish[graph] = self._tick()

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def _count_uses(self, graph: Graph) -> None:
        for value in graph.outputs:
            self._uses[value] = self.uses(value) + 1
        for node in reversed(graph.nodes):
            if not any(self.uses(value) for value in node.outputs) and is_speculatable(node):
                self.dead.add(node)
                continue
            for value in node.inputs:
                self._uses[value] = self.uses(value) + 1
            for region in node.regions:
                if is_logical(node) and _is_just(region, node.inputs[0]):
                    continue  # that ``a`` is also a result of ``a and b`` is no further use of it
                self._count_uses(region)
                # A region may run often or never: an expression must not be moved into it.
                for value in region.captures:
                    self._uses[value] = self.uses(value) + 2

    def uses(self, value: Value) -> int:
        """How often a value is used; one captured by a region counts as used more than once."""
        return self._uses.get(value, 0)

    def last_position(self, value: Value) -> int:
        """A position, in program order, after which the value is not needed."""
        graph, index = self.place[value]
        index = self._last[graph].get(value, index)
        if index == -1:
            return self._begin[graph]
        return self._finish[graph] if index == len(graph.nodes) else self.end[graph.nodes[index]]

    def live_after(self, value: Value, point: Point) -> bool:
        """Whether the value exists at ``point`` and may still be needed."""
        home, born = self.place[value]
        path = [point]
        while path[-1].graph is not home:
            outer = self.around.get(path[-1].graph)
            if outer is None:
                return False
            path.append(outer)
        at = path[-1].index
        if at < born or (at == born and len(path) > 1):
            return False  # not defined yet
        while True:
            graph, at = path.pop()
            last = self._last[graph].get(value)
            if last is None or at != last:
                return last is not None and at < last
            if not path:
                return False
            node = graph.nodes[at]
            if node.op is not regions.cond:
                # What a loop captures is needed on every trip; its count is read after its state
                # is set.
                needed = [v for region in node.regions for v in region.captures]
                if node.op is regions.for_loop:
                    needed += loop_of(node).operands
                return any(value is v for v in needed)

    def interfere(self, a: Value, b: Value) -> bool:
        """Whether two values must not share a variable."""
        if self.place[a] == self.place[b]:
            return True
        return self.live_after(a, self.place[b]) or self.live_after(b, self.place[a])


def _is_just(region: Graph, value: Value) -> bool:
    return not region.nodes and all(v is value for v in region.outputs)


def is_logical(node: Node) -> bool:
    """Whether a conditional is an ``and`` or an ``or`` of its predicate and something else."""
    if node.op is not regions.cond or len(node.outputs) != 1:
        return False
    then, orelse = (region.outputs[0] for region in node.regions)
    return is_flag(orelse, node.inputs[0], False) or is_flag(then, node.inputs[0], True)


def is_flag(value: Value, flag: Value, truth: bool) -> bool:
    """Whether ``value`` is what ``flag`` is where the truth of ``flag`` is ``truth``."""
    if value is flag:
        return True
    if not isinstance(value, Constant) or flag.type.dtype != bool or value.type != flag.type:
        return False
    return value.is_scalar and bool(value.data) is truth
