"""Calls of functions that came to the same become calls of one named graph.

What was recorded in a call stands among the nodes around it, one after the other. Where that of
several calls is the same, but for the values that are used there and for numbers, and is much, it
is put into a graph of its own, which each of the calls calls, given these. That changes nothing of
what is computed, whatever the functions were given, saw and changed while they were recorded, but
it is optimized, differentiated and compiled once. See `autograph.graph.shared` for what happens to
such graphs.

A number that differs becomes an operand only where nothing would be made of knowing it: what is
rounded stays what it was.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)

from autograph.closure import closure
from autograph.errors import Location
from autograph.graph.aliasing import CONTROL_FLOW, may_be_given
from autograph.graph.builder import Builder, current_builder
from autograph.graph.derived import sources
from autograph.graph.graph import Constant, Graph, Node, Value, called, walk
from autograph.graph.rewrite import Env
from autograph.graph.shared import share
from autograph.transforms.analysis.congruence import exact
from autograph.transforms.simplify.identities import constant_key
from ops.control.regions import call as named_call
from ops.core.records import NamedTuple
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.elementwise.powers import power

_MUCH = 100  # nodes less, which are worth a name
_PLAIN = (None, "raises")  # effects of what only computes its results, or raises

_Place = tuple[int, int]  # of an operand: the identity of its node, or graph, and its position


class NotedCall(NamedTuple):
    """Where in a recording a call is.

    Attributes:
        function: what was called, by its code.
        name: of the function.
        first, last: the nodes that it began and ended with.
        count: how many there are, these included.
        location: of the call.
    """

    function: Hashable
    name: str
    first: Node
    last: Node
    count: int
    location: Location | None


def with_named_calls(
    graph: Graph,
    calls: Sequence[NotedCall],
    functions: MutableMapping[Graph, Hashable],
    may_be_named: Callable[[Sequence[Node]], bool],
) -> Graph:
    """The graph with calls of named graphs, which are added to the module, where calls of functions
    came to the same.

    Args:
        calls: those of the recording, also such as are in none of its graphs any more.
        functions: of which functions named graphs are what was recorded in a call; calls of these
            are calls, too. The new ones are added.
        may_be_named: whether nodes may become a graph of their own.
    """
    while True:  # what is called first, then what calls it, which may be the same only then
        groups = _chosen(_found(graph, calls, functions), may_be_named)
        if not groups:
            return graph
        graph = _Rewriting(graph, groups, functions).run()


# -- what a call came to ---------------------------------------------------------------------------


class _Differs(Exception):
    """No other call can be taken to be like one."""


class _Span:
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
        inputs: what is used and not computed there, arrays that it has as constants included.
        operands: what these are for this call.
        numbers: the constants that may differ, by their places.
        results: what the nodes give.
        given: the values of the graph that are such results and are used after the call, by the
            position of these.

    Raises:
        _Differs: the nodes do more than to compute results, or not of arrays and numbers.
    """

    def __init__(
        self,
        function: Hashable,
        name: str,
        location: Location | None,
        place: Sequence[Node],
        nodes: Sequence[Node],
    ):
        self.function = function
        self.name = name
        self.location = location
        self.place = place
        self.nodes = nodes
        form = _Form(location if place is nodes else None)
        self.key: Hashable = (function, form.of_nodes(nodes))
        self.size = form.size
        self.weight = form.weight
        self.inputs = [*form.operands]
        self.operands: list[Value] = []
        self.numbers = form.numbers
        self.results = [value for node in nodes for value in node.outputs]
        self.given: dict[int, Value] = {}

    @classmethod
    def recorded(
        cls, call: NotedCall, nodes: Sequence[Node], end: int, last_uses: Mapping[Value, int]
    ) -> _Span:
        """A call by what was recorded in it.

        Args:
            end: where the nodes end in the graph that they are in.
            last_uses: where values are used last in that graph.
        """
        span = cls(call.function, call.name, call.location, nodes, nodes)
        used = ((i, v) for i, v in enumerate(span.results) if last_uses.get(v, -1) >= end)
        return span._with(span.inputs, dict(used))

    @classmethod
    def named(cls, node: Node, callee: Graph, function: Hashable) -> _Span:
        """A call of a named graph of what was recorded."""
        span = cls(function, callee.name, node.location, (node,), callee.nodes)
        places = {value: i for i, value in enumerate(span.results)}
        if not places.keys() >= set(callee.outputs):
            raise _Differs
        given = {places[v]: output for v, output in zip(callee.outputs, node.outputs)}
        operands = dict(zip(callee.inputs, node.inputs))
        return span._with([operands.get(v, v) for v in span.inputs], given)

    def _with(self, operands: list[Value], given: dict[int, Value]) -> _Span:
        crossing = (*operands, *given.values())
        if not all(isinstance(v.type, ArrayType) and v.type.is_static for v in crossing):
            raise _Differs
        self.operands, self.given = operands, given
        return self

    @property
    def required(self) -> bool:
        """Whether the call may raise, as the user's program would."""
        return any(node.required for node in self.place)


class _Form:
    """What is the same of nodes that compute the same of other operands, found node by node.

    Attributes:
        operands: values that are used and not computed there, numbered in order of first use.
        numbers: the constants that may differ, by their places.
        size: how many nodes there are, those of regions included.
        weight: the same with those of graphs that are called.
    """

    def __init__(self, location: Location | None):
        self.operands: dict[Value, int] = {}
        self.numbers: dict[_Place, Constant] = {}
        self.size = self.weight = 0
        self._location = location
        self._own: dict[Value, int] = {}
        self._known: set[Value] = set()  # what is computed of constants

    def of_nodes(self, nodes: Sequence[Node]) -> Hashable:
        return tuple(map(self._of_node, nodes))

    def _of_node(self, node: Node) -> Hashable:
        op, location = node.op, node.location
        self.size += 1
        self.weight += 1 if op is not named_call else _weight(node.attrs["callee"])
        if op is not named_call and (op.collective is not None or op.effect not in _PLAIN):
            raise _Differs
        is_known = all(isinstance(v, Constant) or v in self._known for v in node.inputs)
        if is_known and not node.regions:
            self._known.update(node.outputs)
        # Powers are computed in other ways where the exponent is known, what is computed of
        # constants alone by NumPy.
        is_any = isinstance(op, Elementwise) and op is not power and not is_known
        is_any = is_any or op in CONTROL_FLOW or op is named_call
        inputs = [self._of_operand(v, (id(node), i), is_any) for i, v in enumerate(node.inputs)]
        bodies = tuple(map(self._of_graph, node.regions))
        if location == self._location and not (node.required or op.effect):
            location = None  # where the call is
        self._add(node.outputs)
        attrs = exact(tuple(sorted(node.attrs.items())))
        types = tuple(v.type for v in node.outputs)
        return op, attrs, tuple(inputs), bodies, types, location, node.required

    def _of_graph(self, graph: Graph) -> Hashable:
        self._add(graph.inputs)
        nodes = self.of_nodes(graph.nodes)
        outputs = [self._of_operand(v, (id(graph), i), True) for i, v in enumerate(graph.outputs)]
        return graph.input_types, nodes, tuple(outputs)

    def _add(self, values: Sequence[Value]) -> None:
        for value in values:
            self._own[value] = len(self._own)

    def _of_operand(self, value: Value, place: _Place, is_any: bool) -> Hashable:
        """What is the same of an operand or result.

        Args:
            is_any: whether a number may be another one.
        """
        if value in self._own:
            return self._own[value]
        if isinstance(value, Constant) and not value.is_array:
            if not value.is_scalar:
                raise _Differs
            if not is_any or value.type.dtype.kind != "f":
                return constant_key(value)
            self.numbers[place] = value
            return value.type
        return value.type, self.operands.setdefault(value, len(self.operands))


def _weight(name: str) -> int:
    """How many nodes a named graph has, with those of graphs that it calls."""
    graphs = current_builder().graphs
    names = closure([name], lambda name: called(graphs[name]))
    return 1 + sum(1 for name in names if graphs[name] for _ in walk(graphs[name]))


def _walked(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from walk(region)


# -- which calls are alike -------------------------------------------------------------------------


class _Group:
    """Calls that are alike, in the order in which they were recorded.

    Attributes:
        spans: of the calls.
        outputs: which of the results of their nodes are used elsewhere, in any of them.
        varying: the places of each number that is not the same in all of them, in each.
        callee: the name of the graph; None as long as there is none.

    Args:
        varied: at which places numbers become operands because of the calls around, and which.
    """

    def __init__(self, spans: Sequence[_Span], varied: Mapping[_Place, Hashable]):
        self.spans = spans
        self.outputs = sorted({i for span in spans for i in span.given})
        self.callee: str | None = None
        self.varying: dict[Hashable, list[tuple[_Place, ...]]] = {}
        for places in zip(*(span.numbers for span in spans)):
            numbers = [span.numbers[place] for span, place in zip(spans, places)]
            keys = [varied.get(at) or constant_key(x) for at, x in zip(places, numbers)]
            if len(set(keys)) > 1 or not varied.keys().isdisjoint(places):
                self.varying.setdefault(tuple(keys), []).append(places)

    @property
    def saved(self) -> int:
        """How many nodes less there are."""
        return (len({id(span.nodes[0]) for span in self.spans}) - 1) * self.spans[0].size

    def is_possible(self) -> bool:
        """Whether a graph can give the results."""
        results = [self.spans[0].results[i] for i in self.outputs]
        arrays = [value for value in results if value.type.shape]
        # Of two, nobody would know that they share no memory.
        return bool(results) and len(arrays) <= 1 and not any(map(may_be_given, arrays))

    def operands(self, span: _Span, scope: _Scope) -> list[Value]:
        """What a call of the graph is given, one of those in ``spans``."""
        which = next(i for i, one in enumerate(self.spans) if one is span)
        places = [alike[0][which] for alike in self.varying.values()]
        return [
            *(scope.env.get(v, v) for v in span.operands),
            *(scope.numbers.get(at, span.numbers[at]) for at in places),
        ]


def _found(
    graph: Graph, calls: Sequence[NotedCall], functions: Mapping[Graph, Hashable]
) -> list[_Span]:
    """The calls that are in a graph, of those that may be like others."""
    several = Counter(call.function for call in calls)
    several.update(functions.values())
    calls = [call for call in calls if several[call.function] > 1]
    if max(several.values(), default=0) < 2:
        return []
    whole = [graph, *_reached(graph, functions)]
    around = [*whole, *(region for one in whole for node in walk(one) for region in node.regions)]
    places = {id(node): (one, i) for one in around for i, node in enumerate(one.nodes)}
    last_uses: dict[int, dict[Value, int]] = {}
    found = []
    for call in calls:
        if id(call.first) not in places:
            continue
        holder, start = places[id(call.first)]
        end = start + call.count
        if places.get(id(call.last)) != (holder, end - 1):
            continue
        if id(holder) not in last_uses:
            last_uses[id(holder)] = _last_uses(holder)
        with contextlib.suppress(_Differs):
            nodes = holder.nodes[start:end]
            found.append(_Span.recorded(call, nodes, end, last_uses[id(holder)]))
    graphs = current_builder().graphs
    for node in (node for one in whole for node in walk(one) if node.op is named_call):
        callee = graphs[node.attrs["callee"]]
        if callee in functions and several[functions[callee]] > 1:
            with contextlib.suppress(_Differs):
                found.append(_Span.named(node, callee, functions[callee]))
    return found


def _reached(graph: Graph, functions: Collection[Graph]) -> list[Graph]:
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


def _chosen(spans: Sequence[_Span], may_be_named: Callable[[Sequence[Node]], bool]) -> list[_Group]:
    """The groups of calls that are worth a name, large calls first. Of what is called in these,
    only what the first one calls is left."""
    alike: defaultdict[Hashable, list[_Span]] = defaultdict(list)
    for span in spans:
        alike[span.key].append(span)
    groups: list[_Group] = []
    gone: set[int] = set()
    varied: dict[_Place, Hashable] = {}
    for every in sorted(alike.values(), key=lambda every: -every[0].weight):
        left = [span for span in every if id(span.place[0]) not in gone]
        if len(left) < 2:
            continue
        group = _Group(left, varied)
        if group.saved < _MUCH or not (group.is_possible() and may_be_named(left[0].nodes)):
            continue
        for span in left[1:]:
            gone.update(id(node) for node in _walked(span.place))
            if span.nodes is not left[0].nodes:
                gone.update(id(node) for node in _walked(span.nodes))
        for keys, places in group.varying.items():
            varied.update((one[0], (len(groups), keys)) for one in places)
        groups.append(group)
    return groups


# -- what becomes of them --------------------------------------------------------------------------


class _Scope(NamedTuple):
    """What has become of values and numbers, in one of the graphs that are built.

    Attributes:
        env: what has become of values.
        numbers: the inputs in the place of numbers.
    """

    env: Env
    numbers: Mapping[_Place, Value]

    def read(self, around: Node | Graph, values: Sequence[Value]) -> list[Value]:
        """The operands of a node, or the results of a graph."""
        places = ((id(around), i) for i in range(len(values)))
        return [self.numbers.get(at, self.env.get(v, v)) for at, v in zip(places, values)]


class _Rewriting:
    """Builds a graph anew, and those of functions that it calls, with calls of named graphs in the
    place of those of groups.

    Args:
        groups: those in which others are come first.
        functions: as for `with_named_calls`.
    """

    def __init__(
        self, graph: Graph, groups: Sequence[_Group], functions: MutableMapping[Graph, Hashable]
    ):
        self._main = graph
        self._functions = functions
        self._starts: defaultdict[int, list[tuple[_Span, _Group]]] = defaultdict(list)
        for group in groups:
            for span in group.spans:
                self._starts[id(span.place[0])].append((span, group))

    def run(self) -> Graph:
        graphs = current_builder().graphs
        for named in _reached(self._main, self._functions):
            if any(id(node) in self._starts for node in walk(named)):
                new = graphs[named.name] = share(self.graph(named, _Scope({}, {})))
                self._functions[new] = self._functions[named]
        return self.graph(self._main, _Scope({}, {}))

    def graph(self, graph: Graph, scope: _Scope) -> Graph:
        """A graph, or a region, built anew."""
        with Builder(graph.name) as builder:
            scope.env.update((v, builder.input(v.type, v.name)) for v in graph.inputs)
            self._add(graph.nodes, scope)
            return builder.finish(scope.read(graph, graph.outputs), graph.location)

    def _add(self, nodes: Sequence[Node], scope: _Scope, inside: _Span | None = None) -> None:
        """Add nodes to the current builder.

        Args:
            inside: the call that they are all that was recorded of.
        """
        builder, position = current_builder(), 0
        while position < len(nodes):
            node = nodes[position]
            calls = self._starts.get(id(node), [])
            if inside is not None and position == 0:
                outer = [span for span, _ in calls]
                calls = calls[outer.index(inside) + 1 :] if inside in outer else calls
            if calls:
                self._add_call(*calls[0], scope)
                position += len(calls[0][0].place)
                continue
            inputs = scope.read(node, node.inputs)
            outputs = builder.copy(node, inputs, [self.graph(g, scope) for g in node.regions])
            scope.env.update(zip(node.outputs, outputs))
            position += 1

    def _add_call(self, span: _Span, group: _Group, scope: _Scope) -> None:
        if group.callee is None:
            group.callee = self._named(group)
        results = [group.spans[0].results[i] for i in group.outputs]
        builder = current_builder()
        with builder.at(span.location):
            outputs = builder.add(
                named_call,
                group.operands(span, scope),
                {"callee": group.callee},
                [v.type for v in results],
                names=[span.results[i].name for i in group.outputs],
                required=span.required,
            )
        scope.env.update(
            (span.given[i], output) for i, output in zip(group.outputs, outputs) if i in span.given
        )

    def _named(self, group: _Group) -> str:
        """The name of a new graph for calls that are alike."""
        graphs, span = current_builder().graphs, group.spans[0]
        base = span.name if span.name.isidentifier() else "function"  # of a lambda
        names = (base if number == 1 else f"{base}_{number}" for number in itertools.count(1))
        name = next(name for name in names if name not in graphs and name != self._main.name)
        graphs[name] = None  # the name is taken
        with Builder(name) as builder:
            env = {v: builder.input(v.type, v.name) for v in span.inputs}
            numbers: dict[_Place, Value] = {}
            for places in group.varying.values():
                value = builder.input(span.numbers[places[0][0]].type)
                numbers.update((alike[0], value) for alike in places)
            self._add(span.nodes, _Scope(env, numbers), span)
            outputs = [env[span.results[i]] for i in group.outputs]
            graph = share(builder.finish(outputs, span.nodes[0].location))
        graphs[name] = graph
        self._functions[graph] = span.function
        return name
