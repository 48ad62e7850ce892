"""Elements of lists taken apart into the parts that become columns.

An element may be an array or number, a tuple, a list of a known number of equal elements, and any
other container whose values are such. Two elements fit into one list if they have the same
structure.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.errors import LoopStateError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.exactness import refuse_promotion
from autograph.staging.ground.nesting import (
    LEAF,
    Structure,
    TupleOf,
    is_tuple,
    kind_of,
    make_tuple,
    parts_of,
)
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.given_arrays import refuse_copied
from autograph.staging.values.chosen_texts import TemplatePosition, in_templates, text_or_none
from autograph.staging.values.maybe import MaybeNone, OrNone
from autograph.staging.values.promoted import Promoted, carry, types_of
from autograph.staging.values.templates import ABSENT
from autograph.staging.values.text import GraphText, TextKind, alternatives
from ops.core.records import NamedTuple
from ops.core.types import ArrayType, type_of, weak


class Marker(enum.Enum):
    """What is no key of a user's dict.

    Attributes:
        ROWS: comes first in the keys of a list that is kept as rows; the structure of its elements
            follows.
        SEAT: is the only key of a list that is an element of one of lists of any lengths.
    """

    ROWS = "rows"
    SEAT = "seat"


ROWS, SEAT = Marker.ROWS, Marker.SEAT

# By the class of a number, its type in a list: that of an array of them but for shape and weakness.
NUMBERS: dict[type, ArrayType] = {
    **{kind: weak(kind) for kind in (bool, int, float, complex)},
    **{kind: ArrayType(np.dtype(kind), ()) for kind in (np.int64, np.float64)},
}

# Of the numbers in lists that machine code makes arrays of.
PACKED: dict[type, ArrayType] = {kind: NUMBERS[kind] for kind in (float, int, np.float64)}


class ListElement(list):
    """Base of the lists of converted code, which know where they were read; see
    `autograph.staging.lists.inner_lists`."""

    __slots__ = ()
    only: Any
    home: Any
    seat: Any

    def lend(self) -> None:
        """It, or a copy of it, is kept elsewhere than in the list that it was read from."""
        raise NotImplementedError


class PlacedObject:
    """Base of the classes that objects in a heap have while a function is recorded; see
    `autograph.staging.lists.object_heap`.

    Attributes:
        made_of: the user's class.
    """

    __slots__ = ()

    made_of: type
    __picked__: Callable[[Sequence[Any], Any], Any]


def class_of(item: Any) -> type:
    """The user's class of an object, which may be in a heap."""
    return made_of(type(item))


def made_of(kind: type) -> type:
    """The user's class of objects that have a class, which may be that of those in heaps."""
    return kind.made_of if issubclass(kind, PlacedObject) else kind


class Stacked(NamedTuple):
    """One part of each element of a list that is to become rows.

    Attributes:
        parts: that part of each element.
        element: the type that all of them fit.
        is_steady: whether the list is taken to keep its length, as long as nothing says otherwise.
    """

    parts: tuple[Any, ...]
    element: ArrayType
    is_steady: bool = False

    @property
    def type(self) -> ArrayType:
        return of_all(self.element, len(self.parts))


class ListOf(NamedTuple):
    """The structure of a list of elements of one type.

    Attributes:
        length: how many there are.
        part: the structure of one. Each of its leaves is, for the list, an array of that leaf of
            all of them.
    """

    length: int
    part: Structure


class ElementType(NamedTuple):
    """What is known of the elements of a list.

    Attributes:
        structure: of each.
        types: of its leaves.
    """

    structure: Structure
    types: tuple[ArrayType, ...]


class RecordOf(NamedTuple):
    """The structure of another container.

    Attributes:
        kind: its class.
        keys: those of its `Contents`.
        parts: the structures of its values.
    """

    kind: type
    keys: tuple
    parts: tuple[Structure, ...]


def of_all(element: ArrayType, length: int | None) -> ArrayType:
    """The type of a part of all elements of a list, ``element`` being its type in one.

    It is weak if the elements are Python's own numbers, although an array of them is not.
    """
    return element._replace(shape=(length, *element.shape))


def of_one(elements: ArrayType) -> ArrayType:
    """The inverse of `of_all`."""
    return elements._replace(shape=elements.shape[1:])


def is_changeable(element: Any) -> bool:
    """Whether an element is a container."""
    return isinstance(element, (list, dict)) or is_user_object(element)


def flatten_element(
    element: Any,
    contents_of: Callable[[Any], Any] | None = None,
    texts: bool = False,
    nones: bool = False,
) -> tuple[list[Any], Structure]:
    """The leaves of an element, and its structure.

    Args:
        contents_of: gives the state of a container; by default the present one.
        texts: whether texts are taken for ones with values in them, too, which may be other texts
            in other elements.
        nones: whether None is taken for what may be something in other elements.
    """
    if type(element) in NUMBERS:
        return [element], LEAF
    is_now = contents_of is None
    contents_of = contents_of or recorder().contents_of
    leaves: list[Any] = []

    def visit(item: Any) -> Structure:
        every = alternatives(in_templates(item)) if texts or isinstance(item, GraphText) else None
        if every is not None:
            return of_text(*every)
        if item is None and nones:
            leaves.append(False)
            return TupleOf(OrNone(), (LEAF,))
        if isinstance(item, MaybeNone) and not is_changeable(item.content):
            leaves.append(item.present)
            return TupleOf(OrNone(), (LEAF, visit(item.content)))
        chosen = text_or_none(item) if texts else None
        if chosen is not None:
            leaves.append(chosen[0])
            return TupleOf(OrNone(), (LEAF, of_text(*chosen[1:])))
        kinds = types_of(item)
        if kinds:
            number = Promoted(kinds)
            parts = carry(item, number, lambda box: box.value)
            leaves.extend(map(GraphArray, parts))
            return TupleOf(number, (LEAF,) * len(parts))
        if is_tuple(item):
            return TupleOf(kind_of(item), tuple(map(visit, parts_of(item))))
        if is_changeable(item) and not isinstance(item, PlacedObject):
            is_list = isinstance(item, ListElement)
            if is_list and item.unread is not None:
                item.unread.refuse()
            if is_list and item.seat is not None:
                raise pooled_element()
            if is_list and (item.home is not None or (is_now and item.holders)):
                rows = item.followed()
                if rows is not None:
                    return in_rows(rows.columns, rows.structure)
            state = contents_of(item)
            if state.is_rows:
                return in_rows(state.values, state.keys[1])
            same = of_one_type(state.values) if isinstance(item, list) else None
            if same is not None:
                return same
            if state.values:
                kind = list if isinstance(item, list) else type(item)
                return RecordOf(kind, state.keys, tuple(map(visit, state.values)))
        leaves.append(item)
        return LEAF

    def of_text(every: list[tuple[str, tuple]], position: Any) -> Structure:
        inside = [value for _, values in every for value in values]
        if any(map(types_of, inside)):
            raise promoted_in_text()
        values = [position, *(0 if value is ABSENT else value for value in inside)]
        leaves.extend(values)
        kind = TextKind(tuple(template for template, _ in every), tuple(map(element_type, values)))
        return TupleOf(kind, (LEAF,) * len(values))

    def in_rows(columns: tuple, part: Structure) -> Structure:
        length = recorder().known_length(columns[0])
        leaves.extend(columns)
        return ListOf(length, part)

    def of_one_type(items: tuple) -> Structure | None:
        known = kind_of_numbers(items) if items else None
        if known is not None and known.structure is LEAF and not _are_too_large(items):
            leaves.append(Stacked(items, known.types[0]))  # as of most long lists
            return ListOf(len(items), LEAF)
        flat = [flatten_element(item, contents_of, texts, nones) for item in items]
        kinds = {(structure, tuple(map(element_type, parts))) for parts, structure in flat}
        if len(kinds) != 1:
            return None
        ((structure, types),) = kinds
        if None in types:
            return None
        columns = zip(*(parts for parts, _ in flat))
        leaves.extend(Stacked(tuple(p), t) for p, t in zip(columns, types) if t is not None)
        return ListOf(len(items), structure)

    return leaves, visit(element)


def promoted_in_text() -> LoopStateError:
    return LoopStateError(
        "a text with a number in it that is of another type on each path is put into a list whose "
        "length depends on traced values",
        user_location(),
        id="AG0316",
        fix="make the text where it is known which number it is, or a float of the number before",
    )


def pooled_element() -> LoopStateError:
    return LoopStateError(
        "an element of a list of lists, of a length known only at run time, is put into another "
        "list",
        user_location(),
        id="AG0588",
        fix="put the place of the element into the other list",
    )


def leaf_count(structure: Structure) -> int:
    if isinstance(structure, ListOf):
        return leaf_count(structure.part)
    if isinstance(structure, (TupleOf, RecordOf)):
        return sum(map(leaf_count, structure.parts))
    return 1


def list_depths(structure: Structure) -> list[int]:
    """For each leaf of an element, in how many lists it is: as many of its axes are theirs."""
    if isinstance(structure, ListOf):
        return [1 + depth for depth in list_depths(structure.part)]
    if isinstance(structure, (TupleOf, RecordOf)):
        return [depth for part in structure.parts for depth in list_depths(part)]
    return [0]


def element_type(part: Any) -> ArrayType | None:
    """The type of a leaf of an element; None if it can't be part of an array."""
    if isinstance(part, GraphArray):
        if types_of(part):
            refuse_promotion()
        return part.type if part.type.is_static else None
    if isinstance(part, TemplatePosition):
        return part.type
    if not is_user_object(part) and hasattr(part, "element"):  # one of ours: a column, or a stack
        return part.type
    return None if is_too_large(part) else type_of(part)


def is_too_large(part: Any) -> bool:
    """Whether a number is an int of more than 64 bits, of which there are no columns."""
    return type(part) is int and not -(2**63) <= part < 2**63


def _are_too_large(numbers: Sequence[Any]) -> bool:
    """The same for some of numbers of one class."""
    return type(numbers[0]) is int and (is_too_large(min(numbers)) or is_too_large(max(numbers)))


def unlike(elements: Iterable[Any]) -> Iterator[Any]:
    """The elements of a list that may be of different kinds: the first of Python's numbers of each
    class, and all others."""
    seen = set()
    for element in elements:
        kind = type(element)
        if kind not in seen:
            if kind in NUMBERS:
                seen.add(kind)
            yield element


def absorb(element: Any) -> None:
    """Refuse changes in place to what was put into rows: they hold a copy of it."""
    if isinstance(element, MaybeNone):
        absorb(element.content)
    elif isinstance(element, GraphArray):
        if element.ndim or element.is_array:
            refuse_copied(element, "put into a list")
            element.keep()
    elif is_tuple(element):
        for part in parts_of(element):
            absorb(part)
    elif is_changeable(element) and not isinstance(element, PlacedObject):
        if isinstance(element, ListElement):
            element.only = None  # unless the caller knows better
            if element.home is not None:
                element.lend()
        if not recorder().frozen.is_element(element):
            recorder().frozen.add_element(element)
            state = recorder().contents_of(element)
            for part in () if state.is_rows else unlike(state.values):
                absorb(part)


def kind_of_numbers(
    items: Sequence[Any], types: Mapping[type, ArrayType] = NUMBERS
) -> ElementType | None:
    """What is known of the elements of a list that has some; None if they are not of one kind.

    Args:
        types: of the classes of numbers that there may be.
    """
    kinds = set(map(type, items))
    if len(kinds) > 1:
        return None
    (kind,) = kinds
    if kind in types:
        return ElementType(LEAF, (types[kind],))
    if kind is not tuple or len(set(map(len, items))) != 1 or not items[0]:
        return None
    columns = [set(map(type, column)) for column in zip(*items)]
    if any(len(found) > 1 or not found <= types.keys() for found in columns):
        return None
    found = tuple(types[kind] for (kind,) in columns)
    return ElementType(TupleOf(tuple, (LEAF,) * len(found)), found)


def elements_of_a_run(structure: Structure, columns: Iterator[list]) -> Iterable[Any]:
    """The elements of a list, from the parts of all of them."""
    if structure is LEAF:
        return next(columns)
    if not isinstance(structure, TupleOf):
        return zip(*columns)
    rows = zip(*(elements_of_a_run(part, columns) for part in structure.parts))
    kind = structure.kind
    return rows if kind is tuple else (make_tuple(kind, list(row)) for row in rows)
