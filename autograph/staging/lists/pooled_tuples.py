"""Lists of tuples that have lists of any lengths in them: `PooledTuples`.

For each item of a tuple there is a list of those of all elements: `TrackedList` of the numbers,
`autograph.staging.lists.pooled.PooledList` of the lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.staging.ground.nested_lists import site_of
from autograph.staging.ground.nesting import is_tuple, kind_of, make_tuple, parts_of
from autograph.staging.ground.object_kinds import (
    EMPTY,
    LISTS,
    ListsOf,
    ListsOfTuples,
    ObjectsOf,
    TuplesOf,
)
from autograph.staging.lists.heap import PooledRow, refuse, register
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.nested_pools import lists_at
from autograph.staging.lists.object_columns import PooledObjectLists, is_elsewhere, objects_at
from autograph.staging.lists.object_heap import PooledObjects
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
            part.empty_like() if isinstance(part, PooledList) else _new_like(part)
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

    @property
    def kind_of_items(self) -> TuplesOf:
        """Of which kind its elements are."""
        objects = (
            ObjectsOf(part.heap.made_of) if isinstance(part, PooledObjects) else None
            for part in self.parts
        )
        return TuplesOf(self.made_of, tuple(objects))

    def kinds_of_rows(self) -> set[Any]:
        return {self.kind_of_items}

    @property
    def as_attribute(self) -> ListsOfTuples | None:
        kind = self.kind_of_items
        return ListsOfTuples(kind) if any(kind.parts) else None

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


def _new_like(numbers: TrackedList) -> TrackedList:
    """A list without items, or a deque if it is one."""
    return TrackedList() if isinstance(numbers, PooledRow) else type(numbers)()


class PooledTupleLists(PooledTuples):
    """A list of lists of tuples with objects in them: the parts are lists of lists, of those of the
    items of the tuples."""

    def _element(self, place: Any) -> Any:
        lists: tuple[Any, ...] = self.parts
        return PooledTuples(self.made_of, [part._element(place) for part in lists])

    def kinds_of_rows(self) -> set[Any]:
        objects = (
            ObjectsOf(part.made.heap.made_of) if isinstance(part, PooledObjectLists) else None
            for part in self.parts
        )
        return {ListsOfTuples(TuplesOf(self.made_of, tuple(objects))), EMPTY}

    def _items(self, value: Any) -> tuple:
        """The lists of the items of the tuples in a list."""
        if (
            isinstance(value, PooledTuples)
            and value.made_of == self.made_of
            and len(value.parts) == len(self.parts)
        ):
            return value.parts
        if not isinstance(value, TrackedList) or value.seen is not None:
            refuse("other things than lists of tuples with objects in them in")
        if list.__len__(value) and is_elsewhere(value):
            refuse("a list that may be elsewhere as well in")
        made = PooledTuples(
            self.made_of,
            [
                part.made.empty_like() if isinstance(part, PooledObjectLists) else TrackedList()
                for part in self.parts
            ],
        )
        for item in list(value):
            made.append(item)
        value.lose()  # what is added to it is added to these
        return made.parts


register(PooledTuples)
register(PooledTupleLists)


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
    if isinstance(kind, ListsOfTuples):
        lists = [LISTS if inner is None else ListsOf(inner.kind) for inner in kind.tuples.parts]
        columns = [_empty(inner, site, f"{part}[{i}]", made) for i, inner in enumerate(lists)]
        return PooledTupleLists(kind.tuples.made_of, columns)
    if isinstance(kind, (ObjectsOf, ListsOf)):
        return objects_at(kind, site, made)
    found = lists_at(site_of(site, part)) if kind == LISTS else PooledArrays(ArrayHeap(kind))
    found.places = made()
    return found
