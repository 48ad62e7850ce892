"""Lists that attributes of the caller's objects are: `ListsInObjects`; see
`autograph.staging.lists.given_objects`.

They are rows in heaps, as the lists in lists of lists are: one heap for all lists of objects of a
class, whose items are the places of these, and one for all lists of numbers of a kind. So a list
is the same one in whichever attributes of whichever objects it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from autograph.kernels.native import gathering
from autograph.staging.ground.nesting import LEAF
from autograph.staging.ground.object_kinds import (
    EMPTY,
    LISTS,
    OTHER,
    ListsOf,
    ListsOfTuples,
    ObjectsOf,
    TuplesOf,
)
from autograph.staging.lists.elements import kind_of_numbers
from autograph.staging.lists.gathered import column_of, node_of_items
from autograph.staging.lists.given_rows import GivenHeap, PlacesOf, joined, places_column
from autograph.staging.lists.heap import GIVEN, Heap, row_at
from autograph.staging.lists.object_columns import PooledObjectLists, PooledObjectListsOrNone
from autograph.staging.lists.object_heap import ObjectHeap, PooledObjects, PooledObjectsOrNone


class ObjectsOfClass(Protocol):
    """What `autograph.staging.lists.given_objects.GivenObjectHeap` is for lists of its objects."""

    heap: ObjectHeap
    places: dict[int, int]

    def item(self, place: int) -> Any: ...


class TupleLists(Protocol):
    """What `autograph.staging.lists.given_tuples.GivenTupleLists` is beside lists of objects."""

    parts: Sequence[GivenHeap]
    lists: list[list]

    def stand_in(self, items: list) -> Any: ...

    def settle(self) -> None: ...


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

    @property
    def made_of(self) -> type:
        """The class of the objects, or their family."""
        return self._objects.heap.made_of

    @property
    def has_none(self) -> bool:
        """Whether there may be None in them."""
        return isinstance(self._empty(), PooledObjectsOrNone)

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

    Attributes:
        tuples: lists of tuples with objects in them, by the names of the attributes.
    """

    def __init__(self, with_none: set[type]) -> None:
        self._with_none = with_none
        self.tuples: dict[str, TupleLists] = {}
        self._of_objects: dict[type, GivenObjectRows] = {}
        self._of_numbers: dict[Any, GivenHeap] = {}
        self._rows_of: dict[int, GivenHeap] = {}  # by the identity of a list
        self._stand_ins: dict[int, Any] = {}

    @property
    def heaps(self) -> list[GivenHeap]:
        """Where the lists are."""
        items = (rows for lists in self.tuples.values() for rows in lists.parts)
        return [*self._of_objects.values(), *self._of_numbers.values(), *items]

    @property
    def numbers_of_objects(self) -> list[tuple[int, ...]]:
        """How many objects there are in the lists of objects."""
        found = [tuple(map(len, rows.rows)) for rows in self._of_objects.values()]
        return [*found, *(tuple(map(len, lists.lists)) for lists in self.tuples.values())]

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

    def may_be_tuples(self, lists: Iterable[list]) -> bool:
        """Whether some lists, of one attribute, are in no heap that is for others."""
        return not any(self._is_kept(one) for one in lists)

    def _is_kept(self, one: list) -> bool:
        made = self.tuples.values()
        return id(one) in self._rows_of or any(found.stand_in(one) is not None for found in made)

    def of_items(
        self,
        lists: Sequence[list],
        kind: ListsOfTuples,
        heaps: Mapping[type, ObjectsOfClass],
        attribute: str,
    ) -> list[GivenHeap]:
        """Where the items are of the tuples in lists that an attribute is, each in lists of it.

        Args:
            heaps: where the objects are, by their classes.
            attribute: a name that no other attribute has.
        """
        made: list[GivenHeap] = []
        columns = list(zip(*joined(lists))) or [()] * len(kind.tuples.parts)
        for number, (part, items) in enumerate(zip(kind.tuples.parts, columns)):
            if isinstance(part, ObjectsOf):
                made.append(GivenObjectRows(heaps[part.kind], self._with_none))
            else:
                found = kind_of_numbers(items) if items else None
                made.append(GivenHeap(() if found is None else tuple(found), None))
            made[-1].heap.site = f"{GIVEN}{attribute}[{number}]"
        return made

    def take(self, rows: GivenHeap, lists: list[list]) -> list[int] | None:
        """The places of some lists, which are kept in a heap; None if one of them is in another."""
        known = self._rows_of
        of_tuples = self.tuples.values()
        if any(found.stand_in(one) is not None for found in of_tuples for one in lists):
            return None
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
        if id(value) not in self._stand_ins:
            made = self._made_for(value)
            if made is None:
                return None
            self._stand_ins[id(value)] = made
        return self._stand_ins[id(value)]

    def _made_for(self, value: list) -> Any:
        for lists in self.tuples.values():
            found = lists.stand_in(value)
            if found is not None:
                return found
        rows = self._rows_of.get(id(value))
        place = None if rows is None else rows.place_of(value)
        return None if rows is None or place is None else rows.row_at(place)

    def settle(self) -> None:
        """Let all lists hold what the program has put into them."""
        for rows in self.heaps:
            rows.settle()
        for lists in self.tuples.values():
            lists.settle()

    def all(self) -> Iterator[list]:
        """The caller's lists."""
        tuples = (lists.lists for lists in self.tuples.values())
        return itertools.chain.from_iterable((*(rows.rows for rows in self.heaps), *tuples))

    def groups(self) -> dict[Hashable, gathering.ListGroup]:
        """How machine code finds the lists, by the identities of what they are in.

        Raises:
            NotGathered: it does not.
        """
        single = (*self._of_objects.values(), *self._of_numbers.values())
        found: dict[Hashable, gathering.ListGroup] = {
            id(rows): gathering.ListGroup(False, (_gathered(rows),)) for rows in single
        }
        for lists in self.tuples.values():
            found[id(lists)] = gathering.ListGroup(True, tuple(map(_gathered, lists.parts)))
        return found

    def container(self, found: Heap) -> GivenHeap:
        """What delivers what is in a heap."""
        return next(rows for rows in self.heaps if rows.heap is found)


def _gathered(rows: GivenHeap) -> gathering.ListPart:
    """How machine code finds the lists in a heap."""
    heap: Any = rows.heap
    if isinstance(rows, GivenObjectRows):
        column = column_of(heap.pool)
        item: gathering.Node = gathering.MemberValue(column, rows.made_of, rows.has_none)
    else:
        item = node_of_items(heap.pool)
    starts, lengths, rooms = map(column_of, (heap.starts, heap.lengths, heap.rooms))
    return gathering.ListPart(starts, lengths, rooms, item)


def kinds_of_lists(lists: Iterable[list], heaps: Any) -> set[Any]:
    """Of which kinds some lists are that an attribute is.

    Args:
        heaps: the classes of the objects that are in heaps.
    """
    items = joined(lists)
    classes = set(map(type, items))
    if not classes:
        return {EMPTY}
    tuples = kind_of_tuples(items, heaps) if classes == {tuple} else None
    if tuples is not None:
        return {ListsOfTuples(tuples)}
    objects = classes - {type(None)}
    if objects and all(kind in heaps for kind in objects):
        return set(map(ListsOf, objects))
    return {OTHER if kind_of_numbers(items) is None else LISTS}


def kind_of_tuples(items: Sequence[tuple], heaps: Container[type]) -> TuplesOf | None:
    """Of which kind some tuples are that have objects in them, beside numbers; None of others.

    Args:
        heaps: the classes of the objects that are in heaps.
    """
    if len(set(map(len, items))) > 1:
        return None
    parts: list[Any] = []
    for column in zip(*items):
        classes = set(map(type, column))
        objects = [kind for kind in classes - {type(None)} if kind in heaps]
        if objects and len(objects) == len(classes - {type(None)}):
            parts.append(ObjectsOf(objects[0]))
            continue
        numbers = kind_of_numbers(column)
        if numbers is None or numbers.structure is not LEAF:
            return None
        parts.append(None)
    return TuplesOf(tuple, tuple(parts)) if any(parts) else None
