"""Lists of objects in heaps: where their heaps are, and what attributes are kept in; and lists of
such lists: `PooledObjectLists`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import ops
from autograph.source.tree.libraries import full_name
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.families import members_of
from autograph.staging.ground.object_kinds import (
    EMPTY,
    LISTS,
    NONE,
    NUMBERS,
    FixedTo,
    ListsOf,
    ObjectsOf,
    OfAttribute,
    TupleOfNumbers,
    are_told_apart,
    kept_as,
    number_types_in,
    objects_in,
)
from autograph.staging.ground.recorder import is_argument, recorder
from autograph.staging.ground.restarts import NeedsObjects
from autograph.staging.lists.elements import class_of
from autograph.staging.lists.heap import EmptyAttributes, Heap, refuse, register, row_at
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_heap import (
    ObjectHeap,
    PooledObjects,
    PooledObjectsOrNone,
    kinds_of,
)
from autograph.staging.lists.object_numbers import Numbers, TypedNumbers, zero
from autograph.staging.lists.placed_objects import PlacedObject, plain_attributes
from autograph.staging.lists.pool_places import number_at
from autograph.staging.lists.pooled import PooledList
from autograph.staging.values.maybe import MaybeUndefined, ObjectOrNone, none_or
from autograph.staging.values.promoted import in_order
from ops.control.constructs import Undefined


class PooledObjectLists(PooledList):
    """A list of lists of objects in a heap.

    Attributes:
        made: a list of objects without elements, as its elements are.
    """

    def __init__(self, made: PooledObjects) -> None:
        super().__init__(Heap())
        self.made = made

    def empty_like(self) -> PooledObjectLists:
        found = PooledObjectLists(self.made)
        found.heap = self.heap
        return found

    def kinds_of_rows(self) -> set[Any]:
        return {ListsOf(self.made.heap.made_of), EMPTY}

    def _element(self, place: Any) -> PooledObjects:
        found = self.made.empty_like()
        found.places = row_at(self.heap, number_at(self.places, place))
        return found

    def _refer(self, value: Any) -> Any:
        if isinstance(value, list):
            value = self._taken(value)
        if not isinstance(value, PooledObjects) or value.heap is not self.made.heap:
            refuse("other things than lists of objects of one class in")
        return self.heap.refer(value.places)

    def _taken(self, value: list) -> PooledObjects:
        """A list of Python's elements, which nobody sees any more where it was.

        Raises:
            NeedsObjects: another recording makes it as one of objects, where it is made.
        """
        if isinstance(value, TrackedList):
            if value.site is not None:
                recorder().nested.meet(value.site, ObjectsOf(self.made.heap.made_of))
                raise NeedsObjects(user_location())
            if is_argument(value):
                refuse("a list that is not made by the function in")
        if is_elsewhere(value):
            refuse("a list that may be elsewhere as well in")
        made = self.made.empty_like()
        for item in list(value):
            made.append(item)
        if isinstance(value, TrackedList):
            value.lose()
        return made


def is_elsewhere(value: list) -> bool:
    """Whether somebody may see what is in a list where it is now."""
    is_given = is_argument(value) or recorder().outside.shadows.is_shadow(value)
    return is_given or recorder().frozen.is_element(value)


class PooledObjectListsOrNone(PooledObjectLists):
    """A list of lists of objects in a heap, and of None, whose place is -1."""

    def kinds_of_rows(self) -> set[Any]:
        return {NONE, *super().kinds_of_rows()}

    def _element(self, place: Any) -> Any:
        found = number_at(self.places, place)
        if isinstance(found, int):
            return None if found < 0 else super()._element(place)
        present = ops.cast(ops.greater_equal(found, 0), dtype="bool", weak=True)
        return none_or(present, super()._element(place))

    def _refer(self, value: Any) -> Any:
        if value is None:
            return -1
        if isinstance(value, ObjectOrNone):
            place = super()._refer(value.content)
            return ops.cast(ops.where(value.present, place, -1), dtype="int64", weak=True)
        return super()._refer(value)


class _HeapsOf(dict[type, ObjectHeap]):
    """The heap that objects of each class are in."""


def share_object_heaps(
    make: Callable[[Any, Any], Any], given: Iterable[Any] = ()
) -> list[ObjectHeap]:
    """Make the heaps that objects are kept in, at the beginning of a recording: those that are
    made.

    Args:
        make: gives a list of elements of a kind that is made at a place of the program.
        given: the containers among the arguments, which may be heaps.

    Raises:
        WidensAttribute: see `ObjectHeap.take`.
    """
    nested = recorder().nested
    heaps = recorder().state(_HeapsOf)
    recorder().state(_Makers)[:] = [make]
    known = {heap.made_of: heap for heap in given if isinstance(heap, ObjectHeap)}
    nested.has_given |= bool(known)
    for heap in known.values():
        heap.take()
    if not nested.in_pools:
        return []
    for heap in list(known.values()):
        known.update(dict.fromkeys(members_of(heap.made_of), heap))
    others = {kind for kind in nested.classes() if known.keys().isdisjoint(members_of(kind))}
    heaps.update(known)
    made: dict[type, ObjectHeap] = {}
    for kind in sorted(others, key=full_name):
        made[kind] = ObjectHeap(kind)
        heaps.update(dict.fromkeys((kind, *members_of(kind)), made[kind]))
    for kind, heap in made.items():
        own = nested.objects.attributes.get(kind, {})
        heap.fill(
            {name: _column(OfAttribute(kind, name), found, make) for name, found in own.items()}
        )
    return list(made.values())


class _Makers(list[Callable[[Any, Any], Any]]):
    """What makes lists of elements of a kind, for heaps that are made later."""


@contextmanager
def own_objects() -> Iterator[None]:
    """Inside, objects are kept in heaps of their own, which nobody sees later: those of lanes."""
    makers, given = recorder().state(_Makers), recorder().given
    if not makers or not recorder().nested.classes():
        yield
        return
    count = len(given)
    with recorder().fresh(_HeapsOf):
        given.extend(share_object_heaps(makers[0]))
        try:
            yield
        finally:
            del given[count:]


def _column(site: OfAttribute, kinds: set[Any], make: Callable[[Any, Any], Any]) -> Any:
    """What an attribute is kept in, which is of some kinds; None if it is the same for all."""
    found = next(iter(kept_as(kinds)), None)
    if found is None or isinstance(found, FixedTo):
        return None
    if found == NUMBERS:
        types = in_order(number_types_in(kinds))
        if are_told_apart(kinds):
            return TypedNumbers(types, NONE in kinds)
        tuples = [kind.types for kind in kinds if isinstance(kind, TupleOfNumbers)]
        other: Any = zero(types[0]) if types else 0.0
        other = tuple(map(zero, tuples[0])) if tuples else other
        return Numbers(other) if NONE in kinds else TrackedList()
    if isinstance(found, ListsOf):
        made = objects_at(ObjectsOf(found.kind), site, TrackedList)
        assert isinstance(made, PooledObjects)
        return (PooledObjectListsOrNone if NONE in kinds else PooledObjectLists)(made)
    if isinstance(found, ObjectsOf):
        return objects_at(found, site, TrackedList, NONE in kinds)
    lists = make(LISTS if found == EMPTY else found, site)
    if found == EMPTY:
        recorder().state(EmptyAttributes)[lists.heap.site] = site
    return lists


def heap_of(kind: type) -> ObjectHeap:
    """Where objects of a class are kept."""
    return recorder().state(_HeapsOf)[kind]


def objects_at(
    kind: ObjectsOf | ListsOf,
    site: Any,
    made: Callable[[], TrackedList],
    with_none: bool = False,
) -> PooledObjects | PooledObjectLists:
    """A list of objects, or of lists of such, that is made at a place of the program."""
    with_none |= site in recorder().nested.objects.with_none
    found = (PooledObjectsOrNone if with_none else PooledObjects)(heap_of(kind.kind))
    found.places = made()
    found.places.site = site
    return PooledObjectLists(found) if isinstance(kind, ListsOf) else found


class _Made(list[Any]):
    """Objects that the function has made, which were in no heap then."""


_MOST = 2000  # of them that are looked at


def made_in_heap(item: Any) -> Any:
    """A new object, which is kept in the heap of its class if all of that class are."""
    kind, nested = class_of(item), recorder().nested
    found = recorder().state(_Made)
    if nested.in_pools and kind in nested.objects.always and kind in recorder().state(_HeapsOf):
        heap_of(kind).refer(item)
    elif len(found) < _MOST:
        found.append(item)
    return item


def learn_from_made() -> None:
    """Note of which kinds the attributes are of the objects that a recording has made which is
    given up, and which of their classes refer to themselves: their objects are nodes of lists,
    trees and graphs, of which only the run knows how many there are."""
    objects = recorder().nested.objects
    for item in recorder().state(_Made):
        if isinstance(item, PlacedObject):
            continue
        for name, value in plain_attributes(item).items():
            if not isinstance(value, (MaybeUndefined, Undefined)):
                objects.meet(type(item), name, kinds_of(value))
    refers = {
        kind: {one for kinds in own.values() for found in kinds for one in objects_in(found)}
        for kind, own in objects.attributes.items()
    }
    for kind, others in objects.links.items():
        refers.setdefault(kind, set()).update(others)
    for kind in refers:
        reached: set[type] = set()
        pending = [kind]
        while pending:
            for other in refers.get(pending.pop(), set()) - reached:
                reached.add(other)
                pending.append(other)
        if kind in reached:
            objects.always.add(kind)


for _kind in (Numbers, TypedNumbers, PooledObjectLists, PooledObjectListsOrNone):
    register(_kind)
