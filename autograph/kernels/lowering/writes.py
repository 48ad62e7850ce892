"""Changing elements of arrays: ``x[index] = value`` and ``x[index] += value``.

Where nobody reads the array any more and the memory is the kernel's own, the change is made in
place, which is what keeps a loop that fills an array linear. Else it is made in a copy, or, if each
element of the result can be computed by itself, where that is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.builder import flat_index, split_index
from autograph.kernels.ir import Operand
from autograph.kernels.lowering.nests import Nests
from autograph.kernels.lowering.values import CannotLower, Deferred, Memory, is_array, shape_of
from ops.index_maps import is_plain, subscripted
from ops.indexing import increased_element, set_element
from ops.kernels import aligned
from ops.subscripts import indexed_shape

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering


_LARGE = 256  # elements of an array, from which on passes over it count
_CHANGES = 4  # that each element is tested for


def _write(lowering: Lowering, node: Node) -> None:
    if _is_by_element(lowering, node):
        lowering.defer(node)
        return
    array, value, *operands = node.inputs
    spec = node.attrs["index"]
    if not is_plain(spec):
        raise CannotLower("a subscript of unknown length", node.location)
    types = [v.type for v in operands]
    if isinstance(array, Constant):
        raise CannotLower("an array constant that is changed", node.location)
    part = indexed_shape(shape_of(array), types, spec)
    for v in (value, *operands):  # where the change cannot touch them
        if is_array(v):
            lowering.memory(v)
        else:
            lowering.scalar(v)
    memory = changeable(lowering, node, array)
    for v in (value, *operands):
        held = lowering.env.get(v)
        if isinstance(held, Memory) and held.buffer is memory.buffer:  # a part of the array
            lowering.env[v] = lowering.allocate(v.type.dtype, v.type.size, v.name)
            lowering.copy(held, lowering.env[v], v.type.size)
    adds = node.op.name == "index_add"

    def change(index: Sequence[Operand]) -> None:
        place = subscripted(
            lambda j, at: lowering.element(operands[j], tuple(map(lowering.b.long, at))),
            index,
            shape_of(array),
            types,
            spec,
        )
        shape = shape_of(value)
        own = aligned(index, shape[len(shape) - len(part) :]) if len(shape) > len(part) else None
        at = aligned(index, shape) if own is None else (0,) * (len(shape) - len(part)) + own
        element = lowering.element(value, at)
        where = memory.start + flat_index(place, shape_of(array))
        if adds:
            before = lowering.b.load(memory.buffer, where)
            element = increased_element(before, element, array.type, value.type, types, spec)
        else:
            element = set_element(element, array.type, value.type)
        lowering.b.store(memory.buffer, where, element)

    if any(shape_of(v) for v in operands):  # the same place may be written twice
        _each_in_order(lowering, part, change)
    else:
        Nests(lowering).over(part, change)
    lowering.env[node.outputs[0]] = memory


def _is_by_element(lowering: Lowering, node: Node) -> bool:
    """Whether to compute each element of the result by itself."""
    array = node.inputs[0]
    types = [v.type for v in node.inputs]
    if lowering.serial or array.type.size < _LARGE or not node.op.has_element(types, node.attrs):
        return False
    held = lowering.env.get(array)
    last = not lowering.plan.is_used_after(array, lowering.position + 1)
    if isinstance(held, Deferred):
        if array in lowering.plan.in_memory and last:
            return False
        return _changes(lowering, array) < _CHANGES
    return not (last and isinstance(held, Memory) and lowering.may_change(array, held))


def _changes(lowering: Lowering, value: Value) -> int:
    """How many changes of an array will be made where elements of it are read."""
    count = 0
    while isinstance(lowering.env.get(value), Deferred) and value.producer.op.name in RULES:
        value = value.producer.inputs[0]
        count += 1
    return count


def _each_in_order(lowering: Lowering, part: Sequence[int], change: Callable) -> None:
    def body(flat: Operand) -> tuple:
        change(split_index(flat, part))
        return ()

    count = math.prod(part)
    if count == 1:
        body(lowering.b.long(0))
    elif count:
        Nests(lowering)._loop(count, "serial", body)


def changeable(lowering: Lowering, node: Node, array: Value) -> Memory:
    """The array's memory if it may be changed, else a copy of it."""
    result = node.outputs[0]
    target = lowering.wanted_at(result)
    memory = lowering.memory(array)
    last = not lowering.plan.is_used_after(array, lowering.position + 1)
    if last and lowering.may_change(array, memory):
        lowering.settle_readers(memory)
        lowering.end(array)
        return memory
    if target is None or target.buffer is memory.buffer:  # which is still needed as it is
        target = lowering.allocate(array.type.dtype, array.type.size, array.name)
    lowering.copy(memory, target, array.type.size)
    return target


RULES: dict[str, Callable[[Lowering, Node], None]] = {
    "index_update": _write,
    "index_add": _write,
}
