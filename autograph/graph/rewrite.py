"""A graph like another one but for some of its nodes, in its regions as well.

`rewrite` builds the graph anew: its inputs, its nodes one after the other, its outputs. A pass says
what comes in the place of a node, if it is not to stay what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value

Env = MutableMapping[Value, Value]  # what values of the old graph have become

Change = Callable[[Node, Env], Sequence[Value] | None]
"""Adds something in the place of a node to the current builder, where what is added has the node's
location. It is given the node and what earlier values have become, and returns what the node's
results become; None lets the node be what it is, with its regions rewritten in turn."""


def rewrite(
    graph: Graph, change: Change, env: Env | None = None, captured: Iterable[Value] = ()
) -> Graph:
    """A new graph with what ``change`` puts in the place of nodes.

    Args:
        env: what values from around the graph become, by default themselves. What the graph's own
            become is added.
        captured: values from around the graph that become further inputs of it.
    """
    env = {} if env is None else env
    with Builder(graph.name) as builder:
        for value in (*graph.inputs, *captured):
            env[value] = builder.input(value.type, value.name)
        rewrite_nodes(graph.nodes, change, env)
        return builder.finish([env.get(v, v) for v in graph.outputs], graph.location)


def rewrite_nodes(nodes: Iterable[Node], change: Change, env: Env) -> None:
    """Add nodes to the current builder, with what ``change`` puts in the place of some.

    Args:
        env: what values become; what the results of the nodes become is added.
    """
    builder = current_builder()
    around = builder.location
    for node in nodes:
        builder.location = node.location
        results = change(node, env)
        if results is None:
            inputs = [env.get(v, v) for v in node.inputs]
            regions = [rewrite(region, change, env) for region in node.regions]
            results = builder.copy(node, inputs, regions)
        env.update(zip(node.outputs, results))
    builder.location = around
