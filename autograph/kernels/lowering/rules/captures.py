"""What regions refer to of the blocks around them."""

from __future__ import annotations

import ops
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.kernels.lowering.analysis.access import peeled
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State


def settle_captures(state: State, node: Node) -> None:
    """Compute what a node's regions refer to, before the node."""
    for region in node.regions:
        for value in region.captures:
            source, transposed = peeled(value)
            if transposed and _only_multiplied(value, region):
                value = source
            demand.held(state, value)


def _only_multiplied(value: Value, region: Graph) -> bool:
    """Whether a region uses a value as an operand of matrix products only."""
    if any(value is v for v in region.outputs):
        return False
    users = [n for n in walk(region) if any(value is v for v in n.inputs)]
    return all(n.op is ops.matmul for n in users) and not any(
        value is v for n in walk(region) for inner in n.regions for v in inner.outputs
    )
