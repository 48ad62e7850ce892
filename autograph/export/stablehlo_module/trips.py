"""How many trips a loop has at most, where a counter in its test tells.

``for i in range(6)`` with a ``break`` is a loop that goes on while ``i < 6`` and something else.
"""

from __future__ import annotations

from collections.abc import Iterator

import ops
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import Loop, branches_of
from ops.control import regions


def most_trips(loop: Loop) -> int | None:
    """A number of trips that a loop does not exceed; None if nothing tells."""
    if loop.count is not None:
        count = _literal(loop.count)
        return None if count is None else max(count, 0)
    assert loop.test is not None
    found = [_counted(loop, node) for node in _implied(loop.test.outputs[0])]
    return min((n for n in found if n is not None), default=None)


def _implied(flag: Value) -> Iterator[Node]:
    """Comparisons that hold where a flag is true."""
    node = flag.producer
    if node is None:
        return
    if node.op is ops.logical_and or node.op is ops.bitwise_and:
        for part in node.inputs:
            yield from _implied(part)
    elif node.op is regions.cond:
        branches = branches_of(node)
        place = node.place(flag)
        if _is_false(branches.orelse, place, branches.predicate):
            yield from _implied(branches.predicate)
            yield from _implied(branches.then.outputs[place])
    elif node.op is ops.less:
        yield node


def _is_false(branch: Graph, place: int, predicate: Value) -> bool:
    """Whether a branch that is taken where the predicate is false gives false."""
    found = branch.outputs[place]
    return found is predicate or (isinstance(found, Constant) and not _literal(found))


def _counted(loop: Loop, node: Node) -> int | None:
    counter, bound = node.inputs
    assert loop.test is not None
    place = next((i for i, v in enumerate(loop.test.inputs) if v is counter), None)
    if place is None:
        return None
    step = loop.body.outputs[place].producer
    first, last = _literal(loop.start[place]), _literal(bound)
    if step is None or step.op is not ops.add or first is None or last is None:
        return None
    entered, by = step.inputs
    if entered is not loop.state[place] or _literal(by) != 1:
        return None
    return max(last - first, 0)


def _literal(value: Value) -> int | None:
    if not isinstance(value, Constant):
        return None
    found = value.literal()
    return int(found) if isinstance(found, (bool, int)) else None
