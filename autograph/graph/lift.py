"""Lambda lifting: graphs that refer to values of the graphs around them become closed.

What a named graph captures becomes further inputs of it, and each call passes them on. A graph that
calls another one needs what that one needs, so the captures of graphs that call each other are
found by going round until nothing is added (Johnsson 1985, "Lambda lifting: transforming programs
to recursive equations").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Node, Value, called, walk
from autograph.graph.rewrite import Env, rewrite
from ops.control import regions

Captures = dict[str, tuple[Value, ...]]


def lift(graphs: Mapping[str, Graph]) -> tuple[dict[str, Graph], Captures]:
    """Close named graphs.

    Args:
        graphs: by name; they may call each other and graphs that are closed already.

    Returns:
        The closed graphs, and for each what it captured: the operands that a call of it from
        outside has to add to its own.
    """
    captures = _captures(graphs)
    closed = {name: _closed(graph, captures) for name, graph in graphs.items()}
    return closed, captures


def _captures(graphs: Mapping[str, Graph]) -> Captures:
    own = {name: set(_defined(graph)) for name, graph in graphs.items()}
    found = {name: dict.fromkeys(graph.captures) for name, graph in graphs.items()}
    while True:
        size = sum(map(len, found.values()))
        for name, graph in graphs.items():
            for callee in called(graph):
                needed = found.get(callee, ())
                found[name].update(dict.fromkeys(v for v in needed if v not in own[name]))
        if sum(map(len, found.values())) == size:
            return {name: tuple(values) for name, values in found.items()}


def _defined(graph: Graph) -> Iterator[Value]:
    yield from graph.inputs
    for node in walk(graph):
        yield from node.outputs
        for region in node.regions:
            yield from region.inputs


def _closed(graph: Graph, captures: Captures) -> Graph:
    added = captures[graph.name]
    if not added and not any(captures.get(callee) for callee in called(graph)):
        return graph

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        """A call passes on what the graph that it calls captured."""
        if node.op is not regions.call:
            return None
        operands = (*node.inputs, *captures.get(node.attrs["callee"], ()))
        return current_builder().copy(node, [env.get(v, v) for v in operands], ())

    return rewrite(graph, change, captured=added)
