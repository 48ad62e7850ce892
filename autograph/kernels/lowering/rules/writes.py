"""Changing elements of arrays: ``x[index] = value`` and ``x[index] += value``.

Where nobody reads the array any more and the memory is the kernel's own, the change is made in
place, which is what keeps a loop that fills an array linear. Else it is made in a copy, or, if each
element of the result can be computed by itself, where that is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.graph.graph import Constant, Node, Value, producer_of
from autograph.kernels.ir.builder import flat_index, split_index
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand, writing
from autograph.kernels.lowering.arrays.changes import changeable, may_change
from autograph.kernels.lowering.arrays.deferral import defer
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Deferred, Memory, shape_of
from ops.arrays.indexing import increased_element, set_element
from ops.core.index_maps import is_plain, subscripted
from ops.core.kernels import aligned
from ops.core.subscripts import indexed_shape
from ops.core.symbolic_lengths import is_below

_LARGE = 256  # elements of an array, from which on passes over it count
_CHANGES = 4  # that each element is tested for
_COPIED = 0.5  # nanoseconds for an element


def write(state: State, node: Node) -> None:
    """An array with some of its elements changed."""
    if _is_by_element(state, node):
        value = node.inputs[1]
        if state.plan.is_written_once(node) and isinstance(state.env.get(value), Deferred):
            state.progress.pending[value] = None
        defer(state, node)
        return
    array, value, *operands = node.inputs
    spec = node.attrs["index"]
    if not is_plain(spec):
        raise CannotLower(reasons.UNKNOWN.of(node.location))
    types = [v.type for v in operands]
    if isinstance(array, Constant):
        raise CannotLower(reasons.CONSTANT.of(node.location))
    part: tuple[Any, ...] = indexed_shape(shape_of(array), types, spec)
    for v in operands:  # where the change cannot touch them
        demand.held(state, v)
    computed = writing.is_computed_there(state, node)
    if not computed:
        demand.held(state, value)
    memory = changeable(state, node, array, node.outputs[0], value if computed else None)
    for v in (value, *operands):
        held = state.env.get(v)
        if isinstance(held, Memory) and held.buffer is memory.buffer:  # a part of the array
            copy = state.env[v] = state.places.allocate(v.type.dtype, v.type.size, v.name)
            state.loops.copy(held, copy, v.type.size)
    adds = node.op is ops.index_add

    def change(index: Sequence[Operand]) -> None:
        place = subscripted(
            lambda j, at: state.elements.at(operands[j], tuple(map(state.b.long, at))),
            tuple(index),
            shape_of(array),
            types,
            spec,
        )
        shape = shape_of(value)
        own = aligned(index, shape[len(shape) - len(part) :]) if len(shape) > len(part) else None
        at = aligned(index, shape) if own is None else (0,) * (len(shape) - len(part)) + own
        element = state.elements.at(value, at)
        where = memory.start + flat_index(place, shape_of(array))
        if adds:
            before = state.b.load(memory.buffer, where)
            element = increased_element(before, element, array.type, value.type, types, spec)
        else:
            element = set_element(element, array.type, value.type)
        state.b.store(memory.buffer, where, element)

    if any(shape_of(v) for v in operands):  # the same place may be written twice
        _each_in_order(state, part, change)
    elif computed:
        state.loops.over(part, change, writing.work(state, value))
        before = state.env.own.get(array)
        if isinstance(before, Memory) and before.buffer is memory.buffer:
            state.env.end(array)
    else:
        state.loops.over(part, change, _COPIED)
    state.env[node.outputs[0]] = memory


def _is_by_element(state: State, node: Node) -> bool:
    """Whether to compute each element of the result by itself."""
    array = node.inputs[0]
    types = [v.type for v in node.inputs]
    if (
        state.serial
        or is_below(array.type.size, _LARGE)
        or not node.op.has_element(types, node.attrs)
    ):
        return False
    held = state.env.get(array)
    last = not state.progress.is_used_later(array)
    if isinstance(held, Deferred):
        if last and (array in state.plan.in_memory or demand.is_unset(state, held)):
            return False
        return _changes(state, array) < _CHANGES
    return not (last and isinstance(held, Memory) and may_change(state, array, held))


def _changes(state: State, value: Value) -> int:
    """How many changes of an array will be made where elements of it are read."""
    count = 0
    while isinstance(state.env.get(value), Deferred):
        node = producer_of(value)
        if not node.op.updates:
            break
        value = node.inputs[0]
        count += 1
    return count


def _each_in_order(state: State, part: Sequence[int], change: Callable) -> None:
    def body(flat: Operand) -> tuple:
        change(split_index(flat, part))
        return ()

    count = math.prod(part)
    if count == 1:
        body(state.b.long(0))
    elif count:
        state.loops.loop(count, "serial", body)
