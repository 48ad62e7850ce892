"""A graph with calls of named graphs in the place of calls that came to the same."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, MutableMapping, MutableSet, Sequence

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.rewrite import Env
from autograph.graph.shared import share
from autograph.transforms.repeated_calls.alike import CallsAlike, calls_alike
from autograph.transforms.repeated_calls.forms import Place
from autograph.transforms.repeated_calls.noted import NotedCall
from autograph.transforms.repeated_calls.spans import reached, spans_of
from ops.control.regions import call as named_call
from ops.core.records import NamedTuple


def with_named_calls(
    graph: Graph,
    calls: Sequence[NotedCall],
    functions: MutableMapping[Graph, Hashable],
    others: MutableSet[Graph],
    may_be_named: Callable[[Sequence[Node]], bool],
) -> Graph:
    """The graph with calls of named graphs, which are added to the module, where calls of functions
    came to the same.

    Args:
        calls: those of the recording, also such as are in none of its graphs any more.
        functions: of which functions named graphs are what was recorded in a call; calls of these
            are calls, too. The new ones are added.
        others: named graphs in which calls may be, as of recursive functions. They are exchanged
            for new ones.
        may_be_named: whether nodes may become a graph of their own.
    """
    while True:  # what is called first, then what calls it, which may be the same only then
        groups = calls_alike(spans_of(graph, calls, functions, others), may_be_named)
        if not groups:
            return graph
        graph = _Rewriting(graph, groups, functions, others).run()


class _Scope(NamedTuple):
    """What has become of values, in one of the graphs that are built.

    Attributes:
        env: what has become of values.
        inputs: of a graph of a call, by the places of what they stand for.
    """

    env: Env
    inputs: MutableMapping[Place, Value]

    def read(self, around: Node | Graph, values: Sequence[Value]) -> list[Value]:
        """The operands of a node, or the results of a graph."""
        return [self.at((id(around), i), v) for i, v in enumerate(values)]

    def at(self, place: Place, value: Value) -> Value:
        """A value that is used at a place."""
        return self.inputs.get(place, self.env.get(value, value))


class _Rewriting:
    """Builds a graph anew, and those of functions that it calls, with calls of named graphs in the
    place of those of groups.

    Args:
        groups: those in which others are come first.
        functions, others: as for `with_named_calls`.
    """

    def __init__(
        self,
        graph: Graph,
        groups: Sequence[CallsAlike],
        functions: MutableMapping[Graph, Hashable],
        others: MutableSet[Graph],
    ):
        self._main = graph
        self._functions = functions
        self._others = others
        self._names: dict[CallsAlike, str] = {}
        # By the first node: the groups that have a call there, and which of theirs that is.
        self._starts: defaultdict[int, list[tuple[CallsAlike, int]]] = defaultdict(list)
        for group in groups:
            for which, span in enumerate(group.spans):
                self._starts[id(span.place[0])].append((group, which))

    def run(self) -> Graph:
        graphs = current_builder().graphs
        for named in reached(self._main, {*self._functions, *self._others}):
            if any(id(node) in self._starts for node in walk(named)):
                new = graphs[named.name] = self._graph(named, _Scope({}, {}))
                if named in self._functions:
                    self._functions[share(new)] = self._functions[named]
                else:
                    self._others.remove(named)
                    self._others.add(new)
        return self._graph(self._main, _Scope({}, {}))

    def _graph(self, graph: Graph, scope: _Scope) -> Graph:
        """A graph, or a region, built anew."""
        with Builder(graph.name) as builder:
            scope.env.update((v, builder.input(v.type, v.name)) for v in graph.inputs)
            self._add(graph.nodes, scope)
            return builder.finish(scope.read(graph, graph.outputs), graph.location)

    def _add(self, nodes: Sequence[Node], scope: _Scope, inside: CallsAlike | None = None) -> None:
        """Add nodes to the current builder.

        Args:
            inside: the group of which they are a call.
        """
        builder, position = current_builder(), 0
        while position < len(nodes):
            node = nodes[position]
            calls = self._starts.get(id(node), [])
            if inside is not None and position == 0:
                groups = [group for group, _ in calls]
                calls = calls[groups.index(inside) + 1 :] if inside in groups else calls
            if calls:
                self._add_call(*calls[0], scope)
                group, which = calls[0]
                position += len(group.spans[which].place)
                continue
            inputs = scope.read(node, node.inputs)
            outputs = builder.copy(node, inputs, [self._graph(g, scope) for g in node.regions])
            scope.env.update(zip(node.outputs, outputs))
            position += 1

    def _add_call(self, group: CallsAlike, which: int, scope: _Scope) -> None:
        if group not in self._names:
            self._names[group] = self._named(group)
        span, builder = group.spans[which], current_builder()
        outer = (span.outer[alike[0][which]] for alike in group.varying.values())
        operands = [scope.at(place, value) for value, place in outer]
        with builder.at(span.location):
            outputs = builder.add(
                named_call,
                operands,
                {"callee": self._names[group]},
                [group.spans[0].results[i].type for i in group.outputs],
                names=[span.results[i].name for i in group.outputs],
                required=span.required,
            )
        scope.env.update(
            (span.given[i], output) for i, output in zip(group.outputs, outputs) if i in span.given
        )

    def _named(self, group: CallsAlike) -> str:
        """The name of a new graph for calls that are alike."""
        graphs, span = current_builder().graphs, group.spans[0]
        base = span.name if span.name.isidentifier() else "function"  # of a lambda
        names = (base if number == 1 else f"{base}_{number}" for number in itertools.count(1))
        name = next(name for name in names if name not in graphs and name != self._main.name)
        graphs[name] = None  # the name is taken
        with Builder(name) as builder:
            scope = _Scope({}, {})
            for value, places in zip(group.inputs, group.varying.values()):
                given = builder.input(value.type, value.name)
                scope.inputs.update((alike[0], given) for alike in places)
            self._add(span.nodes, scope, group)
            outputs = [scope.env[span.results[i]] for i in group.outputs]
            graph = share(builder.finish(outputs, span.nodes[0].location))
        graphs[name] = graph
        self._functions[graph] = span.function
        return name
