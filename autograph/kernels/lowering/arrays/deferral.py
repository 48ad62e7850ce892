"""Nodes whose results wait: they are computed element by element, or with others."""

from __future__ import annotations

from autograph.graph.graph import Node
from autograph.kernels.lowering import scalars
from autograph.kernels.lowering.analysis.nodes import is_reduction, may_raise
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.views import part_of
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Deferred, element_dtype, is_array
from ops.core.registry import Elementwise


def defer(state: State, node: Node) -> None:
    """Let a node's result wait. What needs memory is pending; scalars are computed where they
    stand, unless they need an array that waits."""
    (value,) = node.outputs
    _require_native(node)
    state.env[value] = Deferred(node)
    if is_reduction(node):
        state.progress.pending[value] = None
    elif value in state.plan.in_memory:
        part = part_of(state, node) if state.places.wanted(value) is None else None
        if part is not None:
            state.env[value] = part
        else:
            state.progress.pending[value] = None
    elif not is_array(value) and not any(
        isinstance(state.env.get(v), Deferred) for v in node.inputs
    ):
        state.env[value] = state.elements.at(value, ())
    elif not is_array(value) and may_raise(node):
        demand.scalar(state, value)


def _require_native(node: Node) -> None:
    """Refuse what would only be found out when an element is computed."""
    for value in (*node.inputs, *node.outputs):
        element_dtype(value)
    if isinstance(node.op, Elementwise):
        types = [v.type for v in node.inputs]
        scalars.computed_in(node.op, tuple(map(scalars.of_element, types)))
