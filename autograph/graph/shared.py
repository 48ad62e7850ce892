"""Graphs that are named because what they compute is computed in several places.

Nothing tells a call of one from what it computes, so a transform may put that in its place; here
it is put in the place of calls that are the only ones, and, in a graph that a transform is given,
of calls that save little: what goes from a pass forward to one backward is a pack there, and
nothing is simplified across a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from weakref import WeakSet

from autograph.closure import closure
from autograph.graph.builder import inline
from autograph.graph.graph import Graph, Module, Node, Value, called, callees, walk
from autograph.graph.rewrite import Change, Env, rewrite
from ops.control import regions

_SHARED: WeakSet[Graph] = WeakSet()

_MUCH = 500  # nodes that calls save, from which on transforms keep them


def share(graph: Graph) -> Graph:
    """The graph, which is named from now on because it is computed in several places."""
    _SHARED.add(graph)
    return graph


def built_in(module: Module) -> Module:
    """The module with shared graphs in the place of calls of them that are the only ones."""
    reached = callees(module.main, module.graphs)
    graphs = {name: graph for name, graph in module.graphs.items() if name in reached}
    calls: Counter[str] = Counter()
    for graph in (module.main, *graphs.values()):
        calls.update(called(graph))
    single = {name for name, n in calls.items() if n == 1 and graphs[name] in _SHARED}
    if not single:
        return module

    change = _building_in(single, graphs)
    main = rewrite(module.main, change)
    # What nothing calls may be what forward and backward passes were made of, which tells what they
    # are where lanes change places with them; it stays, with what it calls.
    unreached = {name: graph for name, graph in module.graphs.items() if name not in reached}
    needed = set(closure(unreached, lambda name: called(module.graphs[name])))
    left = {name: graph for name, graph in module.graphs.items() if name in needed}
    for name, graph in graphs.items():
        if name not in single:
            is_changed = not single.isdisjoint(called(graph))
            left[name] = rewrite(graph, change) if is_changed else graph
    return Module(main, left)


def with_large_calls(graph: Graph, graphs: Mapping[str, Graph | None]) -> Graph:
    """A graph for a transform, with shared graphs in the place of calls that save little.

    Args:
        graphs: of the module.
    """
    if not any(named in _SHARED for named in graphs.values()):
        return graph
    reached = closure(_shared(graph, graphs), lambda name: _shared(graphs[name], graphs))
    found = {name: named for name in reached if (named := graphs[name]) is not None}
    calls = Counter(name for one in (graph, *found.values()) for name in _shared(one, graphs))
    little = {
        name
        for name, named in found.items()
        if (calls[name] - 1) * sum(1 for _ in walk(named)) < _MUCH
    }
    return rewrite(graph, _building_in(little, found)) if little else graph


def _shared(graph: Graph | None, graphs: Mapping[str, Graph | None]) -> list[str]:
    """The names of the shared graphs that a graph itself calls, one for each call."""
    return [name for name in called(graph) if graphs[name] in _SHARED]


def _building_in(names: Collection[str], graphs: Mapping[str, Graph]) -> Change:
    """What puts graphs in the place of calls of them, for `rewrite`."""

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        if node.op is not regions.call or node.attrs["callee"] not in names:
            return None
        callee = rewrite(graphs[node.attrs["callee"]], change)
        return inline(callee, [env.get(v, v) for v in node.inputs])

    return change
