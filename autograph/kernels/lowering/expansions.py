"""Operators that have no native form of their own but say what they are by means of others."""

from __future__ import annotations

from autograph.graph.builder import Builder, copy_node, inline
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.kernels.lowering.measured import has_unknown, is_native


def expansion_of(node: Node) -> Graph:
    """What a node computes, by means of other operators: see ``expansion`` of `ops.registry.Op`."""
    with Builder(node.op.name) as builder:
        given = [builder.input(v.type, v.name) for v in node.inputs]
        with builder.at(node.location):
            return builder.finish([node.op.expansion(*given, **node.attrs)])


def expanded(graph: Graph) -> Graph:
    """A graph in which, regions included, no operator is left that has an expansion."""
    if not any(map(_is_to_expand, walk(graph))):
        return graph
    return _copied(graph, {})


def _is_to_expand(node: Node) -> bool:
    """Whether a node has an expansion, and is not lowered itself."""
    return node.op.expansion is not None and not (has_unknown(node) and is_native(node))


def _copied(graph: Graph, env: dict[Value, Value]) -> Graph:
    with Builder(graph.name) as builder:
        env |= {v: builder.input(v.type, v.name) for v in graph.inputs}
        for node in graph.nodes:
            if _is_to_expand(node):
                (result,) = inline(expansion_of(node), [env.get(v, v) for v in node.inputs])
                result.name = node.outputs[0].name
                env[node.outputs[0]] = result
                continue
            regions = tuple(_copied(region, env) for region in node.regions)
            copy_node(builder, _with_regions(node, regions) if regions else node, env)
        copy = builder.finish([env.get(v, v) for v in graph.outputs])
    copy.location = graph.location
    return copy


def _with_regions(node: Node, regions: tuple[Graph, ...]) -> Node:
    return Node(
        node.op, node.inputs, node.attrs, regions, node.outputs, node.location, node.required
    )
