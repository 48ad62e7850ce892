"""How large Python's ints can become, where that is known: such need no check that they stay within
64 bits."""

from __future__ import annotations

from typing import Any

import ops
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import is_loop, loop_of, wiring
from ops.control import regions
from ops.core.lengths import length

TRIPS = 2**48  # more than any run makes


class Bounds:
    """Bounds of the sizes of integers in a graph."""

    def __init__(self, graph: Graph):
        self._known: dict[Value, int | None] = {}
        self.enter(graph)

    def below(self, value: Value, most: int) -> bool:
        """Whether the size of a value is known to be below a number."""
        found = self._of(value)
        return found is not None and found < most

    def _of(self, value: Value) -> int | None:
        if isinstance(value, Constant):
            data = value.literal()
            return abs(int(data)) if isinstance(data, (bool, int)) else None
        return self._known.get(value)

    def enter(self, graph: Graph) -> None:
        """Find out the same of a graph that is called."""
        for node in graph.nodes:
            if is_loop(node):
                self._counters(node)
            for region in node.regions:
                self.enter(region)
            if len(node.outputs) == 1:
                self._known[node.outputs[0]] = self._result(node)
            if node.op is regions.cond:
                for source, target in wiring(node).leaves:
                    a, b = self._of(source), self._known.get(target, 0)
                    self._known[target] = None if a is None or b is None else max(a, b)

    def _counters(self, node: Node) -> None:
        """Variables of a loop that each trip moves by a known number."""
        loop = loop_of(node)
        if loop.index is not None:
            self._known[loop.index] = TRIPS
        for variable in wiring(node).carried:
            start, step = self._of(variable.start), _step(variable.left, variable.entered)
            if start is None or step is None:
                continue
            for value in (variable.entered, variable.result, *variable.tested):
                self._known[value] = start + TRIPS * step

    def _result(self, node: Node) -> int | None:
        if node.op is length:
            return TRIPS
        if node.regions:
            return self._known.get(node.outputs[0])
        sizes = [self._of(v) for v in node.inputs]
        if node.op is ops.cast and node.inputs[0].type.dtype.kind == "b":
            return 1
        if (
            node.op is ops.remainder
            and sizes[1] is not None
            and isinstance(node.inputs[1], Constant)
        ):
            return sizes[1]
        if not sizes or any(size is None for size in sizes):
            return None
        known: Any = sizes
        if node.op in (ops.add, ops.subtract):
            return int(known[0] + known[1])
        if node.op is ops.multiply:
            return int(known[0] * known[1])
        if node.op in (ops.negative, ops.absolute, ops.floor_divide, ops.cast):
            return int(known[0])
        return None


def _step(left: Value, entered: Value) -> int | None:
    """By how much a trip moves a variable, at most."""
    if left is entered:
        return 0
    node = left.producer
    if node is not None and node.op is regions.cond:
        steps = [_step(region.outputs[node.place(left)], entered) for region in node.regions]
        known = [step for step in steps if step is not None]
        return max(known) if len(known) == len(steps) else None
    if node is None or node.op not in (ops.add, ops.subtract):
        return None
    first, second = node.inputs
    if first is entered and isinstance(second, Constant):
        step = second.literal()
    elif second is entered and isinstance(first, Constant) and node.op is ops.add:
        step = first.literal()
    else:
        return None
    return abs(step) if isinstance(step, (bool, int)) else None
