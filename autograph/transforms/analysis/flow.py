"""Where the values of a graph come from and where they go, through branches and loops.

These analyses follow values from their uses back to what they are made of. All take time linear in
the size of the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from autograph.closure import closure
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.purity import has_own_effect
from autograph.graph.wiring import is_loop, sources_of, wiring
from ops.control import regions
from ops.control.regions import Container, Structured
from ops.core.records import NamedTuple
from ops.structure.identity import refine

OriginMap = dict[Value, tuple[Value, ...]]


class Live(NamedTuple):
    """What a graph needs for its outputs and its effects."""

    values: set[Value]
    nodes: set[Node]


def find_origins(graph: Graph) -> OriginMap:
    """For each value at which control flow joins, the values it may be.

    These are the results of ``cond``, which come from the two branches, and the state of loops,
    inside them and after them, which comes from before the loop and from the body. Those of a
    ``checkpoint`` come from its region, those of a function with a custom derivative from it or
    from its rule.
    """
    origins: OriginMap = {}
    for node in walk(graph):
        if node.regions:
            origins.update(origins_of(node))
    return origins


def origins_of(node: Node) -> OriginMap:
    """The part of `find_origins` that one node is the reason of."""
    wires = wiring(node)
    return wires.sources() if wires.whole else {}


def find_live(graph: Graph, origins: OriginMap, effectful: Collection[str] | None) -> Live:
    """The values and nodes without which the graph would not give its outputs or have its
    effects.

    Args:
        graph: a whole graph.
        origins: from `find_origins`.
        effectful: names of the graphs that have effects, or None if unknown.
    """
    around = dict(_enclosing(graph))
    roots = [node for node in around if has_own_effect(node, effectful) or node.required]
    return _found_live(graph.outputs, roots, origins, around)


def find_needed(graph: Graph) -> Live:
    """The values and nodes without which the graph would not give its outputs, whatever its
    effects."""
    origins: OriginMap = {}
    for node in walk(graph):
        origins.update(sources_of(node))
    return _found_live(graph.outputs, (), origins, dict(_enclosing(graph)))


def _found_live(
    outputs: Iterable[Value],
    roots: Iterable[Node],
    origins: OriginMap,
    around: dict[Node, Node | None],
) -> Live:
    live = Live(set(), set())
    pending = list(outputs)

    def need(node: Node | None) -> None:
        while node is not None and node not in live.nodes:
            live.nodes.add(node)
            pending.extend(_steering(node))
            node = around.get(node)

    for node in roots:
        need(node)
    while pending:
        value = pending.pop()
        if value not in live.values:
            live.values.add(value)
            pending.extend(origins.get(value, ()))
            need(value.producer)
    return live


def _enclosing(graph: Graph, around: Node | None = None) -> Iterator[tuple[Node, Node | None]]:
    """All nodes of a graph, each with the node whose region it is in."""
    for node in graph.nodes:
        yield node, around
        for region in node.regions:
            yield from _enclosing(region, node)


def _steering(node: Node) -> Iterable[Value]:
    """What a node needs to run at all, whichever of its results is used."""
    if is_loop(node):
        return wiring(node).decides
    if isinstance(node.op, Structured) and node.op.opaque:
        return [*node.inputs, *(v for region in node.regions for v in region.outputs)]
    return node.inputs


def find_escaping(graph: Graph, origins: OriginMap) -> set[Value]:
    """The values whose memory may be that of an output of the graph."""

    def sources(value: Value) -> Iterable[Value]:
        if value in origins:
            return origins[value]
        return () if value.producer is None or is_fresh(value) else value.producer.inputs

    return closure(graph.outputs, sources)


def root(value: Value) -> Value:
    """The value whose memory ``value`` may be a view of."""
    while value.producer is not None and value.producer.is_view:
        value = value.producer.inputs[0]
    return value


def _gives_what_regions_give(node: Node) -> bool:
    """Whether each result is, in the same memory, what one of the node's regions computes."""
    if not isinstance(node.op, Structured) or node.op.opaque:
        return False
    return bool(node.regions) and wiring(node).whole


def memory_of(value: Value, origins: OriginMap) -> tuple[set[Value], bool]:
    """The values of which one is where the elements of ``value`` are, whichever way control flow
    goes, and whether it may be a view of that. Of a call nothing is known: it may be a view.

    Args:
        origins: some of what `find_origins` gives; what is missing is added.
    """
    sources: set[Value] = set()
    is_view = False
    met: set[Value] = set()
    pending = [value]
    while pending:
        found = pending.pop()
        node = found.producer
        if found in met:
            continue
        met.add(found)
        if found in origins:
            pending.extend(origins[found])
        elif node is None:
            sources.add(found)
        elif node.is_view:
            is_view = is_view or node.op not in (refine, regions.recompute)
            pending.append(node.inputs[0])
        elif _gives_what_regions_give(node):
            origins.update(sources_of(node))
            pending.extend(origins[found])
        else:
            is_view = is_view or node.op is regions.call
            sources.add(found)
    return sources, is_view


def is_fresh(value: Value) -> bool:
    """Whether the value is in memory of its own, which the node that computes it allocates."""
    node = value.producer
    if node is None or (node.regions and wiring(node).whole):
        return False
    return not (node.is_view or isinstance(node.op, Container) or node.op is regions.call)
