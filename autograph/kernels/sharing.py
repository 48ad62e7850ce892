"""Which results of a graph may be one array, or parts of one.

Where paths meet, a variable is one array or another: after ``if c: b = a`` the variables ``a`` and
``b`` may be the same array, and only the run knows. Kernels return arrays of their own, so they must
not return both.

A pair of the state of a loop may share memory if the pair shares it before the loop, or if some trip
makes it so, given the pairs that shared memory before the trip: a least fixed point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.kernels.aliasing import CONTROL_FLOW, is_view
from ops import regions
from ops.types import ArrayType

_Pair = frozenset[Value]


def first_shared(values: Sequence[Value], graphs: Mapping[str, Graph]) -> Node | None:
    """The control flow after which two of some arrays may share memory, None if no two may.

    What comes from outside of the nodes that compute the arrays is left out: whether it is among
    results is asked where the kernel runs, see `autograph.kernels.aliasing`.
    """
    arrays = [v for v in dict.fromkeys(values) if isinstance(v.type, ArrayType) and v.type.shape]
    sharing = _Sharing(graphs)
    for x, y in combinations(arrays, 2):
        nodes = [v.producer for v in map(_whole, (x, y)) if v.producer is not None]
        nodes = [node for node in nodes if node.op in (*CONTROL_FLOW, regions.call)]
        if nodes and sharing.may(x, y):
            return nodes[-1]
    return None


def _whole(value: Value) -> Value:
    """What an array is a view of, or the array itself."""
    while not isinstance(value, Constant) and is_view(value):
        value = value.producer.inputs[0]
    return value


def _position(value: Value) -> int:
    return next(i for i, v in enumerate(value.producer.outputs) if v is value)


class _Sharing:
    """Answers for the arrays of a graph and of its regions.

    The state of loops' bodies is what `pairs` says of it: pairs that may share memory.
    """

    def __init__(self, graphs: Mapping[str, Graph]):
        self.graphs = graphs
        self.pairs: set[_Pair] = set()
        self.state: set[Value] = set()
        self._known: dict[_Pair, bool] = {}

    def may(self, x: Value, y: Value) -> bool:
        x, y = _whole(x), _whole(y)
        if isinstance(x, Constant) or isinstance(y, Constant) or not (_has_axes(x) and _has_axes(y)):
            return False
        key = frozenset((x, y))
        if key not in self._known:
            self._known[key] = False  # of what depends on itself
            self._known[key] = self._may(x, y)
        return self._known[key]

    def _may(self, x: Value, y: Value) -> bool:
        if x is y:
            return x.producer is not None or x in self.state
        if x.producer is None and y.producer is None:
            return frozenset((x, y)) in self.pairs
        if x.producer is y.producer:
            return self._of_one_node(x.producer, _position(x), _position(y))
        # One of them may be what is computed before it: that is asked of each in turn.
        return self._is_made_of(x, y) or self._is_made_of(y, x)

    def _of_one_node(self, node: Node, i: int, j: int) -> bool:
        """Whether two results of a node may share memory."""
        if node.op is regions.call:
            return True
        if node.op is regions.cond:
            return any(self.may(r.outputs[i], r.outputs[j]) for r in node.regions)
        if node.op not in CONTROL_FLOW:
            return False
        self._settle(node)
        init, inputs = _init(node), _state(node)
        return self.may(init[i], init[j]) or frozenset((inputs[i], inputs[j])) in self.pairs

    def _settle(self, node: Node) -> None:
        """Find the pairs of a loop's state that may share memory."""
        init, inputs, outputs = _init(node), _state(node), node.regions[-1].outputs
        arrays = [i for i, v in enumerate(inputs) if _has_axes(v)]
        if inputs and inputs[0] in self.state:
            return
        self.state.update(inputs)
        found = {frozenset((inputs[i], inputs[j])) for i, j in combinations(arrays, 2) if self.may(init[i], init[j])}
        while found:
            self.pairs |= found
            self._known.clear()
            found = {
                pair
                for i, j in combinations(arrays, 2)
                if (pair := frozenset((inputs[i], inputs[j]))) not in self.pairs
                and self.may(outputs[i], outputs[j])
            }

    def _is_made_of(self, x: Value, y: Value) -> bool:
        """Whether the paths to ``x`` may lead to ``y``."""
        node = x.producer
        if node is None or node.op not in (*CONTROL_FLOW, regions.call):
            return False
        i = _position(x)
        if node.op is regions.call:
            return any(self.may(v, y) for v in node.inputs)
        if node.op is regions.cond:
            return any(self.may(region.outputs[i], y) for region in node.regions)
        self._settle(node)
        # Any of the state may become any other.
        found = (*_init(node), *node.regions[-1].outputs)
        return any(self.may(v, y) for v in found)


def _has_axes(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.shape != ()


def _init(node: Node) -> tuple[Value, ...]:
    """The first state of a loop."""
    return node.inputs[len(node.inputs) - len(node.outputs) :]


def _state(node: Node) -> tuple[Value, ...]:
    """The state as a loop's body sees it."""
    inputs = node.regions[-1].inputs
    return inputs[len(inputs) - len(node.outputs) :]
