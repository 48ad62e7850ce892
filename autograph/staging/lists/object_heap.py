"""The heap that the objects in a list of unknown length are kept in: `ObjectHeap`.

For each attribute there is a list of what it is of all objects of a class, so that an object is a
number, its *place* in these lists, wherever it is kept: two places are equal if, and only if, they
are of one object. While a function is recorded, such an object has a class of ours, which derives
from the user's and reads and writes attributes there.

The lists are ordinary lists of converted code, or of lists, or of objects in heaps; see
`autograph.staging.lists.pooled_tuples.pool_of`.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import optree

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.families import Family, members_of
from autograph.staging.ground.nested_lists import kind_of_element
from autograph.staging.ground.nesting import LEAF
from autograph.staging.ground.object_kinds import (
    EMPTY,
    LISTS,
    NONE,
    NUMBERS,
    OTHER,
    FixedTo,
    ListsOf,
    ListsOfTuples,
    NumberOf,
    ObjectsOf,
    OfAttribute,
    TupleOfNumbers,
    kept_as,
    lists_of,
    may_be_pooled,
)
from autograph.staging.ground.ownership import Recorded, slots_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsObjects, WidensAttribute
from autograph.staging.lists import class_families
from autograph.staging.lists.columns import bounds_of
from autograph.staging.lists.elements import PlacedObject
from autograph.staging.lists.given_arrays import meet_given_arrays, require_own
from autograph.staging.lists.heap import EmptyAttributes
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_numbers import Numbers, TypedNumbers, number_types, zero
from autograph.staging.lists.picked import picked_number
from autograph.staging.lists.placed_objects import (
    ObjectSeat,
    class_of,
    is_callers,
    object_at,
    plain_attributes,
    put_at,
    refuse,
    refuse_mixed,
    seat_of,
    with_attributes,
)
from autograph.staging.lists.pool_places import element_at, number_at, write_at
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.searched_objects import count_among, place_among
from autograph.staging.lists.searching import require_found
from autograph.staging.lists.unread_attributes import UnreadAttribute
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, ObjectOrNone, none_or
from autograph.staging.values.text import GraphText, TextKind
from ops.core.types import ArrayType

# -- of which kind attributes are ------------------------------------------------------------------


def kinds_of(value: Any) -> set[Any]:
    """Of which kinds the value of an attribute is."""
    if value is None:
        return {NONE}
    if isinstance(value, MaybeNone):
        return {NONE, *kinds_of(value.content)}
    if isinstance(value, Choice):
        return {kind for item in value.objects for kind in kinds_of(item)}
    if isinstance(value, PooledObjects):
        return {ListsOf(value.heap.made_of)}
    if isinstance(value, PooledList) and value.as_attribute is not None:
        return {value.as_attribute}
    if isinstance(value, TrackedList) and value.seen is None:
        if not list.__len__(value):
            return {EMPTY}
        found = lists_of(kind_of_element(list.__getitem__(value, 0)))
        if found is not None:
            return {found}
    kind = kind_of_element(value)
    if kind is not None:
        return {kind}
    if isinstance(value, (str, type, types.FunctionType, enum.Enum)):
        return {FixedTo(value)}
    if isinstance(value, (GraphArray, GraphText, bool, int, float, complex, np.generic, tuple)):
        if type(value) is tuple and all(len(number_types(part)) == 1 for part in value):
            return {TupleOfNumbers(tuple(number_types(part)[0] for part in value))}
        return {*map(NumberOf, number_types(value))} or {NUMBERS}
    return {OTHER}


def any_of(kinds: set[Any]) -> Any:
    """A value of one of some kinds."""
    for kind in kinds:
        if isinstance(kind, NumberOf):
            return zero(kind.type)
        if isinstance(kind, TupleOfNumbers):
            return tuple(map(zero, kind.types))
        if isinstance(kind, FixedTo):
            return kind.value
        if kind in (LISTS, EMPTY) or isinstance(kind, (ListsOf, ListsOfTuples)):
            return []
    return None


def kinds_of_rows(column: TrackedList) -> set[Any]:
    """The kind of an attribute that is kept as rows."""
    rows = column.rows
    assert rows is not None
    types_ = tuple(part.element for part in rows.columns)
    kind = getattr(rows.structure, "kind", None)
    if isinstance(kind, TextKind):
        return {FixedTo(text.format()) for text in kind.template}
    if rows.structure is not LEAF:
        return {TupleOfNumbers(types_)}
    return {NUMBERS} if types_[0].shape else {NumberOf(types_[0])}


class ObjectHeap(Recorded):
    """Objects of a class; see the module's text.

    Attributes:
        made_of: the class.
        order: as many numbers as there are objects.
        columns: for each attribute what it is of all objects; None of those that are the same.
        constants: what these are.
        numbers: of a family, for each object which of the classes it is of; None for one class.
        owners: of a family, the classes whose objects have an attribute.
    """

    def __init__(self, made_of: type) -> None:
        self.made_of = made_of
        self.numbers = TrackedList() if issubclass(made_of, Family) else None
        self.owners: dict[str, tuple[type, ...]] = {}
        self.order = TrackedList()
        self.columns: dict[str, Any] = {}
        self.constants: dict[str, Any] = {}

    def take(self) -> None:
        """Objects of the caller are in it: note of which kinds their attributes are.

        Raises:
            WidensAttribute: recordings have found others, for which there are no columns.
        """
        objects = recorder().nested.objects
        members = members_of(self.made_of)
        if len(members) > 1:
            objects.families.update(dict.fromkeys(members, self.made_of))
        objects.always.update(members)
        class_families.note_given({self.made_of, *members})
        empty = recorder().state(EmptyAttributes)
        for name, column in self.columns.items():
            found = self._kinds_in(name)
            if not found:
                continue
            if EMPTY in found and LISTS in found:
                empty[column.heap.site] = OfAttribute(self.made_of, name)
            more = objects.attributes.get(self.made_of, {}).get(name, set()) - found
            if more:
                raise WidensAttribute(self.made_of, name, more)
            objects.meet(self.made_of, name, found)
        for kind in members:
            with_attributes(kind, self.columns)

    def _kinds_in(self, name: str) -> set[Any]:
        """The kinds for which there is room in the column of an attribute; none if that is
        unread."""
        column = self.columns[name]
        match column:
            case None:
                return kinds_of(self.constants[name])
            case PooledObjects():
                return {ObjectsOf(column.heap.made_of), NONE}
            case PooledList():
                return column.kinds_of_rows()
            case Numbers():
                return {NONE, *kinds_of_rows(column.values)}
            case TypedNumbers():
                with_none = set() if column.present is None else {NONE}
                return {*map(NumberOf, column.kinds), *with_none}
            case TrackedList():
                return kinds_of_rows(column)
        return set()

    def fill(self, columns: dict[str, Any]) -> None:
        """Say which attributes there are."""
        self.columns.update(columns)
        names = [name for name, column in columns.items() if column is None]
        self.constants.update((name, _fixed(self.made_of, name)) for name in names)
        members, owners = members_of(self.made_of), recorder().nested.objects.owners
        for name in columns if len(members) > 1 else ():
            having = owners.get((self.made_of, name), set())
            if not having.issuperset(members):
                self.owners[name] = tuple(kind for kind in members if kind in having)
        for kind in members:
            with_attributes(kind, columns)

    def lacks(self, kind: type, name: str) -> bool:
        """Whether objects of a class do not have an attribute."""
        return name not in self.columns or kind not in self.owners.get(name, (kind,))

    def class_number(self, place: Any) -> Any:
        """Which of the classes of a family the object at a place is of."""
        assert self.numbers is not None
        return number_at(self.numbers, place)

    def at(self, place: Any) -> Any:
        """The object at a place that there is."""
        return object_at(ObjectSeat(self, place))

    def refer(self, item: Any) -> Any:
        """The place of an object, which is put into the heap if it is not there yet."""
        if isinstance(item, ObjectOrNone):
            item = item.checked()
        if isinstance(item, PlacedObject):
            seat = seat_of(item)
            if seat.owner is not self:
                refuse("objects of another class in a list of", self.made_of)
            return seat.place
        if type(item) not in members_of(self.made_of):
            refuse("other things in a list of", self.made_of)
        return self._take_in(item)

    def _take_in(self, item: Any) -> Any:
        """Keep an object from now on: its place."""
        frozen = recorder().frozen
        if is_callers(item):
            refuse("an object that is not made by the function in a list of", self.made_of)
        if frozen.is_element(item) or frozen.is_joined(item):
            learn_always(self.made_of)
        values = plain_attributes(item)
        for name, value in values.items():
            self._refuse_unread(name)
            self._refuse_array(name, value)
        kind = type(item)
        self._learn(values, kind)
        for name in self.columns:
            if name not in values and not self.lacks(kind, name):
                values[name] = self._by_default(name, kind)
        place = self.order.length
        self.order.append(place)
        if self.numbers is not None:
            members = members_of(self.made_of)
            if any(map(slots_of, members)):  # of which none can become of another class
                refuse_mixed("a new object, with __slots__, among", self.made_of)
            self.numbers.append(members.index(kind))
        put_at(item, ObjectSeat(self, place))
        for name, column in self.columns.items():
            if isinstance(column, PooledObjects):
                column.places.append(-1)  # objects may refer to each other
            elif column is not None and name not in values:
                self._append_any(name, column)
            elif column is not None:
                column.append(values[name])
        for name, column in self.columns.items():
            if isinstance(column, PooledObjects) and name in values:
                self.write(name, place, values[name])
        return place

    def _refuse_unread(self, name: str) -> None:
        column = self.columns.get(name)
        if isinstance(column, UnreadAttribute):
            column.refuse(self.made_of, name)

    def _type_of_arrays(self, name: str) -> ArrayType | None:
        """Of which type an attribute is that is an array."""
        column = self.columns.get(name)
        column = column.values if isinstance(column, Numbers) else column
        rows = column.rows if isinstance(column, TrackedList) else None
        found = None if rows is None else rows.columns[0].element
        return found if found is not None and found.shape else None

    @property
    def _is_given(self) -> bool:
        """Whether there are objects of the caller."""
        return class_families.is_given(self.made_of)

    def _refuse_array(self, name: str, value: Any) -> None:
        """Arrays of one column have one dtype: the others would become of another one. Those in
        objects of the caller are nowhere else."""
        found = self._type_of_arrays(name)
        value = value.content if isinstance(value, MaybeNone) else value
        is_array = isinstance(value, (GraphArray, np.ndarray)) and value.ndim
        if found is None or not is_array:
            return
        if found.dtype != value.dtype:
            refuse("arrays of several dtypes in an attribute of", self.made_of)
        if self._is_given:
            require_own(value)

    def _append_any(self, name: str, column: Any) -> None:
        """Let there be something in a column for an object that does not have the attribute."""
        if self._is_given:
            _append_first(column)
        elif not isinstance(column, UnreadAttribute):
            kinds = recorder().nested.objects.attributes[self.made_of][name]
            if NUMBERS in kinds and not kinds & {NONE}:
                refuse(f"an array '{name}', which others of them do not have, in", self.made_of)
            found = any_of(kinds)
            column.append(TrackedList() if type(found) is list else found)

    def _by_default(self, name: str, kind: type) -> Any:
        try:
            return getattr(kind, name)
        except AttributeError:
            raise UnsupportedFunctionError(
                f"an object of the class '{kind.__name__}' is put into a list before its "
                f"attribute '{name}' is assigned, and the length of the list is known only at "
                "run time",
                user_location(),
                id="AG0592",
                fix=f"assign '{name}' in __init__, for example None",
            ) from None

    def _learn(self, values: dict[str, Any], kind: type | None = None) -> None:
        """Note of which kinds attributes are.

        Args:
            kind: the class of the object, where that is known.

        Raises:
            NeedsObjects: that was not known when the heap was made.
        """
        is_new = learn(self.made_of if kind is None else kind, values)
        if is_new or not values.keys() <= self.columns.keys():
            raise NeedsObjects(user_location())

    def read(self, name: str, place: Any) -> Any:
        """An attribute of the object at a place."""
        self._refuse_unread(name)
        column = self.columns[name]
        if self._type_of_arrays(name) is not None and self._is_given:
            meet_given_arrays()
        if column is None:
            return self.constants[name]
        if isinstance(column, TrackedList):
            return element_at(column, place)
        if isinstance(column, (Numbers, TypedNumbers)):
            return column.element(place)
        return column._element(place)

    def write(self, name: str, place: Any, value: Any) -> None:
        """Another value of an attribute of the object at a place."""
        self._refuse_unread(name)
        self._refuse_array(name, value)
        self._learn({name: value})
        column = self.columns[name]
        if isinstance(column, TrackedList):
            write_at(column, place, value)
        elif isinstance(column, (Numbers, TypedNumbers)):
            column.replace(place, value)
        elif column is not None:
            column._replace(place, value)


def _append_first(column: Any) -> None:
    """Let something more be in a column in which there is something."""
    if isinstance(column, TrackedList):
        column.append(element_at(column, 0))
    elif isinstance(column, (Numbers, TypedNumbers)):
        column.append(column.element(0))
    elif isinstance(column, PooledList):
        for numbers in column._numbers:
            numbers.append(element_at(numbers, 0))


def learn(kind: type, values: dict[str, Any]) -> bool:
    """Note of which kinds attributes are of an object of a class; whether something is new."""
    objects = recorder().nested.objects
    is_new = False
    for name, value in values.items():
        if isinstance(value, MaybeUndefined):
            refuse(f"an attribute '{name}' that only some paths assign in", kind)
        is_new |= objects.meet(kind, name, kinds_of(value))
    return is_new


def learn_always(kind: type) -> None:
    """Objects of a class meet those in a heap, where they are none: another recording has all of
    them there.

    Raises:
        NeedsObjects: this one has some there.
    """
    nested = recorder().nested
    is_new = kind not in nested.objects.always
    nested.objects.always.add(kind)
    if nested.in_pools and is_new:
        raise NeedsObjects(user_location())


def _fixed(kind: type, name: str) -> Any:
    """An attribute that is the same for all objects of a class."""
    found = kept_as(recorder().nested.objects.attributes[kind][name])
    return next(iter(found)).value if found else None


class PooledObjects(PooledList):
    """A list of objects in a heap."""

    heap: Any

    def __init__(self, heap: ObjectHeap) -> None:
        self.places = TrackedList()
        self.heap = heap

    def _element(self, place: Any) -> Any:
        return self.heap.at(element_at(self.places, place))

    def _refer(self, value: Any) -> Any:
        if value is None or (isinstance(value, MaybeNone) and not self._is_here(value)):
            if self.places.site is None:  # it is one of the caller's
                refuse("None in a list of", self.heap.made_of)
            recorder().nested.objects.with_none.add(self.places.site)
            raise NeedsObjects(user_location())
        return self._placed(value)

    def _placed(self, value: Any) -> Any:
        """The place of an object, which is put into the heap if it is not there yet.

        Raises:
            NeedsObjects: it is something else; where the list is made others are made, too.
        """
        if isinstance(value, Choice):
            places = [self._refer(item) for item in value.objects]
            return picked_number(places, value.position)
        kinds = {*members_of(self.heap.made_of), self.heap.made_of}
        if not isinstance(value, ObjectOrNone) and class_of(value) not in kinds:
            site = self.places.site
            if may_be_pooled(class_of(value)):
                class_families.join_classes((class_of(value), self.heap.made_of))
            if site is not None:
                recorder().nested.meet(site, kind_of_element(value) or NUMBERS)
                raise NeedsObjects(user_location())
        return self.heap.refer(value)

    def index(self, value: Any, start: Any = 0, stop: Any = None) -> Any:
        return self._place_of(value, slice(start, stop), self.kind().index)

    def remove(self, value: Any) -> None:
        del self[self._place_of(value, slice(None), self.kind().remove)]

    def contains(self, value: Any) -> Any:
        """``value in self``."""
        return ops.less(place_among(self, value, 0, self.length), self.length)

    def count(self, value: Any) -> Any:
        return count_among(self, value)

    def _place_of(self, value: Any, places: slice, search: Callable) -> Any:
        start, stop = bounds_of(places, self.length)
        found = place_among(self, value, start, stop)
        require_found(found, stop, value, search)
        return ops.cast(found, dtype="int64", weak=True)

    @staticmethod
    def _is_here(value: Any) -> bool:
        present = value.present
        return isinstance(present, bool) and present

    def empty_like(self) -> PooledObjects:
        made = type(self)(self.heap)
        made.places.site = self.places.site
        return made

    def kept(self, row: Any) -> Any:
        return row

    def adopt(self, other: Any) -> None:
        pass


class PooledObjectsOrNone(PooledObjects):
    """A list of objects in a heap, and of None, whose place is -1."""

    def _element(self, place: Any) -> Any:
        found = element_at(self.places, place)
        if isinstance(found, int):
            return None if found < 0 else self.heap.at(found)
        present = ops.cast(ops.greater_equal(found, 0), dtype="bool", weak=True)
        return none_or(present, self.heap.at(found))

    def _refer(self, value: Any) -> Any:
        if value is None:
            return -1
        if isinstance(value, ObjectOrNone) and not self._is_here(value):
            place = self._placed(value.content)
            return ops.cast(ops.where(value.present, place, -1), dtype="int64", weak=True)
        return self._placed(value)


def _flattened(items: PooledObjects) -> tuple:
    """Not what is in the heap, which may refer to the list itself."""
    return (items.places,), items.heap


def _unflattened(kind: type) -> Callable:
    def make(heap: ObjectHeap, parts: Iterable[Any]) -> PooledObjects:
        made = kind(heap)
        (made.places,) = parts
        return made

    return make


for _kind in (PooledObjects, PooledObjectsOrNone):
    optree.register_pytree_node(
        _kind,
        _flattened,  # type: ignore[arg-type]
        _unflattened(_kind),
        namespace=optree.registry.__GLOBAL_NAMESPACE,
    )
