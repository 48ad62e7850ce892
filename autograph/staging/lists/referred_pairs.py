"""What dicts that hold lists give for ``list(d.items())``, in any order: `ReferredPairs`."""

from __future__ import annotations

from collections.abc import Callable, KeysView, ValuesView
from typing import Any

from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pooled import PooledList, refuse, register
from autograph.staging.lists.referred import ReferredLists
from autograph.staging.lists.referred_tables import ReferredTables


class ReferredPairs(PooledList):
    """A list of pairs of a key and a list, which are those of the dict.

    Attributes:
        keys: the first parts of the pairs.
        lists: the second ones.
    """

    def __init__(self, keys: TrackedList, lists: ReferredLists | ReferredTables) -> None:
        self.keys, self.lists = keys.copy(), lists._selected(lambda places: places)
        self.version = 0

    @property
    def _numbers(self) -> tuple[TrackedList, ...]:
        return self.keys, *self.lists._numbers

    def _element(self, place: Any) -> Any:
        return self.keys[place], self.lists[place]

    _leaving = _element

    def _selected(self, select: Callable[[TrackedList], Any]) -> ReferredPairs:
        made = ReferredPairs(self.keys, self.lists)
        for mine, numbers in zip(self._numbers, made._numbers):
            numbers.become_like(select(mine))
        return made

    def append(self, value: Any) -> None:
        refuse("adding pairs to a list of what a dict holds,")

    def __setitem__(self, index: Any, value: Any) -> None:
        self.append(value)


def list_of(view: Any) -> PooledList | None:
    """``list(view)`` of the lists that a dict holds, or of these and their keys; None if it is
    nothing of these."""
    is_open = isinstance(view, DictView) and not view.is_seen
    held = getattr(view.table, "held", None) if is_open else None
    if not isinstance(held, (ReferredLists, ReferredTables)) or view.kind is KeysView:
        return None
    return held.copy() if view.kind is ValuesView else ReferredPairs(view.table.order, held)


register(ReferredPairs)
