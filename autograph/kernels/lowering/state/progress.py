"""How far the nodes of a block have been lowered."""

from __future__ import annotations

from autograph.graph.graph import Graph, Node, Value
from autograph.kernels.lowering.analysis.plan import FusionPlan


class Progress:
    """How far the nodes of a block have been lowered.

    * The nodes before `position` have been lowered. Their arrays are in memory, wait for something
      that reads elements of them, or are *pending*: they will be in memory as soon as something
      needs one of them.
    * Pending arrays are computed all together, so that they share passes over memory.

    Attributes:
        plan: of the block.
        position: of the node that is being lowered.
        pending: the arrays.
        finished: nodes from `position` on that have been computed with an earlier one.
    """

    def __init__(self, graph: Graph):
        self.plan = FusionPlan(graph)
        self.position = 0
        self.pending: dict[Value, None] = {}
        self.finished: set[Node] = set()

    def is_used_later(self, value: Value) -> bool:
        """Whether nodes after the present one, or the results, use a value."""
        return self.plan.is_used_after(value, self.position + 1)

    def is_still_used(self, value: Value) -> bool:
        """The same, or the present one."""
        return self.plan.is_used_after(value, self.position)

    def order(self, value: Value) -> int:
        """The position of the node that computes a value."""
        assert value.producer is not None
        return self.plan.position[value.producer]

    def take_pending(self) -> list[Value]:
        """The arrays that are pending, in order; afterwards none is."""
        pending, self.pending = self.pending, {}
        return sorted(pending, key=self.order)
