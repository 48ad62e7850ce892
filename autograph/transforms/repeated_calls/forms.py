"""What is the same of nodes that compute the same of other operands.

A number may be another one, or one that only the run knows, only where nothing would be made of
knowing it: what is rounded stays what it was.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from autograph.closure import closure
from autograph.errors import Location
from autograph.graph.aliasing import CONTROL_FLOW
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, called, walk
from autograph.transforms.analysis.congruence import exact
from autograph.transforms.simplify.identities import constant_key
from ops.control.regions import call as named_call
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.elementwise.powers import power

_ALIKE = (None, "raises", "shows")  # effects of what does the same wherever it stands

_KINDS = "fi"

Place = tuple[int, int]  # of an operand: the identity of its node, or graph, and its position


class LikeNoOther(Exception):
    """No other call can be taken to be like one."""


class NodesForm:
    """What is the same of nodes that compute the same of other operands, found node by node.

    Attributes:
        key: is equal for such nodes.
        outer: the values that may be others, by their places: those that are not computed there,
            and numbers.
        size: how many nodes there are, those of regions included.
        weight: the same with those of graphs that are called.

    Args:
        location: what does not matter of nodes that only compute something: they have it in common
            with the call.

    Raises:
        LikeNoOther: they depend on where they stand, or not on arrays and numbers.
    """

    def __init__(self, nodes: Sequence[Node], location: Location | None):
        self.outer: dict[Place, Value] = {}
        self.size = self.weight = 0
        self._location = location
        self._own: dict[Value, int] = {}
        self._known: set[Value] = set()  # what is computed of constants
        self.key = self._of_nodes(nodes)

    def _of_nodes(self, nodes: Sequence[Node]) -> Hashable:
        return tuple(map(self._of_node, nodes))

    def _of_node(self, node: Node) -> Hashable:
        op, location = node.op, node.location
        self.size += 1
        self.weight += 1 if op is not named_call else _weight(node.attrs["callee"])
        if op is not named_call and (op.collective is not None or op.effect not in _ALIKE):
            raise LikeNoOther
        is_known = all(isinstance(v, Constant) or v in self._known for v in node.inputs)
        if is_known and not node.regions:
            self._known.update(node.outputs)
        # Powers are computed in other ways where the exponent is known, what is computed of
        # constants alone by NumPy.
        is_any = isinstance(op, Elementwise) and op is not power and not is_known
        is_any = is_any or op in CONTROL_FLOW or op is named_call
        kinds = _KINDS if not _is_of_integers(node) else "f"
        kinds = kinds if is_any else ""
        inputs = [self._of_operand(v, (id(node), i), kinds) for i, v in enumerate(node.inputs)]
        bodies = tuple(map(self._of_graph, node.regions))
        if location == self._location and not (node.required or op.effect):
            location = None
        self._add(node.outputs)
        attrs = exact(tuple(sorted(node.attrs.items())))
        try:
            hash(attrs)
        except TypeError:  # they cannot be compared
            raise LikeNoOther from None
        types = tuple(v.type for v in node.outputs)
        return op, attrs, tuple(inputs), bodies, types, location, node.required

    def _of_graph(self, graph: Graph) -> Hashable:
        self._add(graph.inputs)
        nodes = self._of_nodes(graph.nodes)
        outputs = [self._of_operand(v, (id(graph), i), _KINDS) for i, v in enumerate(graph.outputs)]
        return graph.input_types, nodes, tuple(outputs)

    def _add(self, values: Sequence[Value]) -> None:
        for value in values:
            self._own[value] = len(self._own)

    def _of_operand(self, value: Value, place: Place, kinds: str) -> Hashable:
        """What is the same of an operand or result.

        Args:
            kinds: of dtypes of numbers that may be others.
        """
        if value in self._own:
            return self._own[value]
        if isinstance(value, Constant) and not value.is_array:
            if not value.is_scalar:
                raise LikeNoOther
            if value.type.dtype.kind not in kinds:
                return constant_key(value)
        self.outer[place] = value
        return value.type


def _is_of_integers(node: Node) -> bool:
    """Whether a node computes with NumPy's integers, which Python's ints have to be in the range
    of."""
    types = (v.type for v in (*node.inputs, *node.outputs))
    return any(t.dtype.kind in "iu" and not t.weak for t in types if isinstance(t, ArrayType))


def _weight(name: str) -> int:
    """How many nodes a named graph has, with those of graphs that it calls."""
    graphs = current_builder().graphs
    names = closure([name], lambda name: called(graphs[name]))
    return 1 + sum(1 for name in names if graphs[name] for _ in walk(graphs[name]))
