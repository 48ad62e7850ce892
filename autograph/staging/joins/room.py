"""Lists and arrays that get as many rows in every trip of a loop: arrays with room for all of them
from the start.

A list that grows by rows is an array whose length only the run knows, and no kernel holds one. If
it is known how many trips a loop makes, and how many rows each adds, the loop can write them to
their places in an array that is as long as the list will be. What else reads the list on the way
reads the part that is there by then. So it is with arrays to which blocks are joined, along any
axis (``h = np.hstack((h, x))``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.builder import Builder, copy_node
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import is_loop, loop_of, wiring
from autograph.staging.joins.growth import added
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.subscripts import Bound
from ops.core.symbolic_lengths import is_below, is_same
from ops.core.types import ArrayType

# Of one list: a loop that is left early, by an exception, would take memory for nothing.
MOST_BYTES = 1 << 30


class RowGrowth(NamedTuple):
    """How a list grows.

    Attributes:
        start: how many rows it has before the loop.
        step: how many a trip adds.
        axis: along which they are.
    """

    start: int
    step: int
    axis: int = 0

    def length(self, trip: Value) -> Value:
        """How many rows it has when a trip begins, given the number of the trip."""
        return _plus(_times(trip, self.step), self.start)


_ALL = ("slice", None, None, None)


class _Room(NamedTuple):
    """A list on its way.

    Attributes:
        rows: an array with room for all its rows.
        length: how many are there by now.
        least: how many are there in any case.
        axis: along which they are.
    """

    rows: Value
    length: Any
    least: int
    axis: int

    def along(self, entry: tuple) -> tuple[tuple, ...]:
        """The subscript with an entry along the axis of the rows, and all of the axes before."""
        return (*[_ALL] * self.axis, entry)


def with_room(
    body: Graph, count: int, lists: Mapping[int, RowGrowth], init: Sequence[Value]
) -> tuple[Graph, dict[int, Value]]:
    """The body of a counted loop that writes to arrays instead of appending to lists.

    Args:
        body: the region; its inputs are the number of the trip and the state.
        count: of the trips.
        lists: which values of the state are lists that grow by the same number of rows in each
            trip, by position.
        init: the state before the loop.

    Returns:
        The new body, and what the lists that it has room for are before the loop. Left out are
        those that would take too much memory, and those with which the body does something else
        than appending in the end.
    """
    starts = {}
    for position, growth in lists.items():
        type = body.inputs[1 + position].type
        length = growth.start + count * growth.step
        wanted = ArrayType(type.dtype, type.with_length(growth.axis, length).shape)
        if growth.step > 0 and is_below(wanted.size * type.dtype.itemsize, MOST_BYTES + 1):
            starts[position] = wanted
    while starts:
        entered = {k: _Entered(type, lists[k].length, lists[k].axis) for k, type in starts.items()}
        leasts = {k: lists[k].start for k in starts}
        found, failed = _body(body, entered, leasts, {})
        if found is not None:
            arrays = {k: _with_start(init[k], lists[k], type) for k, type in starts.items()}
            return found, arrays
        for position in failed:
            del starts[position]
    return body, {}


def _times(number: Value, factor: int) -> Value:
    return number if factor == 1 else ops.multiply(number, factor)


def _plus(number: Value, more: int) -> Value:
    return number if more == 0 else ops.add(number, more)


class _Entered(NamedTuple):
    """A list as a trip finds it.

    Attributes:
        type: of the array with room for its rows.
        length: how many rows are there, given the number of the trip.
        axis: along which they are.
    """

    type: ArrayType
    length: Callable[[Value], Any]
    axis: int


def _with_start(before: Value, growth: RowGrowth, type: ArrayType) -> Value:
    """An array with the first rows of a list, and room for those to come."""
    axis = growth.axis
    more = type.with_length(axis, type.known_shape[axis] - growth.start)
    room = ops.zeros(more.known_shape, type.dtype).value
    if growth.start:
        wanted, known = type.with_length(axis, growth.start).known_shape, bare(before)
        if not is_same(known.type.shape, wanted):
            known = ops.refine(known, shape=wanted)
        room = ops.concatenate([known, room], axis)
    return room


def bare(value: Value) -> Value:
    """A value before it was said that less is known of its length, or more."""
    while value.producer is not None and value.producer.op is ops.refine:
        value = value.producer.inputs[0]
    return value


def _body(
    body: Graph,
    entered: Mapping[int, _Entered],
    leasts: Mapping[int, int],
    env: dict[Value, Value],
) -> tuple[Graph | None, set[int]]:
    """The body of a counted loop with arrays in the place of lists; None, and the positions of
    those for which there is none."""
    with Builder(body.name, locate=lambda: (None, None)) as builder:
        builder.location = next((node.location for node in body.nodes), body.location)
        index, *state = body.inputs
        env[index] = builder.input(index.type, index.name)
        rooms: dict[Value, _Room] = {}
        for position, value in enumerate(state):
            if position in entered:
                rows = builder.input(entered[position].type, value.name)
                length = entered[position].length(env[index])
                rooms[value] = _Room(rows, length, leasts[position], entered[position].axis)
            else:
                env[value] = builder.input(value.type, value.name)
        rewriting = _Rewriting(builder, env, rooms, _on_the_way(body, entered))
        rewriting.nodes(body.nodes)
        failed = {k for k in entered if body.outputs[k] not in rooms}
        if failed:
            return None, failed
        outputs = [
            rooms[v].rows if k in entered else rewriting.value(v)
            for k, v in enumerate(body.outputs)
        ]
        return builder.finish(outputs, body.location), set()


def _on_the_way(body: Graph, positions: Iterable[int]) -> set[Value]:
    """The lists that a trip makes of some of the state on the way to what it leaves of them: for
    rows that it appends to these there is room, for others, of a copy, there is none."""
    found = set()
    for position in positions:
        value = body.outputs[position]
        while value not in found and value.producer is not None:
            found.add(value)
            node = value.producer
            if node.op in _ADDING:
                value = node.inputs[0]
            elif is_loop(node):
                value = wiring(node).carried[node.place(value)].start
    return found


# What adds rows to its first operand, or knows more or less of how many there are.
_ADDING = (ops.append_row, ops.concatenate, ops.refine)


class _Rewriting:
    """Adds the nodes of a body to a builder.

    Attributes:
        env: what values have become.
        rooms: what lists have become.
        on_the_way: the lists that rows may be appended to where they are.
    """

    def __init__(
        self,
        builder: Builder,
        env: dict[Value, Value],
        rooms: dict[Value, _Room],
        on_the_way: set[Value],
    ):
        self.builder = builder
        self.env = env
        self.rooms = rooms
        self.on_the_way = on_the_way

    def nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self.builder.location = node.location
            if not any(v in self.rooms for v in node.uses()):
                copy_node(self.builder, node, self.env)
            elif node.op in _ADDING and node.inputs[0] in self.rooms:
                if node.outputs[0] in self.on_the_way:
                    self._add(node)
                else:
                    self._copied(node)
            elif node.op is ops.length and self._is_counted(node):
                self._replace(node, self.rooms[node.inputs[0]].length)
            elif node.op is ops.getitem and self._is_from_behind(node):
                self._from_behind(node)
            elif node.op is regions.for_loop and self._loop(node):
                pass
            else:
                self._copied(node)

    def _copied(self, node: Node) -> None:
        """The node as it is, with lists as the rows that are there."""
        for value in dict.fromkeys(node.uses()):
            self.value(value)
        copy_node(self.builder, node, self.env)

    def value(self, value: Value) -> Value:
        """What a value has become; of a list, the rows that are there."""
        if value in self.rooms and value not in self.env:
            room = self.rooms[value]
            until = ("slice", None, Bound(0), None)
            rows = ops.getitem(room.rows, room.length, index=room.along(until))
            self._keep(value, ops.refine(rows, shape=value.type.shape))
        return self.env.get(value, value)

    def _keep(self, value: Value, new: Any) -> None:
        self.env[value] = self.builder.lift(new)

    def _replace(self, node: Node, new: Any) -> None:
        self._keep(node.outputs[0], new)

    def _add(self, node: Node) -> None:
        before, added = self.rooms[node.inputs[0]], node.inputs[1:]
        dtype = before.rows.type.dtype
        rows, length, least = before.rows, before.length, before.least
        for block in added:
            if node.op is ops.append_row:
                parts = [self.value(block)]
            else:
                (count,) = block.type.known((before.axis,))
                block = self.value(block)
                parts = [
                    self.builder.lift(ops.getitem(block, index=before.along(("int", i))))
                    for i in range(count)
                ]
            for row in parts:
                row = row if row.type.dtype == dtype else ops.cast(row, dtype=dtype.name)
                rows = ops.index_update(rows, row, length, index=before.along(("arg", 0)))
                length, least = ops.add(length, 1), least + 1
        self.rooms[node.outputs[0]] = _Room(rows, length, least, before.axis)

    def _is_counted(self, node: Node) -> bool:
        return node.attrs["axis"] == self.rooms[node.inputs[0]].axis

    def _is_from_behind(self, node: Node) -> bool:
        """Whether a subscript is counted from behind, and is one of a row that is there."""
        rows, *operands = node.inputs
        if rows not in self.rooms or any(v in self.rooms for v in operands):
            return False
        index, axis = node.attrs["index"], self.rooms[rows].axis
        if len(index) <= axis or any(entry[0] not in ("slice", "int") for entry in index[:axis]):
            return False
        kind, first, *_ = index[axis]
        return kind == "int" and -self.rooms[rows].least <= first < 0

    def _from_behind(self, node: Node) -> None:
        rows, *operands = node.inputs
        room, index = self.rooms[rows], node.attrs["index"]
        place = ops.add(room.length, index[room.axis][1])
        inputs = [room.rows, *map(self.value, operands), place]
        index = (*index[: room.axis], ("arg", len(operands)), *index[room.axis + 1 :])
        self._replace(node, ops.getitem(*inputs, index=index))

    def _loop(self, node: Node) -> bool:
        """A loop in the body that appends to lists, if the number of its trips is known; whether it
        is one."""
        loop = loop_of(node)
        checkpoint = node.attrs.get("checkpoint")
        if checkpoint is not None and not isinstance(checkpoint, tuple):  # but for a budget
            return False
        if not isinstance(loop.count, Constant):
            return False
        carried = wiring(node).carried
        steps = {k: added(v.left, v.entered) for k, v in enumerate(carried)}
        grown = {
            k: grown.rows
            for k, grown in steps.items()
            if grown is not None
            and (room := self.rooms.get(carried[k].start))
            and grown.behind
            and grown.axis in (None, room.axis)
        }
        if not grown:
            return False
        before = {k: self.rooms[carried[k].start] for k in grown}

        def entered(k: int) -> _Entered:
            room, step = before[k], grown[k]
            length = lambda i: ops.add(room.length, ops.multiply(i, step))
            return _Entered(room.rows.type, length, room.axis)

        leasts = {k: room.least for k, room in before.items()}
        for region in node.regions:
            for value in region.captures:
                self.value(value)
        body, _ = _body(loop.body, {k: entered(k) for k in grown}, leasts, dict(self.env))
        if body is None:
            return False
        inits = [before[k].rows if k in grown else self.value(v) for k, v in enumerate(loop.start)]
        types = [before[k].rows.type if k in grown else v.type for k, v in enumerate(node.outputs)]
        names = [v.name for v in node.outputs]
        inputs = [self.env.get(loop.count, loop.count), *inits]
        results = self.builder.add(node.op, inputs, node.attrs, types, [body], names)
        trips = int(np.asarray(loop.count.data))
        for k, (old, new) in enumerate(zip(node.outputs, results)):
            if k in grown:
                more = max(trips, 0) * grown[k]
                length = _plus(before[k].length, more)
                self.rooms[old] = _Room(new, length, before[k].least + more, before[k].axis)
            else:
                self.env[old] = new
        return True
