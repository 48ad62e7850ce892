"""What dicts that hold lists give for ``list(d.items())``, in any order: `ReferredPairs`."""

from __future__ import annotations

from collections.abc import KeysView, ValuesView
from typing import Any

from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.heap import refuse, register
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import PooledTuples


class ReferredPairs(PooledTuples):
    """A list of pairs of a key and what it stands for, which are those of the dict: no two of the
    keys are equal."""

    @property
    def keys(self) -> TrackedList | PooledList:
        """The first parts of the pairs."""
        return self.parts[0]

    def _items(self, value: Any) -> tuple:
        refuse("adding pairs to a list of what a dict holds,")


def list_of(view: Any) -> PooledList | None:
    """``list(view)`` of the lists that a dict holds, or of these and their keys; None if it is
    nothing of these."""
    is_open = isinstance(view, DictView) and not view.is_seen
    held = getattr(view.table, "held", None) if is_open else None
    if not isinstance(held, PooledList) or view.kind is KeysView:
        return None
    if view.kind is ValuesView:
        return held.copy()
    return ReferredPairs(tuple, (view.table.order.copy(), held.copy()))


register(ReferredPairs)
