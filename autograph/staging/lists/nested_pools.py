"""Lists of lists of lists, of any lengths: `NestedPool`.

The places of a list of lists are a list of numbers, and so may be in a heap themselves. A list of
such is one of the places of these in that heap, and all of them share the heap of their elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.heap import Heap, heap_at, refuse, register, row_at
from autograph.staging.lists.pool_places import number_at
from autograph.staging.lists.pooled import PooledList


class NestedPool(PooledList):
    """A list of lists of lists, or of deeper ones; see the module's text.

    Attributes:
        inner: the heaps of what is in its elements, of what is in these, and so on.
    """

    def __init__(self, heap: Heap, inner: Sequence[Heap]) -> None:
        super().__init__(heap)
        self.inner = tuple(inner)

    def empty_like(self) -> NestedPool:
        return NestedPool(self.heap, self.inner)

    @property
    def heaps(self) -> list[Heap]:
        return [self.heap, *self.inner]

    def _element(self, place: Any) -> PooledList:
        made = _made_in(self.inner)
        made.places = row_at(self.heap, number_at(self.places, place))
        return made

    def _refer(self, value: Any) -> Any:
        if not isinstance(value, PooledList) or len(value.heaps) != len(self.inner):
            refuse("other things than lists of lists in")
        for mine, other in zip(self.inner, value.heaps):
            if mine is not other:
                recorder().nested.unite(mine.site, other.site)
                refuse("an element of another list of lists in")
        return self.heap.refer(value.places)


register(NestedPool)


def lists_at(site: str) -> PooledList:
    """A list of lists, or of deeper ones, that is made at a place of the program."""
    depth = recorder().nested.depths.get(site, 1)
    return _made_in([heap_at(f"{site}/{level}" if level else site) for level in range(depth)])


def _made_in(heaps: Sequence[Heap]) -> PooledList:
    """A list of lists, or of deeper ones, without elements."""
    return PooledList(heaps[0]) if len(heaps) == 1 else NestedPool(heaps[0], heaps[1:])
