"""Arrays whose lengths only the run knows, in memory, and lists that grow by rows: `GrowingRows`.

A list lies in memory that has room for more rows than there are. When it is full, they move to
memory of twice the size, so that appending takes constant time on average. Only one who is alone in
having a list may append to it where it is. To who else gets it, it is full: it moves before
anything is written.

A row that is taken away at the front leaves room there. Where that is as much as the rows take, a
full list moves there instead: so a queue needs no more memory the longer it is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand, lookups, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, GrowingRows, Held, Memory
from autograph.kernels.native.signature import GrownArray
from ops.core import kernels
from ops.core.types import ArrayType


def words(state: State, rows: GrowingRows) -> tuple[Operand, ...]:
    """The numbers that say where a list is, as a loop passes them on."""
    front = (rows.front,) if state.shared.takes_first_rows else ()
    table: tuple[Operand, ...] = ()
    if state.shared.looked_up:
        table = (state.b.long(0) if rows.table is None else rows.table,)
    return (rows.address, rows.length, rows.room, *front, *table, *rows.others)


def from_words(state: State, value: Value, numbers: Iterator[Operand]) -> GrowingRows:
    """A list from these numbers, which are taken from an iterator."""
    address, length, room = itertools.islice(numbers, 3)
    # Nothing has room in front where no first row is taken away.
    front = next(numbers) if state.shared.takes_first_rows else state.b.long(0)
    given = next(numbers) if state.shared.looked_up else None
    table = given if lookups.has_table(state, value) else None
    count = value.type.shape[1:].count(None)
    return GrowingRows(address, length, room, front, tuple(itertools.islice(numbers, count)), table)


def names(state: State, value: Value) -> list[str | None]:
    """Of these numbers, for printing."""
    axes = [axis for axis, n in enumerate(value.type.shape) if n is None and axis]
    front = ["front"] if state.shared.takes_first_rows else []
    table = ["table"] if state.shared.looked_up else []
    parts = ["rows", "length", "room", *front, *table, *(f"length_{axis}" for axis in axes)]
    return [value.name and f"{value.name}_{what}" for what in parts]


def empty(state: State) -> GrowingRows:
    """A list without rows, and without room for any."""
    nothing = state.b.long(0)
    return GrowingRows(nothing, nothing, nothing, nothing)


def row_size(state: State, type: ArrayType, rows: GrowingRows) -> Operand:
    """How many elements a row has."""
    size = state.b.long(1)
    for n in measured.row_lengths(state, type, rows):
        size = size * n
    return size


def end(state: State, type: ArrayType, rows: GrowingRows) -> Operand:
    """Where the memory of a list ends that is nobody else's: as long as it is in the same memory,
    wherever its rows are there."""
    return rows.address + rows.room * (row_size(state, type, rows) * type.dtype.itemsize)


def as_rows(state: State, value: Value, is_last: bool) -> GrowingRows:
    """An array of unknown length as a list.

    Args:
        is_last: whether nothing else in the block has it from now on.
    """
    held = state.env.get(value)
    if not isinstance(held, GrowingRows):
        return measured.in_rows(state, value.type, demand.as_measured(state, value))
    if is_last and value in state.env.own:
        return held
    share(state, value)
    return _full(state, held)


def share(state: State, value: Value) -> None:
    """Take from a list what room it has, since somebody else has it from now on as well."""
    held = state.env.own.get(value)
    if isinstance(held, GrowingRows):
        state.env[value] = _full(state, held)


def _full(state: State, rows: GrowingRows) -> GrowingRows:
    """A list as somebody has it who is not alone in having it."""
    room = state.b.long(0) if state.shared.takes_rows else rows.length
    return rows._replace(room=room, front=state.b.long(0), is_alone=False)


def taken(state: State, node: Node, value: Value) -> GrowingRows:
    """A list that is an operand of a node, whose result it becomes."""
    return as_rows(state, value, _is_last(state, node, value))


def _is_last(state: State, node: Node, value: Value) -> bool:
    times = sum(v is value for v in node.uses())
    return times == 1 and not state.progress.is_used_later(value)


def changeable(state: State, node: Node, value: Value) -> GrowingRows:
    """A list that is an operand of a node, which changes it, in memory that nothing else has, with
    room for one more row."""
    alone = _is_last(state, node, value) and value in state.env.own
    if state.keeps and not alone and isinstance(state.env.get(value), GrowingRows):
        raise CannotLower(reasons.ADDS_UP.of(node.location))  # one more copy in each trip
    has_table = lookups.has_table(state, node.outputs[0])
    return _with_room(state, value.type, taken(state, node, value), has_table)


def alone(state: State, type: ArrayType, rows: GrowingRows) -> GrowingRows:
    """A list in which nothing is looked for, in memory that nothing else has."""
    return _with_room(state, type, rows, False)


def left(state: State, values: Sequence[Value], value: Value) -> GrowingRows:
    """A list that is one of the results of a region."""
    return as_rows(state, value, sum(v is value for v in values) == 1)


def append(state: State, node: Node) -> GrowingRows:
    """One more row."""
    b, (value, row) = state.b, node.inputs
    type = node.outputs[0].type
    if row.type.shape:
        demand.held(state, row)
    rows = changeable(state, node, value)
    size = row_size(state, type, rows)
    place = Memory(measured.rows_at(state, type, rows.address), rows.length * size)
    demand.put(state, row, place)
    return rows._replace(length=rows.length + b.long(1), is_alone=False)


def _with_room(state: State, type: ArrayType, rows: GrowingRows, has_table: bool) -> GrowingRows:
    """The same, with room for at least one more, and with a table if it ``has_table``."""
    if rows.is_alone:
        return rows
    b, none = state.b, state.b.long(0)
    if state.shared.takes_first_rows:  # they may move to the front
        measured.settle(state, [measured.rows_at(state, type, none)])

    def to_front() -> Sequence[Operand]:
        size = row_size(state, type, rows) * type.dtype.itemsize
        address = rows.address - rows.front * size
        copy_rows(state, type, rows, address)
        return address, rows.room + rows.front, none, none

    def to_new_memory() -> Sequence[Operand]:
        room = rows.length * 2 + 4
        count = room * row_size(state, type, rows)
        if not has_table:
            address = measured.reserved(state, type, count)
            copy_rows(state, type, rows, address)
            return address, room, none, none
        address, table = lookups.reserved(state, type, room, count)
        copy_rows(state, type, rows, address)
        return address, room, none, table

    def move() -> Sequence[Operand]:
        if not state.shared.takes_first_rows:
            return to_new_memory()
        fits = (rows.front > none) & (rows.front >= rows.length)
        return b.if_(fits, to_front, to_new_memory)

    # LLVM takes what is equal for rare.
    full = rows.length >= rows.room if state.shared.takes_rows else rows.length == rows.room
    before = none if rows.table is None else rows.table
    stay = lambda: (rows.address, rows.room, rows.front, before)
    address, room, front, table = b.if_(full, move, stay)
    rows = rows._replace(address=address, room=room, front=front, is_alone=True)
    return rows._replace(table=table if has_table else None)


def copy_rows(state: State, type: ArrayType, rows: GrowingRows, address: Operand) -> None:
    """Copy rows to an address."""
    b = state.b
    source, target = (
        measured.rows_at(state, type, rows.address),
        measured.rows_at(state, type, address),
    )
    with b.each(rows.length * row_size(state, type, rows)) as i:
        b.store(target, i, b.load(source, i))


def drop(state: State, node: Node) -> GrowingRows:
    """All rows but the last."""
    b = state.b
    measured.settle(state)  # what has been read of the last row, before another comes to its place
    rows = taken(state, node, node.inputs[0])
    kernels.require(rows.length > 0)
    if lookups.has_table(state, node.inputs[0], node.outputs[0]):
        lookups.forget(state, rows)
    return rows._replace(length=rows.length - b.long(1))


def drop_first(state: State, node: Node) -> GrowingRows:
    """All rows but the first, ``x[1:]``, where they are."""
    b, (value,) = state.b, node.inputs
    measured.settle(state)  # what has been read of the first row, before others come to its place
    rows = taken(state, node, value)
    some = b.cast(rows.length > 0, LONG)
    address = rows.address + some * (row_size(state, value.type, rows) * value.type.dtype.itemsize)
    own = kernels.select(rows.room > 0, some, b.long(0))
    return GrowingRows(address, rows.length - some, rows.room - own, rows.front + own, rows.others)


def refined(state: State, node: Node) -> Held:
    """The same array, of which more, or less, is said."""
    (value,) = node.inputs
    result = node.outputs[0].type
    if isinstance(state.env.get(value), GrowingRows) and not result.is_static:
        rows = taken(state, node, value)
        return measured.with_lengths(state, rows, value.type, result)
    return demand.as_measured(state, value)


def told(type: ArrayType) -> list[int]:
    """The axes of a result whose lengths the kernel tells its caller."""
    return GrownArray(type.dtype, type.shape).told


def to_caller(state: State, type: ArrayType, rows: Held, target: Buffer) -> None:
    """Leave a list in memory that is the caller's, who gives it back; where it is, and its lengths,
    are written to ``target``."""
    assert isinstance(rows, GrowingRows)
    b = state.b
    size = row_size(state, type, rows) * type.dtype.itemsize
    address = b.reserve(rows.length * size, for_caller=True)
    lengths = rows.length, *measured.row_lengths(state, type, rows)
    b.store(target, 0, address)
    for number, axis in enumerate(told(type), 1):
        b.store(target, number, lengths[axis])
    copy_rows(state, type, rows, address)


def take_over(state: State, inner: State, captures: Iterable[Value]) -> None:
    """Let a branch have the lists of the block around it that nothing else needs any more."""
    for value in captures:
        held = state.env.own.get(value)
        if isinstance(held, GrowingRows) and not state.progress.is_used_later(value):
            inner.env.take_over(value)


def share_all(state: State, values: Iterable[Value]) -> None:
    """`share` for what of some values are lists."""
    for value in values:
        share(state, value)
