"""Arrays whose lengths only the run knows, in memory, and lists that grow by rows: `GrowingRows`.

A list lies in memory that has room for more rows than there are. When it is full, they move to
memory of twice the size, so that appending takes constant time on average. Only one who is alone in
having a list may append to it where it is. To who else gets it, it is full: it moves before
anything is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import demand, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, GrowingRows, Held, Memory
from autograph.kernels.native.signature import GrownArray
from ops.core import kernels
from ops.core.types import ArrayType


def words(rows: GrowingRows) -> tuple[Operand, ...]:
    """The numbers that say where a list is, as a loop passes them on."""
    return (rows.address, rows.length, rows.room, *rows.others)


def of_words(value: Value, numbers: Iterator[Operand]) -> GrowingRows:
    """A list from these numbers, which are taken from an iterator."""
    address, length, room = itertools.islice(numbers, 3)
    count = value.type.shape[1:].count(None)
    return GrowingRows(address, length, room, tuple(itertools.islice(numbers, count)))


def names(value: Value) -> list[str | None]:
    """Of these numbers, for printing."""
    axes = [axis for axis, n in enumerate(value.type.shape) if n is None and axis]
    parts = ["rows", "length", "room", *(f"length_{axis}" for axis in axes)]
    return [value.name and f"{value.name}_{what}" for what in parts]


def empty(state: State) -> GrowingRows:
    """A list without rows, and without room for any."""
    nothing = state.b.long(0)
    return GrowingRows(nothing, nothing, nothing)


def row_size(state: State, type: ArrayType, rows: GrowingRows) -> Operand:
    """How many elements a row has."""
    size = state.b.long(1)
    for n in measured.row_lengths(state, type, rows):
        size = size * n
    return size


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
    return _full(held)


def share(state: State, value: Value) -> None:
    """Take from a list what room it has, since somebody else has it from now on as well."""
    held = state.env.own.get(value)
    if isinstance(held, GrowingRows):
        state.env[value] = _full(held)


def _full(rows: GrowingRows) -> GrowingRows:
    return rows._replace(room=rows.length)


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
    return _with_room(state, value.type, taken(state, node, value))


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
    return rows._replace(length=rows.length + b.long(1))


def _with_room(state: State, type: ArrayType, rows: GrowingRows) -> GrowingRows:
    """The same, with room for at least one more."""
    b = state.b

    def move() -> Sequence[Operand]:
        room = rows.length * 2 + 4
        address = measured.reserved(state, type, room * row_size(state, type, rows))
        copy_rows(state, type, rows, address)
        return address, room

    full = rows.length == rows.room
    address, room = b.if_(full, move, lambda: (rows.address, rows.room))
    return rows._replace(address=address, room=room)


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
    length = rows.length - b.long(1)
    room = kernels.select(rows.room == rows.length, length, rows.room)  # full stays full
    return rows._replace(length=length, room=room)


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
