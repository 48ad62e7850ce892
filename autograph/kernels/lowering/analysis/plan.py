"""Which arrays of a block are computed in memory, and which wherever their elements are used.

An array that one pass over memory computes and another one reads costs both. One that is computed
where it is used costs nothing but the computation, once for each use. So an array is a *root*, an
array in memory, if

* something needs it there: a matrix product, a loop, the result of the function;
* it is expensive and used more than once, or by what reads elements more than once;
* it is a reduction, which needs loops of its own;
* it may raise, and nothing else computes all of its elements;
* its elements would be read through too many index maps, one after the other.

Costs are in units of about an addition.
"""

from __future__ import annotations

from collections.abc import Iterable

import ops
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.kernels.lowering.analysis.access import (
    is_aligned,
    peeled,
    reads_every_element,
    under_views,
)
from autograph.kernels.lowering.analysis.nodes import (
    is_elementwise,
    is_ordering,
    is_reduction,
    is_scan,
    is_static,
    may_raise,
)
from autograph.kernels.lowering.analysis.pairs import interleave
from autograph.kernels.lowering.analysis.parts import fills
from autograph.kernels.lowering.values import is_array, shape_of
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import is_below
from ops.core.types import ArrayType

_EXPENSIVE = 10  # to be computed twice
_EXPENSIVE_IF_LARGE = 12  # the same of an array of so many elements that memory is far away
_LARGE = 1 << 14
_NOT_FREE = 3  # to be computed at more than two places
_TWICE = 9  # to be computed at two places, rather than to be written to memory and read there
_MOST_MAPS = 20  # index maps through which an element is read


def _is_chain(node: Node) -> bool:
    """Whether the node reads elements in order, not several in the lanes of a vector."""
    scan, type = node.op.scan, node.outputs[0].type
    return scan is not None and scan.axis(type, **node.attrs) == len(type.shape) - 1


class FusionPlan:
    """What is known about the uses of a block's values.

    Attributes:
        in_memory: the values that have to be in memory.
        uses: for each value the nodes that use it, directly or in their regions.
        outputs: the block's results.
        position: of each node in the block.
    """

    def __init__(self, graph: Graph):
        self.uses: dict[Value, list[Node]] = {}
        self.outputs = set(graph.outputs)
        self.position = {node: i for i, node in enumerate(graph.nodes)}
        self._last_use: dict[Value, int] = {}
        self.in_memory: set[Value] = {v for v in graph.outputs if is_array(v)}
        self.costs: dict[Value, float] = {}
        self._maps: dict[Value, int] = {}  # index maps between a value and what is in memory
        # Those of which an element can be computed by itself, and those that read elements.
        self._elementwise = set(filter(is_elementwise, graph.nodes))
        others = (n for n in graph.nodes if is_reduction(n) or is_scan(n))
        self._reading = self._elementwise.union(others)
        for position, node in enumerate(graph.nodes):
            for value in dict.fromkeys(node.uses() if node.regions else node.inputs):
                if not isinstance(value, Constant):
                    self.uses.setdefault(value, []).append(node)
                    self._last_use[value] = position
            self.in_memory.update(self._wanted(node))
        self._own = [n for n in graph.nodes if n in self._elementwise and is_static(n)]
        for node in self._own:
            self._weigh(node)
        self._complete()

    def _complete(self) -> None:
        """Have all elements computed of what may raise, even where nothing reads all of them."""
        complete = set(self.in_memory)
        for node in reversed(self._own):
            (value,) = node.outputs
            if not is_array(value):
                continue
            if any(self._reads_all(n, value, complete) for n in self.uses.get(value, ())):
                complete.add(value)
            elif value not in complete and may_raise(node):
                complete.add(value)
                self.in_memory.add(value)

    def _reads_all(self, node: Node, value: Value, complete: set[Value]) -> bool:
        if is_reduction(node) or is_scan(node):
            return True
        places = [i for i, v in enumerate(node.inputs) if v is value]
        if any(fills(node, i) for i in places):
            return node.outputs[0] in complete
        if node.op is ops.index_update:  # what is replaced may not be read
            return False
        return (
            node in self._elementwise
            and node.outputs[0] in complete
            and any(reads_every_element(node, i) for i in places)
        )

    def _wanted(self, node: Node) -> Iterable[Value]:
        """The operands that a node needs in memory."""
        if node in self._reading:
            return ()
        if is_ordering(node) and is_static(node):
            return [under_views(node.inputs[0])]
        if node.op is ops.matmul:
            return [peeled(value)[0] for value in node.inputs]
        return [value for value in node.uses() if is_array(value)]

    def _weigh(self, node: Node) -> None:
        """Find what an element of a node's result costs, and whether it has to be a root."""
        (value,) = node.outputs
        inputs = [v for v in dict.fromkeys(node.inputs) if v not in self.in_memory]
        if self.is_written_once(node):
            inputs = [v for v in inputs if v is not node.inputs[1]]
        total = node.op.cost + sum([self.costs.get(v, 0) for v in inputs])
        maps = max([self._maps.get(v, 0) for v in inputs], default=0)
        maps += not isinstance(node.op, Elementwise)
        if is_array(value) and (maps > _MOST_MAPS or self._is_root(value, total)):
            self.in_memory.add(value)
            maps = 0
        self.costs[value], self._maps[value] = total, maps

    def _is_root(self, value: Value, total: float) -> bool:
        users = self.uses.get(value, ())
        others = [n for n in users if n not in self._reading]
        if others:
            # Of a matrix product: its operand may be what this is a transpose of.
            return any(
                n.op is not ops.matmul or any(peeled(v)[0] is value for v in n.inputs)
                for n in others
            )
        if total >= _EXPENSIVE and any(_is_chain(n) for n in users):
            return True
        if total >= _EXPENSIVE and len(users) > 1:
            many = len(users) > 2 or total >= _EXPENSIVE_IF_LARGE
            if many or not _is_large(value):
                return True
        elsewhere = [n for n in users if self._reads_otherwise(n, value)]
        repeated = any(self._repeats(n, value) for n in elsewhere)
        most = _TWICE if len(elsewhere) == 2 else _NOT_FREE
        return (total >= _EXPENSIVE and repeated) or (total >= most and len(elsewhere) > 1)

    def is_written_once(self, node: Node) -> bool:
        """Whether a node writes to a part of an array what is too expensive to be computed at each
        read of that array."""
        return fills(node, 1) and self.costs.get(node.inputs[1], 0) >= _EXPENSIVE

    @staticmethod
    def _reads_otherwise(node: Node, value: Value) -> bool:
        if is_reduction(node) or is_scan(node) or node.op is interleave:
            return False
        places = [i for i, v in enumerate(node.inputs) if v is value]
        return any(not is_aligned(node, i) and not fills(node, i) for i in places)

    @staticmethod
    def _repeats(node: Node, value: Value) -> bool:
        result = node.outputs[0].type
        if not isinstance(result, ArrayType):
            return False
        return not result.is_static or result.size > _size(value)

    def is_used_after(self, value: Value, position: int) -> bool:
        """Whether nodes from a position on, or the results, use a value."""
        return value in self.outputs or self._last_use.get(value, -1) >= position


def _is_large(value: Value) -> bool:
    return is_array(value) and not is_below(_size(value), _LARGE)


def _size(value: Value) -> int:
    size = 1
    for n in shape_of(value):
        size *= n
    return size
