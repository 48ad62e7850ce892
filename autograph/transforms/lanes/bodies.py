"""What a function of one lane is as the body of a kernel's loop.

The functions that it calls are built in: lanes are then lanes of the processor's registers, and
spread over its cores. Where that is more than a kernel may be, large functions that are called
several times are called there, too, one lane after the other.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping

from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Module, called, callees, calls_itself, walk
from autograph.transforms.batching.outlining import all_inlined
from autograph.transforms.simplify.erase import erase
from autograph.transforms.simplify.simplify import simplify

_MOST = 9_000  # nodes of a function that is a kernel with all that it calls built in
_MUCH = 500  # nodes that calls save then, from which on they stay calls


def body_of(lane: Graph) -> Graph:
    """The graph that becomes the body of a kernel's loop, without nodes that only transforms ask
    for. The calls in it are of graphs that call themselves, or are too large to be built in."""
    graphs = current_builder().graphs
    inside = all_inlined(lane, graphs, _large_calls(lane, graphs))
    return simplify(erase(Module(inside)).main)


def _large_calls(lane: Graph, graphs: Mapping[str, Graph]) -> set[str]:
    """The graphs of which the calls stay calls, by their names."""
    names = {name for name in callees(lane, graphs) if not calls_itself(name, graphs)}
    sizes = {name: sum(1 for _ in walk(graphs[name])) for name in names}

    @functools.cache
    def built_in(name: str) -> int:
        """How many nodes a graph has with all that is built in."""
        return sizes[name] + inside(graphs[name])

    def inside(graph: Graph) -> int:
        return sum(built_in(name) for name in called(graph) if name in names)

    if sum(1 for _ in walk(lane)) + inside(lane) <= _MOST:
        return set()
    calls = Counter(called(lane))
    for name in names:
        calls.update(called(graphs[name]))
    return {name for name in names if (calls[name] - 1) * sizes[name] >= _MUCH}
