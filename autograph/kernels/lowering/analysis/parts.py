"""Changes of a part of an array, and reads of the same part while it is changed.

What is written to a part may be computed where it is written if nothing notices: if each element
that it reads of the array is one that only it overwrites, as in ``a[1:-1, k] += a[1:-1, k - 1]``,
or if it reads other memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ops
from autograph.graph.graph import Node, Value
from autograph.kernels.lowering.analysis.nodes import is_static
from autograph.kernels.lowering.values import is_array, shape_of
from ops.core.index_maps import is_plain
from ops.core.subscripts import arranged, has_index_array, indexed_shape, slice_range


def part_shape(node: Node) -> tuple[int, ...] | None:
    """The shape of the part of an array that a node changes; None if it changes none, or single
    elements at places that arrays tell, or only the run knows lengths."""
    if node.op not in (ops.index_update, ops.index_add) or not is_static(node):
        return None
    spec, types = node.attrs["index"], [v.type for v in node.inputs[2:]]
    if not is_plain(spec) or has_index_array(types, spec):
        return None
    shape: Any = indexed_shape(shape_of(node.inputs[0]), types, spec)
    return shape


def fills(node: Node, operand: int) -> bool:
    """Whether a node writes an operand to a part of an array, element by element."""
    if operand != 1 or node.op not in (ops.index_update, ops.index_add):
        return False
    return is_array(node.inputs[1]) and part_shape(node) == shape_of(node.inputs[1])


def ranges(array: Value, operands: Sequence[Value], spec: Any) -> list[tuple] | None:
    """Along which axes of an array a subscript selects which ranges, where it selects one number
    along each of the others: two parts with the same ranges have no element in common but those
    at the same place. None if that is not how it selects."""
    types = [v.type for v in operands]
    if not is_plain(spec) or has_index_array(types, spec):
        return None
    shape = shape_of(array)
    found: list[tuple] = []
    for position, axis in arranged(len(shape), types, spec)[0]:
        entry = spec[position] if position < len(spec) else ("ellipsis",)
        match entry:
            case ("slice", *bounds):
                found.append((axis, *slice_range(bounds, shape[axis])))
            case ("ellipsis",):
                found.append((axis, *slice_range((None, None, None), shape[axis])))
            case _:
                return None
    return found


def reads_same_part(read: Node, write: Node) -> bool:
    """Whether a node reads, of an array that another one changes, elements that are those of the
    changed part but for the numbers along the axes that it has not: ``a[:, j]`` and ``a[:, k]``."""
    if read.op is not ops.getitem or not is_static(read):
        return False
    own = ranges(read.inputs[0], read.inputs[1:], read.attrs["index"])
    return own is not None and own == ranges(
        write.inputs[0], write.inputs[2:], write.attrs["index"]
    )


def in_step(node: Node, value: Value, shape: Sequence[int]) -> list[Value]:
    """The operands of a node that it reads at the element that it computes, of a shape."""
    if not node.op.aligned or shape_of(value) != tuple(shape):
        return []
    return [v for v in node.inputs if is_array(v) and shape_of(v) == tuple(shape)]
