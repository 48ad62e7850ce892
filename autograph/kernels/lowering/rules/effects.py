"""What gives a kernel up: Python runs the function then, and raises."""

from __future__ import annotations

from autograph.graph.graph import Node
from autograph.kernels.ir.ir import BOOL, Number
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State


def check(state: State, node: Node) -> None:
    """Give up if a condition does not hold."""
    state.b.check(state.b.cast(demand.scalar(state, node.inputs[0]), BOOL))


def fail(state: State, node: Node) -> None:
    """Give up."""
    state.b.check(Number(False, BOOL))
