"""Which operands may be broadcast along a length known only at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import ops
from autograph.graph.graph import Value
from ops.core.types import ArrayType
from ops.structure.identity import as_long_as


class _Selected(NamedTuple):
    """The number of elements that a mask selects, as where a length comes from."""

    mask: Value


# The value whose length along an axis it is, or what selects as many.
_Source = Value | _Selected


class Extents:
    """Finds out which values have the same length along an axis, by where it comes from.

    Values are best asked about in the order in which they are computed: what is found is kept.
    """

    def __init__(self) -> None:
        self._sources: dict[tuple[Value, int], _Source] = {}

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

    def fills(self, part: Value, operands: Sequence[Value], index: Sequence[tuple]) -> bool:
        """Whether what is written into a part of an array is known to be as long as the part along
        the only axis, its first, of which only the run knows how long it is.

        Args:
            part: what is written.
            operands, index: the subscript.
        """
        type = part.type
        shape = type.shape if isinstance(type, ArrayType) else ()
        if shape[:1] != (None,) or None in shape[1:]:
            return False
        source = self._of_part(operands, index, 0)
        return source is not None and len({source, self._source(part, -len(shape))}) == 1

    def _source(self, value: Value, axis: int) -> _Source:
        """What the length comes from, through operators that keep it.

        Args:
            axis: counted from the last, from -1 down.
        """
        key = value, axis
        if key not in self._sources:
            self._sources[key] = self._find(value, axis)
        return self._sources[key]

    def _find(self, value: Value, axis: int) -> _Source:
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
            position = axis + len(value.type.shape)
            source = self._of_part(node.inputs[1:], node.attrs["index"], position)
            return value if source is None else source
        return self._source(node.inputs[0], axis) if node.op.keeps_shape else value

    def _of_part(
        self, operands: Sequence[Value], index: Sequence[tuple], position: int
    ) -> _Source | None:
        """The same for an axis of the part that a subscript selects, if that begins with the axes
        of an index array, or with the one of what a mask selects; None otherwise."""
        leading = _leading_indices(operands, index)
        if leading is None:
            return None
        if index[0][0] == "mask":
            return _Selected(leading) if position == 0 else None
        ndim = len(leading.type.shape)
        return self._source(leading, position - ndim) if position < ndim else None


def _leading_indices(operands: Sequence[Value], index: Sequence[tuple]) -> Value | None:
    """The index array, or mask, of a subscript whose result begins with the axes of that."""
    (kind, *where), *others = index
    if kind not in ("arg", "mask") or any(entry[0] in ("mask", "bool") for entry in others):
        return None
    if any(operands[entry[1]].type.shape for entry in others if entry[0] == "arg"):
        return None
    return operands[where[0]]


def _longer_than_one(operands: Sequence[Value], axis: int) -> list[Value]:
    """The operands whose length along an axis is not known to be 1."""
    shapes = [v.type.shape if isinstance(v.type, ArrayType) else () for v in operands]
    return [v for v, shape in zip(operands, shapes) if len(shape) >= -axis and shape[axis] != 1]
