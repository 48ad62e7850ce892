"""A graph for arrays that lie in memory the other way round.

A kernel reads arrays in C order. What is in Fortran order is that of its transpose: the graph gets
that, and computes with it where the order of axes does not matter, so that memory is still gone
through in order. Elsewhere it is transposed where it is read, which copies no more than is read.
Results that are computed so are in Fortran order, as NumPy's are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import ops
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, label
from autograph.graph.rewrite import Env, rewrite_nodes
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_same


def with_transposed(graph: Graph, positions: Collection[int]) -> tuple[Graph, frozenset[int]]:
    """The graph, with the transposes of some of its inputs in the place of these, and the positions
    of the results in whose place it gives their transposes."""
    env: Env = {}
    with Builder(graph.name) as builder:
        found: dict[Value, Value] = {}  # values of the graph, and their transposes
        for position, value in enumerate(graph.inputs):
            if position not in positions:
                env[value] = builder.input(value.type, value.name)
                continue
            type = value.type._replace(shape=value.type.known_shape[::-1])
            found[value] = builder.input(type, value.name)
        with builder.at(graph.location):
            for value, transposed in found.items():
                env[value] = ops.transpose(transposed)

        def change(node: Node, env: Env) -> Sequence[Value] | None:
            result = _transposed(node, found, env)
            if result is None:
                return _reduced(node, found)
            (value,) = node.outputs
            found[value] = result
            with current_builder().at(node.location):
                original = ops.transpose(result)
            label(original, value.name)
            return [original]

        rewrite_nodes(graph.nodes, change, env)
        inputs = {graph.inputs[i] for i in positions}
        results = {v: found[v] for v in graph.outputs if v in found and v not in inputs}
        outputs = [results[v] if v in results else env.get(v, v) for v in graph.outputs]
        reversed_results = frozenset(i for i, v in enumerate(graph.outputs) if v in results)
        return builder.finish(outputs, graph.location), reversed_results


def _transposed(node: Node, found: dict[Value, Value], env: Env) -> Value | None:
    """The transpose of what an elementwise operator gives of transposes and numbers."""
    if not isinstance(node.op, Elementwise) or not any(v in found for v in node.inputs):
        return None
    shape = node.outputs[0].type.shape
    for value in node.inputs:
        if value.type.shape and not (value in found and is_same(value.type.shape, shape)):
            return None
    given = [found[v] if v in found else env.get(v, v) for v in node.inputs]
    with current_builder().at(node.location):
        return current_builder().apply(node.op, given, node.attrs)


def _reduced(node: Node, found: dict[Value, Value]) -> Sequence[Value] | None:
    """A reduction of an array as one of its transpose."""
    if node.op.fold is None or node.inputs[0] not in found or node.attrs.get("keepdims", True):
        return None
    axes, ndim = node.attrs["axis"], node.inputs[0].type.ndim
    along = None if axes is None else tuple(sorted(ndim - 1 - axis for axis in axes))
    with current_builder().at(node.location):
        builder = current_builder()
        result = builder.apply(node.op, [found[node.inputs[0]]], {**node.attrs, "axis": along})
        if result.type.ndim > 1:
            result = ops.transpose(result)
    label(result, node.outputs[0].name)
    return [result]
