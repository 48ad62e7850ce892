"""Reading and writing parts of arrays.

What is written goes to the places that the subscript reads of an array of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.export.elementwise import fitted
from autograph.export.onnx_model.nodes import LONG
from autograph.export.onnx_model.refusals import refuse
from autograph.export.onnx_model.terms import Tensor, known
from autograph.export.onnx_model.writer import ModelWriter, rule
from autograph.graph.graph import Node
from ops.arrays.indexing import getitem, index_add, index_update
from ops.core.registry import REGISTRY
from ops.core.subscripts import Bound, Spec, indexed_shape, may_repeat
from ops.core.types import ArrayType

_FIRST, _LAST = np.iinfo(np.int64).min + 1, np.iinfo(np.int64).max
_ADDED = frozenset(np.dtype(d) for d in ["f4", "f8", "i4", "i8"])


def part_of(
    writer: ModelWriter,
    x: Tensor,
    ndim: int,
    operands: Sequence[Tensor],
    types: Sequence[ArrayType],
    spec: Spec,
) -> Tensor:
    """``x[index]``.

    Args:
        ndim: of ``x``.
        operands, types: what the subscript refers to.
    """
    return _Reader(writer, x, ndim, operands, types).read(spec)


class _Reader:
    """Takes a part of an array, in three steps: slices; then axes by integers; then new axes."""

    def __init__(
        self,
        writer: ModelWriter,
        x: Tensor,
        ndim: int,
        operands: Sequence[Tensor],
        types: Sequence[ArrayType],
    ):
        self.writer, self.nodes = writer, writer.nodes
        self.x, self.ndim = x, ndim
        self.operands, self.types = operands, types

    def read(self, spec: Spec) -> Tensor:
        entries = self._whole(spec)
        entries = self._masks(entries)
        self._slices(entries)
        return self._integers(entries)

    def _whole(self, spec: Spec) -> list[tuple]:
        """The entries, with a slice for each axis that none names."""
        taken = sum(self._axes(entry) for entry in spec)
        rest = [("slice", None, None, None)] * (self.ndim - taken)
        found: list[tuple] = []
        for entry in spec:
            found += rest if entry[0] == "ellipsis" else [entry]
        return found if ("ellipsis",) in spec else [*found, *rest]

    def _axes(self, entry: tuple) -> int:
        if entry[0] == "mask":
            return self.types[entry[1]].ndim
        return int(entry[0] in ("slice", "int", "arg", "window"))

    def _masks(self, entries: list[tuple]) -> list[tuple]:
        """Masks as integers: one for each axis that they select from."""
        found: list[tuple] = []
        axis = 0
        for entry in entries:
            if entry[0] != "mask":
                found.append(entry)
                axis += self._axes(entry)
                continue
            mask, count = self.operands[entry[1]].cast(bool), self.types[entry[1]].ndim
            own = mask.shape()
            along = self.x.made("Shape", dtype=LONG, start=axis, end=axis + count)
            same = own.made("Equal", along, dtype="bool").cast(np.int32)
            fits = same.made("ReduceMin", keepdims=0).cast(bool)
            self.nodes.require(fits.name, "IndexError: boolean index did not match its array")
            places = mask.made("NonZero", dtype=LONG)
            found += [("places", places.gathered(i), 1) for i in range(count)]
            axis += count
        return found

    def _slices(self, entries: Sequence[tuple]) -> None:
        starts: list[Any] = []
        ends: list[Any] = []
        axes: list[int] = []
        steps: list[Any] = []
        axis = 0
        for entry in entries:
            if entry[0] == "slice" and entry[1:] != (None, None, None):
                start, stop, step = entry[1:]
                back = isinstance(step, int) and step < 0
                if isinstance(step, Bound) or (isinstance(step, int) and step == 0):
                    raise refuse("the step of a slice is known only at run time", self.nodes.place)
                starts.append(self._bound(start, _LAST if back else 0))
                ends.append(self._bound(stop, _FIRST if back else _LAST))
                steps.append(self._bound(step, 1))
                axes.append(axis)
            elif entry[0] == "window":
                _, j, length, size = entry
                start = self.operands[j].cast(LONG)
                size_here = self._size(axis) if size is None else size
                fits = (start >= 0) & (start <= size_here - length)
                self.nodes.require(
                    fits.name, f"IndexError: a slice of {length} elements reaches past the end"
                )
                starts.append(start.reshaped([1]))
                ends.append((start + length).reshaped([1]))
                steps.append(self._bound(None, 1))
                axes.append(axis)
            axis += int(entry[0] not in ("none", "bool"))
        if axes:
            x = self.x
            self.x = x.made("Slice", _joined(starts), _joined(ends), x.longs(axes), _joined(steps))

    def _size(self, axis: int) -> Tensor:
        return self.x.made("Shape", dtype=LONG, start=axis, end=axis + 1).squeezed([0])

    def _bound(self, bound: Any, otherwise: int) -> Tensor:
        if isinstance(bound, Bound):
            return self.operands[bound.position].cast(LONG).reshaped([1])
        return known(self.nodes, [otherwise if bound is None else bound], LONG)

    def _integers(self, entries: Sequence[tuple]) -> Tensor:
        """Axes by integers and arrays of them; new axes."""
        block = [e for e in entries if e[0] in ("arg", "places", "bool")]
        is_array = any(self._index_ndim(e) or e[0] == "bool" for e in block)
        if not is_array:
            return self._scalars(entries)
        indices: list[Tensor] = []  # of the axes that arrays take elements of
        taken: list[int] = []
        kept: list[int] = []
        new: list[int] = []  # positions of new axes among those that stay
        first, separate, inside = None, False, False
        axis, ndim = 0, 0
        for entry in entries:
            kind = entry[0]
            if kind in ("arg", "places", "int", "bool"):
                separate = separate or (first is not None and not inside)
                first = len(kept) + len(new) if first is None else first
                inside = True
                if kind == "bool":
                    ndim = max(ndim, 1)
                    indices.append(known(self.nodes, np.zeros(int(entry[1]), LONG)))
                    taken.append(-1)
                    continue
                indices.append(self._index(entry))
                ndim = max(ndim, self._index_ndim(entry))
                taken.append(axis)
                axis += 1
                continue
            inside = False
            if kind == "none":
                new.append(len(kept) + len(new))
                continue
            kept.append(axis)
            axis += 1
        assert first is not None
        place = 0 if separate else first
        axes = [a for a in taken if a >= 0]
        flags = [i for a, i in zip(taken, indices) if a < 0]
        if len(axes) == 1 and not flags:
            return self._along_one(indices[0], axes[0], ndim, kept, new, place)
        x = self.x.transposed([*axes, *kept])
        total: Tensor | None = None
        for index in indices:  # they broadcast
            zero = index.made("Mul", index.longs(0))
            total = zero if total is None else total.made("Add", zero)
        assert total is not None
        shape = total.shape().name
        columns = [i.expanded(shape).unsqueezed([ndim]) for a, i in zip(taken, indices) if a >= 0]
        if columns:
            joined = columns[0].made("Concat", *columns[1:], axis=ndim)
            found = x.made("GatherND", joined)
        else:
            rest = x.shape()
            whole = total.shape().made("Concat", rest, axis=0)
            found = x.expanded(whole.name)
        return self._moved(found, ndim, len(kept), new, place)

    def _along_one(
        self, index: Tensor, axis: int, ndim: int, kept: list[int], new: list[int], place: int
    ) -> Tensor:
        found = self.x.made("Gather", index, axis=axis)
        before = sum(a < axis for a in kept)
        order = [*range(before, before + ndim), *range(before)]
        order += range(before + ndim, ndim + len(kept))
        return self._moved(found.transposed(order), ndim, len(kept), new, place)

    def _moved(self, found: Tensor, ndim: int, kept: int, new: list[int], place: int) -> Tensor:
        """The axes of the indices, which come first, at their place; and new ones."""
        found = found.unsqueezed([ndim + i for i in new])
        rest = list(range(ndim, ndim + kept + len(new)))
        return found.transposed([*rest[:place], *range(ndim), *rest[place:]])

    def _scalars(self, entries: Sequence[tuple]) -> Tensor:
        axis = sum(e[0] != "none" for e in entries)
        for entry in reversed(entries):
            axis -= entry[0] != "none"
            if entry[0] in ("int", "arg"):
                self.x = self.x.made("Gather", self._index(entry), axis=axis)
        left = [e for e in entries if e[0] not in ("int", "arg")]
        return self.x.unsqueezed([i for i, e in enumerate(left) if e[0] == "none"])

    def _index(self, entry: tuple) -> Tensor:
        if entry[0] == "int":
            return known(self.nodes, entry[1], LONG)
        if entry[0] == "places":
            return entry[1]
        index = self.operands[entry[1]]
        if index.dtype == np.uint64 and index.value is None:
            high = np.uint64(2**63)
            small = (index < high).cast(np.int32).made("ReduceMin", keepdims=0).cast(bool)
            self.nodes.require(small.name, "IndexError: an index is out of bounds")
        return index.cast(LONG)

    def _index_ndim(self, entry: tuple) -> int:
        if entry[0] == "places":
            return 1
        return self.types[entry[1]].ndim if entry[0] == "arg" else 0


def _joined(parts: Sequence[Tensor]) -> Tensor:
    if len(parts) == 1:
        return parts[0]
    if all(part.value is not None for part in parts):
        return known(parts[0].nodes, np.concatenate([part.value for part in parts]), LONG)
    return parts[0].made("Concat", *parts[1:], axis=0)


@rule(getitem)
def _getitem(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, *others = operands
    types = [v.type for v in node.inputs[1:]]
    return part_of(writer, x, node.inputs[0].type.ndim, others, types, node.attrs["index"])


def _numbers(x: Tensor, type: ArrayType) -> Tensor:
    """The numbers of the elements, in the shape of the array."""
    if type.is_static:
        return known(x.nodes, np.arange(type.size).reshape(type.known_shape), LONG)
    size = x.made("Size", dtype=LONG)
    zero = known(x.nodes, 0, LONG)
    return zero.made("Range", size, x.longs(1)).reshaped(x.shape().name)


@rule(index_update, index_add)
def _write(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    x, value, *others = operands
    type, value_type, *types = (v.type for v in node.inputs)
    spec = node.attrs["index"]
    adds = node.op is index_add
    if (
        not adds
        and value_type.dtype.kind == "f"
        and type.dtype.kind in "iu"
        and not value_type.shape
    ):
        whole = (value > -(2.0**63)) & (value < 2.0**63)
        writer.nodes.require(whole.name, "ValueError: cannot convert this float to integer")
    value = fitted(writer.form, node.inputs[1], value, type.dtype)
    numbers = _numbers(x, type)
    places = part_of(writer, numbers, type.ndim, others, types, spec)
    part_ndim = len(_part_shape(node))
    while value_type.ndim > part_ndim:  # axes of length 1 before the others
        value = value.squeezed([0])
        value_type = value_type._replace(shape=value_type.shape[1:])
    values = value.expanded(places.shape().name).flattened()
    places, flat = places.flattened(), x.flattened()
    repeats = may_repeat(types, spec)
    if adds and repeats:
        wide = (
            x.dtype if x.dtype in _ADDED else np.dtype(np.float32) if x.dtype.kind == "f" else LONG
        )
        found = flat.cast(wide).made("ScatterElements", places, values.cast(wide), reduction="add")
        found = found.cast(x.dtype)
    elif adds:
        both = flat.gathered(places)
        added = both | values if x.dtype == bool else both + values
        found = flat.made("ScatterElements", places, added)
    else:
        if repeats:
            values = _last_written(places, values, flat)
        found = flat.made("ScatterElements", places, values)
    return found.reshaped(x.shape().name if not type.is_static else list(type.known_shape))


def _part_shape(node: Node) -> tuple:
    x, _, *operands = (v.type for v in node.inputs)
    return indexed_shape(x.shape, operands, node.attrs["index"])


def _last_written(places: Tensor, values: Tensor, flat: Tensor) -> Tensor:
    """Values of which those that go to one place are all the last of them: ONNX does not say which
    of several wins."""
    zero = known(places.nodes, 0, LONG)
    count = places.made("Size", dtype=LONG)
    numbers = zero.made("Range", count, places.longs(1))
    none = known(places.nodes, np.zeros(1, LONG)).expanded(flat.shape().name)
    last = none.made("ScatterElements", places, numbers, reduction="max")
    return values.gathered(last.gathered(places))


@rule(REGISTRY["nonzero_along"])
def _nonzero(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    found = operands[0].cast(bool).made("NonZero", dtype=LONG)
    return found.gathered(node.attrs["axis"])


@rule(REGISTRY["find_row"])
def _find_row(writer: ModelWriter, node: Node, operands: Sequence[Any]) -> Tensor:
    """The greatest of the numbers of the rows that are equal, and of -1."""
    lanes, count = node.outputs[0].type, len(operands) // 2
    if not lanes.is_static:
        raise writer.refused(node)
    last = [lanes.ndim]
    equal = None
    for column, part in zip(operands[:count], operands[count:]):
        dtype = np.result_type(column.dtype, part.dtype)
        same = column.cast(dtype) == part.cast(dtype).unsqueezed(last)
        equal = same if equal is None else equal & same
    assert equal is not None
    none = known(writer.nodes, -1, LONG)
    length = equal.made("Shape", dtype=LONG, start=lanes.ndim, end=lanes.ndim + 1).squeezed([0])
    numbers = known(writer.nodes, 0, LONG).made("Range", length, known(writer.nodes, 1, LONG))
    found = equal.made("Where", numbers, none, dtype=LONG)
    first = known(writer.nodes, np.full((*lanes.known_shape, 1), -1, LONG))
    every = first.made("Concat", found, axis=lanes.ndim)
    return every.made("ReduceMax", every.longs(last), keepdims=0)
