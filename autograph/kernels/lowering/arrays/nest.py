"""What the loops that compute a group of arrays have in common; see `maps`, `rows`, `columns`."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.groups import FusionGroup, Root
from autograph.kernels.lowering.analysis.nodes import is_reduction
from autograph.kernels.lowering.loops import TINY, ElementLoops, is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Deferred, is_array

NS = 0.06  # of one unit of cost, for an element of a vector


class Nest:
    """Computes a group by adding loops to the kernel.

    Attributes:
        waiting: all arrays that are computed now, in this group and in others.
    """

    def __init__(self, state: State, group: FusionGroup, waiting: Container[Value]):
        self.state = state
        self.b = state.b
        self.places = state.places
        self.elements = state.elements
        self.group = group
        self.waiting = waiting
        serial = state.serial or is_few(math.prod(group.domain), TINY)
        self.loops = ElementLoops(state.b, serial, for_gpu=state.shared.for_gpu)

    def emit(self) -> None:
        """Compute the group; afterwards its roots are bound to what they are."""
        raise NotImplementedError

    def work(self, roots: Sequence[Root]) -> float:
        """How long the computation of an element takes."""
        costs = self.state.plan.costs
        total = sum(
            4 + costs.get(r.value if r.axes is None else r.node.inputs[0], 0) for r in roots
        )
        return total * NS

    def compute(self, root: Root, index: tuple[Operand, ...]) -> None:
        """Compute an element of an array, and put it into its place."""
        self.places.store(root.value, index, self.elements.at(root.value, index))

    def contribution(self, root: Root, index: tuple[Operand, ...]) -> tuple[str, Operand, object]:
        """What one element contributes to a reduction."""
        fold, dtype = root.fold, root.value.type.dtype
        element = self.elements.at(root.node.inputs[0], index)
        return fold.combine, fold.before(element, dtype), fold.start(dtype)

    def bind(self, roots: Sequence[Root]) -> None:
        """Let the arrays that were given places be in memory from now on."""
        for root in roots:
            if self.places.is_whole(root.value):
                self.state.env[root.value] = self.places.give(root.value)


def settle_scalars(state: State, roots: Iterable[Root]) -> None:
    """Compute the scalars that roots read now, outside of their loops."""
    own = {root.value for root in roots}
    pending = [v for root in roots for v in root.node.inputs]
    waiting: dict[Value, Node] = {}
    while pending:
        value = pending.pop()
        held = state.env.get(value)
        if value not in waiting and isinstance(held, Deferred):
            waiting[value] = held.node
            pending += held.node.inputs
    if not any(not is_array(value) and value not in own for value in waiting):
        return
    ready: set[Value] = set()  # what needs no reduction that has not been computed
    for value in sorted(waiting, key=state.progress.order):
        node = waiting[value]
        if is_reduction(node):
            if state.elements.in_row.get(value) is not None:
                ready.add(value)
        elif all(v in ready or v not in waiting for v in node.inputs):
            ready.add(value)
            if not is_array(value) and value not in own:
                state.env[value] = state.elements.at(value, ())
