"""Lists that grow as arguments and results of routines.

A routine takes, and gives, numbers that say where a list is: the address of its rows, how many
there are, and room for how many; those of the lengths of a row known only at run time; and where
its table is, if something is looked for in it (`autograph.kernels.lowering.arrays.lookups`). What
has been taken away at the front is not passed on.

Who gives a list away for good gives its room with it: so a list that all calls of a recursion
append to and take rows from stays where it is. To who gets one that somebody else has, too, it has
no room.

What a routine that calls itself reserves is free when it ends, but for the lists that it gives,
which may move to where that was.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.arrays import growing, lookups, measured
from autograph.kernels.lowering.routine import Convention, numbers_of
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, GrowingRows, Memory
from ops.core import kernels


def words(state: State, rows: GrowingRows, has_table: bool) -> tuple[Operand, ...]:
    """The numbers of a list."""
    none = state.b.long(0)
    table = (none if rows.table is None else rows.table,) if has_table else ()
    return (rows.address, rows.length, rows.room, *rows.others, *table)


def from_words(
    state: State, value: Value, numbers: Iterator[Operand], has_table: bool
) -> GrowingRows:
    """A list of these numbers, which are taken from an iterator."""
    address, length, room = itertools.islice(numbers, 3)
    others = tuple(itertools.islice(numbers, value.type.shape[1:].count(None)))
    none = state.b.long(0)
    given = next(numbers) if has_table else none
    table = given if lookups.has_table(state, value) else None
    return GrowingRows(address, length, room, none, others, table)


def given(
    state: State, node: Node, position: int, convention: Convention
) -> tuple[tuple[Operand, ...], Buffer]:
    """The numbers of a list that a call is given, and the memory of its rows."""
    value = node.inputs[position]
    rows = growing.taken(state, node, value)
    memory = measured.rows_at(state, value.type, rows.address)
    return words(state, rows, position in convention.tables_given), memory


def left(
    state: State, node: Node, position: int, convention: Convention, results: Iterator[Memory]
) -> GrowingRows:
    """A list that a call gives, of the numbers in the memory of its results.

    Raises:
        CannotLower: it is a new one in each trip of a loop, which would add up.
    """
    value, has_table = node.outputs[position], position in convention.tables_left
    if state.keeps and position not in convention.came_from:
        raise CannotLower(reasons.ADDS_UP.of(node.location))
    b = state.b
    found = itertools.islice(results, numbers_of(value, has_table))
    numbers = [b.load(memory.buffer, memory.start) for memory in found]
    return from_words(state, value, iter(numbers), has_table)


def bound(state: State, value: Value, has_table: bool) -> None:
    """Let a list be one that the routine is given."""
    names = ("rows", "length", "room")
    hints = [value.name and f"{value.name}_{what}" for what in names]
    hints += [None] * (numbers_of(value, has_table) - len(hints))
    numbers = [state.b.parameter(LONG, hint) for hint in hints]
    state.env[value] = from_words(state, value, iter(numbers), has_table)


def store(state: State, rows: GrowingRows, has_table: bool, places: Sequence[Buffer]) -> None:
    """Leave the numbers of a list that a routine gives."""
    for number, place in zip(words(state, rows, has_table), places):
        state.b.store(place, 0, number)


def kept(state: State, values: Sequence[Value], lists: Sequence[GrowingRows]) -> list[GrowingRows]:
    """Free what the routine has reserved, but for the lists that it gives; where they are then."""
    pieces = [(rows.address, _nbytes(state, v, rows)) for v, rows in zip(values, lists)]
    moved: list[GrowingRows] = []
    for rows, address in zip(lists, state.b.keep(pieces)):
        table = rows.table
        if table is not None:
            offset = table - rows.address
            table = kernels.select(table != state.b.long(0), address + offset, table)
        moved.append(rows._replace(address=address, table=table))
    return moved


def _nbytes(state: State, value: Value, rows: GrowingRows) -> Operand:
    """How many bytes the rows of a list have, with their room and their table."""
    b = state.b
    room = kernels.select(rows.room > rows.length, rows.room, rows.length)
    size = room * (growing.row_size(state, value.type, rows) * value.type.dtype.itemsize)
    table = rows.table
    if table is None:
        return size
    with_table = lambda: (table - rows.address + lookups.size_at(state, table),)
    (size,) = b.if_(table != b.long(0), with_table, lambda: (size,))
    return size
