"""Contents of variables taken apart into leaves and put together again, sharing kept.

Tuples and *new* containers are taken apart; containers older than the region that is being recorded
are leaves, for they stay the objects they are. A container that occurs twice is the same object
twice after it has been put together again, also when it occurs in two variables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from autograph.source.tree.places import CELLS
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import Contents, contents, empty_like, fill, is_rebuilt
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nesting import (
    LEAF,
    Structure,
    TupleOf,
    is_tuple,
    kind_of,
    make_tuple,
    parts_of,
)
from autograph.staging.lists.columns import Column
from autograph.staging.lists.elements import (
    ROWS,
    SEAT,
    ElementType,
    Stacked,
    absorb,
    flatten_element,
    unlike,
)
from autograph.staging.lists.given_objects import GivenObjects, GivenSeat
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.lists.growing import Unread
from autograph.staging.lists.heap import PooledRow
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_heap import ObjectHeap, PooledObjects
from autograph.staging.lists.packed import Packed, Packing
from autograph.staging.lists.placed_objects import PlacedObject
from autograph.staging.lists.queues import TrackedDeque
from autograph.staging.lists.text_elements import (
    InRows,
    MadeColumn,
    columns_as,
    holds_text,
)
from autograph.staging.values.chosen_texts import TemplatePosition, as_one_of
from autograph.staging.values.maybe import ObjectOrNone, none_or
from autograph.staging.values.templates import fields
from autograph.staging.values.text import TextKind
from ops.core.records import NamedTuple

_PLACED = (PlacedObject, ObjectHeap, PooledObjects)
_ALWAYS_LEAVES = {float, int, bool, complex, str, type(None), np.ndarray, np.float64, GraphArray}


class ContainerOf(NamedTuple):
    """The structure of a container.

    Attributes:
        number: tells it from the other containers of the same variables.
        kind: its class; any list is a `TrackedList`.
        keys: those of its `Contents`.
        parts: the structures of its values.
    """

    number: int
    kind: type
    keys: tuple
    parts: tuple[Structure, ...]

    @property
    def is_rows(self) -> bool:
        """Whether it is a list kept as rows."""
        return self.keys[:1] == (ROWS,)

    @property
    def is_given(self) -> bool:
        """Whether it is one of what rows in heaps consist of."""
        return self.is_rows and len(self.keys) > 2 and not is_packed(self.keys)

    @property
    def is_unread(self) -> bool:
        """Whether it is a list whose elements are not seen."""
        return bool(self.keys) and isinstance(self.keys[0], Unread)


class NoneOrOf(NamedTuple):
    """The structure of an `ObjectOrNone`: the first leaf says whether it is not None."""

    part: Structure


class SameAs(NamedTuple):
    """The structure of a container that has occurred before, with this number."""

    number: int


class Flattener:
    """Takes the contents of some variables apart.

    Args:
        is_leaf: whether a container stays the object it is.
        as_rows: lists to be taken as rows, with the type of their elements.
        contents_of: gives the state in which a container is to be seen.
        unread: the numbers of lists whose elements are not to be seen; see
            `autograph.staging.lists.growing`.
        given: the lists that are lists of rows in heaps, or the objects that are in heaps; see
            `autograph.staging.lists.given_rows` and `given_objects` beside it.
        packing: says which lists are packed; see `autograph.staging.lists.packed`.

    Attributes:
        containers: those that are met, by number.
        placed: the objects in heaps, as often as they are met.
        texts: the templates that texts have where paths join; see
            `autograph.staging.values.chosen_texts`.
    """

    def __init__(
        self,
        is_leaf: Callable[[Any], bool] = lambda container: False,
        as_rows: Mapping[Any, ElementType] | None = None,
        contents_of: Callable[[Any], Contents] = contents,
        unread: Collection[int] = (),
        given: GivenRows | GivenObjects | None = None,
        packing: Packing | None = None,
    ):
        self.is_leaf = is_leaf
        self._given = given
        self._unread = unread
        self._packing = packing
        self._rows: set[int] = set()  # lists in lists, which are not packed
        self.as_rows = ByIdentity() if as_rows is None else as_rows
        self.contents_of = contents_of
        self.containers: list[Any] = []
        self.placed: list[Any] = []
        self._numbers: dict[int, int] = {}
        self.texts: tuple[str, ...] = ()

    def flatten(self, content: Any) -> tuple[list[Any], Structure]:
        leaves: list[Any] = []
        return leaves, self._visit(content, leaves)

    def _visit(self, content: Any, leaves: list[Any]) -> Structure:
        if self.texts:
            values = as_one_of(content, self.texts)
            if values is not None:
                leaves += values
                count = fields(self.texts)[-1].stop
                text = TupleOf(TextKind(self.texts), (LEAF,) * count)
                return text if len(values) == count else NoneOrOf(text)
        if type(content) in _ALWAYS_LEAVES:  # the most frequent ones first
            leaves.append(content)
            return LEAF
        if type(content) is tuple:
            return TupleOf(tuple, tuple([self._visit(part, leaves) for part in content]))
        if isinstance(content, (Stacked, Column, MadeColumn)):
            leaves.append(content)
            return LEAF
        if isinstance(content, ObjectOrNone):
            leaves.append(content.present)
            return NoneOrOf(self._visit(content.content, leaves))
        if is_tuple(content):
            parts = tuple(self._visit(part, leaves) for part in parts_of(content))
            return TupleOf(kind_of(content), parts)
        if isinstance(
            content, PlacedObject
        ):  # told by its place, not by which object stands for it
            state = self.contents_of(content)
            parts = tuple(self._visit(value, leaves) for value in state.values)
            return ContainerOf(-1, type(content), state.keys, parts)
        if id(content) in self._numbers:
            return SameAs(self._numbers[id(content)])
        if not is_rebuilt(content) or self.is_leaf(content):
            leaves.append(content)
            return LEAF
        if isinstance(content, TrackedList) and content.lost is not None:
            raise content.lost.error()
        stand_in = None if self._given is None else self._given.stand_in(content)
        if isinstance(stand_in, GivenSeat):
            self.placed.append(content)
            parts = tuple([self._visit(part, leaves) for part in stand_in])
            return ContainerOf(-1, stand_in.heap.made_of, (SEAT,), parts)
        number = self._numbers[id(content)] = len(self.containers)
        self.containers.append(content)
        content = content if stand_in is None else stand_in
        is_list = isinstance(content, list) and not isinstance(content, TrackedDeque)
        is_plain = is_list and not isinstance(content, PooledRow)
        kind = TrackedList if is_plain else type(content)
        if kind is TrackedList and number in self._unread:
            return ContainerOf(number, kind, (Unread(number),), ())
        if self._packing is not None and type(content) is list:
            self._rows.update(id(item) for item in content if type(item) is list)
            packed = None if id(content) in self._rows else self._packing(number, content)
            if packed is not None:
                leaves += packed[1]
                return ContainerOf(number, kind, packed[0].keys, (LEAF,) * len(packed[1]))
        if isinstance(content, TrackedList) and content.unread is not None:
            content.unread.refuse()
        rows = None
        if isinstance(content, TrackedList) and (content.home is not None or content.holders):
            rows = content.followed()
        if rows is None:
            state = self.contents_of(content)
        else:
            state = Contents((ROWS, rows.structure), rows.columns)
        if content in self.as_rows:
            state = state_as_rows(state, self.as_rows[content], self.contents_of)
        parts = tuple(self._visit(value, leaves) for value in state.values)
        return ContainerOf(number, kind, state.keys, parts)


def elements_of(state: Contents) -> ElementType:
    """What is known of the elements of a list kept as rows."""
    return ElementType(state.keys[1], tuple(column.element for column in state.values))


def state_as_rows(
    state: Contents,
    wanted: ElementType,
    contents_of: Callable[[Any], Contents],
) -> Contents:
    """The state of a list that is to be kept as rows, or has to have other texts, or numbers of
    other types, in them."""
    if not state.is_rows:
        return rows_of(state.values, wanted, contents_of)
    if state.keys[1] == wanted.structure:
        return state
    own = elements_of(state)
    columns = columns_as(state.values, own, wanted)
    return Contents((ROWS, wanted.structure), tuple(columns))


def rows_of(
    elements: tuple[Any, ...],
    wanted: ElementType,
    contents_of: Callable[[Any], Contents] = contents,
) -> Contents:
    """The state of a list of ``elements`` that is to become rows; ``contents_of`` gives the state
    of those that are containers."""
    texts = holds_text(wanted.structure)
    in_row = InRows(wanted, TemplatePosition)
    flat = [
        in_row(*flatten_element(element, contents_of, texts, nones=True)) for element in elements
    ]
    for element in unlike(elements):
        absorb(element)
    is_grown = not elements or (len(elements) == 1 and not isinstance(elements[0], list))
    columns = tuple(
        Stacked(tuple(parts[i] for parts in flat), element, not is_grown)
        for i, element in enumerate(wanted.types)
    )
    return Contents((ROWS, wanted.structure), columns)


class Unflattener:
    """Puts the contents of variables together again; ``containers`` are by number."""

    def __init__(self) -> None:
        self.containers: dict[int, Any] = {}

    def unflatten(self, structure: Structure, leaves: Iterator[Any]) -> Any:
        match structure:
            case None:
                return next(leaves)
            case TupleOf(kind, parts):
                return make_tuple(kind, [self.unflatten(part, leaves) for part in parts])
            case NoneOrOf(part):
                present = next(leaves)
                return none_or(present, self.unflatten(part, leaves))
            case SameAs(number):
                return self.containers[number]
            case ContainerOf():
                return self.container(structure, leaves)
        raise TypeError(structure)

    def container(self, structure: ContainerOf, leaves: Iterator[Any]) -> Any:
        """A container, new and with its values in it."""
        number, kind, keys, parts = structure
        made = self.empty(number, kind, keys)
        if number >= 0:  # which those have that are told by their places
            self.containers[number] = made
        values = tuple(self.unflatten(part, leaves) for part in parts)
        if is_packed(keys):
            keys, values = keys[:-1], keys[-1].columns(values)
        fill(made, Contents(keys, values))
        return made

    def empty(self, number: int, kind: type, keys: tuple) -> Any:
        """A new container, which is going to be filled."""
        return empty_like(kind, keys)


def is_packed(keys: tuple) -> bool:
    """Whether these are the keys of a packed list; see `autograph.staging.lists.packed`."""
    return len(keys) == 3 and isinstance(keys[2], Packed)


def leaves_in(structure: Structure) -> int:
    """How many leaves it has."""
    return sum(1 for _ in _ways(structure, ()))


def paths(structure: Structure) -> Iterator[tuple[str, ...]]:
    """The way to each leaf: positions, keys and attributes."""
    for way in _ways(structure, ()):
        yield tuple(str(name) for name, _ in way)


def steps(structure: Structure) -> Iterator[tuple[str, ...]]:
    """The same as Python writes it: ``[0]``, ``['key']``, ``.attribute``."""
    for way in _ways(structure, ()):
        yield tuple(form.format(name) for name, form in way)


# For each step a position, key or attribute, and how Python writes it.
_Way = tuple[tuple[Any, str], ...]
_ITEM, _ATTRIBUTE = "[{!r}]", ".{}"


def _ways(structure: Structure, way: _Way) -> Iterator[_Way]:
    match structure:
        case None:
            yield way
        case TupleOf(kind, parts):
            fields = getattr(kind, "_fields", None)
            form = _ATTRIBUTE if fields else _ITEM
            for name, part in zip(fields or range(len(parts)), parts):
                yield from _ways(part, (*way, (name, form)))
        case NoneOrOf(part):
            yield (*way, ("present", " is None"))
            yield from _ways(part, way)
        case ContainerOf(_, kind, keys, parts) if issubclass(kind, CELLS) or is_packed(keys):
            for part in parts:
                yield from _ways(part, way)
        case ContainerOf(_, kind, keys, parts):
            is_sequence = issubclass(kind, (list, deque)) or len(keys) < len(parts)
            names = range(len(parts)) if is_sequence else keys[len(keys) - len(parts) :]
            form = _ITEM if is_sequence or issubclass(kind, (dict, set)) else _ATTRIBUTE
            for name, part in zip(names, parts):
                yield from _ways(part, (*way, (name, form)))


def walk(structure: Structure) -> Iterator[Structure]:
    """A structure, and those in it."""
    yield structure
    parts = structure.parts if isinstance(structure, (ContainerOf, TupleOf)) else ()
    for part in (structure.part,) if isinstance(structure, NoneOrOf) else parts:
        yield from walk(part)


def leaf_count(structure: Structure) -> int:
    """How many leaves a structure has."""
    return sum(part is LEAF or isinstance(part, NoneOrOf) for part in walk(structure))


def unread_lists(structure: Structure) -> list[int]:
    """The numbers of the lists in a structure whose elements are not seen."""
    parts = walk(structure)
    return [part.number for part in parts if isinstance(part, ContainerOf) and part.is_unread]


def wants_exactness(structure: Structure) -> bool:
    """Whether there are packed lists in a structure that are so only if no number is promoted."""
    parts = (part for part in walk(structure) if isinstance(part, ContainerOf))
    return any(is_packed(part.keys) and part.keys[2].is_exact for part in parts)


def given_arrays(structure: Structure) -> list[int]:
    """The positions of the leaves of a structure that are arrays of what rows in heaps consist of;
    see `autograph.staging.lists.given_rows`."""
    found: list[int] = []
    count = 0

    def visit(part: Structure) -> None:
        nonlocal count
        if isinstance(part, ContainerOf) and part.is_given:
            found.extend(range(count, count + len(part.keys[2])))
        if part is LEAF:
            count += 1
        elif isinstance(part, NoneOrOf):
            count += 1
            visit(part.part)
        elif isinstance(part, (TupleOf, ContainerOf)):
            for inner in part.parts:
                visit(inner)

    visit(structure)
    return found


def placed_leaves(structure: Structure) -> set[int]:
    """The positions of the leaves of a structure that are of objects in heaps: what these consist
    of, and places in them."""
    found: set[int] = set()
    count = 0

    def visit(part: Structure, inside: bool) -> None:
        nonlocal count
        if part is LEAF or isinstance(part, NoneOrOf):
            if inside:
                found.add(count)
            count += 1
        if isinstance(part, NoneOrOf):
            visit(part.part, inside)
        elif isinstance(part, (TupleOf, ContainerOf)):
            is_placed = isinstance(part, ContainerOf) and issubclass(part.kind, _PLACED)
            for inner in part.parts:
                visit(inner, inside or is_placed)

    visit(structure, False)
    return found


def container_kinds(structure: Structure) -> Iterator[type]:
    """The classes of the containers in a structure."""
    return (part.kind for part in walk(structure) if isinstance(part, ContainerOf))


def tuple_kinds(structure: Structure) -> Iterator[type]:
    """The classes of the tuples in a structure that are no plain ones."""
    kinds = (part.kind for part in walk(structure) if isinstance(part, TupleOf))
    return (kind for kind in kinds if isinstance(kind, type) and kind is not tuple)


def text(structure: Structure, leaves: Iterator[Any]) -> str:
    """What messages call a content: its nesting, with ``leaves`` in it."""
    match structure:
        case None:
            return str(next(leaves))
        case TupleOf(kind, parts):
            inner = ", ".join(text(part, leaves) for part in parts)
            template = getattr(kind, "template", None)
            if isinstance(template, tuple):
                return " or ".join(f"the text {one!r}" for one in template)
            if template is not None:
                return f"the text {template!r} of {inner}"
            name = "" if kind is tuple else kind.__name__
            return f"{name}({inner}{',' if len(parts) == 1 and not name else ''})"
        case ContainerOf(_, kind, keys, parts):
            texts = [text(part, leaves) for part in parts]
            if issubclass(kind, PooledRow):
                return "a list in a list of lists"
            if issubclass(kind, list):
                return f"[{', '.join(texts)}]"
            if kind is dict:
                return f"{{{', '.join(f'{k!r}: {v}' for k, v in zip(keys, texts))}}}"
            return f"{kind.__name__}({', '.join(texts)})"
        case NoneOrOf(part):
            next(leaves)
            return f"{text(part, leaves)} or None"
        case SameAs():
            return "..."
    return "..."
