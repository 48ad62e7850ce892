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
    return _may_be(value, set())


def _may_be(value: Value, state: set[Value]) -> bool:
    """The same, where ``state`` are inputs of loops' bodies: what they are is asked elsewhere."""
    if not isinstance(value.type, ArrayType) or not value.type.shape or value in state:
        return False
    node = value.producer
    if isinstance(value, Constant) or node is None:
        return True
    if node.op is regions.call:
        return True
    if node.op in CONTROL_FLOW:
        if node.op is regions.cond:
            return any(_may_be(v, state) for v in sources_of(node)[value])
        # Any array of the state may become any other one.
        loop = loop_of(node)
        own = state | set(loop.state)
        return any(_may_be(v, state) for v in loop.start) or any(
            _may_be(v, own) for v in loop.body.outputs
        )
    return is_view(value) and _may_be(node.inputs[0], state)


def is_view(value: Value) -> bool:
    """Whether the operator that made an array may give its operand's memory."""
    node = value.producer
    return node is not None and node.op.view
