"""Lists that attributes of the caller's objects are: `ListsInObjects`; see
`autograph.staging.lists.given_objects`.

They are rows in heaps, as the lists in lists of lists are: one heap for all lists of objects of a
class, whose items are the places of these, and one for all lists of numbers of a kind. So a list
is the same one in whichever attributes of whichever objects it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from autograph.staging.ground.nested_lists import LISTS
from autograph.staging.ground.object_kinds import EMPTY, OTHER, ListsOf
from autograph.staging.lists.elements import kind_of_numbers
from autograph.staging.lists.given_rows import GivenHeap, PlacesOf, joined, places_column
from autograph.staging.lists.heap import Heap, row_at
from autograph.staging.lists.object_columns import PooledObjectLists, PooledObjectListsOrNone
from autograph.staging.lists.object_heap import ObjectHeap, PooledObjects, PooledObjectsOrNone


class ObjectsOfClass(Protocol):
    """What `autograph.staging.lists.given_objects.GivenObjectHeap` is for lists of its objects."""

    heap: ObjectHeap
    places: dict[int, int]

    def item(self, place: int) -> Any: ...


class GivenObjectRows(GivenHeap):
    """The lists of objects of a class.

    Args:
        objects: where these are.
        with_none: the classes of the objects beside which there may be None in lists; learns.
    """

    def __init__(self, objects: ObjectsOfClass, with_none: set[type]):
        super().__init__((), None)
        self.heap = Heap()
        self._objects = objects
        self._with_none = with_none
        self._given: list[PooledObjectLists] = []

    @property
    def form(self) -> Hashable:
        made_of = self._objects.heap.made_of
        return made_of, made_of in self._with_none

    def close(self) -> None:
        super().close()
        if any(item is None for row in self.rows for item in row):
            self._with_none.add(self._objects.heap.made_of)
        for lists in self._given:
            lists.made = self._empty()

    def _empty(self) -> PooledObjects:
        """A list of such objects, without elements."""
        objects = self._objects.heap
        return (PooledObjectsOrNone if objects.made_of in self._with_none else PooledObjects)(
            objects
        )

    def _pool(self, items: list) -> Any:
        return places_column(list(map(self._objects.places.__getitem__, map(id, items))))

    def _items(self, items: list) -> list:
        return list(map(self._objects.item, items))

    @property
    def _keeps_lengths(self) -> bool:
        return False

    def list_at(self, places: Any, with_none: bool = False) -> PooledObjectLists:
        made = (PooledObjectListsOrNone if with_none else PooledObjectLists)(self._empty())
        made.heap, made.places = self.heap, places
        self._given.append(made)
        return made

    def row_at(self, place: int) -> Any:
        made: Any = self._empty()
        made.places = row_at(self.heap, place)
        return made

    def at(self, places: Sequence[int]) -> list:
        return list(map(PlacesOf, self.lists_at(places)))


class ListsInObjects:
    """See the module's text.

    Args:
        with_none: the classes of the objects beside which there may be None in lists; learns.
    """

    def __init__(self, with_none: set[type]) -> None:
        self._with_none = with_none
        self._of_objects: dict[type, GivenObjectRows] = {}
        self._of_numbers: dict[Any, GivenHeap] = {}
        self._rows_of: dict[int, GivenHeap] = {}  # by the identity of a list
        self._stand_ins: dict[int, Any] = {}

    @property
    def heaps(self) -> list[GivenHeap]:
        """Where the lists are."""
        return [*self._of_objects.values(), *self._of_numbers.values()]

    @property
    def numbers_of_objects(self) -> list[tuple[int, ...]]:
        """How many objects there are in the lists of objects."""
        return [tuple(map(len, rows.rows)) for rows in self._of_objects.values()]

    def of_objects(self, objects: ObjectsOfClass) -> GivenObjectRows:
        """Where lists of objects of a class are."""
        kind = objects.heap.made_of
        if kind not in self._of_objects:
            self._of_objects[kind] = GivenObjectRows(objects, self._with_none)
        return self._of_objects[kind]

    def of_numbers(self, lists: Sequence[list], attribute: str) -> GivenHeap:
        """Where lists of numbers are that an attribute is, or lists without items so far.

        Args:
            attribute: a name that no other attribute has.
        """
        items = joined(lists)
        found = kind_of_numbers(items) if items else None
        known = self._of_numbers
        kind = attribute if found is None else tuple(found)
        if kind not in known:
            known[kind] = GivenHeap(() if found is None else kind, None)
            if found is None:
                known[kind].heap.site += attribute
        return known[kind]

    def take(self, rows: GivenHeap, lists: list[list]) -> list[int] | None:
        """The places of some lists, which are kept in a heap; None if one of them is in another."""
        known = self._rows_of
        if any(known.setdefault(id(one), rows) is not rows for one in lists):
            return None
        return rows.take(lists)

    @property
    def made(self) -> int:
        """How many lists the program has made that the caller gets."""
        return sum(rows.made for rows in self.heaps)

    def close(self) -> None:
        """All lists are there."""
        for rows in self.heaps:
            rows.close()

    def stand_in(self, value: list) -> Any:
        """What a list of these is for the program where it is an argument as well; None of
        others."""
        rows = self._rows_of.get(id(value))
        place = None if rows is None else rows.place_of(value)
        if rows is None or place is None:
            return None
        if id(value) not in self._stand_ins:
            self._stand_ins[id(value)] = rows.row_at(place)
        return self._stand_ins[id(value)]

    def all(self) -> Iterator[list]:
        """The caller's lists."""
        return itertools.chain.from_iterable(rows.rows for rows in self.heaps)

    def container(self, found: Heap) -> GivenHeap:
        """What delivers what is in a heap."""
        return next(rows for rows in self.heaps if rows.heap is found)


def kinds_of_lists(lists: Iterable[list], heaps: Any) -> set[Any]:
    """Of which kinds some lists are that an attribute is.

    Args:
        heaps: the classes of the objects that are in heaps.
    """
    items = joined(lists)
    classes = set(map(type, items))
    if not classes:
        return {EMPTY}
    objects = classes - {type(None)}
    if objects and all(kind in heaps for kind in objects):
        return set(map(ListsOf, objects))
    return {OTHER if kind_of_numbers(items) is None else LISTS}
