"""Lists of lists that a program gives, as callers have them, from the heaps these are in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.staging.containers.containers import Contents, empty_like, fill
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf, make_tuple
from autograph.staging.ground.ownership import slots_of
from autograph.staging.lists import given_tuples
from autograph.staging.lists.elements import ListOf, leaf_count
from autograph.staging.lists.heap import Heap
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import PooledTupleLists, PooledTuples
from autograph.staging.lists.tables import KeyTable, delivered
from autograph.staging.values.leaves import Promoted


class KeptLists:
    """The lists, or arrays, of a heap, each of which is made once.

    Args:
        kind: the class of the heap.
        parts: what it consists of, as callers have it.
    """

    def __init__(self, kind: type[Heap], parts: dict[str, Any]):
        self._kind, self._parts = kind, parts
        self._made: dict[int, Any] = {}
        self._lists: dict[int, tuple[list, list[int]]] = {}

    def closed(self) -> KeptLists | Heap:
        """The heap itself, if parts of it are still to be computed."""
        return self.heap() if any(map(is_open, self._parts.values())) else self

    def heap(self) -> Heap:
        """The heap itself."""
        made = object.__new__(self._kind)
        vars(made).update(opened(self._parts))
        return made

    def at(self, places: Sequence[int]) -> list:
        """What is at some places."""
        made, wanted = self._made, set(places)
        if not made and len(wanted) == len(places):
            rows = self._rows(places)
            made.update(zip(places, rows))
            return rows
        new = [place for place in wanted if place not in made]
        made.update(zip(new, self._rows(new)))
        return [made[place] for place in places]

    def lists(self, places: list[int], inner: Sequence[KeptLists]) -> list:
        """The list of what is at some places, one for each list of these.

        Args:
            inner: where that is kept of which these are the places, and so on.
        """
        found = self._lists.get(id(places))
        if found is None:
            rows = self.at(places)
            if inner:
                rows = [inner[0].lists(row, inner[1:]) for row in rows]
            found = self._lists[id(places)] = rows, places
        return found[0]

    def _rows(self, places: Sequence[int]) -> list:
        pool, starts, lengths = (self._parts[name] for name in ("pool", "starts", "lengths"))
        spans = [(starts[place], lengths[place]) for place in places]
        if "dtype" not in self._parts:
            return [pool[start : start + length] for start, length in spans]
        array = np.array(pool, self._parts["dtype"])
        return [array[start : start + length].copy() for start, length in spans]


def is_open(part: Any) -> bool:
    """Whether a part of a container is still to be computed."""
    return isinstance(part, (TrackedList, PooledList, Heap))


def parts_in(held: dict[str, Any]) -> Iterator[Any]:
    """The lists that a list of lists, or of what has such in it, consists of."""
    for part in held.values():
        if isinstance(part, dict):
            yield from part.values()
        elif isinstance(part, tuple):
            yield from part
        else:
            yield part


def opened(part: Any) -> Any:
    """A part of a container, as it is while a function is recorded."""
    if isinstance(part, dict):
        return {name: opened(inner) for name, inner in part.items()}
    if isinstance(part, tuple):
        return tuple(map(opened, part))
    if isinstance(part, KeptLists):
        return part.heap()
    return TrackedList(part) if type(part) is list else part


class LaterItems:
    """What attributes of objects in a heap are of all of them, each made when it is asked for."""

    def item(self, index: int) -> Any:
        """That of one object."""
        raise NotImplementedError


class LaterTuples(LaterItems):
    """Tuples with objects in them, or lists of such, which are the same ones where the lists of
    their first items are."""

    def __init__(self, made_of: Any, columns: Sequence[Any], are_lists: bool):
        self._made_of, self._columns, self._are_lists = made_of, columns, are_lists
        self._made: dict[int, tuple[list, Any]] = {}

    def item(self, index: int) -> Any:
        parts = [c.item(index) if isinstance(c, LaterItems) else c[index] for c in self._columns]
        if not self._are_lists:
            return make_tuple(self._made_of, parts)
        if id(parts[0]) not in self._made:
            tuples = [make_tuple(self._made_of, list(items)) for items in zip(*parts)]
            self._made[id(parts[0])] = tuples, parts[0]
        return self._made[id(parts[0])][0]


def nested(kind: type[PooledList], parts: dict[str, Any]) -> Any:
    """A list of lists, or of what has such in it, from what a `PooledList` consists of."""
    if not issubclass(kind, PooledTuples):
        places = parts["places"]
        if isinstance(places, deque):
            return deque(parts["heap"].at(list(places)))
        return parts["heap"].lists(places, parts.get("inner", ()))
    made_of, columns = parts["made_of"], parts["parts"]
    if isinstance(columns[0], given_tuples.ItemsOf):  # a list of the caller's
        return columns[0].whole
    if any(isinstance(column, LaterItems) for column in columns):
        return LaterTuples(made_of, columns, issubclass(kind, PooledTupleLists))
    return type(columns[0])(make_tuple(made_of, list(items)) for items in zip(*columns))


def elements_of(structure: Structure, columns: Iterator[Sequence]) -> Iterable[Any]:
    """The elements of a list, from the sequences of their parts: tuples, and lists of numbers, all
    at once."""
    if structure is LEAF:
        return next(columns)
    if isinstance(structure, ListOf) and structure.part is LEAF:
        return map(list, next(columns))
    if isinstance(structure, TupleOf) and structure.parts:
        parts, kind = [elements_of(part, columns) for part in structure.parts], structure.kind
        if isinstance(kind, Promoted):
            return kind.of_a_run(*map(list, parts))
        rows = zip(*parts)
        return rows if kind is tuple else (make_tuple(kind, list(row)) for row in rows)
    own = [next(columns) for _ in range(leaf_count(structure))]
    return (_element(structure, iter(parts)) for parts in zip(*own))


def _element(structure: Structure, parts: Iterator[Any]) -> Any:
    """An element of a list, from its parts, which are numbers, arrays, or sequences of such."""
    match structure:
        case None:
            return next(parts)
        case TupleOf(kind, inner):
            return make_tuple(kind, [_element(part, parts) for part in inner])
        case ListOf(_, part):
            columns = [next(parts) for _ in range(leaf_count(part))]
            return [_element(part, iter(row)) for row in zip(*columns)]
    made = empty_like(structure.kind, structure.keys)
    made = [] if structure.kind is list else made
    values = tuple(_element(part, parts) for part in structure.parts)
    fill(made, Contents(structure.keys, values))
    if isinstance(made, KeyTable):
        kind = type(made)
        return delivered(kind, [getattr(made, name) for name in slots_of(kind)])
    return made
