"""Lists of arrays of one axis and of any lengths: `PooledArrays`, whose elements are arrays.

They are kept as those of a `PooledList` are. An array that is read from such a list is a copy, and
so is one that is put into it: neither may be changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import ops
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nested_lists import LISTS
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.elements import absorb
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pool_places import number_at
from autograph.staging.lists.pooled import PooledList, refuse, register
from ops.control import effects
from ops.core.types import ArrayType


class PooledArrays(PooledList):
    """A list of arrays; see the module's text.

    Attributes:
        dtype: of all arrays, its name.
    """

    def __init__(self, dtype: str):
        super().__init__()
        self.dtype = dtype
        element = ArrayType(np.dtype(dtype), ())
        nothing = ops.no_rows(dtype=dtype, shape=()).value
        self.pool.become(Rows(LEAF, (Column(nothing, element),)))

    def empty_like(self) -> PooledArrays:
        return PooledArrays(self.dtype)

    def _element(self, place: Any) -> Any:
        rows = self.rows_of(place)
        assert rows is not None
        array = GraphArray(rows.columns[0].value)
        absorb(array)
        return array

    _leaving = _element

    def _take_in(self, array: Any, place: Any) -> None:
        if not isinstance(array, GraphArray) or array.ndim != 1 or array.dtype.name != self.dtype:
            refuse("other things than arrays of one axis and dtype in")
        absorb(array)
        start, count = self.pool.length, GraphArray(ops.length(array.value))
        self.starts[place], self.lengths[place], self.rooms[place] = start, count, count
        self.repeat(count, lambda j: self.pool.append(array[j]))

    def concatenated(self, axis: Any = 0) -> GraphArray:
        """``np.concatenate``.

        Raises:
            ValueError: there are no arrays, when the program runs.
        """
        if axis not in (0, -1, None):
            refuse("other axes of")
        message = "need at least one array to concatenate"
        effects.check(ops.greater(self.length, 0), error="ValueError", message=message)
        made = TrackedList()
        made.become_like(self.pool)
        made = made[:0]

        def gather(place: Any) -> None:
            start, count = number_at(self.starts, place), number_at(self.lengths, place)
            self.repeat(count, lambda j: made.append(self.pool[start + j]))

        self.repeat(self.length, gather)
        rows = made.rows
        assert rows is not None
        return GraphArray(rows.columns[0].value)


register(PooledArrays)


def pool_of(kind: str, items: Iterable[Any]) -> PooledList:
    """A list of some elements, which are of a kind that `NestedLists` tells."""
    made = PooledList() if kind == LISTS else PooledArrays(kind)
    for item in items:
        made.append(item)
    return made
