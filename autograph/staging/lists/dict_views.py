"""What ``keys``, ``values`` and ``items`` of a dict give whose keys the run knows: `DictView`."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Set, ValuesView
from typing import Any

import ops
from autograph.staging.lists.tables import KeyTable


class DictView:
    """What is in a dict whenever it is asked for, as Python's views are.

    Attributes:
        table: the dict.
        kind: the type of Python's view.
        item: gives what is at a place.
        name: what Python calls it.
    """

    is_view = True

    def __init__(self, table: KeyTable, kind: type, item: Callable[[Any], Any]):
        self.table, self.kind, self.item = table, kind, item
        self.name = kind.__name__.removesuffix("View").lower()

    @property
    def is_seen(self) -> bool:
        """Whether all keys are known, so that Python can go through it."""
        return self.table.is_seen

    @property
    def length(self) -> Any:
        """How many there are, a symbolic int if only the run can tell."""
        return self.table.length

    def has_pair(self, pair: Any) -> Any:
        """Whether a key stands for something."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            return False
        place = self.table.find(pair[0])
        is_held = lambda: ops.eq_(self.item(place)[1], pair[1])
        return self.table.has_place(place, is_held, lambda: False)

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Any]:
        return self.table.each_known(self.item)

    def __reversed__(self) -> Iterator[Any]:
        return self.table.each_known(self.item, backwards=True)

    def _members(self, other: Any = None) -> Any:
        """What it holds, or something else, as a set."""
        return ops.call(set, self if other is None else other)

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        """What two sets are to each other, if both are such."""
        if not (self.is_set and (_is_set(other) or (isinstance(other, DictView) and other.is_set))):
            return NotImplemented
        return compare(self._members(), self._members(other))

    @property
    def is_set(self) -> bool:
        """Whether Python compares it as a set."""
        return self.kind is not ValuesView

    def _combined(self, other: Any, combine: Callable[[Any, Any], Any]) -> Any:
        """A new set, with anything that Python can go through."""
        return combine(self._members(), self._members(other)) if self.is_set else NotImplemented

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if isinstance(other, DictView) and self.kind is other.kind is ItemsView:
            return self.table == other.table
        return self._compared(other, lambda a, b: a == b)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ops.not_(same)

    __hash__ = None  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]

    def __le__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a <= b)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a >= b)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a < b)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a > b)

    def __and__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: a & b)

    def __or__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: a | b)

    def __xor__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: a ^ b)

    def __sub__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: b - a)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def isdisjoint(self, other: Any) -> Any:
        return self._members().isdisjoint(other)


def _is_set(other: Any) -> bool:
    return isinstance(other, Set) or (isinstance(other, KeyTable) and not other.is_ordered)
