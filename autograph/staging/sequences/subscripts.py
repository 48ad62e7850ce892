"""Reading and writing ``x[index]`` on symbolic arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import View
from autograph.staging.ground.errors import located
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.polynomial import bounds, difference, of_lengths
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.items import Arithmetic
from autograph.staging.sequences.ranges import as_array
from ops.core.lengths import symbolic
from ops.core.subscripts import Window, encode_index
from ops.core.symbolic_lengths import bounds_of, is_length


def read(array: GraphArray, index: Any) -> GraphArray:
    """``array[index]``."""
    with located():
        index = _with_arrays(index)
        operands, spec = encode_index(_resolved(array, index), array.type.shape)
        return ops.getitem(array, *operands, index=spec)


def assign(array: GraphArray, index: Any, value: Any) -> None:
    """``array[index] = value``, in place."""
    with located():
        index = _with_arrays(index)
        if _is_own_view(array, index, value):
            return  # the store that follows `x[i] += v`: the view has written itself back already
        if _is_mask(array, index, value):
            array.write(_masked(array, index, value))
            return
        operands, spec = encode_index(_resolved(array, index), array.type.shape)
        values = [recorder().value_of(operand) for operand in (array, value, *operands)]
        array.write(recorder().apply(ops.index_update, values, {"index": spec}))


def _with_arrays(index: Any) -> Any:
    """An index with lists of symbolic values made arrays, as NumPy makes arrays of lists."""
    if type(index) is tuple:
        return tuple(map(_with_arrays, index))
    if isinstance(index, Arithmetic):
        return as_array(index)
    if not isinstance(index, list):
        return index
    if isinstance(index, TrackedList) and index.rows is not None:
        return index.stacked()
    nested: Any = index
    symbolic = any(isinstance(leaf, GraphArray) for leaf in leaves_of(nested))
    return ops.array(index) if symbolic else index


def _is_mask(array: GraphArray, index: Any, value: Any) -> bool:
    """Whether this stores the same ``value`` at each place that a symbolic mask selects."""
    if not isinstance(index, GraphArray) or index.dtype.kind != "b" or not index.ndim:
        return False
    fits = array.type.is_static and index.type.shape == array.type.shape[: index.ndim]
    return fits and np.ndim(value) <= array.ndim - index.ndim


def _masked(array: GraphArray, mask: GraphArray, value: Any) -> Value:
    """The new value of ``array`` after ``array[mask] = value``."""
    operands, everywhere = encode_index(..., array.type.shape)
    value = recorder().value_of(value)
    kinds = array.dtype.kind in "iu" and value.type.dtype.kind in "iuf"
    if kinds and not (value.type.shape or value.type.weak) and value.type.dtype != array.dtype:
        # Behind a mask NumPy takes a scalar as it does an array, NaN for an integer included.
        value = ops.cast(value, dtype=array.dtype.name)
    filled = ops.index_update(array.value, value, *operands, index=everywhere)
    wide = ops.reshape(mask.value, mask.type.shape + (1,) * (array.ndim - mask.ndim))
    return ops.where(wide, filled, array.value)


def _is_own_view(array: GraphArray, index: Any, value: Any) -> bool:
    """Whether ``value`` is the up-to-date view ``array[index]`` itself."""
    view = value._view if isinstance(value, GraphArray) else None
    if not isinstance(view, View) or view.base is not array or view.put is None or view.is_stale():
        return False
    producer = view.seen.producer  # the update that the view wrote back to the base
    if producer is None or producer.op is not ops.index_update:
        return False
    given, spec = encode_index(_resolved(array, index), array.type.shape)
    operands = [recorder().value_of(operand) for operand in given]
    return (
        producer.inputs[1] is value.value
        and producer.attrs["index"] == spec
        and list(producer.inputs[2:]) == operands
    )


def _resolved(array: GraphArray, index: Any) -> Any:
    """The index with symbolic slices turned into windows where their length is known."""
    items = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(item, slice) and _is_symbolic(item) for item in items):
        return index
    items = tuple(_of_lengths(item) if isinstance(item, slice) else item for item in items)
    return tuple(
        _window(array, items, position) if isinstance(item, slice) and _is_symbolic(item) else item
        for position, item in enumerate(items)
    )


def _of_lengths(item: slice) -> slice:
    """A slice, those of whose bounds that are computed of lengths are these."""

    def of_lengths(bound: Any) -> Any:
        found = symbolic(bound.value) if isinstance(bound, GraphArray) else None
        return bound if found is None else found

    return slice(*map(of_lengths, (item.start, item.stop, item.step)))


def _is_symbolic(item: slice) -> bool:
    return any(isinstance(bound, GraphArray) for bound in (item.start, item.stop, item.step))


def _window(array: GraphArray, items: tuple, position: int) -> Window | slice:
    """A slice with symbolic bounds: a window if its length is known and it is inside of the axis.

    Where it may reach past an end it is taken for inside all the same: if the run finds that it is
    not, the function is recorded again with slices whose lengths only the run knows. Integer
    arguments that alone determine the length become part of the signature.
    """
    item = items[position]
    size = _axis_length(array, items, position)
    if size is None:
        return item
    if item.step is None or (isinstance(item.step, int) and item.step == 1):
        start = 0 if item.start is None else item.start
        stop = size if item.stop is None else item.stop
        ends = [b.value if isinstance(b, GraphArray) else b for b in (stop, start)]
        # What the run decides takes no symbol away, or it would be one.
        known = None if any(map(is_length, ends)) else of_lengths(difference(*ends))
        if known == 0:  # nothing, wherever it is
            return slice(0, 0)
        if known is not None and 0 < known <= size:  # a negative stop counts from the end
            if not _fits(start, known, size):
                if recorder().clips:
                    return item
                recorder().bets = True
            return Window(start, known)
    for bound in (item.start, item.stop, item.step):
        if isinstance(bound, GraphArray):
            recorder().inputs.demand(bound.value)
    return item


def _fits(start: Any, length: int, size: int) -> bool:
    """Whether a slice is inside of its axis wherever the run puts it."""
    place = start.value if isinstance(start, GraphArray) else start
    found = bounds(place, recorder().below)
    if found is None:
        return False
    room = size - length - found[1]
    return bounds_of(found[0])[0] >= 0 and bounds_of(room)[0] >= 0


def _axis_length(array: GraphArray, items: tuple, position: int) -> int | None:
    """The length of the axis that the item at ``position`` of a subscript indexes."""
    before = sum(item is not None and item is not Ellipsis for item in items[:position])
    if any(item is Ellipsis for item in items[:position]):
        after = sum(item is not None and item is not Ellipsis for item in items[position:])
        return array.type.shape[array.ndim - after]
    return array.type.shape[before]
