"""Which arrays a function may have been given, rather than made.

What NumPy gives as a view of an array, and a loop that runs no trip, return memory that was there
before. A kernel always returns memory of its own. So it must not return such an array: where only
the run knows, it finds out, and gives up.
"""

from __future__ import annotations

from autograph.graph.graph import Constant, Value
from autograph.graph.wiring import loop_of, sources_of
from ops.control import regions
from ops.core.types import ArrayType

CONTROL_FLOW = (regions.cond, regions.while_loop, regions.for_loop)


def may_be_given(value: Value) -> bool:
    """Whether an array may be memory that was there before the graph ran that defines it."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        if not isinstance(value.type, ArrayType) or not value.type.shape:
            continue
        node = value.producer
        if isinstance(value, Constant) or node is None or node.op is regions.call:
            return True
        sources: tuple[Value, ...] = ()
        if node.op is regions.cond:
            sources = sources_of(node)[value]
        elif node.op in CONTROL_FLOW:  # any array of the state may become any other one
            loop = loop_of(node)
            seen.update(loop.state)  # what these are is asked of what they become
            sources = (*loop.start, *loop.body.outputs)
        elif is_view(value):
            sources = node.inputs[:1]
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
    return False


def is_view(value: Value) -> bool:
    """Whether the operator that made an array may give its operand's memory."""
    node = value.producer
    return node is not None and node.is_view
