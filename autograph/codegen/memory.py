"""Which updates of arrays are done in place, and what has to be copied so that they can be.

An update computes a new array from an old one. It may overwrite the old one if the program made
that array itself, and if nobody needs it afterwards, under any name. Values that may share memory
are connected by links: a view to its array, the result of an update to its target, the state of a
loop to what it starts from and to what the next trip gets, a pack to its contents, what a function
returns to the arguments and results with which it shares memory. Everything that can be reached
from the target through links must be dead after the update, and none of it may be a constant, or an
input unless the caller has donated it.

Where that fails, links are cut by copying, the cheapest way first:

* views that are needed after the update are copied (``row = m[i].copy()``);
* loop state is copied once, before the loop, for the outermost loop for which that helps;
* the target is copied by the update, as if nothing were done in place.

An input that the caller has donated is the function's own. The elementwise operation that is the
last to use one writes its result there, too.

Cutting a link only ever separates values, so what was found possible before stays possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field

import numpy as np

import ops
from autograph.codegen.liveness import Liveness
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.wiring import is_loop, loop_of, wiring
from ops.control import regions
from ops.control.regions import Container
from ops.core.records import dataclass
from ops.core.registry import Elementwise, Op
from ops.core.types import ArrayType

# Python's operators on arrays, and the functions that these are.
_INFIX = {
    "{0} + {1}": "add",
    "{0} - {1}": "subtract",
    "{0} * {1}": "multiply",
    "{0} / {1}": "divide",
    "-{0}": "negative",
}

# A link that copying can cut: the node whose result is copied, or the loop and the position in its
# state of what is copied before it.
Cut = Node | tuple[Node, int]


@dataclass
class CopyPlan:
    """What is copied, so that everything else can be done in place.

    Attributes:
        updates: updates that change a copy of their target.
        entries: (loop, position) of loop state that starts as a copy.
        views: nodes whose result, a view, is copied at once.
        reused: elementwise operations that are computed in the memory of an operand that the caller
            has donated, with the position of that.
    """

    updates: set[Node] = field(default_factory=set)
    entries: set[tuple[Node, int]] = field(default_factory=set)
    views: set[Node] = field(default_factory=set)
    reused: dict[Node, int] = field(default_factory=dict)


def is_update(node: Node) -> bool:
    """Whether a node changes elements of an array. A scalar, which may be a NumPy scalar and so
    immutable, is replaced instead."""
    return node.op.updates and node.outputs[0].type.ndim > 0


@dataclass(frozen=True)
class _Returned:
    """Whose memory the results of a function are.

    Attributes:
        links: pairs of positions, among the operands of a call and then its results, that may share
            memory.
        foreign: results that may be memory from elsewhere, or whose elements may share it.
    """

    links: tuple[tuple[int, int], ...]
    foreign: frozenset[int]


class Callees:
    """What calls of named graphs return.

    Args:
        graphs: by their names.
    """

    def __init__(self, graphs: Mapping[str, Graph]):
        self._graphs = graphs
        self._known: dict[str, _Returned] = {}

    def returned(self, node: Node) -> _Returned:
        """What there is to know of the results of a call."""
        name = node.attrs["callee"]
        if name not in self._known:
            count = len(node.inputs) + len(node.outputs)
            # Of a function that calls itself, while that is being found out: anything.
            results = range(len(node.inputs), count)
            links = tuple((i, j) for j in results for i in range(j))
            self._known[name] = _Returned(links, frozenset(range(len(node.outputs))))
            self._known[name] = self._found(self._graphs[name])
        return self._known[name]

    def _found(self, graph: Graph) -> _Returned:
        aliases = _Aliases(graph, graph.inputs, self)
        values = [*graph.inputs, *graph.outputs]
        links: list[tuple[int, int]] = []
        foreign: set[int] = set()
        for number, value in enumerate(graph.outputs):
            place = len(graph.inputs) + number
            found = aliases.reach(value)
            links += ((i, place) for i in range(place) if values[i] in found)
            if not all(map(aliases.is_writable, found)):
                foreign.add(number)
        return _Returned(tuple(links), frozenset(foreign))


def _gives_anything(node: Node) -> bool:
    """Whether the results may be memory from anywhere: what is inside packs and stacks may be."""
    return isinstance(node.op, Container) and (node.op.opens or node.op is regions.add_ct)


def _shares(node: Node) -> bool:
    """Whether results may share memory with operands, or each other."""
    return isinstance(node.op, Container) or node.op is regions.call


def takes_over(node: Node) -> bool:
    """Whether a node may compute its result in the memory of its first operand."""
    able = node.op.updates or node.op.in_place is not None
    return able and node.outputs[0].type.ndim > 0


def plan_memory(
    graph: Graph, live: Liveness, callees: Callees, donated: Collection[Value]
) -> CopyPlan:
    """Plan the updates in the graph of a function, those in nested regions included.

    Args:
        callees: what it calls.
        donated: inputs whose memory the caller gives up.
    """
    updates = [node for node in walk(graph) if takes_over(node) and node not in live.dead]
    if not updates and not donated:
        return CopyPlan()
    aliases = _Aliases(graph, donated, callees)
    fresh = _fresh_targets(graph)
    for node in updates:
        if node not in fresh and not any(
            _cut_for(node, loop, aliases, live) for loop in (None, *_loops_around(node, live))
        ):
            aliases.cuts.add(node)
    return CopyPlan(
        updates={cut for cut in aliases.cuts if isinstance(cut, Node) and takes_over(cut)},
        entries={cut for cut in aliases.cuts if not isinstance(cut, Node)},
        views={cut for cut in aliases.cuts if isinstance(cut, Node) and not takes_over(cut)},
        reused=dict(_reuses(graph, donated, aliases, live)),
    )


def _reuses(
    graph: Graph, donated: Collection[Value], aliases: _Aliases, live: Liveness
) -> Iterator[tuple[Node, int]]:
    """The elementwise operations that are the last to use a donated array, and give one of the same
    type."""
    pending = [*donated]
    for value in pending:
        users = [node for node in graph.nodes if any(value is v for v in node.uses())]
        if not users or any(value is v for v in graph.outputs) or users[-1] in live.dead:
            continue
        node = users[-1]
        result = node.outputs[0] if node.outputs else value
        if ufunc_name(node.op) is None or result.type != value.type:
            continue
        connected = aliases.reach(value)
        apart = not any(v in connected for v in node.inputs if v is not value)
        if apart and not any(live.live_after(v, live.place[result]) for v in connected):
            yield node, next(i for i, v in enumerate(node.inputs) if v is value)
            pending.append(result)


def ufunc_name(op: Op) -> str | None:
    """The name of the function of the array library that an operator is for arrays; it takes
    ``out``."""
    if not isinstance(op, Elementwise) or not isinstance(op.code, str):
        return None
    name = op.ufunc.__name__
    operands = ", ".join(f"{{{i}}}" for i in range(op.ufunc.nin))
    is_call = op.code == f"np.{name}({operands})" and getattr(np, name, None) is op.ufunc
    return name if is_call or _INFIX.get(op.code) == name else None


def _fresh_targets(graph: Graph) -> set[Node]:
    """The updates of a new array that nobody else uses: it is another one each time, whatever
    becomes of it afterwards."""
    uses: Counter[Value] = Counter()
    made: dict[Value, Graph] = {}
    places: list[tuple[Node, Graph]] = []
    pending = [graph]
    while pending:
        here = pending.pop()
        uses.update(here.outputs)
        for node in here.nodes:
            uses.update(node.inputs)
            pending += node.regions
            if takes_over(node):
                places.append((node, here))
            elif not (node.regions or node.is_view or _shares(node)):
                made.update((v, here) for v in node.outputs)
    return {
        node
        for node, here in places
        if uses[node.inputs[0]] == 1 and made.get(node.inputs[0]) is here
    }


def _loops_around(node: Node, live: Liveness) -> list[Node]:
    """The loops that a node is in, the outermost first."""
    loops = []
    graph, _ = live.place[node.outputs[0]]
    while graph in live.around:
        graph, index = live.around[graph]
        if is_loop(graph.nodes[index]):
            loops.insert(0, graph.nodes[index])
    return loops


def _cut_for(node: Node, loop: Node | None, aliases: _Aliases, live: Liveness) -> bool:
    """Make ``node`` possible in place by copying state on entry to ``loop``, if that is given, and
    views. Returns whether that is enough; if not, nothing has changed."""
    before = set(aliases.cuts)
    if loop is not None:
        connected = aliases.reach(node.inputs[0])
        aliases.cuts.update(
            (loop, i)
            for i, value in enumerate(loop_of(loop).state)
            if value in connected and isinstance(value.type, ArrayType)
        )
    conflicts = _conflicts(node, aliases, live)
    if conflicts:
        _cut_views(node, conflicts, aliases)
    if conflicts and _conflicts(node, aliases, live):
        aliases.cuts = before
        return False
    return True


def _cut_views(node: Node, conflicts: list[Value], aliases: _Aliases) -> None:
    """Cut the views, no larger than the target, that lie between it and what is in the way."""
    target = node.outputs[0].type
    connected = aliases.reach(node.inputs[0])
    views = [v.producer for v in connected if _is_small_view(v, target)]
    views = [view for view in views if view not in aliases.cuts]
    aliases.cuts.update(views)
    # What each view is a part of when all are cut; those of parts without conflicts grow together
    # again with what they are views of.
    parts: dict[Value, _Part] = {}
    for view in views:
        for value in (view.outputs[0], view.inputs[0]):
            if value not in parts:
                found = aliases.reach(value)
                meets = not found.keys().isdisjoint(conflicts)
                parts.update(dict.fromkeys(found, _Part(meets)))
    for view in views:
        part = parts[view.outputs[0]].whole()
        if not part.conflicts:
            aliases.cuts.discard(view)
            part.join(parts[view.inputs[0]].whole())


class _Part:
    """Values that may share memory, in a forest of disjoint sets.

    Attributes:
        conflicts: whether some of them are in the way of an update.
    """

    def __init__(self, conflicts: bool):
        self.conflicts = conflicts
        self._larger: _Part | None = None

    def whole(self) -> _Part:
        part = self
        while part._larger is not None:
            part = part._larger
        if part is not self:
            self._larger = part
        return part

    def join(self, other: _Part) -> None:
        """Make it, and all that it has been joined with, a part of another."""
        if other is not self:
            self._larger = other


def _is_small_view(value: Value, target: ArrayType) -> bool:
    node = value.producer
    if node is None or not node.is_view:
        return False
    if value.type.is_static and target.is_static:
        return value.type.size <= target.size
    return node.op.writable  # a part of an array, or all of it


def _conflicts(node: Node, aliases: _Aliases, live: Liveness) -> list[Value]:
    """Values that keep an update from being done in place."""
    target, *operands = node.inputs
    (result,) = node.outputs
    connected = aliases.reach(target)
    here = live.place[result]
    found = [
        value
        for value in connected
        if value is not result and (not aliases.is_writable(value) or live.live_after(value, here))
    ]
    # Reading and writing the same memory at once: a single element read for an assignment is read
    # before anything is written. A row that is appended is next to what it may be a part of.
    if not is_update(node):
        return found
    adds = node.op is ops.index_add
    found += [v for v in operands if v in connected and (adds or v.type.shape != ())]
    return found


class _Aliases:
    """Which values may share memory.

    Args:
        graph: of a function.
        donated: inputs whose memory is its own.
        callees: what it calls.

    Attributes:
        cuts: the links that copying cuts.
    """

    def __init__(self, graph: Graph, donated: Collection[Value], callees: Callees):
        self.cuts: set[Cut] = set()
        self._foreign: set[Value] = {*graph.inputs}.difference(donated)
        self._links: dict[Value, list[tuple[Value, Cut | None]]] = {}
        for node in walk(graph):
            if node.op is regions.call:
                returned, values = callees.returned(node), [*node.inputs, *node.outputs]
                links = [(values[i], values[j], None) for i, j in returned.links]
                self._foreign.update(node.outputs[i] for i in returned.foreign)
            else:
                links = [*_links(node)]
            for a, b, cut in links:
                if _has_memory(a) and _has_memory(b):
                    self._links.setdefault(a, []).append((b, cut))
                    self._links.setdefault(b, []).append((a, cut))
            if _gives_anything(node):
                self._foreign.update(node.outputs)

    def is_writable(self, value: Value) -> bool:
        """Whether the memory of a value is the function's own, and not shared among elements."""
        if isinstance(value, Constant) or value in self._foreign:
            return False
        node = value.producer
        is_view = node is not None and node.is_view and node not in self.cuts
        return not is_view or node.op.writable

    def reach(self, value: Value) -> dict[Value, None]:
        """All values that may share memory with ``value``, itself included."""
        found = {value: None}
        todo = [value]
        while todo:
            for other, cut in self._links.get(todo.pop(), ()):
                if cut not in self.cuts and other not in found:
                    found[other] = None
                    todo.append(other)
        return found


def _has_memory(value: Value) -> bool:
    """Whether it may be an array; numbers, and the empty stack, are the same everywhere."""
    if isinstance(value, Constant) and (value.is_scalar or value.data is None):
        return False
    return not (isinstance(value.type, ArrayType) and value.type.weak)


def _links(node: Node) -> Iterator[tuple[Value, Value, Cut | None]]:
    """Pairs of values that may share memory because of a node, and what would cut the link."""
    if takes_over(node) or node.is_view:
        yield node.outputs[0], node.inputs[0], node
    elif (wires := wiring(node)).runs and wires.whole:
        yield from ((target, source, None) for source, target in (*wires.enters, *wires.leaves))
        for i, variable in enumerate(wires.carried):
            yield variable.entered, variable.start, (node, i)
            for value in (variable.left, variable.result, *variable.tested):
                yield variable.entered, value, None
    elif isinstance(node.op, Container):
        values = [v for v in (*node.inputs, *node.outputs) if _has_memory(v)]
        yield from ((values[0], value, None) for value in values[1:])
