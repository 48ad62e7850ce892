"""Calls in a graph, and what each of them came to."""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence

from autograph.closure import closure
from autograph.errors import Location
from autograph.graph.builder import current_builder
from autograph.graph.derived import sources
from autograph.graph.graph import Graph, Node, Value, called, walk
from autograph.transforms.repeated_calls.forms import LikeNoOther, NodesForm, Place
from autograph.transforms.repeated_calls.noted import NotedCall
from ops.control.regions import call as named_call
from ops.core.records import NamedTuple
from ops.core.types import ArrayType


class Outer(NamedTuple):
    """A value that may be another one in a call that is alike.

    Attributes:
        value: the value, in the graph that the call is in.
        place: where it is used there, or given to the call of a named graph.
    """

    value: Value
    place: Place


class CallSpan:
    """A call in a graph, and what it came to.

    Attributes:
        function: what is called.
        name: of the function.
        location: of the call.
        place: the nodes in the graph: one that calls a named graph, or what was recorded.
        nodes: what was recorded.
        size: how many nodes that are, those of regions included.
        weight: the same with those of graphs that are called.
        key: what is the same of calls that are alike.
        outer: what may differ, by its place in these nodes.
        results: what the nodes give.
        given: the values of the graph that are such results and are used after the call, by the
            position of these.

    Args:
        form: of the nodes.
    """

    def __init__(
        self,
        function: Hashable,
        name: str,
        location: Location | None,
        place: Sequence[Node],
        nodes: Sequence[Node],
        form: NodesForm,
    ):
        self.function = function
        self.name = name
        self.location = location
        self.place = place
        self.nodes = nodes
        self.key: Hashable = (function, form.key)
        self.size = form.size
        self.weight = form.weight
        self.outer: dict[Place, Outer] = {}
        self.results = [value for node in nodes for value in node.outputs]
        self.given: dict[int, Value] = {}

    @classmethod
    def recorded(
        cls, call: NotedCall, nodes: Sequence[Node], end: int, last_uses: Mapping[Value, int]
    ) -> CallSpan:
        """A call by what was recorded in it.

        Args:
            end: where the nodes end in the graph that they are in.
            last_uses: where values are used last in that graph.

        Raises:
            LikeNoOther: as for `NodesForm`, or lengths are symbols.
        """
        form = NodesForm(nodes, call.location)
        span = cls(call.function, call.name, call.location, nodes, nodes, form)
        used = ((i, v) for i, v in enumerate(span.results) if last_uses.get(v, -1) >= end)
        outer = {place: Outer(value, place) for place, value in form.outer.items()}
        return span._with(outer, dict(used))

    @classmethod
    def named(
        cls,
        node: Node,
        callee: Graph,
        function: Hashable,
        form_of: Callable[[Graph], NodesForm],
    ) -> CallSpan:
        """A call of a named graph of what was recorded.

        Raises:
            LikeNoOther: as for `recorded`.
        """
        form = form_of(callee)
        span = cls(function, callee.name, node.location, (node,), callee.nodes, form)
        places = {value: i for i, value in enumerate(span.results)}
        if not places.keys() >= set(callee.outputs):
            raise LikeNoOther
        given = {places[v]: output for v, output in zip(callee.outputs, node.outputs)}
        inputs = zip(callee.inputs, node.inputs)
        operands = {v: Outer(x, (id(node), k)) for k, (v, x) in enumerate(inputs)}
        outer = {place: operands.get(v, Outer(v, place)) for place, v in form.outer.items()}
        return span._with(outer, given)

    def _with(self, outer: dict[Place, Outer], given: dict[int, Value]) -> CallSpan:
        crossing = (*(value for value, _ in outer.values()), *given.values())
        if not all(isinstance(v.type, ArrayType) and v.type.is_static for v in crossing):
            raise LikeNoOther
        self.outer, self.given = outer, given
        return self

    def give(self, values: Collection[Value]) -> None:
        """Let the call also give those of some values that are results of its nodes."""
        if self.place is self.nodes:  # named graphs give what they do
            self.given.update((i, v) for i, v in enumerate(self.results) if v in values)

    @property
    def required(self) -> bool:
        """Whether the call may raise, as the user's program would."""
        return any(node.required for node in self.place)


# The same of calls that may be alike, and what finds out what one came to.
_Candidate = tuple[Hashable, Callable[[], CallSpan]]


def spans_of(
    graph: Graph,
    calls: Sequence[NotedCall],
    functions: Mapping[Graph, Hashable],
    others: Collection[Graph],
) -> list[CallSpan]:
    """The calls in a graph, and in those of functions that it calls, of which others may be like
    them.

    Args:
        calls, functions, others: as for `named.with_named_calls`.
    """
    several = Counter(call.function for call in calls)
    several.update(functions.values())
    calls = [call for call in calls if several[call.function] > 1]
    if max(several.values(), default=0) < 2:
        return []
    graphs = [graph, *reached(graph, {*functions, *others})]
    candidates = [*_recorded(graphs, calls), *_named(graphs, functions)]
    alike = Counter(key for key, _ in candidates)
    spans = []
    for key, span in candidates:
        if alike[key] > 1:
            with contextlib.suppress(LikeNoOther):
                spans.append(span())
    return spans


def _recorded(graphs: Sequence[Graph], calls: Sequence[NotedCall]) -> Iterator[_Candidate]:
    """Those of which graphs have what was recorded in them."""
    regions = (region for one in graphs for node in walk(one) for region in node.regions)
    places = {id(v): (one, i) for one in (*graphs, *regions) for i, v in enumerate(one.nodes)}
    last_uses = functools.cache(_last_uses)
    for call in calls:
        holder, start = places.get(id(call.first), (None, 0))
        end = start + call.size
        if holder is not None and places.get(id(call.last)) == (holder, end - 1):
            # Calls of a function in each other have different numbers of nodes.
            yield (
                (call.function, call.size),
                functools.partial(
                    CallSpan.recorded, call, holder.nodes[start:end], end, last_uses(holder)
                ),
            )


def _named(graphs: Sequence[Graph], functions: Mapping[Graph, Hashable]) -> Iterator[_Candidate]:
    """Those of named graphs."""
    named = current_builder().graphs
    form_of = functools.cache(_form_of)  # many calls may be of one graph
    for node in (node for one in graphs for node in walk(one) if node.op is named_call):
        callee = named[node.attrs["callee"]]
        if callee in functions:
            function = functions[callee]
            yield (
                (function, len(callee.nodes)),
                functools.partial(CallSpan.named, node, callee, function, form_of),
            )


def _form_of(callee: Graph) -> NodesForm:
    return NodesForm(callee.nodes, None)


def reached(graph: Graph, functions: Collection[Graph]) -> list[Graph]:
    """The graphs of functions that are called, directly or through one another, and of which no
    others are derived, which tell by them what they are."""
    graphs = current_builder().graphs
    names = closure(called(graph), lambda name: called(graphs[name]))
    kept = sources(graphs)
    found = (graphs[name] for name in names)
    return [one for one in found if one in functions and one not in kept]


def _last_uses(graph: Graph) -> dict[Value, int]:
    """Where the nodes of a graph use values last; what it gives is used after them."""
    found = {value: i for i, node in enumerate(graph.nodes) for value in node.uses()}
    found.update(dict.fromkeys(graph.outputs, len(graph.nodes)))
    return found
