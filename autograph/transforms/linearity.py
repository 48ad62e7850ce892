"""Whether what a graph computes of some of its inputs is linear in them, as far as can be told.

A value *moves* if it depends on those inputs. An operator that is not linear, but is applied to
values that move, is what is looked for; of operators about which nothing is known, and of graphs
that are called, the best is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.graph.graph import Graph, Node, Value
from autograph.transforms.activity import active_values
from ops.registry import Elementwise, Linear

# Those operands in which an operator is linear while the others do not move.
_FACTORS = {
    "multiply": (0, 1),
    "divide": (0,),
    "ldexp": (0,),
    "float_ldexp": (0,),
    "solve": (1,),
    "least_squares": (1,),
    "recurrence": (1,),
}

# Operators of no kind that are not linear.
_NONLINEAR = {
    *("max", "min", "prod", "cumprod", "cummax", "cummin", "sort", "partition", "window_max"),
    *("euclidean_norm", "direction", "erf", "erfc", "gamma", "lgamma", "inv", "det", "svdvals"),
}


def nonlinear_node(graph: Graph, inputs: Iterable[Value]) -> Node | None:
    """A node that is not linear in what depends on ``inputs``; None if there seems to be none."""
    return _find(graph, active_values(graph, inputs))


def _find(graph: Graph, moving: set[Value]) -> Node | None:
    for node in graph.nodes:
        if not _is_linear(node, moving):
            return node
        for region in node.regions:
            found = _find(region, moving)
            if found is not None:
                return found
    return None


def _is_linear(node: Node, moving: set[Value]) -> bool:
    op = node.op
    positions = [i for i, v in enumerate(node.inputs) if v in moving]
    if op.name in _FACTORS:
        return not positions or (len(positions) == 1 and positions[0] in _FACTORS[op.name])
    if isinstance(op, Elementwise):
        return all(isinstance(op.partials[i], (int, float)) for i in positions)
    if isinstance(op, Linear) and not op.joint:
        return sum(op.transposes[i] is not None for i in positions) <= 1
    return not positions or op.name not in _NONLINEAR
