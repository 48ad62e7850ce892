"""Lists of tuples that have lists of any lengths in them: `PooledTuples`.

For each item of a tuple there is a list of those of all elements: `TrackedList` of the numbers,
`autograph.staging.lists.pooled.PooledList` of the lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.staging.ground.nested_lists import LISTS, TuplesOf, site_of
from autograph.staging.ground.nesting import is_tuple, kind_of, make_tuple, parts_of
from autograph.staging.ground.object_kinds import ListsOf, ObjectsOf
from autograph.staging.lists.heap import refuse, register
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.nested_pools import lists_at
from autograph.staging.lists.object_columns import objects_at
from autograph.staging.lists.pool_places import write_at
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_arrays import ArrayHeap, PooledArrays


class PooledTuples(PooledList):
    """A list of tuples; see the module's text.

    Attributes:
        made_of: the class of the tuples.
        parts: for each item, the list of those of all elements.
    """

    def __init__(self, made_of: Any, parts: Iterable[TrackedList | PooledList]) -> None:
        self.made_of = made_of
        self.parts = tuple(parts)

    @property
    def _numbers(self) -> tuple[TrackedList, ...]:
        return tuple(
            numbers
            for part in self.parts
            for numbers in (part._numbers if isinstance(part, PooledList) else (part,))
        )

    def _element(self, place: Any) -> Any:
        return make_tuple(self.made_of, [part[place] for part in self.parts])

    def empty_like(self) -> PooledTuples:
        parts = (
            part.empty_like() if isinstance(part, PooledList) else type(part)()
            for part in self.parts
        )
        return type(self)(self.made_of, parts)

    def adopt(self, other: Any) -> None:
        if isinstance(other, PooledTuples):
            for mine, part in zip(self.parts, other.parts):
                if isinstance(mine, PooledList):
                    mine.adopt(part)

    def _items(self, value: Any) -> tuple:
        """The items of a tuple that is to be an element."""
        items = parts_of(value) if is_tuple(value) else ()
        if len(items) != len(self.parts) or kind_of(value) != self.made_of:
            refuse("other things than tuples of one kind in")
        return items

    def append(self, value: Any) -> None:
        for part, item in zip(self.parts, self._items(value)):
            part.append(item)

    def insert(self, index: Any, value: Any) -> None:
        for part, item in zip(self.parts, self._items(value)):
            part.insert(index, item)

    def _replace(self, place: Any, value: Any) -> None:
        for part, item in zip(self.parts, self._items(value)):
            if isinstance(part, PooledList):
                part._replace(place, item)
            else:
                write_at(part, place, item)


register(PooledTuples)


def pool_of(
    kind: Any, site: Any, items: Iterable[Any] = (), made: type[TrackedList] = TrackedList
) -> Any:
    """A list of some elements.

    Args:
        kind: of which these are, as `autograph.staging.ground.nested_lists.NestedLists` tells.
        site: where the program makes the list.
        items: the elements.
        made: what makes lists of numbers, of which the result is one of lists: a list or a deque.
    """
    found = _empty(kind, site, "", made)
    for item in items:
        found.append(item)
    return found


def _empty(kind: Any, site: Any, part: str, made: type[TrackedList]) -> Any:
    if kind is None:
        return made()
    if isinstance(kind, TuplesOf):
        parts = enumerate(kind.parts)
        columns = [_empty(inner, site, f"{part}[{i}]", made) for i, inner in parts]
        return PooledTuples(kind.made_of, columns)
    if isinstance(kind, (ObjectsOf, ListsOf)):
        return objects_at(kind, site, made)
    found = lists_at(site_of(site, part)) if kind == LISTS else PooledArrays(ArrayHeap(kind))
    found.places = made()
    return found
