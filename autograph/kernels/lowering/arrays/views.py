"""Arrays that are parts of others in memory, as they lie there: nothing has to be copied."""

from __future__ import annotations

import math

import ops
from autograph.graph.graph import Constant, Node
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory, shape_of
from ops.core import kernels
from ops.core.index_maps import from_start, place
from ops.core.subscripts import slice_range

_WHOLE = ("slice", None, None, None)


def part_of(state: State, node: Node) -> Memory | None:
    """What a node gives, if its elements are neighbours in memory already; else None."""
    source = node.inputs[0] if node.inputs else None
    if source is None or isinstance(source, Constant):
        return None
    held = state.env.get(source)
    if not isinstance(held, Memory):
        return None
    match node.op:
        case ops.reshape if len(node.inputs) == 1:
            return held
        case ops.getitem:
            return _subscripted(state, node, held)
    return None


def _subscripted(state: State, node: Node, held: Memory) -> Memory | None:
    """The part that subscripts of leading axes select, if all of the other axes is selected."""
    spec = node.attrs["index"]
    shape = shape_of(node.inputs[0])
    entries = [entry for entry in spec if entry not in (("none",), ("ellipsis",))]
    leading = entries
    while leading and leading[-1] == _WHOLE:
        leading = leading[:-1]
    if ("ellipsis",) in spec and spec.index(("ellipsis",)) < len(spec) - 1:
        return None
    starts: list[Operand | int] = []
    for axis, entry in enumerate(leading):
        match entry:
            case ("int", k):
                starts.append(from_start(k, shape[axis]))
            case ("arg", j, *rest) if not shape_of(node.inputs[j + 1]):
                operand = node.inputs[j + 1]
                number = demand.scalar(state, operand)
                distinct = rest == ["distinct"]
                starts.append(place(number, operand.type, shape[axis], distinct))
            case ("slice", int() | None, _, None | 1) if axis == len(leading) - 1 and not any(
                isinstance(b, tuple) for b in entry[1:]
            ):
                starts.append(slice_range(entry[1:], shape[axis])[0])
            case _:
                return None
    start = held.start
    for axis, position in enumerate(starts):
        stride = math.prod(shape[axis + 1 :])
        start = start + kernels.cast(state.b.long(position), "int64") * stride
    return Memory(held.buffer, start)
