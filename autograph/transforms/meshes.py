"""The function for one part of a mesh, for the parts to be lanes of one process.

What its types say of variance has served its purpose by then, and `vary` with it, which does
nothing. The axes are those of `vmap` now, one inside the other.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, callees
from ops.control.collectives import lanes_gathered, parts_gathered, vary
from ops.control.meshes import MeshAxis
from ops.core.types import ArrayType


def over_lanes(graph: Graph) -> Graph:
    """A graph like that for one part of a mesh, for one lane; so are those that it calls."""
    graphs = current_builder().graphs
    for name in callees(graph, graphs):
        graphs[name] = _copy(graphs[name], {})
    return _copy(graph, {})


def _copy(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(_plain(value.type), value.name)
        for node in graph.nodes:
            with builder.at(node.location):
                env.update(zip(node.outputs, _add(builder, node, env)))
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def _add(
    builder: Builder, node: Node, env: MutableMapping[Value, Value]
) -> list[Value] | tuple[Value, ...]:
    inputs = [env.get(v, v) for v in node.inputs]
    if node.op is vary:
        return inputs
    return builder.add(
        lanes_gathered if node.op is parts_gathered else node.op,
        inputs,
        _plain(node.attrs),
        [_plain(v.type) for v in node.outputs],
        [_copy(region, env) for region in node.regions],
        [v.name for v in node.outputs],
        node.required,
    )


def _plain(content: Any) -> Any:
    """Attributes and types without the axes of a mesh."""
    if isinstance(content, ArrayType):
        return content.invariant()
    if isinstance(content, MeshAxis):
        return content.name
    if type(content) is dict:
        return {key: _plain(item) for key, item in content.items()}
    return tuple(map(_plain, content)) if type(content) is tuple else content
