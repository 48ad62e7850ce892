"""What an attribute is of all objects of a call that are in one heap: `Attribute`; see
`autograph.staging.lists.given_objects`.

It is kept in what `autograph.staging.lists.object_columns` makes for objects of the function's own,
whose parts are arrays here. What there is none for, such as dicts, is no part of the heap: a
program that reads it is refused, another one is not.
"""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.kernels.native import gathering
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
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
    TupleOfNumbers,
    TuplesOf,
    are_told_apart,
    kept_as,
    number_types_in,
    objects_in,
)
from autograph.staging.lists import elements
from autograph.staging.lists.elements import kind_of_numbers
from autograph.staging.lists.gathered import (
    NotGathered,
    column_of,
    member_of,
    node_of_items,
    node_of_typed,
)
from autograph.staging.lists.given_object_lists import (
    GivenObjectRows,
    ListsInObjects,
    kind_of_tuples,
    kinds_of_lists,
)
from autograph.staging.lists.given_rows import (
    GivenColumns,
    GivenHeap,
    is_same_value,
    places_column,
)
from autograph.staging.lists.given_tuples import GivenTupleLists
from autograph.staging.lists.object_columns import PooledObjectListsOrNone
from autograph.staging.lists.object_heap import PooledObjects, PooledObjectsOrNone
from autograph.staging.lists.object_numbers import Numbers, TypedNumbers, zero
from autograph.staging.lists.pooled_tuples import PooledTuples
from autograph.staging.lists.unread_attributes import UnreadAttribute
from autograph.staging.values.promoted import Promoted, in_order
from autograph.staging.values.templates import MOST_TEMPLATES, escaped
from autograph.staging.values.text import TextKind
from ops.core.types import ArrayType, weak

_MOST_NAMES = 3  # of some objects, each of which is another text


class Absent:
    """What an attribute is of an object that does not have it."""


ABSENT = Absent()


class Attribute:
    """See the module's text.

    Args:
        before: what it is of each object.

    Attributes:
        column: what the heap has; None of an attribute that is the same for all objects.
        constant: what that is.
    """

    constant: Any = None

    def __init__(self, before: Sequence[Any]):
        self.before = before
        self.column: Any = None

    @property
    def form(self) -> Hashable:
        """What the program is given of it besides arrays."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        """What the column consists of."""
        return ()

    def values(self) -> Sequence[Any]:
        """What it is of the objects at all places, once the program has run: also of those that it
        has made."""
        return ()

    def node(self) -> gathering.Node:
        """How machine code finds it, see `autograph.staging.lists.gathered`.

        Raises:
            NotGathered: it does not.
        """
        raise NotGathered

    def changed(self) -> Iterator[tuple[int, Any]]:
        """The places of the objects of which the program has changed it, and what it is there."""
        if any(part.is_written for part in self.parts):
            for place, (before, value) in enumerate(zip(self.before, self.values())):
                if not is_same_value(before, value):
                    yield place, value


class _Same(Attribute):
    """One that is the same for all objects."""

    def __init__(self, before: Sequence[Any]):
        super().__init__(before)
        self.constant = before[0]

    @property
    def form(self) -> Hashable:
        """The constant itself: who compares forms keeps it, so that no other has its identity."""
        is_text = type(self.constant) is str
        return "same", is_text, self.constant if is_text else id(self.constant)

    def node(self) -> gathering.Node:
        return gathering.OneValue(self.constant)


class _Unread(Attribute):
    """One that the program can't read."""

    def __init__(self, before: Sequence[Any], why: str):
        super().__init__(before)
        self.column = UnreadAttribute(why)

    @property
    def form(self) -> Hashable:
        return "unread", self.column.why

    def node(self) -> gathering.Node:
        return gathering.AnyValue()


class _Rows(Attribute):
    """Numbers, tuples of numbers, or arrays of one shape; or None.

    Args:
        other: what stands for None; None where there is none.
        structure, types: of the numbers.
        as_parts: gives the columns for these.
    """

    def __init__(
        self,
        before: Sequence[Any],
        structure: Structure,
        types: Sequence[ArrayType],
        as_parts: Callable[[Sequence[Any]], Iterable[Any]],
        other: Any,
    ):
        super().__init__(before)
        filled = before if other is None else [other if v is None else v for v in before]
        self._rows = GivenColumns(structure, types, as_parts(filled))
        self.column = self._rows
        if other is not None:
            self.column = Numbers(other)
            self.column.present, self.column.values = _flags(before), self._rows

    @property
    def form(self) -> Hashable:
        return "rows", self.column is self._rows, self._rows.keys

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        return (self._rows,) if self.column is self._rows else (self.column.present, self._rows)

    def node(self) -> gathering.Node:
        own = node_of_items(self._rows)
        if self.column is self._rows:
            return own
        return gathering.MaybeValue(column_of(self.column.present), own)

    def values(self) -> Sequence[Any]:
        values = [v.copy() if isinstance(v, np.ndarray) else v for v in self._rows.items]
        return values if self.column is self._rows else _or_none(self.column.present, values)


class _Typed(Attribute):
    """Numbers of several types, or None."""

    def __init__(self, before: Sequence[Any], kinds: tuple[ArrayType, ...], with_none: bool):
        super().__init__(before)
        promoted = self._promoted = Promoted(kinds)
        types_ = (weak(int), *promoted.apart, promoted.type)
        self.column = TypedNumbers(kinds, with_none)
        if with_none:
            self.column.present = _flags(before)
        filled: list[Any] = [zero(kinds[0]) if value is None else value for value in before]
        own = [number_type(value.__class__) for value in filled]
        columns: list[Any] = [[kinds.index(kind) for kind in own]]
        for one in promoted.apart:
            columns.append([v if k == one else zero(one) for v, k in zip(filled, own)])
        columns.append(np.array(filled, promoted.type.dtype))
        self.column.parts = GivenColumns(TupleOf(tuple, (LEAF,) * len(types_)), types_, columns)

    @property
    def form(self) -> Hashable:
        return "typed", self.column.kinds, self.column.present is None

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        present = () if self.column.present is None else (self.column.present,)
        return *present, self.column.parts

    def node(self) -> gathering.Node:
        own = node_of_typed(self.column.parts, self.column.kinds, self._promoted.apart)
        if self.column.present is None:
            return own
        return gathering.MaybeValue(column_of(self.column.present), own)

    def values(self) -> Sequence[Any]:
        values = [self._promoted(*parts) for parts in self.column.parts.items]
        present = self.column.present
        return values if present is None else _or_none(present, values)


class _Objects(Attribute):
    """Other objects, or None."""

    def __init__(self, before: Sequence[Any], heap: Any, with_none: bool = True):
        super().__init__(before)
        self._heap = heap
        self.column: Any = (PooledObjectsOrNone if with_none else PooledObjects)(heap.heap)
        places: Any = places_column(list(map(heap.places.__getitem__, map(id, before))))
        self.column.places = places

    @property
    def form(self) -> Hashable:
        return "objects", type(self.column), self._heap.made_of

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        return (self.column.places,)

    def node(self) -> gathering.Node:
        return member_of(self.column)

    def values(self) -> Sequence[Any]:
        return list(map(self._heap.item, self.column.places.items))


class _Lists(Attribute):
    """Lists, or None."""

    def __init__(self, before: Sequence[Any], rows: GivenHeap, places: Iterable[int]):
        super().__init__(before)
        self._rows = rows
        found = iter(places)
        column = places_column([-1 if value is None else next(found) for value in before])
        if isinstance(rows, GivenObjectRows):
            self.column = rows.list_at(column, with_none=any(v is None for v in before))
        else:
            self.column = rows.list_at(column)

    @property
    def form(self) -> Hashable:
        return "lists", type(self.column), self._rows.form

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        return (self.column.places,)

    def node(self) -> gathering.Node:
        with_none = isinstance(self.column, PooledObjectListsOrNone)
        return gathering.ListValue(id(self._rows), with_none, (column_of(self.column.places),))

    def values(self) -> Sequence[Any]:
        places = self.column.places.items
        found = iter(self._rows.lists_at([place for place in places if place >= 0]))
        return [None if place < 0 else next(found) for place in places]


class _Tuples(Attribute):
    """Tuples with other objects in them, beside numbers."""

    def __init__(self, before: Sequence[Any], kind: TuplesOf, heaps: Mapping[type, Any]):
        super().__init__(before)
        self._items: list[Attribute] = []
        for part, items in zip(kind.parts, zip(*before)):
            if part is None:
                own: Any = kind_of_numbers(items)
                self._items.append(_Rows(items, LEAF, own.types, lambda rows: (rows,), None))
            else:
                has_none = any(item is None for item in items)
                self._items.append(_Objects(items, heaps[part.kind], has_none))
        self._made_of = kind.made_of
        self.column = PooledTuples(kind.made_of, [item.column for item in self._items])

    @property
    def form(self) -> Hashable:
        return "tuples", self._made_of, tuple([item.form for item in self._items])

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        return tuple(part for item in self._items for part in item.parts)

    def node(self) -> gathering.Node:
        return gathering.TupleValue(tuple([item.node() for item in self._items]))

    def values(self) -> Sequence[Any]:
        return list(zip(*(item.values() for item in self._items)))


class _TupleLists(Attribute):
    """Lists of such tuples."""

    def __init__(self, before: Sequence[Any], lists: GivenTupleLists):
        super().__init__(before)
        self._lists = lists
        self.column = lists.list_at(lists.take(before))

    @property
    def form(self) -> Hashable:
        return "lists of tuples", tuple([rows.form for rows in self._lists.parts])

    @property
    def parts(self) -> tuple[GivenColumns, ...]:
        return tuple(part.places for part in self.column.parts)

    def node(self) -> gathering.Node:
        return gathering.ListValue(id(self._lists), False, tuple(map(column_of, self.parts)))

    def values(self) -> Sequence[Any]:
        return self._lists.at(self.parts[0].items)


def _or_none(present: GivenColumns, values: Sequence[Any]) -> list[Any]:
    return [value if flag else None for flag, value in zip(present.items, values)]


def _flags(values: Sequence[Any]) -> Any:
    """Whether each is not None."""
    return GivenColumns(LEAF, (weak(bool),), ([value is not None for value in values],))


@functools.cache
def number_type(kind: type) -> ArrayType | None:
    """The type of the numbers of a class; None if that is of no numbers."""
    if kind in elements.NUMBERS:
        return elements.NUMBERS[kind]
    if issubclass(kind, np.generic) and kind.__module__ == "numpy":
        found = np.dtype(kind)
        return ArrayType(found, ()) if found.kind in "biufc" else None
    return None


def kinds_of(values: Sequence[Any], classes: Iterable[type], heaps: Container[type]) -> set[Any]:
    """Of which kinds the values of an attribute are.

    Args:
        classes: theirs.
        heaps: the classes of the objects that are in heaps.
    """
    found: set[Any] = set()
    for kind in classes:
        number = number_type(kind)
        if kind is type(None):
            found.add(NONE)
        elif number is not None:
            found.add(NumberOf(number))
        elif kind in heaps:
            found.add(ObjectsOf(kind))
        else:
            own = [value for value in values if type(value) is kind]
            found |= _kinds_of_class(kind, own, heaps)
    return found


def _kinds_of_class(kind: type, values: Sequence[Any], heaps: Container[type]) -> set[Any]:
    """The same, of values of one class that are no plain numbers."""
    if kind is Absent:
        return {ABSENT}
    if kind is list:
        return kinds_of_lists(values, heaps)
    if kind is tuple and (with_objects := kind_of_tuples(values, heaps)) is not None:
        return {with_objects}
    if kind is tuple:
        classes = {tuple(map(type, value)) for value in values}
        numbers = [found for part in next(iter(classes)) if (found := number_type(part))]
        is_alike = len(classes) == 1 and numbers and len(numbers) == len(values[0])
        return {TupleOfNumbers(tuple(numbers))} if is_alike else {OTHER}
    if kind is np.ndarray:
        shapes = {(value.shape, value.dtype) for value in values}
        first = values[0]  # not of shape (), which would be read as a number
        is_alike = len(shapes) == 1 and first.ndim and first.dtype.kind in "biufc"
        return {NUMBERS} if is_alike and first.dtype.isnative else {OTHER}
    if kind is str:
        texts = set(values)
        is_name = len(texts) == len(values) > _MOST_NAMES  # others for other objects
        return {OTHER} if is_name or len(texts) > MOST_TEMPLATES else set(map(FixedTo, texts))
    is_fixed = issubclass(kind, (types.FunctionType, type, enum.Enum))
    if is_fixed and all(value is values[0] or value == values[0] for value in values):
        return {FixedTo(values[0])}
    return {OTHER}


def attribute_of(
    values: Sequence[Any],
    kinds: set[Any],
    heaps: Mapping[type, Any],
    lists: ListsInObjects,
    name: str,
) -> Attribute:
    """An attribute of all objects of a class.

    Args:
        values: what it is of each.
        kinds: of which kinds it is, and may become.
        heaps: what objects are in, by their classes.
        lists: what lists are in.
        name: of the attribute and its class.
    """
    if ABSENT in kinds:
        return _Unread(values, "only some of the objects have")
    kept = kept_as(kinds)
    fixed = [kind for kind in kinds if isinstance(kind, FixedTo)]
    texts = sorted(kind.value for kind in fixed if isinstance(kind.value, str))
    if len(kinds) == len(texts) > 1 and len(texts) <= MOST_TEMPLATES:
        return _of_texts(values, texts)
    if OTHER in kept or len(kept) > 1 or (fixed and kinds != {*fixed[:1]}):
        return _Unread(values, "is of several kinds, or of one that no array holds")
    found = next(iter(kept), None)
    if found is None or isinstance(found, FixedTo):
        return _Same(values)
    if isinstance(found, ObjectsOf):
        if found.kind not in heaps:
            return _Same(values)  # None
        return _Objects(values, heaps[found.kind])
    if isinstance(found, TuplesOf):
        return _of_tuples(values, found, heaps)
    if isinstance(found, ListsOfTuples):
        return _of_tuple_lists(values, found, heaps, lists, name)
    if isinstance(found, ListsOf) or found in (LISTS, EMPTY):
        return _of_lists(values, found, heaps, lists, name)
    types_ = in_order(number_types_in(kinds))
    with_none = NONE in kinds
    try:
        return _of_numbers(values, kinds, types_, with_none)
    except OverflowError:  # an int beyond 64 bits
        return _Unread(values, "is an int beyond 64 bits in some objects")


def _of_lists(
    values: Sequence[Any], kind: Any, heaps: Mapping[type, Any], lists: ListsInObjects, name: str
) -> Attribute:
    own = [value for value in values if value is not None]
    if isinstance(kind, ListsOf):
        if kind.kind not in heaps:
            return _Unread(values, "is a list of objects of which there are none yet")
        rows: GivenHeap = lists.of_objects(heaps[kind.kind])
    elif len(own) < len(values):
        return _Unread(values, "is a list of numbers in some objects, and None in others")
    else:
        rows = lists.of_numbers(own, name)
    places = lists.take(rows, own)
    if places is None:
        return _Unread(values, "is a list that another attribute is, too")
    return _Lists(values, rows, places)


def _of_tuples(values: Sequence[Any], kind: TuplesOf, heaps: Mapping[type, Any]) -> Attribute:
    are_there = all(one in heaps for one in objects_in(kind))
    if not are_there or any(type(value) is not tuple for value in values):
        return _Unread(values, "is a tuple of objects of which there are none yet")
    return _Tuples(values, kind, heaps)


def _of_tuple_lists(
    values: Sequence[Any],
    kind: ListsOfTuples,
    heaps: Mapping[type, Any],
    lists: ListsInObjects,
    name: str,
) -> Attribute:
    if not all(one in heaps for one in objects_in(kind)):
        return _Unread(values, "is a list of tuples of objects of which there are none yet")
    if not all(type(value) is list for value in values):
        return _Unread(values, "is a list of tuples in some objects, and something else in others")
    if not lists.may_be_tuples(values):
        return _Unread(values, "is a list that another attribute is, too")
    rows = lists.of_items(values, kind, heaps, name)
    lists.tuples[name] = made = GivenTupleLists(rows)
    return _TupleLists(values, made)


def _of_texts(values: Sequence[Any], texts: Sequence[str]) -> Attribute:
    types_ = (weak(int),)
    structure = TupleOf(TextKind(tuple(map(escaped, texts)), types_), (LEAF,))
    place = {text: number for number, text in enumerate(texts)}
    return _Rows(values, structure, types_, lambda rows: (list(map(place.get, rows)),), None)


def _of_numbers(
    values: Sequence[Any], kinds: set[Any], types_: tuple[ArrayType, ...], with_none: bool
) -> Attribute:
    if are_told_apart(kinds):
        return _Typed(values, types_, with_none)
    tuples = [kind.types for kind in kinds if isinstance(kind, TupleOfNumbers)]
    if tuples and not types_ and len(tuples) == 1 and NUMBERS not in kinds:
        other: Any = tuple(map(zero, tuples[0])) if with_none else None
        structure = TupleOf(tuple, (LEAF,) * len(tuples[0]))
        return _Rows(values, structure, tuples[0], lambda rows: zip(*rows), other)
    if len(types_) == 1 and not tuples and NUMBERS not in kinds:
        other = zero(types_[0]) if with_none else None
        return _Rows(values, LEAF, types_, lambda rows: (rows,), other)
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    if types_ or tuples or not arrays:
        return _Unread(values, "is of several kinds")
    element = ArrayType(arrays[0].dtype, arrays[0].shape)
    other = np.zeros_like(arrays[0]) if with_none else None
    return _Rows(values, LEAF, (element,), lambda rows: (np.stack(rows),), other)
