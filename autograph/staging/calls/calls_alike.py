"""Calls that came to the same, whatever they were given, as calls of named graphs.

What `autograph.staging.calls.reused` takes from an earlier call must be known to be the same before
it is recorded again. This is about the others: they are recorded, and compared once a graph is.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.closure import closure
from autograph.graph.builder import current_builder
from autograph.graph.derived import sources
from autograph.graph.graph import Graph, Node, called
from autograph.staging.calls.noted_calls import NotedCalls
from autograph.staging.calls.recursion import Recursion
from autograph.staging.calls.worth import calls_settled, is_large
from autograph.staging.ground.recorder import recorder
from autograph.transforms.repeated_calls import named


def with_named_calls(graph: Graph, is_last: bool = False) -> Graph:
    """A graph that was recorded with calls of named graphs where calls that were recorded in it
    came to the same, if that is much to compile and little to compute.

    Args:
        is_last: whether nothing else is recorded after it.
    """
    noted, recursion = recorder().state(NotedCalls), recorder().state(Recursion)
    is_open = recorder().transformed.has_mesh or recursion.recording
    if len(noted.every) + len(noted.named) > 1 and not is_open:
        others = {one.graph for one in recursion.every if one.graph is not None}
        graph = named.with_named_calls(graph, noted.every, noted.named, others, _may_be_named)
        for one in recursion.every:
            if one.graph is not None:
                one.graph = current_builder().graphs[one.name]
    if is_last and noted.named:
        _drop_unused(graph)
    return graph


def _may_be_named(nodes: Sequence[Node]) -> bool:
    return is_large(nodes) and calls_settled(nodes, may_show=True)


def _drop_unused(graph: Graph) -> None:
    """Forget the named graphs of calls that nothing calls any more, and that no others are derived
    from.

    Args:
        graph: that was recorded.
    """
    graphs, noted = current_builder().graphs, recorder().state(NotedCalls).named
    others = (name for name, one in graphs.items() if one not in noted)
    used = closure((*called(graph), *others), lambda name: called(graphs[name]))
    kept = sources(graphs)
    for name, one in list(graphs.items()):
        if one in noted and one not in kept and name not in used:
            del graphs[name]
