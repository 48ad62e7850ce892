"""Objects that a program gives, as callers have them: from the heaps these are in, where some are;
and of which of the caller's objects those are copies that are in none.

Where control flow joins, one variable may be one of several objects, each of which is made of its
attributes: what it is from then on is an object of its own, with those of the right one. As long as
nobody changes one of them that makes no difference in the function. Who gets it, by a result or in
something that the function changes, can tell it from the object that it ought to be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograph.errors import Location
from autograph.staging.border.delivered_lists import LaterItems, is_open
from autograph.staging.containers.containers import Contents, fill
from autograph.staging.containers.structure import ContainerOf
from autograph.staging.ground.families import members_of
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nesting import Structure
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists import objects_in_calls
from autograph.staging.lists.elements import RecordOf
from autograph.staging.lists.given_rows import PlacesOf
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_columns import PooledObjectLists
from autograph.staging.lists.object_heap import ObjectHeap, PooledObjects
from autograph.staging.lists.object_numbers import Numbers, TypedNumbers
from autograph.staging.lists.placed_objects import PlacedObject, refuse

OF_OBJECTS = (PlacedObject, ObjectHeap, PooledObjects, PooledObjectLists)


class Unfinished(list[tuple["KeptObjects", int, Any]]):
    """Objects that have no attributes yet: their heap, place, and the object."""

    def finish(self) -> None:
        """Give them their attributes, and so those that these are."""
        while self:
            heap, place, item = self.pop()
            heap.complete(item, place)


class KeptObjects:
    """The objects of a heap, each of which is made once, when it is asked for.

    Args:
        unfinished: gets those that are made.
    """

    made_of: type

    def __init__(self, unfinished: Unfinished):
        self._unfinished = unfinished
        self._made: dict[int, Any] = {}
        self._columns: dict[str, Any] = {}
        self._constants: dict[str, Any] = {}
        self._numbers: Any = None
        self._owners: dict[str, tuple[type, ...]] = {}
        self._count = 0

    def become(self, parts: dict[str, Any]) -> None:
        """Say what it consists of, as callers have it."""
        self.made_of = parts["made_of"]
        if is_open(parts["order"]):
            refuse("what a derivative or a saved graph gives of", self.made_of)
        self._columns, self._constants = parts["columns"], parts["constants"]
        self._numbers, self._owners = parts["numbers"], parts["owners"]
        self._count = len(parts["order"])

    def item(self, place: int) -> Any:
        """What is at a place; None where there is nothing."""
        if not 0 <= place < self._count:
            return None
        if place not in self._made:
            number = 0 if self._numbers is None else self._numbers[place]
            made: Any = object.__new__(members_of(self.made_of)[number])
            self._made[place] = made
            self._unfinished.append((self, place, made))
        return self._made[place]

    def complete(self, item: Any, place: int) -> None:
        """Give an object its attributes."""
        kind = type(item)
        own = {
            name: self._constants[name] if column is None else _at(column, place)
            for name, column in self._columns.items()
            if kind in self._owners.get(name, (kind,))
        }
        fill(item, Contents(((), *own), tuple(own.values())))


def _at(column: Any, place: int) -> Any:
    has_items = isinstance(column, (LaterItems, Numbers, TypedNumbers))
    return column.item(place) if has_items else column[place]


class LaterObjects(LaterItems):
    """A list of objects, or of lists of such, which are made when they are asked for.

    Args:
        heap: where the objects are.
        places: theirs in it, or lists of such.
    """

    def __init__(self, heap: KeptObjects, places: Sequence[Any], lists: dict[int, Any]):
        self.heap = heap
        self._places = places
        self._lists = lists

    def item(self, index: int) -> Any:
        """An element."""
        found = self._places[index]
        if found is None:
            return None
        if not isinstance(found, list):
            return self.heap.item(found)
        made = self._lists.get(id(found))
        if made is None:
            made = self._lists[id(found)] = [self.heap.item(place) for place in found], found
        return made[0]

    def all(self) -> Any:
        """The list of all."""
        items = map(self.item, range(len(self._places)))
        return deque(items) if isinstance(self._places, deque) else list(items)


class DeliveredObjects:
    """The objects in heaps that one call gives, of which those are made that are asked for.

    Args:
        containers: what is delivered so far, by number.
    """

    def __init__(self, containers: dict[int, Any]):
        self._containers = containers
        self._unfinished = Unfinished()
        self._lists: dict[int, Any] = {}  # those made, by the identity of that of their places
        self._within = 0  # what is still to be known of heaps of objects

    def made(self, structure: ContainerOf, part_of: Callable[[Any], Any]) -> Any:
        """What is made of objects, or of lists of such.

        Args:
            part_of: gives the next of its parts.
        """
        number, kind, keys, parts = structure
        is_heap = issubclass(kind, ObjectHeap)
        heap = KeptObjects(self._unfinished)
        if is_heap:  # to which its parts may refer
            self._containers[number] = heap
        has_more = is_heap or issubclass(kind, PooledObjectLists)
        self._within += has_more
        state = list(map(part_of, parts))
        self._within -= has_more
        named = dict(zip(keys[1:], state))
        if is_heap:
            heap.become(named)
            return heap
        if issubclass(kind, PlacedObject):
            made = state[0].item(state[1])
        elif isinstance(named["places"], PlacesOf):  # a list of the caller's
            made = named["places"].lists
        else:
            later = self._later(kind, named)
            made = later if self._within else later.all()
        if not self._within:
            self._unfinished.finish()
        self._containers[number] = made
        return made

    def _later(self, kind: type, parts: dict[str, Any]) -> LaterObjects:
        """A list of objects, or of lists of such, of which it is known what it consists of."""
        places = parts["places"]
        if is_open(places):
            refuse("what a derivative or a saved graph gives of", parts["heap"].made_of)
        if issubclass(kind, PooledObjectLists):
            numbers = list(places)
            found = iter(parts["heap"].at([number for number in numbers if number >= 0]))
            rows = [next(found) if number >= 0 else None for number in numbers]
            return LaterObjects(parts["made"].heap, rows, self._lists)
        return LaterObjects(parts["heap"], places, self._lists)


def copied_kinds(made: Iterable[Any], given: Iterable[Any]) -> dict[type, Location | None]:
    """The classes of objects of which there are copies, of those that may be in heaps. With each
    where one became the same as another of the caller's; None if it may only be one of these, or
    what the function has made in its place, as in ``model = model.moved(step)``.

    Args:
        made: the containers that callers get as new ones.
        given: those that they have.
    """
    frozen = recorder().frozen
    older = [item for item in given if objects_in_calls.may_be_kept(type(item))]
    may_be_older = frozen.that_may_be(older)
    groups = ByIdentity()  # what each may be, which those in a group share

    def site(item: Any) -> Location | None:
        if item not in groups:
            group = frozen.that_may_be([item])
            groups.update((one, group) for one in (item, *group))
        which = [one for one in older if one is item or one in groups[item]]
        is_one = any(one is item for one in which)
        return frozen.site(item) if is_one or len(which) > 1 else None

    elements = {
        type(item): site(item) for item in (*older, *may_be_older) if frozen.is_element(item)
    }
    found: dict[type, Location | None] = {}
    for item in made:
        if isinstance(item, TrackedList):
            if item.rows is not None:
                kinds = set(_records_in(item.rows.structure))
                found.update({kind: where for kind, where in elements.items() if kind in kinds})
        elif item in may_be_older:
            found[type(item)] = site(item)
    return found


def _records_in(structure: Structure) -> Iterator[type]:
    if isinstance(structure, RecordOf):
        yield structure.kind
    for part in getattr(structure, "parts", ()):
        yield from _records_in(part)
