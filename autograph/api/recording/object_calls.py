"""Calls with objects in heaps that are like an earlier one, found without taking them apart anew.

What the heaps consist of is arrays (see `autograph.staging.lists.given_objects`), so what a call is
taken apart into differs from what the one before was in arrays, and in the places of the objects
that are arguments, where the heaps have the same attributes of the same kinds. Where each leaf
comes from is written down once, and with it what was found. Other calls than of such objects, and
lists of them, beside arrays, numbers and packed lists, are not written down.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.recording.list_forms import Flat, ListForms
from autograph.api.recording.row_calls import PartOf, arrays_among
from autograph.staging.border.constancy import class_key
from autograph.staging.border.delivery import Delivery, GivenContainer
from autograph.staging.border.signature import CallParts, Nested, call_containers, leaf_key
from autograph.staging.containers.structure import (
    ContainerOf,
    Structure,
    TupleOf,
    is_packed,
    leaf_count,
)
from autograph.staging.lists.elements import ElementType
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import ATOMS
from autograph.staging.lists.packed import packed
from ops.core.records import NamedTuple


class _PlaceOf(NamedTuple):
    """The next leaf is the place of an object that is an argument, with this number."""

    argument: int


class _ColumnOf(NamedTuple):
    """The next leaf is one of the arrays that a list of numbers is packed into.

    Attributes:
        argument: the number of the list.
        at: that of the array among those of the list.
    """

    argument: int
    at: int


class _Fixed(NamedTuple):
    """The next leaf is the same in all such calls."""

    leaf: Any


class ObjectCalls:
    """What was found for a call with objects in heaps, for those that are like it."""

    def __init__(
        self,
        lists: ListForms,
        compiled: Compiled,
        flat: Flat,
        form: Hashable,
        elements: Mapping[int, ElementType],
        sources: Sequence[Any],
        containers: Sequence[int | None],
    ):
        self._lists = lists
        self._compiled = compiled
        self._structure: Nested = flat.structure
        self._form = form
        self._elements = elements
        self._sources = sources
        self._containers = containers

    @classmethod
    def of(cls, lists: ListForms, compiled: Compiled, flat: Flat) -> ObjectCalls | None:
        """That of a call; None if more may differ in one that is alike."""
        call, traced, given = flat.call, compiled.traced, flat.call.given
        if not isinstance(given, GivenObjects) or call.kwargs or call.roots or call.unread:
            return None
        if traced.bound or traced.generators or compiled.fixed[0]:
            return None
        if traced.knows_repeated or compiled.may_meet_itself:
            return None
        elements = _elements_of_packed(flat.structure.structure)
        if call.packing is not None and len(call.packing.done) > len(elements):
            return None
        form = _form(given, call.args, elements)
        if form is None:
            return None
        sources = list(_sources(flat, given, elements))
        if any(source is None for source in sources):
            return None
        known = {id(one): n for n, one in enumerate((*given.containers(), *call.args))}
        containers = [known.get(id(one)) for one in call_containers(call)]
        if not all(containers[number] is not None for number in _needed(traced.delivery)):
            return None
        return cls(lists, compiled, flat, form, elements, sources, containers)

    def found(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Compiled, Flat] | None:
        """What is compiled for a call, and the call; None if it is not alike."""
        given = None if kwargs else self._lists.objects(args, kwargs)
        if given is None or _form(given, args, self._elements) != self._form:
            return None
        if any(class_key(kind) != key for kind, key in self._structure.classes):
            return None
        columns: dict[int, Sequence[Any]] = {}
        for number, element in self._elements.items():
            found = _columns(args[number], element)
            if found is None:
                return None
            columns[number] = found
        values = [part.values for part in given.parts()]
        leaves: list[Any] = []
        for source in self._sources:
            kind = type(source)
            if kind is PartOf:
                leaves.append(values[source.part][source.at])
            elif kind is _Fixed:
                leaves.append(source.leaf)
            elif kind is _PlaceOf:
                leaves.append(given.place_of(args[source.argument]))
            elif kind is _ColumnOf:
                leaves.append(columns[source.argument][source.at])
            else:
                leaves.append(args[source])
        if not self._compiled.is_for(leaves):
            return None
        own = *given.containers(), *args
        containers = [None if number is None else own[number] for number in self._containers]
        call = CallParts(args, kwargs, given=given, containers=containers)
        return self._compiled, Flat(leaves, self._structure, call)


def _form(given: GivenObjects, args: tuple, elements: Mapping[int, ElementType]) -> Hashable:
    """What calls have in common that are alike; None of one that is like no other.

    Args:
        elements: of the lists that are packed, by the numbers of the arguments.
    """
    kinds: list[Hashable] = []
    for number, argument in enumerate(args):
        kind = type(argument)
        if kind in ATOMS:
            kinds.append(leaf_key(argument))
        elif kind is list and number in elements and given.stand_in(argument) is None:
            kinds.append(list)
        else:
            kinds.append(given.kind_of(argument))
    lists = [id(argument) for argument in args if type(argument) is list]
    is_like_none = None in kinds or len({*lists}) < len(lists)
    return None if is_like_none else (tuple(kinds), given.form)


def _sources(flat: Flat, given: GivenObjects, elements: Mapping[int, ElementType]) -> Iterator[Any]:
    """Where the leaves of a call come from; None of those of which it is not known."""
    args = flat.call.args
    arrays = arrays_among(flat.leaves, given.parts())
    start = 0
    for number, structure in enumerate(_of_arguments(flat.structure.structure)):
        stop = start + leaf_count(structure)
        for position in range(start, stop):
            leaf, found = flat.leaves[position], arrays[position]
            if found is not None:
                yield found
            elif type(args[number]) in ATOMS:
                yield number
            elif number in elements:
                yield _ColumnOf(number, position - start)
            elif position == stop - 1 and type(args[number]) is not list:
                yield _PlaceOf(number)
            else:
                yield _Fixed(leaf) if not hasattr(leaf, "shape") else None
        start = stop


def _of_arguments(structure: Structure) -> Sequence[Structure]:
    """The structures of the positional arguments of a call without roots."""
    assert isinstance(structure, TupleOf)
    args = structure.parts[0]
    assert isinstance(args, TupleOf)
    return args.parts


def _elements_of_packed(structure: Structure) -> dict[int, ElementType]:
    """What is known of the elements of arguments that are packed, by the numbers of these."""
    return {
        number: part.keys[2].element
        for number, part in enumerate(_of_arguments(structure))
        if isinstance(part, ContainerOf) and is_packed(part.keys)
    }


def _columns(items: list, element: ElementType) -> Sequence[Any] | None:
    """The arrays that a list is packed into; None if its elements are of another kind."""
    found = packed(items) if items else None
    return None if found is None or found[0].element != element else found[1]


def _needed(delivery: Delivery) -> Iterator[int]:
    """The numbers of the containers of a call that its results need."""
    everything = [*delivery.sources, *(target for target, _ in delivery.changed)]
    return (source.number for source in everything if isinstance(source, GivenContainer))
