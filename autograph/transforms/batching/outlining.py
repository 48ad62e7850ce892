"""Graphs with names for derivatives inside a function that is batched, and the way back.

A function with control flow that is differentiated inside a batched one becomes a named graph, so
that its forward and backward pass are calls that know what they belong to. Batching needs that
where lanes go different ways, see `autograph.transforms.vmap`; where they don't, it inlines the
calls again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from autograph.graph import derived
from autograph.graph.builder import copy_graph, copy_node, current_builder, graph_of, inline
from autograph.graph.graph import Graph, Node, Value, calls_itself, free_values, walk
from autograph.graph.rewrite import Env, rewrite
from autograph.transforms.simplify.simplify import simplify
from ops.control import regions

Test = Callable[[Node, Mapping[str, Graph]], bool]  # whether a node is a call to be inlined


def outlined(graph: Graph) -> Graph:
    """A graph with the same inputs and outputs that calls a named graph, which is added to the
    module; ``graph`` itself if there is no control flow in it but that of functions of one lane.

    Where lanes meet has to stay outside of named graphs: only the conditionals and loops of such a
    graph in which they don't meet get names.
    """
    if not any(_is_control_flow(node) for node in graph.nodes):
        return graph
    if not _meets(graph.nodes):
        return _standing_for(graph, [_called(graph.name, graph.inputs, graph.nodes, graph.outputs)])
    parts = []
    for node in graph.nodes:
        apart = node.regions and not _meets([node])
        parts.append(_called(graph.name, (), [node], node.outputs) if apart else node)
    return _standing_for(graph, parts)


def _is_control_flow(node: Node) -> bool:
    return node.op is regions.call or (bool(node.regions) and node.op is not regions.lanes)


def _meets(nodes: Iterable[Node]) -> bool:
    return any(
        node.op.collective or _meets(n for region in node.regions for n in region.nodes)
        for node in nodes
    )


def _called(
    name: str, inputs: Sequence[Value], nodes: Sequence[Node], outputs: Sequence[Value]
) -> Node:
    """A call of a new named graph of these nodes, which stands for them."""
    builder = current_builder()
    name = next(
        numbered
        for number in itertools.count(1)
        if (numbered := f"{name}_{number}" if number > 1 else name) not in builder.graphs
    )
    operands = (*inputs, *free_values(inputs, nodes, outputs))
    location = nodes[0].location
    builder.graphs[name] = graph_of(name, operands, nodes, outputs, location)
    required = any(node.required for node in nodes)
    return Node(regions.call, operands, {"callee": name}, (), tuple(outputs), location, required)


def _standing_for(graph: Graph, nodes: Sequence[Node]) -> Graph:
    """A graph of other nodes that define the same values."""
    return copy_graph(replace(graph, nodes=tuple(nodes)), {})


def inlined(graph: Graph, graphs: Mapping[str, Graph]) -> Graph:
    """The graph with the bodies of forward and backward passes in place of calls of them, where
    they are not recursive. What one packs for the other meets where it is unpacked.

    Functions of one lane keep their calls: it is not settled yet whether they are batched.
    """
    return _inlined(graph, graphs, _is_pass)


def all_inlined(graph: Graph, graphs: Mapping[str, Graph], kept: Collection[str] = ()) -> Graph:
    """The graph with the bodies of all graphs that it calls, where they are not recursive.

    Args:
        kept: the names of graphs of which it keeps the calls.
    """

    def test(node: Node, graphs: Mapping[str, Graph]) -> bool:
        return _is_finite(node, graphs) and node.attrs["callee"] not in kept

    return _inlined(graph, graphs, test)


def _inlined(graph: Graph, graphs: Mapping[str, Graph], test: Test) -> Graph:
    if not any(test(node, graphs) for node in walk(graph)):
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if test(node, graphs):
            callee = _inlined(graphs[node.attrs["callee"]], graphs, test)
            return inline(callee, [env.get(v, v) for v in node.inputs])
        if node.op is regions.lanes:
            return copy_node(current_builder(), node, env)
        return None

    return simplify(rewrite(graph, change))


def _is_pass(node: Node, graphs: Mapping[str, Graph]) -> bool:
    if not _is_finite(node, graphs):
        return False
    return derived.kind(graphs[node.attrs["callee"]]) in ("fwd", "bwd")


def _is_finite(node: Node, graphs: Mapping[str, Graph]) -> bool:
    """Whether it is the call of a graph that is known and not recursive."""
    return node.op is regions.call and not calls_itself(node.attrs["callee"], graphs)
