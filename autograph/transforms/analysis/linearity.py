"""Whether what a graph computes of some of its inputs is linear in them.

A value *moves* if it depends on those inputs. What is looked for is an operator that is applied to
values that move, and is not linear in them. Operators say in what they are linear, see
`ops.core.registry`; one that says nothing is taken for one that is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import wiring
from autograph.transforms.analysis.activity import active_values
from ops.control import regions
from ops.control.regions import Structured


def nonlinear_node(
    graph: Graph, inputs: Iterable[Value], graphs: Mapping[str, Graph | None] | None = None
) -> Node | None:
    """A node that is not linear in what depends on ``inputs``; None if there is none.

    Args:
        graphs: the named graphs that it may call.
    """
    return _Search(graphs or {}).graph(graph, inputs)


class _Search:
    """Goes through a graph, what is nested in it, and what it calls."""

    def __init__(self, graphs: Mapping[str, Graph | None]):
        self._graphs = graphs
        self._called: set[tuple[str, tuple[int, ...]]] = set()

    def graph(self, graph: Graph, inputs: Iterable[Value]) -> Node | None:
        return self._region(graph, active_values(graph, inputs))

    def _region(self, graph: Graph, moving: set[Value]) -> Node | None:
        for node in graph.nodes:
            found = self._node(node, moving)
            if found is not None:
                return found
        return None

    def _node(self, node: Node, moving: set[Value]) -> Node | None:
        if not isinstance(node.op, Structured):
            return None if _is_linear(node, moving) else node
        positions = tuple(i for i, v in enumerate(node.inputs) if v in moving)
        if node.op is regions.linear_call:
            return None
        if node.op is regions.call:
            return self._call(node.attrs["callee"], positions)
        if node.op.opaque:
            (primal,) = wiring(node).runs
            return self._given(primal, positions, moving)
        for region in node.regions:
            found = self._region(region, moving)
            if found is not None:
                return found
        return None

    def _call(self, name: str, positions: tuple[int, ...]) -> Node | None:
        """One in the graph of that name. In a recursive one each node is looked at once."""
        graph = self._graphs.get(name)
        if graph is None or (name, positions) in self._called:
            return None
        self._called.add((name, positions))
        return self._given(graph, positions, ())

    def _given(
        self, graph: Graph, positions: Iterable[int], moving: Collection[Value]
    ) -> Node | None:
        """One in a graph of which the inputs at these positions move, and of what it captures
        those in ``moving``."""
        captured = [v for v in graph.captures if v in moving]
        return self.graph(graph, [*(graph.inputs[i] for i in positions), *captured])


def _is_linear(node: Node, moving: set[Value]) -> bool:
    op = node.op
    positions = [i for i, v in enumerate(node.inputs) if v in moving and i not in op.by_length]
    if not positions or not node.outputs:
        return True
    # What is no longer a number of a continuum, such as a cast to integers, is cut off.
    return op.is_linear(positions) and all(v.type.inexact for v in node.outputs)
