"""The elements of a list as arrays: one *column* for each part of an element.

The first axis of a column runs over the elements; its length may be known only when the program
runs.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

import numpy as np

import ops
from autograph.errors import LoopStateError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray, symbolic_int
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.exactness import refuse_promotion
from autograph.staging.ground.nesting import (
    LEAF,
    Structure,
    TupleOf,
    is_tuple,
    make_tuple,
    parts_of,
)
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists import class_families
from autograph.staging.lists.elements import (
    ElementType,
    ListOf,
    Stacked,
    absorb,
    element_type,
    flatten_element,
    leaf_count,
    of_all,
    of_one,
    unlike,
)
from autograph.staging.lists.none_elements import holds_none, may_be_none
from autograph.staging.lists.number_elements import holds_numbers_of_types, promoted
from autograph.staging.lists.text_elements import (
    InRows,
    columns_as,
    element_as,
    holds_text,
    is_text,
    refused_texts,
    united,
    zero_of,
)
from autograph.staging.values.choice import looked_up
from autograph.staging.values.chosen_texts import TemplatePosition, of_known_types
from autograph.staging.values.leaves import join_types
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.promoted import types_of
from autograph.staging.values.templates import ABSENT, field_count
from autograph.staging.values.text import alternatives
from ops.control import effects
from ops.core.lengths import symbolic
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType


def of_list(outside: str = "list index out of range") -> AbstractContextManager:
    """For the nodes that index a column, so that what they raise is what Python raises, and for
    those that put elements into one, which may be ints of more than 64 bits."""
    place = recorder().location()
    return current_builder().at(place and place._replace(outside=outside))


class Lengths(dict[Value, GraphArray]):
    """The lengths of the rows of some lists, where numbers of trips tell them."""


class Column(NamedTuple):
    """One part of the elements of a list.

    Attributes:
        value: an array of that part of all elements.
        element: the type of that part of one element.
        box: what transforms know it by that have made the list; see `boxed`.
    """

    value: Value
    element: ArrayType
    box: GraphArray | None = None

    @property
    def boxed(self) -> GraphArray:
        """The array as a leaf of an argument. Two arguments may have the same value, and each its
        own derivative: leaves are told from each other by these."""
        box = self.box
        if self.value is None:  # as what stands for no tangent
            return self.value
        return GraphArray(self.value) if box is None or box.value is not self.value else box

    @property
    def length(self) -> Any:
        """A Python int if it is known, else a symbolic one."""
        known = self.value.type.shape[0]
        if known is not None:
            return symbolic_int(known)
        counted = recorder().state(Lengths).get(self.value)
        return GraphArray(ops.length(self.value)) if counted is None else counted

    @property
    def counted_by(self) -> Value | None:
        """A value that tells the length, where only the run knows it: perhaps one of a region that
        has ended, whose length nobody can ask for any more."""
        known = self.value.type.shape[0]
        if isinstance(known, int):
            return None
        counted = recorder().state(Lengths).get(self.value) if known is None else self.length
        return self.value if counted is None else counted.value

    @property
    def type(self) -> ArrayType:
        """As a leaf of a list of lists."""
        return of_all(self.element, self.value.type.shape[0])

    def row(self, index: Any, outside: str) -> tuple[Value, ArrayType]:
        """That part of one element, and its type; ``outside`` is what Python says if there is no
        such element."""
        with of_list(outside):
            return GraphArray(self.value)[index].value, self.element

    def append(self, part: Any) -> Column:
        """With that part of one more element."""
        element, value = self._widened(part)
        with of_list():
            return Column(ops.append_row(value, strong(part, element)), element)

    def replace(self, index: Any, part: Any, outside: str) -> Column:
        """With that part of one element replaced."""
        element, value = self._widened(part)
        array = GraphArray(value)
        with of_list(outside):
            array[index] = GraphArray(strong(part, element))
        return Column(array.value, element)

    def read(self, index: Any) -> Column:
        """That part of the elements that NumPy's ``[index]`` selects."""
        return Column(GraphArray(self.value)[index].value, self.element)

    def repeated(self, times: Any) -> Column:
        """That part of a list of one number, which is repeated."""
        value: Any = self.value
        number = value.data[0] if isinstance(value, Constant) else GraphArray(value)[0]
        made = ops.full((times,), number, dtype=self.element.dtype.name)
        return Column(recorder().value_of(made), self.element)

    def without_last(self) -> Column:
        return Column(ops.drop_row(self.value), self.element)

    def joined(self, other: Column) -> Column:
        """That part of the elements of two lists, one after the other."""
        element = joined_elements(self.element, other.element)
        values = [
            c.value
            if c.value.type.dtype == element.dtype
            else ops.cast(c.value, dtype=element.dtype.name)
            for c in (self, other)
        ]
        return Column(ops.concatenate(values, axis=0), element)

    def _widened(self, part: Any) -> tuple[ArrayType, Value]:
        element = joined_elements(self.element, element_type(part))
        if element.dtype == self.element.dtype:
            return element, self.value
        return element, ops.cast(self.value, dtype=element.dtype.name)


class Rows(NamedTuple):
    """The elements of a list, kept as arrays. Nothing here changes in place.

    Attributes:
        structure: of one element, see `autograph.staging.lists.elements`.
        columns: one for each of its leaves.
    """

    structure: Structure
    columns: tuple[Column, ...]

    @property
    def length(self) -> Any:
        """The number of elements, a symbolic int if only the run can tell."""
        return self.columns[0].length

    def item(self, index: Any, outside: str = "list index out of range") -> Any:
        """One element, by a plain or symbolic index."""
        return built(self.structure, iter([c.row(index, outside) for c in self.columns]))

    def parts(self, element: Any) -> tuple[Rows, list[Any]]:
        """The leaves of a new element, and the elements with texts that may be like its own.

        Raises:
            LoopStateError: it is not like the others.
        """
        texts = holds_text(self.structure) or holds_none(self.structure)
        element = of_known_types(element)
        parts, structure = flatten_element(element, texts=texts, nones=True)
        rows = self
        types = [element_type(part) for part in parts]
        own = ElementType(structure, tuple(type for type in types if type is not None))
        wanted = None if None in types else united(self.kind, own)
        if wanted is None and structure != self.structure:
            class_families.meet_in_list(structure, self.structure)
            raise different_structure()
        if wanted is not None and not (wanted.structure == structure == self.structure):
            rows, parts = self.as_kind(wanted), element_as(parts, own, wanted, looked_up)
            parts = [
                zero_of(type) if part is ABSENT else part for part, type in zip(parts, wanted.types)
            ]
        absorb(element)
        return rows, parts

    @property
    def kind(self) -> ElementType:
        return ElementType(self.structure, tuple(column.element for column in self.columns))

    def as_kind(self, wanted: ElementType) -> Rows:
        """The same elements, with texts that may have more templates, and numbers that may be of
        more types."""
        if wanted.structure == self.structure:
            return self
        columns = columns_as(self.columns, self.kind, wanted)
        return Rows(wanted.structure, tuple(Column(_of_type(c), c.element) for c in columns))

    @property
    def promoted(self) -> Rows:
        """The same elements for who needs numbers of one type."""
        structure, columns = promoted(self.structure, self.columns)
        return Rows(structure, tuple(columns))

    def appended(self, element: Any) -> Rows:
        rows, parts = self.parts(element)
        return rows._with(c.append(part) for c, part in zip(rows.columns, parts))

    def replaced(self, index: Any, element: Any, outside: str) -> Rows:
        rows, parts = self.parts(element)
        pairs = zip(rows.columns, parts)
        return rows._with(column.replace(index, part, outside) for column, part in pairs)

    def joined(self, other: Rows) -> Rows:
        rows, wanted = self, united(self.kind, other.kind)
        if wanted is None and self.structure != other.structure:
            class_families.meet_in_list(self.structure, other.structure)
            raise different_structure()
        if wanted is not None:
            rows, other = self.as_kind(wanted), other.as_kind(wanted)
        return rows._with(a.joined(b) for a, b in zip(rows.columns, other.columns))

    def without_last(self) -> Rows:
        return self._with(column.without_last() for column in self.columns)

    def read(self, index: Any) -> Rows:
        """The elements that NumPy's ``[index]`` selects: a slice, places, or a mask."""
        return self._with(column.read(index) for column in self.columns)

    def cut(self, index: slice) -> Rows:
        """A slice; its bounds may be symbolic."""
        if not is_symbolic_slice(index):
            return self.read(index)
        return self.read(places_of(index, self.length))

    def reversed(self) -> Rows:
        return self.read(slice(None, None, -1))

    def without(self, place: Any) -> Rows:
        """Without the element at a place, which is from 0 on and exists."""
        if isinstance(place, int) and place == 0:
            return self.read(slice(1, None))
        rest = positions(self.length - 1)
        return self.read(rest + (rest >= place))

    def inserted(self, place: Any, element: Any) -> Rows:
        """With an element more before a place, which is from 0 to the length."""
        longer = self.appended(element)
        to = positions(longer.length)
        order = ops.where(ops.greater(to, place), to - 1, to)
        return longer.read(ops.where(ops.equal(to, place), longer.length - 1, order))

    def repeated(self, times: Any) -> Rows:
        length = self.length
        if type(length) is int and length == 1 and not any(c.element.shape for c in self.columns):
            often = at_least(times, 0)
            return self._with(column.repeated(often) for column in self.columns)
        return self.read(positions(length * at_least(times, 0)) % at_least(length, 1))

    def equals(self, element: Any) -> GraphArray | None:
        """For each element whether it equals ``element``; None if none can."""
        if isinstance(element, MaybeNone) or may_be_none(self.structure):
            return self._equals_or_none(element)
        if is_text(self.structure):
            return self._equals_text(element)
        if holds_numbers_of_types(self.structure):
            return self.promoted.equals(element)
        if isinstance(self.structure, TupleOf):
            return self._equals_tuple(element)
        if holds_text(self.structure):
            raise refused_texts("elements with texts in them are looked for")
        if types_of(element):
            element = GraphArray(element.value)
        parts, structure = flatten_element(element)
        structure, parts = promoted(structure, parts)
        if structure != self.structure or None in map(element_type, parts):
            return None
        return self._all(ops.equal(c.value, part) for c, part in zip(self.columns, parts))

    def _all(self, masks: Iterable[Any]) -> GraphArray:
        """For each element whether all of some things are true of it."""
        arrays = [GraphArray(recorder().value_of(mask)) for mask in masks]
        return functools.reduce(operator.and_, arrays)

    @property
    def items(self) -> list[Rows]:
        """Those of the items of elements that are tuples."""
        structure: Any = self.structure
        columns = iter(self.columns)
        return [Rows(p, tuple(islice(columns, leaf_count(p)))) for p in structure.parts]

    def _equals_tuple(self, element: Any) -> GraphArray | None:
        """The same for tuples."""
        structure: Any = self.structure
        if not is_tuple(element) or len(structure.parts) != len(parts_of(element)):
            return None
        masks = [rows.equals(part) for rows, part in zip(self.items, parts_of(element))]
        return None if any(mask is None for mask in masks) else self._all(masks)

    def _equals_or_none(self, element: Any) -> GraphArray | None:
        """The same where elements may be None, or what they are compared with."""
        if isinstance(element, MaybeNone):
            alike = [self.equals(element.content), self.equals(None)]
            none = ops.zeros_like(self.columns[0].value, dtype="bool")
            return ops.where(element.present, *(none if x is None else x for x in alike))
        is_there, *known = self.items
        mask = GraphArray(is_there.columns[0].value)
        if element is None:
            return ~mask
        same = known[0].equals(element) if known else None
        return None if same is None else mask & same

    def _equals_text(self, element: Any) -> GraphArray | None:
        """The same for texts without values in them."""
        found = alternatives(element)
        if found is None:
            return None
        every, position = found
        structure: Any = self.structure
        known = structure.kind.template
        if any(map(field_count, (*known, *(template for template, _ in every)))):
            raise refused_texts("a text with values in it is looked for, or among such")
        equal = [[a == b for b, _ in every] for a in known]
        return GraphArray(Constant(np.array(equal)))[GraphArray(self.columns[0].value), position]

    def _with(self, columns: Iterable[Column]) -> Rows:
        return Rows(self.structure, tuple(columns))


def _of_type(column: Any) -> Value:
    """The values of a column, in the type that it is said to be of."""
    value: Value = column.value
    dtype = column.element.dtype
    return value if value.type.dtype == dtype else ops.cast(value, dtype=dtype.name)


def rows_of_elements(
    elements: Iterable[Any], texts: bool = False, nones: bool = False, exactly: bool | None = None
) -> Rows | None:
    """Elements as rows, if they are of one type, or numbers, or tuples of such.

    Args:
        texts: whether that may be texts, of which each row says which one it is, or None.
        nones: whether it may be None.
        exactly: whether no number may become one of another type; by default unless there may be
            texts.
    """
    elements, exactly = list(elements), not texts if exactly is None else exactly
    items = [flatten_element(element, texts=texts, nones=texts or nones) for element in elements]
    kinds = ((structure, tuple(map(element_type, leaves))) for leaves, structure in items)
    kind: ElementType | None = None
    for structure, types in dict.fromkeys(kinds):
        known = tuple(type for type in types if type is not None)
        own = ElementType(structure, known)
        kind = own if kind is None else united(kind, own, exactly=exactly, elements=len(elements))
        if kind is None or len(known) < len(types) or not types:
            return None
    if kind is None:
        return None
    for element in unlike(elements):
        absorb(element)
    in_row = InRows(kind, looked_up)
    rows = [in_row(*item) for item in items]
    columns = []
    for position, type in enumerate(kind.types):
        parts = [leaves[position] for leaves in rows]
        parts = [zero_of(type) if part is ABSENT else part for part in parts]
        columns.append(Column(recorder().value_of(_in_one(parts, type)), type))
    return Rows(kind.structure, tuple(columns))


def _in_one(parts: Sequence[Any], element: ArrayType) -> Any:
    """An array of parts of elements."""
    known = constant_of(parts, element)
    if known is not None:
        return known
    with of_list():
        return ops.stack([GraphArray(strong(part, element)) for part in parts], axis=0)


def constant_of(parts: Sequence[Any], element: ArrayType) -> GraphArray | None:
    """An array of numbers that are known; None if some are not."""
    absent = None if element.shape else 0  # what stands for what nobody reads
    numbers = [absent if part is ABSENT else _numbers(part) for part in parts]
    if not parts or any(part is None for part in numbers):
        return None
    shape = (len(parts), *element.shape)
    try:
        return GraphArray(Constant(np.array(numbers, element.dtype).reshape(shape)))
    except OverflowError:  # an integer beyond 64 bits, which is said elsewhere
        return None


def _numbers(part: Any) -> Any:
    """A known number, or nested lists of such; None for other things."""
    if isinstance(part, Stacked):
        inner = [_numbers(item) for item in part.parts]
        return None if any(item is None for item in inner) else inner
    return part if type(part) in (bool, int, float, complex) else None


def joined_elements(a: ArrayType, b: ArrayType | None) -> ArrayType:
    """The type of the elements of a list that holds elements of both types.

    Raises:
        LoopStateError: there is none.
    """
    joined = None if b is None else join_types(a, b)
    if joined is not None and not (joined == a == b):
        refuse_promotion()
    if joined is None:
        raise LoopStateError(
            f"a list whose length depends on traced values gets elements of different types: {a} "
            f"and {'an object' if b is None else b}",
            user_location(),
            id="AG0316",
            fix="give all elements the same shape",
        )
    return joined


def different_structure() -> LoopStateError:
    return LoopStateError(
        "a list whose length depends on traced values gets elements of different structure",
        user_location(),
        id="AG0316",
        fix="give all elements the same structure",
    )


def built(structure: Structure, parts: Iterator[tuple[Value, ArrayType]]) -> Any:
    """An element, from its parts and their types. It is a copy, which must not be changed."""
    match structure:
        case None:
            value, type = next(parts)
            if type.weak:
                return GraphArray(ops.cast(value, dtype=type.dtype.name, weak=True))
            array = GraphArray(value)
            absorb(array)
            return array
        case TupleOf(kind, inner):
            return make_tuple(kind, [built(part, parts) for part in inner])
        case ListOf(_, part):
            columns = [next(parts) for _ in range(leaf_count(part))]
            made: Any = ops.tracked([])
            made.become(Rows(part, tuple(Column(v, of_one(type)) for v, type in columns)))
        case _:
            values = [built(part, parts) for part in structure.parts]
            made = recorder().rebuilt(structure.kind, structure.keys, values)
    absorb(made)
    return made


def stacked(structure: Structure, columns: Iterator[Column], axis: int = 1) -> GraphArray:
    """What ``np.array`` makes of elements.

    Raises:
        TypeError: they are neither arrays nor sequences.
    """
    if structure is LEAF:
        return GraphArray(next(columns).value)
    if isinstance(structure, ListOf):
        return stacked(structure.part, columns, axis + 1)
    if is_text(structure):
        raise refused_texts("an array is made of texts")
    if not issubclass(structure.kind, (tuple, list)):
        raise TypeError(f"an array of objects of type {structure.kind.__name__}")
    return ops.stack([stacked(part, columns, axis) for part in structure.parts], axis=axis)


def strong(part: Any, element: ArrayType) -> Value:
    """A part of an element as an array value of the dtype of its column."""
    if isinstance(part, Stacked):
        part = _in_one(part.parts, of_one(element))
    if isinstance(part, TemplatePosition):
        part = looked_up(part.position, part.table)
    value = part.value if isinstance(part, Column) else recorder().value_of(part)
    if value.type.dtype != element.dtype or value.type.weak:
        value = ops.cast(value, dtype=element.dtype.name)
    return value


# -- places in lists -------------------------------------------------------------------------------


def positions(count: Any) -> GraphArray:
    """The integers below ``count``."""
    if isinstance(count, int):
        return GraphArray(Constant(np.arange(count)))
    return GraphArray(ops.positions(recorder().value_of(count)))


def at_least(number: Any, limit: Any) -> Any:
    length = symbolic(getattr(number, "value", number)) if type(limit) is int else None
    if is_length(length) and length.least() >= limit:
        return number  # and no other one, which would be the length of an array of unknown length
    return _chosen(max, ops.maximum, number, limit)


def at_most(number: Any, limit: Any) -> Any:
    return _chosen(min, ops.minimum, number, limit)


def _chosen(native: Callable, ours: Any, a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return native(a, b)
    return ours(a, b)


def from_start(index: Any, length: Any) -> Any:
    """An index, counted from the start also if it is negative."""
    if isinstance(index, int):
        return index if index >= 0 else index + length
    return ops.where(ops.less(index, 0), index + length, index)


def clamped(index: Any, length: Any) -> Any:
    """An index where something begins or ends, as Python takes those that are out of range."""
    return at_most(at_least(from_start(index, length), 0), length)


def existing(index: Any, length: Any, message: str) -> Any:
    """An index of an element, counted from the start.

    Raises:
        IndexError: there is no such element; if only the run can tell, when it runs.
    """
    place = from_start(index, length)
    if isinstance(place, int) and isinstance(length, int):
        if not 0 <= place < length:
            raise IndexError(message)
        return place
    inside = ops.logical_and(ops.greater_equal(place, 0), ops.less(place, length))
    effects.check(inside, error="IndexError", message=message)
    return place


def bounds_of(index: slice, length: Any) -> tuple[Any, Any]:
    """Where a slice of step 1 begins and ends, the end not before the beginning."""
    start = 0 if index.start is None else clamped(index.start, length)
    stop = length if index.stop is None else clamped(index.stop, length)
    return start, at_least(stop, start)


def places_of(index: slice, length: Any) -> GraphArray:
    """The places that a slice selects, in its order."""
    step = 1 if index.step is None else index.step.__index__()
    if step > 0:
        start, stop = bounds_of(index, length)
        count = (stop - start + step - 1) // step
    else:
        last = length - 1
        start = last if index.start is None else at_most(from_start(index.start, length), last)
        stop = -1 if index.stop is None else at_least(from_start(index.stop, length), -1)
        count = at_least((start - stop - step - 1) // -step, 0)
    return positions(count) * step + start


def is_symbolic_slice(index: slice) -> bool:
    return any(isinstance(b, GraphArray) for b in (index.start, index.stop, index.step))
