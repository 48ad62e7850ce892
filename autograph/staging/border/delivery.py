"""How the results of a program become what the function returns, and what it changes.

A function may return arrays, numbers, nested containers of them, objects it was given, and objects
it has made; and it may change lists, dicts and objects that it was given or that it found outside.
A `Delivery` says, for each leaf of all this, where it comes from.
"""

from __future__ import annotations

import datetime
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard

import numpy as np

from autograph.errors import Location, UnsupportedFunctionError
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.arrays.random_generators import GraphGenerator
from autograph.staging.border.delivered_lists import (
    KeptLists,
    elements_of,
    is_open,
    nested,
    opened,
    parts_in,
)
from autograph.staging.border.delivered_objects import OF_OBJECTS, DeliveredObjects
from autograph.staging.border.made import MadeObjects, may_be_made, refused, templates
from autograph.staging.classes.presence import refused_attribute
from autograph.staging.containers.assembly import Part, assembler
from autograph.staging.containers.containers import Contents, contents, empty_like, fill
from autograph.staging.containers.structure import ContainerOf, Flattener, Unflattener, walk
from autograph.staging.ground import sparse_kinds
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.ground.ownership import slots_of
from autograph.staging.lists.elements import ROWS
from autograph.staging.lists.given_arrays import refuse_copied
from autograph.staging.lists.given_rows import GivenHeap
from autograph.staging.lists.growing import ADDED
from autograph.staging.lists.heap import Heap, PooledRow, row_at
from autograph.staging.lists.lists import Column, Rows, TrackedList
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.queues import TrackedDeque
from autograph.staging.lists.referred_tables import ReferredTables
from autograph.staging.lists.tables import TABLE, KeyTable, delivered, unflattened
from autograph.staging.sequences.dicts import TrackedDict
from autograph.staging.values.choice import Choice
from autograph.staging.values.leaves import Promoted
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, OnlyTruth, none_or
from autograph.staging.values.promoted import PromotedNumber, carry, constructor, types_of
from ops.core.records import NamedTuple, dataclass
from ops.core.types import ArrayType, type_of


class Output(NamedTuple):
    """The next result of the program."""


class OptionalOutput(NamedTuple):
    """The next results: whether it is not None, and what it is then, as `NumberOutput` says for
    these types, if there are any."""

    kinds: tuple[ArrayType, ...] = ()


class AttributeOutput(NamedTuple):
    """The next two results: whether an attribute of an object is assigned, and what it is then."""

    name: str


class NumberOutput(NamedTuple):
    """The next results: which of these types a number is of, what it is in those that the promoted
    type does not hold, and the promoted number; see `autograph.staging.values.promoted`."""

    kinds: tuple[ArrayType, ...]


class RowsOutput(NamedTuple):
    """The next result: a part of all elements of a list; ``weak`` if it is a Python number."""

    weak: bool


class ChoiceOutput(NamedTuple):
    """The next result: which of some static objects it is."""

    objects: tuple


class Argument(NamedTuple):
    """The leaf of the arguments at a position."""

    position: int


class GivenContainer(NamedTuple):
    """The container among the arguments with a number; see `Flattener`."""

    number: int


class Static(NamedTuple):
    """The same object at each call."""

    value: Any


class Copy(NamedTuple):
    """An array that a library has made while the function was recorded: a new one at each call."""

    value: Any


class Made(NamedTuple):
    """An object that was made while the function was recorded: a new one at each call."""

    group: MadeObjects
    number: int


OUTPUT, OPTIONAL = Output(), OptionalOutput()
_ABSENT = Static("an attribute that is not assigned")


@dataclass
class Delivery:
    """See the module's text.

    Attributes:
        structure: a tuple of the result, then what each of ``changed`` contains.
        sources: where its leaves come from.
        changed: the containers that the function changes, with the keys of their contents; after
            `ADDED` those of what it adds to a list.
    """

    structure: TupleOf
    sources: list[Any]
    changed: list[tuple[Argument | GivenContainer | Static, tuple]]

    def add_to(self, changed: Sequence[Any]) -> None:
        """Args: changed: the first of the containers, of which those that are unread lists contain
        what is to be added, and those that are tables the lists of these."""
        for i, container in enumerate(changed):
            if isinstance(container, TrackedList) and container.unread is not None:
                target, keys = self.changed[i]
                self.changed[i] = target, (ADDED, *keys)
            elif isinstance(container, KeyTable):
                self.changed[i] = self.changed[i][0], (TABLE,)

    @property
    def is_plain(self) -> bool:
        """Whether the result is the program's single result."""
        return self.sources == [OUTPUT] and self.structure.parts == (LEAF,)

    @property
    def stands_alone(self) -> bool:
        """Whether the result is made of the program's results alone, and nothing changes."""
        given = any(isinstance(source, (Argument, GivenContainer)) for source in self.sources)
        return not given and not self.changed

    def assembler(self, single: bool) -> Callable[[Any], Any]:
        """What makes the result of the program's results, for one that `stands_alone`.

        Args:
            single: the program returns its only result, not a tuple of results.
        """
        made = None
        (structure,) = self.structure.parts
        if self._is_sparse(structure):
            kind, (shape, *_) = structure.kind, structure.keys
            return sparse_kinds.maker(kind, shape)
        if all(map(is_written, self.sources)):
            made = assembler(structure, list(map(part_of, self.sources)), single)
        if made is not None:
            return made
        return lambda outputs: self.deliver((outputs,) if single else outputs)

    def _is_sparse(self, structure: Any) -> bool:
        """Whether the result is a sparse matrix, made of the program's results in their order."""
        return (
            isinstance(structure, ContainerOf)
            and sparse_kinds.format_of(structure.kind) is not None
            and structure.parts == (LEAF, LEAF, LEAF)
            and all(isinstance(source, Output) for source in self.sources)
        )

    def deliver(
        self,
        outputs: Sequence[Any],
        leaves: Sequence[Any] = (),
        containers: Callable[[], Sequence[Any]] = tuple,
    ) -> Any:
        """The function's result; changes the containers that it changes.

        Args:
            outputs: the program's results.
            leaves: of the arguments.
            containers: gives those among the arguments, by number.
        """
        remaining = iter(outputs)
        given = containers() if self._needs_containers else ()
        copies: dict[int, Any] = {}
        parts = iter([self._leaf(s, remaining, leaves, given, copies) for s in self.sources])
        delivered = _Delivered()
        result, *states = (delivered.unflatten(part, parts) for part in self.structure.parts)
        for (target, keys), state in zip(self.changed, states):
            _fill(self._leaf(target, remaining, leaves, given, copies), keys, state)
        return result

    @property
    def _needs_containers(self) -> bool:
        everything = [*self.sources, *(target for target, _ in self.changed)]
        return any(isinstance(source, GivenContainer) for source in everything)

    @staticmethod
    def _leaf(
        source: Any,
        outputs: Iterator[Any],
        leaves: Sequence,
        containers: Sequence,
        copies: dict[int, Any],
    ) -> Any:
        match source:
            case Output():
                return next(outputs)
            case OptionalOutput(kinds):
                of = NumberOutput(kinds) if kinds else OUTPUT
                present = next(outputs)
                return none_or(present, Delivery._leaf(of, outputs, leaves, containers, copies))
            case AttributeOutput(name):
                present, value = next(outputs), next(outputs)
                if isinstance(present, GraphArray):
                    raise refused_attribute(name, "is the result of a function that was saved")
                return value if present else _ABSENT
            case NumberOutput(kinds):
                which, apart = next(outputs), Promoted(kinds).apart
                exact = [next(outputs) if kind in apart else None for kind in kinds]
                value = next(outputs)
                if isinstance(which, GraphArray):
                    return PromotedNumber(value.value, kinds, which, exact)
                own = exact[which]
                return constructor(kinds[which])(value if own is None else own)
            case RowsOutput(weak):
                rows = next(outputs)
                if isinstance(rows, GraphArray):
                    element = rows.type._replace(shape=rows.type.shape[1:], weak=weak)
                    return Column(rows.value, element)
                return rows.tolist() if weak else list(rows)
            case ChoiceOutput(objects):
                index = next(outputs)
                if isinstance(index, GraphArray):
                    return Choice(index, objects)
                chosen = objects[int(index)]
                return chosen.group.copy(chosen.number, copies) if type(chosen) is Made else chosen
            case Argument(position):
                return leaves[position]
            case GivenContainer(number):
                return containers[number]
            case Copy(array):
                if id(array) not in copies:
                    copies[id(array)] = new = array.copy("K")
                    new.flags.writeable = array.flags.writeable
                return copies[id(array)]
            case Made(group, number):
                return group.copy(number, copies)
        return source.value


# What there are expressions for.
_Written = Output | OptionalOutput | NumberOutput | RowsOutput | ChoiceOutput | Static


def is_written(source: Any) -> TypeGuard[_Written]:
    """Whether there is an expression for a leaf."""
    if isinstance(source, ChoiceOutput):
        return all(type(chosen) is not Made for chosen in source.objects)
    return isinstance(source, _Written)


def part_of(source: _Written) -> Part:
    """What makes a leaf, for an assembler."""
    if isinstance(source, Static):
        return Part(0, value=source.value)
    if isinstance(source, Output):
        return Part(1)
    if isinstance(source, ChoiceOutput):
        return Part(1, value=source.objects, form="{1}[{0}]")
    if isinstance(source, OptionalOutput):
        of = part_of(NumberOutput(source.kinds) if source.kinds else OUTPUT)
        return of._replace(count=of.count + 1, optional=True)
    if isinstance(source, RowsOutput):
        return Part(1, form="{}.tolist()" if source.weak else "list({})")
    fact = Promoted(source.kinds)
    apart = fact.apart
    makers = [
        None if k.weak and (k in apart or k == fact.type) else constructor(k) for k in fact.kinds
    ]
    places = [1 + apart.index(k) if k in apart else 1 + len(apart) for k in fact.kinds]
    return Part(2 + len(apart), alternatives=tuple(zip(places, makers)))


# What callers get for ours.
_MADE: dict[type, Callable[[], Any]] = {TrackedList: list, TrackedDeque: deque}


class _Delivered(Unflattener):
    """Puts results together, of containers as callers have them."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[int, tuple] = {}
        self.objects = DeliveredObjects(self.containers)

    def container(self, structure: ContainerOf, leaves: Iterator[Any]) -> Any:
        number, kind, keys, parts = structure
        if issubclass(kind, OF_OBJECTS):
            return self.objects.made(structure, lambda part: self.unflatten(part, leaves))
        made: Any = _MADE[kind]() if kind in _MADE else empty_like(kind, keys)
        self.containers[number] = made
        state = tuple(self.unflatten(part, leaves) for part in parts)
        if kind is PooledRow:
            owner, place = state
            kept = isinstance(owner, (KeptLists, GivenHeap))
            made = self.containers[number] = owner.at([place])[0] if kept else row_at(owner, place)
            return made
        if issubclass(kind, Heap):
            made = self.containers[number] = KeptLists(kind, dict(zip(keys[1:], state))).closed()
            return made
        if issubclass(kind, PooledList):
            held = dict(zip(keys[1:], state))
            if any(map(is_open, parts_in(held))):
                made = object.__new__(kind)
                vars(made).update(opened(held))
            else:
                made = self._tables(held) if kind is ReferredTables else nested(kind, held)
            self.containers[number] = made
            return made
        if issubclass(kind, KeyTable):
            return self._table(number, kind, state)
        if any(isinstance(part, Column) for part in state):
            made = self.containers[number] = TrackedList()
        _fill(made, keys, state)
        if issubclass(kind, GraphGenerator):
            made = self.containers[number] = made.delivered()
        return made

    def _table(self, number: int, kind: type[KeyTable], state: tuple) -> Any:
        """A dict or set, of the lists that make one."""
        if any(isinstance(part, TrackedList) for part in state):
            made = self.containers[number] = unflattened(kind, state)
            return made
        made = self.containers[number] = self._of_lists(kind, state)
        return made

    def _of_lists(self, kind: type[KeyTable], state: tuple) -> Any:
        """A dict or set, which is the same one where its list of keys is."""
        keys = state[slots_of(kind).index("order")]
        if id(keys) not in self.tables:
            self.tables[id(keys)] = delivered(kind, state), keys
        return self.tables[id(keys)][0]

    def _tables(self, parts: dict[str, Any]) -> list:
        """What dicts and sets a `ReferredTables` consists of."""
        kind, lists = parts["made_of"], parts["lists"]
        held = zip(
            *(lists.get(name, itertools.repeat(parts["factory"])) for name in slots_of(kind))
        )
        return [self._of_lists(kind, state) for state in held]


def _fill(container: Any, keys: tuple, state: tuple) -> None:
    if keys and keys[0] is ADDED:
        more: list = []
        _fill(more, keys[1:], state)
        container.extend(more)
        return
    if keys and keys[0] is TABLE:
        table = delivered(TrackedDict, state)
        container.clear()
        container.update(table)
        return
    if keys and keys[0] is ROWS:
        if any(isinstance(column, Column) for column in state):
            container.become(Rows(keys[1], state))
            return
        container.clear()
        container.extend(elements_of(keys[1], iter(state)))
        return
    if any(part is _ABSENT for part in state):
        count = len(state) - len(keys[1:])
        present = [(k, part) for k, part in zip(keys[1:], state[count:]) if part is not _ABSENT]
        keys = (keys[0], *(name for name, _ in present))
        state = (*state[:count], *(part for _, part in present))
    fill(container, Contents(keys, state))


class Outlet:
    """Finds where a function's result comes from, while its graph is finished.

    Args:
        source_of: where a container comes from that is older than the recording; None for others.
        rewritten: for arrays that the function changed, by identity: the position of an argument's
            leaf, or the array from outside.
        is_captured: whether a constant is an array from outside.
        tells_types: whether numbers that are of another type on each path come with that.

    Attributes:
        values: the results of the program.
        unsure: objects of which it matters whether they were made while recording.
        made: the containers that callers get as new ones.
    """

    def __init__(
        self,
        source_of: Callable[[Any], Argument | GivenContainer | Static | None],
        rewritten: dict[int, Any],
        is_captured: Callable[[Constant], bool],
        *,
        tells_types: bool = False,
    ):
        self._tells_types = tells_types
        self._source_of = source_of
        self._rewritten = rewritten
        self._is_captured = is_captured
        self.values: list[Value] = []
        self.unsure: list[Any] = []
        self.made: list[Any] = []
        self._copied: list[Any] = []

    def delivery(self, result: Any, changed: Sequence[Any]) -> Delivery:
        """Args: changed: the containers, as they are now, that the function changed."""
        states = [contents(container) for container in changed]
        flattener = Flattener(lambda container: self._source_of(container) is not None)
        leaves, structure = flattener.flatten((result, *(state.values for state in states)))
        sources = [self._source(leaf) for leaf in leaves]
        targets = [self._source_of(container) for container in changed]
        self.made = flattener.containers
        self._rebuilt = ByIdentity((container, None) for container in flattener.containers)
        self._keys = list(filter(may_be_made, _keys([state.keys for state in states], structure)))
        self.unsure += self._keys
        return Delivery(structure, sources, [(t, s.keys) for t, s in zip(targets, states)])

    def make_anew(
        self,
        delivery: Delivery,
        earlier: Sequence[Any],
        original: Callable[[Any], Any],
        location: Location | None,
    ) -> None:
        """Let each call make what was made while recording.

        Args:
            delivery: what `delivery` gave.
            earlier: what was `unsure` when the function was recorded before.
            original: gives the object from outside that one stands for.
            location: of the function.

        Raises:
            UnsupportedFunctionError: a call can't make it.
        """

        def is_given(item: Any) -> bool:
            source = self._source_of(item)
            if isinstance(source, (Argument, GivenContainer)) or item in self._rebuilt:
                return True
            return any(item is array for array in self._copied)

        group, numbers = templates(self.unsure, earlier, original, is_given, location)

        def anew(value: Any) -> Any:
            number = numbers.get(id(value))
            return None if number is None else Made(group, number)

        for key in self._keys:
            if anew(key) is not None:
                raise refused([key], location, "as the key of a dict or in a set")
        for place, source in enumerate(delivery.sources):
            if isinstance(source, Static):
                delivery.sources[place] = anew(source.value) or source
            elif isinstance(source, ChoiceOutput):
                objects = tuple(anew(value) or value for value in source.objects)
                delivery.sources[place] = ChoiceOutput(objects)

    def _source(self, leaf: Any) -> Any:
        if isinstance(leaf, OnlyTruth):
            raise leaf.error
        if isinstance(leaf, Column):
            self.values.append(leaf.value)
            return RowsOutput(leaf.element.weak)
        if isinstance(leaf, Choice):
            self.values.append(leaf.position.value)
            self.unsure += filter(may_be_made, leaf.objects)
            return ChoiceOutput(leaf.movable())
        if isinstance(leaf, MaybeUndefined):  # an attribute
            content = leaf.content
            if type_of(content) is not None and not isinstance(content, GraphArray):
                content = GraphArray(Constant(content))
            if type(content) not in (GraphArray, PromotedNumber) or not self._tells_types:
                raise refused_attribute(leaf.name, "is returned, or changed for the caller")
            self.values += [leaf.flag.value, content.value]
            return AttributeOutput(leaf.name)
        refuse_copied(leaf, "returned, or stored outside")
        if isinstance(leaf, MaybeNone):
            self.values.append(leaf.present.value)
            own = types_of(leaf.content) if self._tells_types else ()
            self.values += self._number(leaf.content, own) if own else [leaf.content.value]
            return OptionalOutput(own) if own else OPTIONAL
        if not isinstance(leaf, GraphArray):
            source = self._source_of(leaf)
            if source is not None or not isinstance(leaf, np.ndarray):
                if source is None and may_be_made(leaf):
                    self.unsure.append(leaf)
                return source or Static(leaf)
            # A graph inside this one returns an array from outside as it is.
            is_captured = type_of(leaf) is not None and self._is_captured(Constant(leaf))
            return Static(leaf) if is_captured else self._copy(leaf)
        if self._tells_types and types_of(leaf):
            self.values += self._number(leaf, leaf.kinds)
            return NumberOutput(leaf.kinds)
        target = self._rewritten.get(id(leaf))
        if target is not None:
            return Argument(target) if isinstance(target, int) else Static(target)
        value = leaf.value
        if isinstance(value, Constant) and self._is_captured(value):
            return Static(value.data)
        self.values.append(value)
        return OUTPUT

    @staticmethod
    def _number(number: Any, kinds: tuple[ArrayType, ...]) -> list[Value]:
        return carry(number, Promoted(kinds), lambda array: array.value)

    def _copy(self, array: np.ndarray) -> Copy:
        """Where an array comes from that a library made.

        Raises:
            UnsupportedFunctionError: a copy would not be what it is.
        """
        others = [other for other in self._copied if other is not array]
        owner = array.base
        if any(np.may_share_memory(array, other) for other in others):
            what = "two arrays that a library made and that share memory"
        elif _is_from_outside(owner) and owner.flags.writeable > array.flags.writeable:
            what = "a part of an array that can only be read here"
        elif array.dtype.hasobject and not all(isinstance(x, _ATOMS) for x in array.flat):
            what = "an array of objects"
        else:
            self._copied.append(array)
            return Copy(array)
        raise located_error(
            UnsupportedFunctionError,
            f"the function returns {what}, or stores it in an object",
            id="AG0620",
            fix="return a list, or a copy, of each",
        )


def _keys(keys: Any, structure: Structure = LEAF) -> Iterator[Any]:
    """The keys of dicts, and the items of sets, in some `Contents.keys` and in a structure."""
    for key in keys:
        if isinstance(key, (tuple, frozenset, list)):
            yield from _keys(key)
        else:
            yield key
    for part in walk(structure):
        if isinstance(part, ContainerOf):
            yield from _keys(part.keys)


def _is_from_outside(owner: Any) -> bool:
    """Whether an array may be one from outside: those of numbers are traced."""
    return isinstance(owner, np.ndarray) and type_of(owner) is None


_ATOMS = (type(None), str, bytes, bool, int, float, complex, np.generic, datetime.date)
