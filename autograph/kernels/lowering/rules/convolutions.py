"""Convolutions, by places or by features, whichever takes less time."""

from __future__ import annotations

from autograph.graph.graph import Node
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.convolutions import features, positions
from autograph.kernels.lowering.convolutions.shape import shape_of_node
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower

_MOST = 1 << 28  # bytes of memory of its own; the array library takes the batch in pieces


def convolve(state: State, node: Node) -> None:
    """Sums of products of a kernel with the windows of an array."""
    if state.serial:
        raise CannotLower(reasons.LANE_PRODUCT.of(node.location, op=node.op.name))
    (result,), (x, kernel) = node.outputs, node.inputs
    shape = shape_of_node(node)
    way = min((positions, features), key=lambda way: way.work(shape))
    if way.nbytes(shape) > _MOST:
        raise CannotLower(reasons.of_product(node))
    given, weights = demand.memory(state, x), demand.memory(state, kernel)
    target = state.places.give(result)
    way.convolve(state.b, shape, given, weights, target)
    state.b.written(target.buffer)
    state.env[result] = target
