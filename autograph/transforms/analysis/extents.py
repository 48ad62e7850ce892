"""Which operands may be broadcast along a length that only the run knows."""

from __future__ import annotations

from collections.abc import Sequence

import ops
from autograph.graph.graph import Node, Value
from ops.core.types import ArrayType
from ops.structure.identity import as_long_as


class Extents:
    """Finds out which values have the same length along an axis, by where it comes from.

    Values are best asked about in the order in which they are computed: what is found is kept.
    """

    def __init__(self) -> None:
        self._sources: dict[tuple[Value, int], Value] = {}

    def may_be_broadcast(self, operands: Sequence[Value], position: int) -> bool:
        """Whether the operand at ``position`` may have length 1, as only the run knows, along an
        axis where others are longer."""
        type = operands[position].type
        shape = type.shape if isinstance(type, ArrayType) else ()
        return any(
            shape[axis] is None
            and len({self._source(v, axis) for v in _longer_than_one(operands, axis)}) > 1
            for axis in range(-len(shape), 0)
        )

    def _source(self, value: Value, axis: int) -> Value:
        """The value that the length comes from, through operators that keep it.

        Args:
            axis: counted from the last, from -1 down.
        """
        key = value, axis
        if key not in self._sources:
            self._sources[key] = self._find(value, axis)
        return self._sources[key]

    def _find(self, value: Value, axis: int) -> Value:
        node = value.producer
        if node is None:
            return value
        if node.op.aligned:
            sources = {self._source(v, axis) for v in _longer_than_one(node.inputs, axis)}
            return sources.pop() if len(sources) == 1 else value
        if node.op is as_long_as and axis == -value.type.ndim:
            like = node.inputs[1]
            return self._source(like, -like.type.ndim)
        if node.op is ops.getitem:
            indices = _leading_indices(node)
            position = axis + len(value.type.shape)
            if indices is not None and position < len(indices.type.shape):
                return self._source(indices, position - len(indices.type.shape))
        return self._source(node.inputs[0], axis) if node.op.keeps_shape else value


def _leading_indices(node: Node) -> Value | None:
    """The index array of a subscript whose result begins with the axes of that array."""
    _, *operands = node.inputs
    (kind, *where), *others = node.attrs["index"]
    if kind != "arg" or any(entry[0] == "mask" for entry in others):
        return None
    if any(operands[entry[1]].type.shape for entry in others if entry[0] == "arg"):
        return None
    return operands[where[0]]


def _longer_than_one(operands: Sequence[Value], axis: int) -> list[Value]:
    """The operands whose length along an axis is not known to be 1."""
    shapes = [v.type.shape if isinstance(v.type, ArrayType) else () for v in operands]
    return [v for v, shape in zip(operands, shapes) if len(shape) >= -axis and shape[axis] != 1]
