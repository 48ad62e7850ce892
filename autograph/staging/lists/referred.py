"""What dicts hold where that is lists: `ReferredLists`.

All lists that a dict has ever held are in one heap, a list of lists of any lengths, where none of
them changes its place. What the dict holds are their places. So a list is the same one under all
its names, and under several keys, whatever becomes of the keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pool_places import number_at
from autograph.staging.lists.pooled import PooledList, PooledRow, refuse, register, row_at


class ReferredLists(PooledList):
    """Lists, each by its place in a heap; see the module's text.

    Attributes:
        places: of the elements, in the heap.
        heap: the lists.
    """

    def __init__(self) -> None:
        self.places = TrackedList()
        self.heap = PooledList()
        self.heap.version = None  # which stays
        self.version = 0

    @property
    def _numbers(self) -> tuple[TrackedList, ...]:
        return (self.places,)

    def _refer(self, row: Any) -> Any:
        """The place of a list, which is put into the heap if it is not there yet."""
        if isinstance(row, PooledRow) and row.seat.owner is self.heap:
            return row.seat.place
        row = TrackedList(row) if type(row) is list else row  # written where it is put in
        if not isinstance(row, TrackedList):
            refuse("other things than lists in a dict with")
        place = self.heap.length
        self.heap.append(row)
        return place

    def kept(self, row: Any) -> Any:
        """A list, in a branch that it was not made in, as elements are; anything else as it is."""
        if not isinstance(row, list):
            return row
        return row_at(self.heap, self._refer(row if isinstance(row, PooledRow) else row.copy()))

    def _element(self, place: Any) -> PooledRow:
        return row_at(self.heap, number_at(self.places, place))

    _leaving = _element

    def append(self, row: Any) -> None:
        self.places.append(self._refer(row))

    def adopt(self, other: Any) -> None:
        """Keep lists where another one does, which some of them will be of."""
        is_new = isinstance(self.heap.length, int) and not self.heap.length
        if is_new and isinstance(other, ReferredLists):
            self.heap = other.heap

    def _selected(self, select: Callable[[TrackedList], TrackedList]) -> ReferredLists:
        made = ReferredLists()
        made.heap = self.heap
        made.places.become_like(select(self.places))
        return made

    def __getitem__(self, index: Any) -> Any:
        return (
            self._selected(lambda places: places[index])
            if isinstance(index, slice)
            else self.item(index)
        )

    def __setitem__(self, index: Any, row: Any) -> None:
        if isinstance(index, slice):
            refuse("assigning a slice of")
        self.places[index] = self._refer(row)


register(ReferredLists)
