"""The function for one part of a mesh, for the parts to be lanes of one process.

What its types say of variance has served its purpose by then, and `vary` with it, which does
nothing. The axes are those of `vmap` now, one inside the other.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, callees
from ops.control.collectives import lanes_gathered, parts_gathered, vary
from ops.control.meshes import MeshAxis
from ops.core.types import ArrayType


def over_lanes(graph: Graph) -> Graph:
    """A graph like that for one part of a mesh, for one lane; so are those that it calls, which
    keep their names."""
    without_variance(callees(graph, current_builder().graphs))
    return copied(graph, {})


def without_variance(names: Iterable[str]) -> None:
    """Let named graphs say nothing of variance."""
    graphs = current_builder().graphs
    for name in names:
        graphs[name] = copied(graphs[name], {})


def copied(graph: Graph, env: MutableMapping[Value, Value]) -> Graph:
    """A copy without variance, its captures read through ``env``."""
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            env[value] = builder.input(plain(value.type), value.name)
        for node in graph.nodes:
            with builder.at(node.location):
                env.update(zip(node.outputs, added(node, env)))
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def added(node: Node, env: MutableMapping[Value, Value]) -> list[Value] | tuple[Value, ...]:
    """What the results of a node become, added to the current builder."""
    inputs = [env.get(v, v) for v in node.inputs]
    if node.op is vary:
        return inputs
    return current_builder().add(
        lanes_gathered if node.op is parts_gathered else node.op,
        inputs,
        plain(node.attrs),
        [plain(v.type) for v in node.outputs],
        [copied(region, env) for region in node.regions],
        [v.name for v in node.outputs],
        node.required,
    )


def plain(content: Any) -> Any:
    """Attributes and types without the axes of a mesh."""
    if isinstance(content, ArrayType):
        return content.invariant()
    if isinstance(content, MeshAxis):
        return content.name
    if type(content) is dict:
        return {key: plain(item) for key, item in content.items()}
    return tuple(map(plain, content)) if type(content) is tuple else content
