"""What is written to a part of an array, computed where it is written: no memory between."""

from __future__ import annotations

import math

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.ir.ir import Buffer, Operand
from autograph.kernels.lowering.analysis.groups import Root
from autograph.kernels.lowering.analysis.nodes import is_reduction
from autograph.kernels.lowering.analysis.parts import in_step, part_shape, reads_same_part
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.changes import buffers_written, may_change
from autograph.kernels.lowering.arrays.nest import NS, settle_scalars
from autograph.kernels.lowering.loops import FEW_LAST, is_few
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Deferred, Memory, is_array, shape_of
from ops.core.symbolic_lengths import is_same

_CHEAP = 10  # to be computed once for each element of a part that it is repeated along


def is_computed_there(state: State, node: Node) -> bool:
    """Whether the elements that a node writes to a part of an array are computed one by one where
    they are written. What they need is in memory then."""
    array, value = node.inputs[:2]
    held, part, plan = state.env.get(value), part_shape(node), state.plan
    if not isinstance(held, Deferred) or is_reduction(held.node) or part is None:
        return False
    if plan.uses.get(value) != [node] or value in plan.outputs or any(is_few(n, 0) for n in part):
        return False
    shape = shape_of(value)
    if not is_same(shape, part) and plan.costs.get(value, 0) >= _CHEAP:
        return False
    if part and is_few(part[-1], FEW_LAST - 1) and not is_few(math.prod(part), FEW_LAST**2):
        return False  # `MapNest` has loops for these
    state.progress.pending.pop(value, None)
    demand.flush(state)
    settle_scalars(state, [Root(value, held.node, shape, None)])
    place = demand.memory(state, array)
    written = buffers_written(state, node, place)
    if _reads_apart(state, node, written):
        return True
    last = not state.progress.is_used_later(array) and may_change(state, array, place)
    if not last or not _settle_copies(state, value, place.buffer):
        return False
    return _reads_apart(state, node, written)


def _settle_copies(state: State, value: Value, buffer: Buffer) -> bool:
    """Compute what waits and reads some memory, if a value reads it and later nodes do: that has to
    be done in any case before the memory is changed, as of ``old = u.copy()``. Returns whether
    there was something."""
    found: list[Value] = []
    pending, seen = [value], {value}
    while pending:
        held = state.env.get(one := pending.pop())
        if isinstance(held, Deferred):
            found.append(one)
            pending += [v for v in held.node.inputs if is_array(v) and v not in seen]
            seen.update(held.node.inputs)
    settled = False
    for one in reversed(found):  # what is read first
        if state.progress.is_used_later(one) and state.env.reads(one, buffer, set()):
            demand.held(state, one)
            settled = True
    return settled


def work(state: State, value: Value) -> float:
    """How long the computation of an element takes."""
    return (4 + state.plan.costs.get(value, 0)) * NS


def _reads_apart(state: State, node: Node, written: list[Buffer]) -> bool:
    """Whether what a node writes reads nothing of some memory, but of the array that it changes
    the element that it writes to, or one that is written to at no other element."""
    array, value = node.inputs[:2]
    part = part_shape(node)
    assert part is not None
    pending: list[tuple[Value, bool]] = [(value, True)]
    seen: set[tuple[Value, bool]] = set()
    while pending:
        read, aligned = pending.pop()
        if isinstance(read, Constant) or (read, aligned) in seen:
            continue
        seen.add((read, aligned))
        held = state.env.get(read)
        if isinstance(held, Operand):
            continue
        if isinstance(held, Memory):
            if any(held.buffer is buffer for buffer in written):
                return False
            continue
        if not isinstance(held, Deferred) or is_reduction(held.node):
            return False
        source = held.node
        inputs = list(source.inputs)
        same = aligned and is_array(read) and is_same(shape_of(read), part)
        if same and inputs[0] is array and reads_same_part(source, node):
            inputs = inputs[1:]
        steps = set(in_step(source, read, part)) if aligned else set()
        pending += [(v, v in steps) for v in inputs]
    return True
