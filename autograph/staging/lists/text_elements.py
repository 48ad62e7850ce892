"""Texts among the elements of lists that are kept as rows.

An element that is a text is, in each row, the position of its template, and the values of the
fields of all templates that elements have: see `autograph.staging.values.templates`. A template
whose values are of another type is another one, so that no number is shown as one of another type.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import ConcreteValueError
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray, located_error, symbolic_int
from autograph.staging.ground.exactness import refuse_promotion
from autograph.staging.ground.handling import never_failing
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.elements import (
    NUMBERS,
    ElementType,
    ListOf,
    RecordOf,
    Stacked,
    element_type,
    leaf_count,
    of_all,
    of_one,
)
from autograph.staging.lists.none_elements import as_maybe_none, may_be_none, united_with_none
from autograph.staging.lists.number_elements import as_number, is_of_types, united_numbers
from autograph.staging.values.chosen_texts import TemplatePosition
from autograph.staging.values.promoted import join_types
from autograph.staging.values.templates import ABSENT, MOST_TEMPLATES, field_count, fields, numbered
from autograph.staging.values.text import TextKind
from ops.core.symbolic_lengths import is_symbolic
from ops.core.types import ArrayType, weak

_MOST_KNOWN = 4 * MOST_TEMPLATES  # of the texts in a list whose elements are known
_NUMBER = object()  # stands for any number of a class


def is_text(structure: Any) -> bool:
    return isinstance(structure, TupleOf) and isinstance(structure.kind, TextKind)


def holds_text(structure: Structure) -> bool:
    """Whether there are texts in elements."""
    if is_text(structure):
        return True
    if isinstance(structure, ListOf):
        return holds_text(structure.part)
    parts = structure.parts if isinstance(structure, (TupleOf, RecordOf)) else ()
    return any(map(holds_text, parts))


def text_ranks(structure: Any) -> list[list[int] | None] | None:
    """For each leaf of an element that is the position of a text: the places of the texts in their
    order; None for other leaves. None if there are texts with values in them."""
    if not is_text(structure):
        if not isinstance(structure, TupleOf):
            return None if holds_text(structure) else [None] * leaf_count(structure)
        found: list[list[int] | None] = []
        for part in structure.parts:
            ranks = text_ranks(part)
            if ranks is None:
                return None
            found += ranks
        return found
    templates = structure.kind.template
    if any(map(field_count, templates)):
        return None
    texts = [template.format() for template in templates]
    order = sorted(set(texts))
    return [[order.index(text) for text in texts]]


# -- kinds -----------------------------------------------------------------------------------------


def united(a: Any, b: Any, *, exactly: bool = False, elements: int = 0) -> ElementType | None:
    """The `ElementType` of a list that has elements of both; None if there is none.

    Args:
        exactly: whether no element may become one of another type, as arrays do.
        elements: how many there are, if these are known, each of which may be another text.
    """
    if a == b:
        return a
    if is_text(a.structure) and is_text(b.structure):
        every = [key for key, _ in numbered(_alternatives(a))]
        known = numbered(every)
        every += [key for key, count in numbered(_alternatives(b)) if (key, count) not in known]
        known_before = max(len(_alternatives(a)), len(_alternatives(b)))
        return _of_templates(every) if len(every) <= _most(known_before, elements) else None
    if may_be_none(a.structure) or may_be_none(b.structure):
        join = functools.partial(united, exactly=exactly, elements=elements)
        return united_with_none(a, b, join)
    number = united_numbers(a, b)
    if number is not None:
        return number
    if _are_alike(a.structure, b.structure):
        join = functools.partial(united, exactly=exactly, elements=elements)
        pairs = map(join, _parts(a), _parts(b))
        parts = [part for part in pairs if part is not None]
        if len(parts) < len(_parts(a)):
            return None
        structure = a.structure._replace(parts=tuple(part.structure for part in parts))
        return ElementType(structure, tuple(type for part in parts for type in part.types))
    if isinstance(a.structure, ListOf) and isinstance(b.structure, ListOf):
        length = a.structure.length
        if length != b.structure.length:
            return None
        part = united(item_of(a), item_of(b), exactly=exactly)
        return part and _list_of(length, part)
    joined = map(join_types, a.types, b.types) if a.structure == b.structure else ()
    types = tuple(type for type in joined if type is not None)
    if len(types) < len(a.types):
        return None
    if types != a.types or types != b.types:
        if exactly:
            return None
        refuse_promotion()
    return ElementType(a.structure, types)


def _most(known: int, elements: int) -> int:
    """How many texts elements may be, which are that many in one of two lists: a loop whose texts
    get longer at each trip ends there."""
    grown = 4 * known if known > MOST_TEMPLATES else MOST_TEMPLATES
    return max(grown, min(elements, _MOST_KNOWN))


def _are_alike(x: Any, y: Any) -> bool:
    """Whether both are tuples, or containers with the same keys, of which one thing after the other
    may be joined."""
    if isinstance(x, RecordOf) and isinstance(y, RecordOf):
        return x.kind is y.kind and x.keys == y.keys and len(x.parts) == len(y.parts)
    tuples = isinstance(x, TupleOf) and isinstance(y, TupleOf) and not (is_text(x) or is_text(y))
    return tuples and x.kind == y.kind and len(x.parts) == len(y.parts)


def item_of(kind: Any) -> ElementType:
    """What is known of an item of lists."""
    return ElementType(kind.structure.part, tuple(map(of_one, kind.types)))


def _list_of(length: int, part: ElementType) -> ElementType:
    """What is known of lists of such items."""
    types = tuple(of_all(type, length) for type in part.types)
    return ElementType(ListOf(length, part.structure), types)


def with_items(kind: Any, items: ElementType, depth: int) -> ElementType:
    """What is known of elements that are lists, in lists, with other items in them.

    Args:
        kind: of the elements.
        depth: how many lists are around an item.
    """
    if not depth:
        return items
    return _list_of(kind.structure.length, with_items(item_of(kind), items, depth - 1))


def _parts(kind: Any) -> list[ElementType]:
    """The kinds of the items of tuples, or of what containers hold."""
    parts, start = [], 0
    for structure in kind.structure.parts:
        stop = start + leaf_count(structure)
        parts.append(ElementType(structure, kind.types[start:stop]))
        start = stop
    return parts


def _alternatives(text: Any) -> list[tuple[str, tuple[ArrayType, ...]]]:
    """The templates, each with the types of the values in its fields."""
    own = text.structure.kind.template
    return [(template, text.types[part]) for template, part in zip(own, fields(own))]


def _of_templates(every: Sequence[tuple[str, tuple[ArrayType, ...]]]) -> ElementType:
    types = (weak(int), *(type for _, inside in every for type in inside))
    kind = TextKind(tuple(template for template, _ in every), types)
    return ElementType(TupleOf(kind, (LEAF,) * len(types)), types)


# -- elements --------------------------------------------------------------------------------------


def as_kind(leaves: Sequence[Any], own: Any, wanted: Any, moved: Callable) -> list[Any]:
    """The leaves of an element of one kind as those of an element of a kind that it is united in.

    Args:
        own, wanted: `ElementType`.
        moved: makes the position of a template from that among others, and the new positions.
    """
    if own.structure == wanted.structure:
        return list(leaves)
    if may_be_none(wanted.structure):
        return as_maybe_none(leaves, own, wanted, moved, as_kind)
    if is_of_types(wanted.structure):
        return as_number(leaves, own, wanted, moved)
    if isinstance(wanted.structure, ListOf):
        of_items = lambda column, table: _moved_items(column, table, moved)
        return as_kind(leaves, item_of(own), item_of(wanted), of_items)
    if not is_text(own.structure):
        found, start = [], 0
        for part, other in zip(_parts(own), _parts(wanted)):
            stop = start + len(part.types)
            found += as_kind(leaves[start:stop], part, other, moved)
            start = stop
        return found
    keys = numbered(_alternatives(wanted))
    places = [keys.index(key) for key in numbered(_alternatives(own))]
    slots = fields(wanted.structure.kind.template)
    values: list[Any] = [ABSENT] * len(wanted.types)
    for place, inside in zip(places, fields(own.structure.kind.template)):
        values[slots[place]] = leaves[inside]
    values[0] = _moved_position(leaves[0], tuple(places), moved)
    return values


def _moved_position(position: Any, places: tuple[int, ...], moved: Callable) -> Any:
    if isinstance(position, TemplatePosition):
        return position.among(places)
    return places[position] if isinstance(position, int) else moved(position, places)


def zero_of(element: Any) -> Any:
    """What stands in the place of a value that is not there."""
    if element.weak and not element.shape:
        return element.scalar(0)
    return _filled(element, 0)


class MadeColumn:
    """A column that is made of another one where it is needed.

    Attributes:
        source: that column, which tells how many rows there are.
        element: the type in one row.
        table: what the numbers of the source stand for; a number that all rows have; or None for
            zeros.
    """

    __slots__ = ("element", "source", "table")

    def __init__(self, source: Any, element: ArrayType, table: tuple[int, ...] | int | None):
        self.source = source
        self.element = element
        self.table = table

    @property
    def length(self) -> int | None:
        """The number of rows, if it is known."""
        source = self.source
        return source.length if isinstance(source, MadeColumn) else source.value.type.shape[0]

    @property
    def value(self) -> Value:
        source = self.source.value
        if isinstance(self.table, tuple):
            with never_failing():
                return GraphArray(Constant(np.array(self.table)))[GraphArray(source)].value
        length = GraphArray(ops.length(source)) if self.length is None else self.length
        shape, dtype = (length, *self.element.shape), self.element.dtype.name
        return recorder().value_of(ops.full(shape, self.table or 0, dtype=dtype))


def columns_as(columns: Sequence[Any], own: ElementType, wanted: ElementType) -> list[Any]:
    """The columns of a list with elements of one kind as those of a list of another one."""
    made = as_kind(columns, own, wanted, _moved_column)
    first = columns[0]
    for place, (column, type) in enumerate(zip(made, wanted.types)):
        if column is not ABSENT and not isinstance(column, int):
            if column.element != type:  # converted where it is carried
                made[place] = of_type(column, type)
        elif isinstance(first, Stacked):
            parts = (column,) * len(first.parts)
            made[place] = Stacked(parts, type, first.is_steady)
        else:
            made[place] = MadeColumn(first, type, column if isinstance(column, int) else None)
    return made


def of_type(column: Any, element: ArrayType) -> Any:
    """A column whose parts are taken for ones of another type."""
    if isinstance(column, MadeColumn):
        return MadeColumn(column.source, element, column.table)
    return column._replace(element=element)


def _moved_items(column: Any, table: tuple[int, ...], moved: Callable) -> Any:
    """The positions of texts or types among others, of all items of a list."""
    is_array = isinstance(column, GraphArray)
    return moved(column, table) if is_array else _moved_column(column, table)


def element_as(leaves: Sequence[Any], own: Any, wanted: Any, moved: Callable) -> list[Any]:
    """`as_kind` of an element that is in a list already; of a text or number what nobody looks at
    is `ABSENT`."""
    found = as_kind(leaves, own, wanted, moved)
    return [_of_all_items(leaf, type) for leaf, type in zip(found, wanted.types)]


class InRows:
    """The leaves of elements as those of elements of one kind, which theirs are united in. What a
    number of a class becomes is found once: lists may have many that are known.

    Args:
        wanted: the `ElementType` of that kind.
        moved: see `as_kind`.
    """

    def __init__(self, wanted: ElementType, moved: Callable) -> None:
        self._wanted = wanted
        self._moved = moved
        self._numbers: dict[type, list[Any]] = {}  # by class, with `_NUMBER` in its place

    def __call__(self, leaves: Sequence[Any], structure: Structure) -> Sequence[Any]:
        if structure == self._wanted.structure:
            return leaves
        kind = type(leaves[0]) if structure is LEAF else None
        if kind not in NUMBERS:
            types = tuple(element_type(leaf) or weak(int) for leaf in leaves)
            return element_as(leaves, ElementType(structure, types), self._wanted, self._moved)
        if kind not in self._numbers:
            own = ElementType(LEAF, (NUMBERS[kind],))
            self._numbers[kind] = element_as([_NUMBER], own, self._wanted, self._moved)
        return [leaves[0] if leaf is _NUMBER else leaf for leaf in self._numbers[kind]]


def _of_all_items(leaf: Any, type: ArrayType) -> Any:
    """A number that is the same for all items of a list, as an array."""
    if isinstance(leaf, int) and type.shape:
        return _filled(type, leaf)
    return leaf


def _filled(type: ArrayType, number: int) -> Any:
    """An array of one number."""
    if is_symbolic(type.shape):
        return ops.full(tuple(map(symbolic_int, type.shape)), number, dtype=type.dtype.name)
    return GraphArray(Constant(np.full(type.known_shape, number, type.dtype)))


def _moved_column(column: Any, table: tuple[int, ...]) -> Any:
    """The positions of templates among others, in a list."""
    if not isinstance(column, Stacked):
        return MadeColumn(column, weak(int), table)
    parts = [_moved_position(part, table, TemplatePosition) for part in column.parts]
    return Stacked(tuple(parts), weak(int), column.is_steady)


def refused_texts(doing: str) -> ConcreteValueError:
    return located_error(
        ConcreteValueError,
        f"{doing}, whose contents are known only at run time",
        id="AG0306",
        fix="keep the values in the list, and make texts of them where they are shown",
    )
