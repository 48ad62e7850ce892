"""Which results of a graph may be one array, or parts of one.

Where paths meet, a variable is one array or another: after ``if c: b = a`` the variables ``a`` and
``b`` may be the same array, and only the run knows. Kernels return arrays of their own, so they
must not return both.

Two arrays of the state of a loop may share memory if they do before the loop, or if a trip makes
them, given the pairs that did before the trip: a least fixed point.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from autograph.graph.aliasing import CONTROL_FLOW, inputs_given_back, is_view
from autograph.graph.graph import Constant, Graph, Node, Value, callees, producer_of, walk
from autograph.graph.wiring import is_loop, loop_of, sources_of, wiring
from ops.control import regions
from ops.control.rows import no_rows
from ops.core.types import ArrayType

_Pair = frozenset[Value]
_JOINS = (*CONTROL_FLOW, regions.call)


def first_shared(
    values: Sequence[Value], inside: Collection[Node], graphs: Mapping[str, Graph]
) -> Node | None:
    """The control flow after which two of some arrays may share memory, None if no two may.

    Args:
        values: the arrays.
        inside: the nodes that compute them.
        graphs: those that are called, by their names.

    What comes from outside of the nodes that compute the arrays is left out: whether it is among
    results is asked where the kernel runs, see `autograph.graph.aliasing`.
    """
    arrays = [v for v in dict.fromkeys(values) if isinstance(v.type, ArrayType) and v.type.shape]
    made = [_whole(v).producer for v in arrays]
    joins = [n if n is not None and n.op in _JOINS and n in inside else None for n in made]
    sharing = _Sharing(graphs)
    for (x, before), (y, after) in combinations(zip(arrays, joins), 2):
        node = before if after is None else after
        if node is not None and sharing.may(x, y):
            return node
    return None


def _whole(value: Value) -> Value:
    """What an array is a view of, or the array itself."""
    while not isinstance(value, Constant) and is_view(value):
        value = producer_of(value).inputs[0]
    return value


def _position(value: Value) -> int:
    return producer_of(value).place(value)


# Questions that lead to others, as in the branches of a recursion that was unrolled: two arrays of
# which it takes more than that to know may share memory. So may two of which it takes that many
# questions in all, as of the state of a recursion that carries many lists.
_DEEPEST, _MOST = 50, 10_000


class _Sharing:
    """Answers for the arrays of a graph and of its regions.

    Attributes:
        pairs: of the state of loops, as their bodies see it, that may share memory, as far as is
            known.
        loops: the loop that an input of a body is the state of.
    """

    def __init__(self, graphs: Mapping[str, Graph]):
        self._graphs = graphs
        self._given_back: dict[str, list[set[int]]] = {}
        self._asking: set[tuple[str, int, int]] = set()
        self.pairs: set[_Pair] = set()
        self.loops: dict[Value, Node] = {}
        self._known: dict[_Pair, bool] = {}
        self._known_for = 0  # how many pairs there were then
        self._sources: dict[Node, dict[Value, tuple[Value, ...]]] = {}
        self._found: dict[Value, tuple[Value, ...]] = {}
        self._depth = 0
        self._count = 0  # of the questions

    def may(self, x: Value, y: Value) -> bool:
        """Whether two arrays may share memory."""
        while True:
            count = len(self.pairs)
            if self._known_for != count:
                self._known.clear()
                self._known_for = count
            found = self._ask(x, y)
            if found or count == len(self.pairs):
                return found

    def _ask(self, x: Value, y: Value) -> bool:
        x, y = _whole(x), _whole(y)
        if isinstance(x, Constant) or isinstance(y, Constant) or _is_empty(x) or _is_empty(y):
            return False
        key = frozenset((x, y))
        if key not in self._known:
            self._count += 1
            if self._depth == _DEEPEST or self._count > _MOST:
                self._known_for = -1  # what it is asked for may be known from elsewhere
                return True
            self._depth += 1
            self._known[key] = _has_axes(x) and _has_axes(y) and self._may(x, y)
            self._depth -= 1
        return self._known[key]

    def _may(self, x: Value, y: Value) -> bool:
        if x is y:
            return x.producer is not None or x in self.loops
        if x in self.loops and self.loops[x] is self.loops.get(y):
            return frozenset((x, y)) in self.pairs
        if x.producer is not None and x.producer is y.producer:
            return self._of_one_node(x.producer, _position(x), _position(y))
        return self._may_be(x, y) or self._may_be(y, x)

    def _of_one_node(self, node: Node, i: int, j: int) -> bool:
        """Whether two results of a node may share memory."""
        if node.op is regions.call:
            return self._of_call(node, i, j)
        if node.op is regions.cond:
            return any(self._ask(r.outputs[i], r.outputs[j]) for r in node.regions)
        if node.op not in CONTROL_FLOW:
            return False
        self._settle(node)
        x, y = (wiring(node).carried[k] for k in (i, j))
        return self._ask(x.start, y.start) or frozenset((x.entered, y.entered)) in self.pairs

    def _of_call(self, node: Node, i: int, j: int) -> bool:
        """The same of a call: its graph may make one array, or give back some that may be one."""
        name = node.attrs["callee"]
        graph = self._graphs.get(name)
        if graph is None:
            return True
        given = self._given_back_by(name)
        if any(
            p == q or self._ask(node.inputs[p], node.inputs[q]) for p in given[i] for q in given[j]
        ):
            return True
        if (name, i, j) in self._asking:  # if they may be one, another path leads to that
            return False
        self._asking.add((name, i, j))
        x, y = graph.outputs[i], graph.outputs[j]
        found = x is y or self._ask(x, y)
        self._asking.remove((name, i, j))
        if found:
            self._known.clear()  # what was answered while it was not known
        return found

    def _given_back_by(self, name: str) -> list[set[int]]:
        """For each result of a named graph, which of its inputs it may be."""
        if name not in self._given_back:
            names = [name, *callees(self._graphs[name], self._graphs)]
            self._given_back |= inputs_given_back({n: self._graphs[n] for n in names})
        return self._given_back[name]

    def _settle(self, node: Node) -> None:
        """Find pairs of a loop's state."""
        carried = wiring(node).carried
        self.loops.update((variable.entered, node) for variable in carried)
        for x, y in combinations([v for v in carried if _has_axes(v.entered)], 2):
            if self._ask(x.start, y.start) or self._ask(x.left, y.left):
                self.pairs.add(frozenset((x.entered, y.entered)))

    def _may_be(self, x: Value, y: Value) -> bool:
        """Whether ``x``, which paths meet in, may be ``y``, or what that may be."""
        if x in self.loops:
            return any(self._ask(v, y) for v in self._origins(x))
        node = x.producer
        if node is None or node.op not in _JOINS:
            return False
        if node.op is regions.call:
            name = node.attrs["callee"]
            if name not in self._graphs:
                return any(self._ask(v, y) for v in node.inputs)
            given = self._given_back_by(name)[_position(x)]
            return any(self._ask(node.inputs[i], y) for i in given)
        if node.op is regions.cond:
            return any(self._ask(v, y) for v in self._sources_of(node)[x])
        self._settle(node)
        return any(
            self._ask(v, y) for v in self._origins(wiring(node).carried[_position(x)].entered)
        )

    def _sources_of(self, node: Node) -> dict[Value, tuple[Value, ...]]:
        if node not in self._sources:
            self._sources[node] = sources_of(node)
        return self._sources[node]

    def _origins(self, entered: Value) -> tuple[Value, ...]:
        """What an array of a loop's state may be that was there before the loop: what it starts
        as, and other arrays of the state that become it, and what trips give it from outside.
        """
        if entered in self._found:
            return self._found[entered]
        loop = self.loops[entered]
        made_in_it = set(walk(loop_of(loop).body))
        carried = {
            v.entered: v for x in (loop, *made_in_it) if is_loop(x) for v in wiring(x).carried
        }
        found: list[Value] = []
        pending, met = [entered], {entered}
        while pending:
            value = pending.pop()
            node = None if isinstance(value, Constant) else value.producer
            sources: Sequence[Value] = ()
            if value in carried:
                sources = (carried[value].start, carried[value].left)
            elif node is None or node not in made_in_it:
                found.append(value)
            elif is_loop(node):
                sources = (wiring(node).carried[_position(value)].entered,)
            elif node.op is regions.cond:
                sources = sources_of(node)[value]
            elif node.op is regions.call:
                known = node.attrs["callee"] in self._graphs
                given = self._given_back_by(node.attrs["callee"])[_position(value)] if known else ()
                sources = [node.inputs[i] for i in given] if known else node.inputs
            sources = [_whole(v) for v in sources]
            pending += [v for v in dict.fromkeys(sources) if v not in met]
            met.update(sources)
        self._found[entered] = tuple(found)
        return self._found[entered]


def _has_axes(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.shape != ()


def _is_empty(value: Value) -> bool:
    """Whether a value is a list that nothing has been appended to yet, which has no memory."""
    return value.producer is not None and value.producer.op is no_rows
