"""Kinks: where a derivative jumps. Where draws and parameters decide on which side of one a number
is, the mean of second derivatives is not the second derivative of the mean."""

from __future__ import annotations

import ops
from autograph.graph.graph import Constant, Node, Value
from autograph.transforms.scores.flows import SAME
from ops.arrays.cumulative import cummax, cummin
from ops.elementwise.arithmetic import fabs
from ops.nn.activations import relu
from ops.order.sorting import partition
from ops.signal.pooling import max_chosen, max_shared, window_max

_KINKED = frozenset(
    (ops.absolute, fabs, ops.copysign, ops.maximum, ops.minimum, ops.fmax, ops.fmin, relu)
    + (ops.max, ops.min, cummax, cummin, ops.sort, partition, max_chosen, max_shared, window_max)
)
_BETWEEN = (ops.special.expit, ops.special.ndtr)  # 0 and 1, and there are none of both

SMOOTH = ("normal", "gumbel", "logistic", "cauchy")
KINKED_DENSITIES = ("laplace",)  # where they are not zero


def has_kink(node: Node) -> bool:
    """Whether a node has a derivative that jumps."""
    return node.op in _KINKED


def is_probability(value: Value) -> bool:
    """Whether a number is surely between 0 and 1: products of such, and ``1 - p`` of one, too."""
    if isinstance(value, Constant):
        number = value.literal()
        return isinstance(number, float) and 0.0 < number < 1.0
    node = value.producer
    if node is None:
        return False
    if node.op in _BETWEEN:
        return True
    if node.op in SAME or node.op is ops.cast:
        return is_probability(node.inputs[0])
    if node.op is ops.multiply:
        return all(map(is_probability, node.inputs))
    if node.op is ops.subtract:
        return node.inputs[0].literal() == 1.0 and is_probability(node.inputs[1])
    return node.op is ops.divide and _is_logistic(*node.inputs)


def _is_logistic(one: Value, total: Value) -> bool:
    """Whether a quotient is ``1 / (1 + exp(x))``."""
    node = total.producer
    if one.literal() != 1.0 or node is None or node.op is not ops.add:
        return False
    return any(
        a.literal() == 1.0 and b.producer is not None and b.producer.op is ops.exp
        for a, b in (node.inputs, node.inputs[::-1])
    )
