"""Operators that have no native form of their own but say what they are by means of others, or of
calls of NumPy's loops."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import ops
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Graph, Node, Value, label, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.kernels.lowering.analysis.nodes import is_reduction, is_static
from autograph.kernels.lowering.analysis.unknown_lengths import has_unknown, is_native


def expansion_of(node: Node) -> Graph:
    """What a node computes, by means of other operators: see ``expansion`` and ``inner_loops`` of
    `ops.core.registry.Op`."""
    loops = node.op.inner_loops
    expansion = node.op.expansion if loops is None else loops.compute
    assert expansion is not None
    with Builder(node.op.name) as builder:
        given = [builder.input(v.type, v.name) for v in node.inputs]
        with builder.at(node.location):
            made = expansion(*given, **node.attrs)
            return builder.finish(made if isinstance(made, tuple) else [made])


def expanded(graph: Graph, inner_loops: bool = False) -> Graph:
    """A graph in which, regions included, no operator is left that has an expansion.

    Args:
        inner_loops: whether kernels may call loops of NumPy's.
    """

    def is_to_expand(node: Node) -> bool:
        types = [v.type for v in node.inputs]
        return _is_to_expand(node) or (inner_loops and node.op.has_inner_loops(types, node.attrs))

    if not any(map(is_to_expand, walk(graph))):
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if not is_to_expand(node):
            return None
        results = inline(expansion_of(node), [env.get(v, v) for v in node.inputs])
        for value, result in zip(node.outputs, results):
            label(result, value.name)
        return results

    return _with_shared_reductions(rewrite(graph, change))


def _with_shared_reductions(graph: Graph) -> Graph:
    """A graph in which arrays are reduced once: what ``argmax`` compares elements with is also what
    ``max`` gives."""
    made: dict[Hashable, Value] = {}

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if not is_reduction(node) or not is_static(node):
            return None
        builder, inputs = current_builder(), [env.get(v, v) for v in node.inputs]
        attrs = {name: x for name, x in node.attrs.items() if name != "keepdims"}
        key = builder, node.op, tuple(inputs), tuple(sorted(attrs.items()))
        if key not in made:
            (made[key],) = builder.copy(node, inputs, [])
        elif made[key].type != node.outputs[0].type:
            return [ops.reshape(made[key], node.outputs[0].type.shape)]
        return [made[key]]

    return rewrite(graph, change)


def _is_to_expand(node: Node) -> bool:
    """Whether a node has an expansion, and is not lowered itself."""
    return node.op.expansion is not None and not (has_unknown(node) and is_native(node))
