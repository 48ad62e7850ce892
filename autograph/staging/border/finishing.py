"""What a call changes besides giving a result, done by a function that is written for it.

A `Delivery` walks the structure of all that a function gives and changes at each call. Where
machine code has found that a call is like an earlier one, it is known what its containers hold, and
in which order: a few assignments do the same, and only to what is not as it was.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from autograph.source.tree.places import CELLS
from autograph.staging.border.delivery import (
    Argument,
    Delivery,
    GivenContainer,
    Output,
    Static,
    is_written,
    part_of,
)
from autograph.staging.containers.assembly import Assembly, NotPlainError
from autograph.staging.containers.containers import Contents, contents, fill
from autograph.staging.containers.structure import ContainerOf, Flattener, SameAs
from autograph.staging.ground.fixed import static_fields
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.ground.ownership import is_user_object, slots_of
from autograph.staging.ground.sparse_kinds import is_sparse
from autograph.staging.lists.elements import ROWS
from autograph.staging.lists.growing import ADDED
from autograph.staging.lists.packed import Packing
from autograph.staging.lists.tables import TABLE
from ops.core.records import NamedTuple


class LikeCall(NamedTuple):
    """What a call is given.

    Attributes:
        call: the arguments, after the roots, if there are any.
        kwargs: those by keyword, whose dict is not among the containers of ``whole``.
        leaves: of them.
        positions: of the leaves that the program takes.
        unread: the numbers of lists whose elements it does not see.
        packing: says which lists are packed.
    """

    call: tuple[Any, ...]
    kwargs: dict[str, Any]
    leaves: Sequence[Any]
    positions: Sequence[int]
    unread: Collection[int] = ()
    packing: Packing | None = None


def finisher(
    delivery: Delivery,
    changed: Sequence[Any],
    given: LikeCall,
    passed: Mapping[int, int],
    single: bool,
) -> Callable[..., Any]:
    """A function of the program's results, the traced leaves, and the containers of a call, that
    changes what the function changes, and gives its result.

    Args:
        changed: the arrays that the function changes; see `autograph.staging.trace.Traced`.
        given: a call that is like those.
        passed: the results that are inputs of the program, with the positions of those leaves.
        single: whether the program returns its only result, not a tuple of results.
    """
    writer = _Writer(delivery, given, passed, single)
    try:
        return writer.written(changed)
    except NotPlainError:
        return _general(delivery, changed, given, single)


def _general(
    delivery: Delivery, changed: Sequence[Any], given: LikeCall, single: bool
) -> Callable[..., Any]:
    flattener = Flattener(unread=given.unread, packing=given.packing)
    flattener.flatten(given.call)
    numbers = [n for n, one in enumerate(flattener.containers) if one is not given.kwargs]
    count = len(given.positions)
    # The other leaves are the same in all such calls.
    same = {i: leaf for i, leaf in enumerate(given.leaves) if i not in given.positions}

    def finish(made: Any, *items: Any) -> Any:
        outputs = (made,) if single else made
        leaves = {**same, **dict(zip(given.positions, items))}
        containers = dict(zip(numbers, items[count:]))
        results = len(outputs) - len(changed)
        for target, new in zip(changed, outputs[results:]):
            array = leaves[target] if isinstance(target, int) else target
            array[...] = new
        by_position: Any = leaves
        by_number: Any = containers
        return delivery.deliver(outputs[:results], by_position, lambda: by_number)

    return finish


class _Slot(NamedTuple):
    """What is in one place of a container: a leaf at a position, or a container."""

    position: int = -1
    number: int = -1


class _Writer:
    def __init__(
        self, delivery: Delivery, given: LikeCall, passed: Mapping[int, int], single: bool
    ):
        self._delivery = delivery
        self._given = given
        self._passed = passed
        self._single = single
        flattener = Flattener(unread=given.unread, packing=given.packing)
        _, structure = flattener.flatten(given.call)
        self._containers = flattener.containers
        self._slots: dict[int, list[_Slot]] = {}
        self._count = 0
        self._visit(structure)
        kept = [n for n, one in enumerate(self._containers) if one is not given.kwargs]
        self._names = {number: f"c{place}" for place, number in enumerate(kept)}
        self._leaves = {position: f"l{i}" for i, position in enumerate(given.positions)}
        self._code = Assembly(("o", *self._leaves.values(), *self._names.values()))

    def _visit(self, structure: Structure) -> _Slot:
        """Note what is in the containers."""
        match structure:
            case None:
                self._count += 1
                return _Slot(position=self._count - 1)
            case SameAs(number):
                return _Slot(number=number)
            case TupleOf(_, parts):
                for part in parts:
                    self._visit(part)
                return _Slot()
            case ContainerOf(number, _, _, parts):
                self._slots[number] = [self._visit(part) for part in parts]
                return _Slot(number=number)
        raise NotPlainError

    def written(self, changed: Sequence[Any]) -> Callable[..., Any]:
        delivery, code = self._delivery, self._code
        outputs = iter(["o"]) if self._single else (f"o[{i}]" for i in itertools.count())
        counted = itertools.count()
        sources = iter(delivery.sources)
        taken: list[tuple[Any, int]] = []  # each leaf's source, and the first of its results

        def leaf() -> str:
            source = next(sources)
            count = _results(source)
            taken.append((source, next(counted) if count else -1))
            for _ in range(count - 1):
                next(counted)
            return self._leaf(source, outputs)

        leaves = iter(leaf, None)
        result_structure, *states = delivery.structure.parts
        result = code.expression(result_structure, leaves)
        filled: list[str] = []
        for (target, keys), state in zip(delivery.changed, states):
            assert isinstance(state, TupleOf)
            values = []
            for part in state.parts:
                start = len(taken)
                text = code.expression(part, leaves)
                values.append((text, taken[start] if part is None else None))
            filled += self._filled(target, keys, values)
        first = next(counted)
        for i, target in enumerate(changed):
            array = self._array(target)
            new = "o" if self._single else f"o[{first + i}]"
            code.add(f"if {new} is not {array}: {array}[...] = {new}")
        for line in filled:
            code.add(line)
        return code.function(result)

    def _array(self, target: Any) -> str:
        return self._leaves[target] if isinstance(target, int) else self._code.constant(target)

    def _leaf(self, source: Any, outputs: Iterator[str]) -> str:
        if is_written(source):
            return self._code.leaf(part_of(source), outputs)
        if isinstance(source, Argument):
            if source.position in self._leaves:
                return self._leaves[source.position]
            return self._code.constant(self._given.leaves[source.position])  # as in all such calls
        if isinstance(source, GivenContainer) and source.number in self._names:
            return self._names[source.number]
        raise NotPlainError

    def _filled(
        self, target: Any, keys: tuple, values: list[tuple[str, tuple[Any, int] | None]]
    ) -> Iterator[str]:
        """Statements that fill a container with values, of which there are expressions, and where
        they are leaves their sources."""
        name, container, slots = self._target(target)
        texts = [text for text, _ in values]
        kind = type(container)
        if any(key is ROWS for key in keys[:2]):
            if len(texts) != 1 or keys[-1] is not LEAF or kind is not list:
                raise NotPlainError
            yield f"{name}.extend({texts[0]})" if keys[0] is ADDED else f"{name}[:] = {texts[0]}"
            return
        if keys and keys[0] is TABLE:
            raise NotPlainError
        if keys and keys[0] is ADDED:
            yield f"{name}.extend(({''.join(f'{text}, ' for text in texts)}))"
            return
        if slots is not None and contents(container).keys == keys and len(slots) == len(values):
            pairs = zip(values, slots)
            changes = [
                i for i, ((_, source), slot) in enumerate(pairs) if not self._is_same(source, slot)
            ]
            if issubclass(kind, CELLS):
                yield f"{name}.cell_contents = {texts[0]}"
                return
            if kind is dict:
                for i in changes:
                    yield f"{name}[{self._code.constant(keys[i])}] = {texts[i]}"
                return
            if _is_made_of_attributes(container) and len(keys) == len(values) + 1:
                in_slots = slots_of(kind)
                namespace = f"d{name}"
                if any(keys[1 + i] not in in_slots for i in changes):
                    yield f"{namespace} = {self._code.constant(vars)}({name})"
                for i in changes:
                    attribute = keys[1 + i]
                    if attribute in in_slots:
                        assign = self._code.constant(object.__setattr__)
                        yield f"{assign}({name}, {attribute!r}, {texts[i]})"
                    else:
                        yield f"{namespace}[{attribute!r}] = {texts[i]}"
                return
        if kind is list and keys == (len(values), None):
            yield f"{name}[:] = ({''.join(f'{text}, ' for text in texts)})"
            return
        inside = "".join(f"{text}, " for text in texts)
        known = f"{self._code.constant(Contents)}({self._code.constant(keys)}, ({inside}))"
        yield f"{self._code.constant(fill)}({name}, {known})"

    def _target(self, target: Any) -> tuple[str, Any, list[_Slot] | None]:
        """An expression for a container that is changed, it itself, and what is in it; None if that
        is not known."""
        if isinstance(target, GivenContainer):
            number = target.number
            if number not in self._names:
                raise NotPlainError
            return self._names[number], self._containers[number], self._slots[number]
        if not isinstance(target, Static):
            raise NotPlainError
        for number, container in enumerate(self._containers):
            if container is target.value:
                return self._names[number], container, self._slots[number]
        return self._code.constant(target.value), target.value, None

    def _is_same(self, source: tuple[Any, int] | None, slot: _Slot) -> bool:
        if source is None:
            return False
        kind, output = source
        if isinstance(kind, Argument):
            return kind.position == slot.position
        if isinstance(kind, Output):
            return slot.position >= 0 and self._passed.get(output) == slot.position
        if isinstance(kind, Static):
            if slot.position >= 0 and slot.position not in self._leaves:
                return self._given.leaves[slot.position] is kind.value
            return slot.number >= 0 and self._containers[slot.number] is kind.value
        return isinstance(kind, GivenContainer) and kind.number == slot.number


def _results(source: Any) -> int:
    """How many of the program's results a leaf is made of."""
    return part_of(source).count if is_written(source) else 0


def _is_made_of_attributes(container: Any) -> bool:
    """Whether a container is an object with attributes that are all part of its contents."""
    is_object = is_user_object(container) and not is_sparse(container)
    return is_object and not static_fields(type(container))
