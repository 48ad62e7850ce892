"""Whether the elements of an array are known to lie in memory one after the other, the last axis
first: so a reshaped array is a view of it."""

from __future__ import annotations

from typing import Any

import ops
from autograph.graph.graph import Constant, Node, Value
from ops.core.registry import Elementwise


def has_no_gaps(array: Any) -> bool:
    """Whether a symbolic array is known to own its elements, one after the other, the last axis
    first."""
    return array.is_made and array._view is None and fills_memory(array.value)


def fills_memory(value: Value) -> bool:
    """Whether a new array with this value has no gaps; how it lies is known only of vectors."""
    while value.type.ndim != 1 or not _is_new(value):
        node = value.producer
        if node is None or not (node.op.updates or node.op is ops.reshape):
            return False
        value = node.inputs[0]
    return True


def lies_in_order(value: Value) -> bool:
    """Whether the elements of a new array, or of a part of one, with this value are known to lie
    one after the other, the last axis first."""
    if isinstance(value, Constant):
        return value.data.flags.c_contiguous
    node = value.producer
    if node is None:
        return False
    if node.op.updates or node.op is ops.reshape:
        return lies_in_order(node.inputs[0])
    if node.op is ops.getitem:
        return _takes_in_order(node)
    if isinstance(node.op, Elementwise):  # NumPy gives the result the order that all have
        arrays = [v for v in node.inputs if v.type.ndim]
        alike = bool(arrays) and all(v.type.shape == value.type.shape for v in arrays)
        return alike and all(map(lies_in_order, arrays))
    return value.type.ndim == 1 and _is_new(value)


def _takes_in_order(node: Node) -> bool:
    """Whether a subscript takes elements that lie in order: one along each of the first axes, or
    those of a vector at places that lie so themselves."""
    array, *operands = node.inputs
    index = node.attrs["index"]
    if all(entry[0] == "int" for entry in index):
        return lies_in_order(array)
    is_one = len(index) == 1 and index[0][0] == "arg" and array.type.ndim == 1
    return is_one and operands[0].type.ndim > 0 and lies_in_order(operands[0])


def _is_new(value: Value) -> bool:
    if isinstance(value, Constant):
        return value.data.flags.owndata and value.data.flags.c_contiguous
    node = value.producer
    return node is not None and node.op.contiguous
