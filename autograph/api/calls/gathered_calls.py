"""Quick calls with objects in heaps, which machine code gathers and writes to; see
`autograph.kernels.native.gathering`. Few functions have such: this is imported where it is used.

What a call is taken apart into is arrays of what its objects are. A record takes the objects among
the arguments as they are, and lists of such, and lists of numbers that are packed: each is one
leaf, in the place of those that it is taken apart into elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph.api.calls.quick import CompiledCall, record_of
from autograph.api.calls.sharing import Unlike
from autograph.kernels.native import gathering
from autograph.kernels.native.matching import OpenLengths
from autograph.kernels.native.quick_calls import Record
from autograph.staging.border.delivery import (
    Argument,
    Delivery,
    GivenContainer,
    RowsOutput,
    is_written,
    part_of,
)
from autograph.staging.border.signature import CallParts, call_containers
from autograph.staging.containers.structure import ContainerOf, Flattener, Structure, leaf_count
from autograph.staging.ground.families import members_of
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.elements import ROWS, ElementType
from autograph.staging.lists.gathered import NotGathered, column_of, member_of, node_of_element
from autograph.staging.lists.gathered_heaps import changes_of, heaps_of
from autograph.staging.lists.given_objects import GivenObjectHeap, GivenObjects, GivenSeat
from autograph.staging.lists.given_rows import GivenColumns
from autograph.staging.lists.object_heap import PooledObjects
from ops.core.symbolic_lengths import LEAST, is_length
from ops.core.types import ArrayType


def quick_call(
    made: CompiledCall,
    *,
    function: Callable[[], Callable[..., Any]],
    outputs: Sequence[ArrayType],
    open_shapes: Any,
) -> Record | None:
    """The record of a call with objects in heaps; see `autograph.api.calls.quick.quick_call`.

    Args:
        function: gives what runs the program.
        outputs: the types of its results.
        open_shapes: see `autograph.api.calls.compiled.Compiled`.

    Returns:
        None if only the look-up can tell whether another call is alike, or Python has to gather
        what its objects are.
    """
    call, leaves, positions, traced = made[:4]
    if traced.bets or traced.generators or traced.knows_repeated or traced.compared:
        return None
    if call.unread or open_shapes is None:
        return None
    try:
        parts = _Gathered(call, leaves, positions, open_shapes)
        delivered = _Delivered(traced.delivery, outputs, parts)
        gathered = parts.gathering(delivered)
    except NotGathered:
        return None
    if gathering.gatherer(gathered, _refused, _refused) is None:
        return None

    def gathers() -> Callable[..., Any]:
        program = open_shapes.counted(function(), leaves, positions)
        found = gathering.gatherer(gathered, program, _refused)
        assert found is not None  # as above
        return found

    return record_of(
        made._replace(leaves=parts.whole, positions=parts.traced),
        function=gathers,
        finish=lambda: delivered.finish,
        whole=delivered.is_whole,
        lengths=parts.lengths(),
        packed={id(leaf): 1 for leaf in parts.whole if type(leaf) is list},
        objects={id(leaf) for leaf in parts.whole if parts.is_object(leaf)},
        classes=parts.classes(),
    )


def _refused(*given: Any) -> NoReturn:
    """A call is not like those that machine code gathers."""
    raise Unlike


class _Gathered:
    """A call as machine code gathers it.

    Attributes:
        given: its objects.
        whole: its leaves, objects and lists among them.
        traced: the positions of those that the machine code is given.
        met: the containers, as machine code meets them.
        leaves: what it is taken apart into elsewhere.

    Raises:
        NotGathered: machine code does not gather it.
    """

    def __init__(
        self, call: CallParts, leaves: Sequence[Any], positions: Sequence[int], open_shapes: Any
    ):
        self.leaves, self._positions, self._shapes = leaves, positions, open_shapes
        assert isinstance(call.given, GivenObjects)
        self.given = call.given
        self.containers = call_containers(call)  # by the numbers that the delivery knows
        done = {} if call.packing is None else call.packing.done
        self._packed = {
            id(self.containers[number]): how.element for number, (how, _) in done.items()
        }
        self.met: list[Any] = []
        _, nested = call.flattener().flatten(call.nested)
        self.whole, structure = Flattener(self._is_leaf).flatten(call.nested)
        self.met = [container for container in self.met if container is not call.kwargs]
        self._spans = list(_spans(nested, structure, itertools.count()))
        self._taken = taken = {*positions}
        self.traced = [
            number
            for number, (leaf, span) in enumerate(zip(self.whole, self._spans))
            if self._is_gathered(leaf) or not taken.isdisjoint(span)
        ]
        self._parts: list[GivenColumns] = self.given.parts()
        self._arguments: list[Any] = []
        self._inputs: dict[int, Any] = {}
        for number in self.traced:
            self._take(self.whole[number], self._spans[number])

    def is_object(self, value: Any) -> bool:
        """Whether something is an object in a heap."""
        return isinstance(self.given.stand_in(value), GivenSeat)

    def _is_gathered(self, value: Any) -> bool:
        """Whether something is taken as it is that is taken apart elsewhere."""
        is_packed = type(value) is list and id(value) in self._packed
        return is_packed or self.given.stand_in(value) is not None

    def _is_leaf(self, container: Any) -> bool:
        is_gathered = self._is_gathered(container)
        if not is_gathered or type(container) is list:
            self.met.append(container)
        return is_gathered

    def classes(self) -> list[type]:
        """Those of the objects in heaps."""
        return [kind for made_of in self.given.heaps for kind in members_of(made_of)]

    def leaf_at(self, position: int) -> int | None:
        """Which of the traced leaves is the one at a position elsewhere; None if it is not traced.

        Raises:
            NotGathered: it is a part of one.
        """
        (number,) = (n for n, span in enumerate(self._spans) if position in span)
        if self._is_gathered(self.whole[number]):
            raise NotGathered
        return self.traced.index(number) if number in self.traced else None

    # -- what is gathered --------------------------------------------------------------------------

    def _take(self, leaf: Any, span: Sequence[int]) -> None:
        """Say what an argument is, and which inputs come of it."""
        number = len(self._arguments)
        argument: gathering.ObjectArgument | gathering.ListArgument | None = None
        if not self._is_gathered(leaf):
            self._inputs[span[0]] = gathering.ArgumentItself(number)
        elif self.is_object(leaf):
            self._take_parts(span)
            heap, place = self.given.stand_in(leaf)
            self._inputs[span[-1]] = gathering.ArgumentPlace(number)
            fixed = None if span[-1] in self._taken else place
            argument = gathering.ObjectArgument(heap.made_of, place, fixed)
        elif (found := self.given.stand_in(leaf)) is None:
            argument = self._packed_list(leaf, span)
        elif isinstance(found, PooledObjects) and isinstance(found.places, GivenColumns):
            self._take_parts(span)
            places, item = found.places, member_of(found)
            ends = (1, gathering.ANY)
            if any(p not in self._taken for p in self._counts_of(places)):
                ends = (len(leaf), len(leaf))
            argument = gathering.ListArgument(id(places), item, *ends, padded=LEAST)
        else:  # a list that an attribute is as well
            raise NotGathered
        self._arguments.append(argument)

    def _take_parts(self, span: Sequence[int]) -> None:
        """Say which inputs are of the heaps that an argument is the first to refer to."""
        columns = {
            id(array): (column_of(part, at), part)
            for part in self._parts
            for at, array in enumerate(part.arrays)
        }
        before: GivenColumns | None = None  # of which comes next how many elements it has
        for position in span:
            leaf = self.leaves[position]
            column, part = columns.get(id(leaf), (None, None))
            if column is not None:
                self._inputs[position] = column
            elif before is not None and len(before.values) > len(before.arrays):
                self._inputs[position] = gathering.ListCount(id(before))
            elif isinstance(leaf, np.ndarray):
                raise NotGathered
            else:
                self._inputs[position] = gathering.FixedInput(leaf)
            before = part

    def _counts_of(self, places: GivenColumns) -> Iterator[int]:
        """The positions of how many elements a list of objects has."""
        for position, given in self._inputs.items():
            if isinstance(given, gathering.ListCount) and given.table == id(places):
                yield position

    def _packed_list(self, items: list, span: Sequence[int]) -> gathering.ListArgument:
        """A list of numbers, which becomes some arrays."""
        element: ElementType = self._packed[id(items)]
        columns = [
            gathering.TableColumn((id(items), at), self.leaves[position].dtype)
            for at, position in enumerate(span)
        ]
        self._inputs.update(zip(span, columns))
        node = node_of_element(element.structure, element.types, columns)
        (length,) = self._shapes.shapes[span[0]]
        if not is_length(length):
            return gathering.ListArgument(id(items), node, length, length)
        (name,) = length.names
        like = None
        for position, shape in self._shapes.shapes.items():
            is_other = position not in span and any(is_length(n) and name in n.names for n in shape)
            if is_other and position < span[0] and (found := self._inputs.get(position)):
                like = found.name[0] if isinstance(found, gathering.TableColumn) else None
            if is_other and like is None:
                raise NotGathered
        least, most = self._shapes.bounds(self.leaves)[name]
        return gathering.ListArgument(id(items), node, least, most, like=like)

    def gathering(self, delivered: _Delivered) -> gathering.Gathering:
        """What machine code gathers, and what it changes."""
        if not self._inputs.keys() >= {*self._positions}:
            raise NotGathered
        groups = self.given.lists.groups()
        if groups and any(type(one) is list and not self._is_gathered(one) for one in self.met):
            raise NotGathered  # it might be one that an attribute is in another call
        changed = {column.name for column in delivered.columns if column is not None}
        is_short = not (changed or delivered.wants)
        return gathering.Gathering(
            heaps=heaps_of(self.given),
            groups=groups,
            arguments=self._arguments,
            inputs=[self._inputs[position] for position in self._positions],
            padded=LEAST,
            outputs=() if is_short else delivered.columns,
            is_single=len(delivered.columns) == 1,
            changes=changes_of(self.given, changed),
            wants=delivered.wants,
            most=dict(self._most()),
        )

    def _most(self) -> Iterator[tuple[Hashable, int]]:
        """How long columns of heaps may be."""
        bounds = self._shapes.bounds(self.leaves)
        for position, given in self._inputs.items():
            if not isinstance(given, gathering.TableColumn) or given.name[0] in self._packed:
                continue
            (length,) = self._shapes.shapes[position]
            least, most = bounds[min(length.names)] if is_length(length) else (length, length)
            if least > LEAST:
                raise NotGathered
            yield given.name, most

    def lengths(self) -> OpenLengths:
        """Those of the arrays among the arguments."""
        number_of = {span[0]: n for n, span in enumerate(self._spans) if len(span) == 1}
        arrays = {p: n for p, n in number_of.items() if not self._is_gathered(self.whole[n])}
        apart = [position for position in range(len(self.leaves)) if position not in arrays]
        shapes, bounds = self._shapes.pattern(self.leaves, apart)
        return OpenLengths({arrays[p]: shape for p, shape in shapes.items()}, bounds)


def _spans(full: Any, light: Structure, count: Iterator[int]) -> Iterator[Sequence[int]]:
    """For each leaf of a structure the positions of what it is taken apart into in another one.

    Args:
        full: the other one.
        count: counts the leaves of that.
    """
    if light is LEAF:
        yield list(itertools.islice(count, leaf_count(full)))
        return
    if not isinstance(light, (TupleOf, ContainerOf)):
        return
    if type(light) is not type(full):
        raise NotGathered
    for part, other in zip(full.parts, light.parts):
        yield from _spans(part, other, count)


class _Delivered:
    """What is delivered by machine code, and what by Python.

    Attributes:
        columns: for each output of the program, the column of which it is the new contents.
        wants: whether Python needs the objects that there are.
        finish: what makes the result of the other outputs, and the objects if it wants them; None
            if it is that.
        is_whole: whether that takes the traced leaves, and the containers, too.
    """

    def __init__(self, delivery: Delivery, outputs: Sequence[ArrayType], call: _Gathered):
        self._call = call
        self.columns: list[gathering.TableColumn | None] = []
        self._sources = iter(delivery.sources)
        result, *states = delivery.structure.parts
        kept, sources, changed = [result], self._kept(result), []
        for (target, keys), state in zip(delivery.changed, states):
            part = None
            if isinstance(target, GivenContainer):
                part = call.containers[target.number]
            if isinstance(part, GivenColumns):
                self._write(part, keys, leaf_count(state), outputs)
                continue
            kept.append(state)
            sources += self._kept(state)
            changed.append((target, keys))
        self._rest = Delivery(TupleOf(tuple, tuple(kept)), sources, changed)
        self.wants = False
        self._found = {
            number: self._where(number)
            for source in (*sources, *(target for target, _ in changed))
            if isinstance(source, GivenContainer)
            for number in (source.number,)
        }
        self._leaves = {
            source.position: call.leaf_at(source.position)
            for source in (*sources, *(target for target, _ in changed))
            if isinstance(source, Argument)
        }
        self.is_whole = self.wants or not self._rest.stands_alone
        self._is_single = self.columns.count(None) == 1
        self.finish: Callable[..., Any] | None = self._finish
        if not self.is_whole:
            is_plain = self._is_single and self._rest.is_plain
            self.finish = None if is_plain else self._rest.assembler(self._is_single)

    def _kept(self, structure: Structure) -> list[Any]:
        """The sources of the leaves of something that Python delivers."""
        sources = list(itertools.islice(self._sources, leaf_count(structure)))
        for source in sources:
            if is_written(source):
                self.columns += [None] * part_of(source).count
            elif not isinstance(source, (Argument, GivenContainer)):
                raise NotGathered
        return sources

    def _write(
        self, part: GivenColumns, keys: tuple, count: int, outputs: Sequence[ArrayType]
    ) -> None:
        """Let outputs be the new contents of columns."""
        sources = list(itertools.islice(self._sources, count))
        if keys != (ROWS, part.structure) or len(sources) != len(part.arrays):
            raise NotGathered
        for at, (source, element) in enumerate(zip(sources, part.elements)):
            made = outputs[len(self.columns)]
            if not isinstance(source, RowsOutput) or source.weak != element.weak:
                raise NotGathered
            if made.dtype != element.dtype or len(made.shape) != 1:
                raise NotGathered
            self.columns.append(column_of(part, at))

    def _where(self, number: int) -> tuple[bool, int]:
        """Where a container is in what Python is given: whether it is a heap, and which."""
        container = self._call.containers[number]
        if isinstance(container, GivenObjectHeap):
            self.wants = True
            return True, list(self._call.given.heaps.values()).index(container)
        for place, other in enumerate(self._call.met):
            if other is container:
                return False, place
        raise NotGathered

    def _finish(self, made: Any, *given: Any) -> Any:
        """The result; changes the other containers that the function changes."""
        call, heaps = self._call, list[Any]()
        if self.wants:
            made, *heaps = made
        outputs = (made,) if self._is_single else made
        first = len(call.traced)
        containers: Any = {
            number: _Heap(heaps[place]) if is_heap else given[first + place]
            for number, (is_heap, place) in self._found.items()
        }
        leaves: Any = {
            position: call.leaves[position] if place is None else given[place]
            for position, place in self._leaves.items()
        }
        return self._rest.deliver(outputs, leaves, lambda: containers)


class _Heap:
    """What stands for a heap where results are put together: the objects that there are."""

    def __init__(self, objects: Sequence[Any]):
        self._objects = objects

    def item(self, place: int) -> Any:
        return None if place < 0 else self._objects[place]
