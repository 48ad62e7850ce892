"""Arrays whose lengths are known only at run time that a loop makes anew in its trips, as
``u = u + dt * f(u)`` does.

What a trip reserves is freed at its end. What it leaves has to stay: it is copied to memory that
lasts, of which each such variable of the loop has two pieces. One has what it is now, the other is
for what the next trip leaves, and where that is too short, memory of twice the size comes in its
place. So a loop needs no more memory than some times that of what it holds, however many trips
it has. Nothing is copied if a trip leaves a variable where it is: unchanged, or changed in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autograph.kernels.ir.ir import LONG, Number, Operand
from autograph.kernels.lowering.arrays import growing, lookups, measured
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import GrowingRows, Measured
from ops.core import kernels
from ops.core.types import ArrayType

WORD = 8  # bytes, of what says where the newest memory is that is not freed


class Spaces(NamedTuple):
    """The memory of one variable.

    Attributes:
        own: how many bytes there are where the variable is, if that is a piece of its own, else 0.
        spare: the address of the other piece, and
        spare_size: how many bytes it has; 0 if there is none.
    """

    own: Operand
    spare: Operand
    spare_size: Operand


class Renewal:
    """How a trip leaves such variables.

    Its state, which the loop passes from trip to trip, is the address of the last word of the
    newest piece, which is not freed, and after that the `Spaces` of each variable.

    Args:
        count: how many variables there are.
    """

    def __init__(self, count: int):
        nothing: Operand = Number(0, LONG)
        self.init = [nothing] * (1 + 3 * count)

    @staticmethod
    def parts(numbers: Iterator[Operand]) -> Iterator[Spaces]:
        """The pieces of each variable in the state, after its first number."""
        while (own := next(numbers, None)) is not None:
            yield Spaces(own, next(numbers), next(numbers))

    def left(
        self,
        state: State,
        numbers: Sequence[Operand],
        types: Sequence[ArrayType],
        entered: Sequence[GrowingRows],
        lists: Sequence[GrowingRows | Measured],
        tables: Sequence[bool],
    ) -> tuple[list[GrowingRows], list[Operand]]:
        """What a trip leaves, in memory that lasts, and the next state.

        Args:
            numbers: the state in this trip.
            types: of the variables.
            entered: where they were before the trip.
            lists: where they are after it, or what computes their elements.
            tables: which have a table in which rows are looked for.
        """
        newest, *others = numbers
        kept: list[GrowingRows] = []
        following: list[Operand] = []
        variables = zip(types, entered, lists, tables, self.parts(iter(others)))
        for type, before, after, has_table, pieces in variables:
            found, pieces, newest = _moved(state, type, before, after, has_table, pieces, newest)
            kept.append(found)
            following += pieces
        return kept, [newest, *following]


def _moved(
    state: State,
    type: ArrayType,
    before: GrowingRows,
    after: GrowingRows | Measured,
    has_table: bool,
    pieces: Spaces,
    newest: Operand,
) -> tuple[GrowingRows, Spaces, Operand]:
    """One variable in memory that lasts, its pieces, and the newest of all."""
    b = state.b

    def move() -> list[Operand]:
        room, count = _room(state, type, after)
        words = b.compute("quotient", count * type.dtype.itemsize + (WORD - 1), b.long(WORD))
        size = rows_size = words * WORD
        if has_table:
            slots = lookups.slots_for(state, room)
            size = size + lookups.size_of(slots)
        size = size + WORD

        def new_piece() -> list[Operand]:
            whole = kernels.select(pieces.spare_size > 0, size * 2, size)
            address = b.reserve(whole)
            return [address, whole, address + whole - WORD]

        reuse = lambda: [pieces.spare, pieces.spare_size, newest]
        address, whole, last = b.if_(size > pieces.spare_size, new_piece, reuse)
        if isinstance(after, Measured):
            measured.put_at(state, type, after, address)
        else:
            growing.copy_rows(state, type, after, address)
        table = b.long(0)
        if has_table:
            table = address + rows_size
            given = None if isinstance(after, Measured) else after.table
            lookups.begin_as(state, table, slots, given)
        spare = kernels.select(pieces.own > 0, before.address, b.long(0))
        return [address, room, b.long(0), whole, spare, pieces.own, last, table]

    if isinstance(after, Measured):
        found = tuple(move())
    else:
        table = b.long(0) if after.table is None else after.table
        stay = [after.address, after.room, after.front, *pieces, newest, table]
        found = b.if_(after.address == before.address, lambda: stay, move)
    address, room, front, *numbers, newest, table = found
    if isinstance(after, Measured):
        after = measured.as_rows(state, type, after.lengths, address, room)
    else:
        after = after._replace(address=address, room=room, front=front)
    after = after._replace(table=table if has_table else None)
    return after, Spaces(*numbers), newest


def _room(state: State, type: ArrayType, after: GrowingRows | Measured) -> tuple[Operand, Operand]:
    """For how many rows there shall be room, and how many elements these have."""
    if isinstance(after, Measured):
        room, *row = after.lengths
        room = room + 1
    else:
        room = kernels.select(after.room > after.length, after.room, after.length + 1)
        row = measured.row_lengths(state, type, after)
    count = room
    for n in row:
        count = count * n
    return room, count
