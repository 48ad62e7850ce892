"""Lists of arrays of one axis and of any lengths: `PooledArrays`, whose elements are arrays.

They are kept as those of a `PooledList` are. An array that is read from such a list is a copy, and
so is one that is put into it: neither may be changed in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.elements import absorb
from autograph.staging.lists.heap import Heap, refuse, register
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pool_places import number_at
from autograph.staging.lists.pooled import PooledList
from ops.control import effects
from ops.core.types import ArrayType


class ArrayHeap(Heap):
    """Arrays of one axis and of any lengths.

    Attributes:
        dtype: of all arrays, its name.
    """

    def __init__(self, dtype: str):
        super().__init__()
        self.dtype = dtype
        element = ArrayType(np.dtype(dtype), ())
        nothing = ops.no_rows(dtype=dtype, shape=()).value
        self.pool.become(Rows(LEAF, (Column(nothing, element),)))

    def at(self, place: Any) -> Any:
        rows = self.rows_of(place)
        assert rows is not None
        array = GraphArray(rows.columns[0].value)
        absorb(array)
        return array

    def refer(self, row: Any) -> Any:
        if not isinstance(row, GraphArray) or row.ndim != 1 or row.dtype.name != self.dtype:
            refuse("other things than arrays of one axis and dtype in")
        absorb(row)
        count = GraphArray(ops.length(row.value))
        place = self._room_for(count)
        self.repeat(count, lambda j: self.pool.append(row[j]))
        return place


class PooledArrays(PooledList):
    """A list of arrays; see the module's text."""

    heap: ArrayHeap

    def concatenated(self, axis: Any = 0) -> GraphArray:
        """``np.concatenate``.

        Raises:
            ValueError: there are no arrays, when the program runs.
        """
        if axis not in (0, -1, None):
            refuse("other axes of")
        message = "need at least one array to concatenate"
        effects.check(ops.greater(self.length, 0), error="ValueError", message=message)
        heap, made = self.heap, TrackedList()
        made.become_like(heap.pool)
        made = made[:0]

        def gather(place: Any) -> None:
            row = number_at(self.places, place)
            start, count = number_at(heap.starts, row), number_at(heap.lengths, row)
            heap.repeat(count, lambda j: made.append(heap.pool[start + j]))

        heap.repeat(self.length, gather)
        rows = made.rows
        assert rows is not None
        return GraphArray(rows.columns[0].value)


register(ArrayHeap)
register(PooledArrays)
