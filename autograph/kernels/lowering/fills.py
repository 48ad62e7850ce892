"""Arrays of which all elements are equal, such as zeros that are filled afterwards: each change of
one, and each loop that begins with one, has an array of its own, which it fills in its place,
rather than a copy of one that several share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.graph.wiring import is_loop
from autograph.kernels.lowering.values import is_array


def with_own_fills(graph: Graph) -> Graph:
    """A graph in which nothing that changes an array of equal elements shares it."""
    uses = Counter(v for node in walk(graph) for v in node.inputs if _is_fill(v))
    uses.update(v for v in graph.outputs if _is_fill(v))
    if not any(uses[v] > 1 for node in walk(graph) for v in _changed(node)):
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        shared = {i for i, v in enumerate(node.inputs) if v in set(_changed(node)) and uses[v] > 1}
        if not shared:
            return None
        builder = current_builder()
        inputs = [env.get(v, v) for v in node.inputs]
        for i in shared:
            fill = inputs[i].producer
            assert fill is not None
            (inputs[i],) = builder.copy(fill, fill.inputs, ())
        regions = [rewrite(region, change, env) for region in node.regions]
        results: Sequence[Value] = builder.copy(node, inputs, regions)
        return results

    return rewrite(graph, change)


def _is_fill(value: Value) -> bool:
    node = value.producer
    return node is not None and node.op is ops.full and is_array(value)


def _changed(node: Node) -> list[Value]:
    """The arrays of equal elements that a node changes, or a loop begins with."""
    operands = node.inputs if is_loop(node) else node.inputs[:1] if node.op.updates else ()
    return [v for v in operands if _is_fill(v)]
