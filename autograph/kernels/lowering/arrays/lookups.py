"""Looking for a row of a list: `ops.find_row`, with a hash table beside the rows.

A list that something is looked for in has, behind the room for its rows, as much memory again for a
table of open addressing with double hashing (Knuth, The Art of Computer Programming, volume 3,
section 6.4): some numbers and then slots, a power of two of them and at least two for each row
there is room for. The numbers are how many rows the table knows, the number of words of the slots
less one, and the sum of the addresses of the columns beside the one that the table belongs to:
another list may share that, with others beside it. A slot has the place of a row and one more, 0
where it is empty, and what stands in that row, or the first part of it: who finds a number has no
other memory to look at.

An integer begins at the slot of its own number, as in Python's dicts: of integers one after the
other, as counters and places mostly are, each has its slot, beside its neighbours. Only where that
is another's, all its bits tell how far it goes on from there. Of several numbers the last does,
from where those before it tell; floats, whose last bits are mostly zero, are among those before.

Nothing is done for the table when rows are appended. Who looks for a key first lets it know the
rows that have come since; one that knows rows that are gone, or have been written to, or of other
columns, is cleared. A list without a table is looked through from its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograph.graph.graph import Node, Value
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG, UNKNOWN_SIZE, Buffer, Number, Operand
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import GrowingRows
from ops.core import kernels
from ops.core.types import ArrayType

_UNSIGNED = np.dtype(np.uint64)
_DOUBLE = np.dtype(np.float64)
# 2**64 divided by the golden ratio, for Knuth's multiplicative hashing, as a number with sign.
_FACTOR = 0x9E3779B97F4A7C15 - 2**64
_LOW_BITS = 4  # of an integer, which don't tell how far it goes on: neighbours go on together
_KNOWS, _MASK, _BESIDE, _SLOTS = 0, 1, 2, 4  # where what stands in a table
_SLOT = 2  # words of a slot
_UNKNOWN = -1  # rows that a table knows of which nobody knows what they are


def has_table(state: State, *values: Value) -> bool:
    """Whether one of some lists has a table in its memory: something may be looked for in it."""
    return any(value in state.shared.looked_up for value in values)


def slots_for(state: State, room: Operand) -> Operand:
    """How many slots there are for so many rows."""
    least = room * 2
    b = state.b
    (slots,) = b.while_([b.long(8)], lambda n: n < least, lambda n: [n + n])
    return slots


def size_of(slots: Operand) -> Operand:
    """How many bytes a table has."""
    return _words_of(slots) * LONG.itemsize


def size_at(state: State, table: Operand) -> Operand:
    """How many bytes the table at an address has."""
    words = state.b.load(_numbers(state, table), _MASK) + (_SLOTS + 1)
    return words * LONG.itemsize


def _words_of(slots: Operand) -> Operand:
    return slots * _SLOT + _SLOTS


def begin(state: State, table: Operand, slots: Operand) -> None:
    """Let a table know nothing."""
    numbers = _numbers(state, table)
    state.b.store(numbers, _KNOWS, state.b.long(_UNKNOWN))
    state.b.store(numbers, _MASK, slots * _SLOT - 1)
    state.b.store(numbers, _BESIDE, state.b.long(0))


def begin_as(state: State, table: Operand, slots: Operand, given: Operand | None) -> None:
    """Let a table of rows that have moved know what ``given`` knows of them, if that is one of as
    many slots, else nothing."""
    b = state.b
    if given is None:
        begin(state, table, slots)
        return
    source, target = _numbers(state, given), _numbers(state, table)

    def copy() -> Sequence[Operand]:
        with b.each(_words_of(slots)) as i:
            b.store(target, i, b.load(source, i))
        return ()

    def anew() -> Sequence[Operand]:
        begin(state, table, slots)
        return ()

    def of_same_size() -> Sequence[Operand]:
        b.if_(b.load(source, _MASK) == slots * _SLOT - 1, copy, anew)
        return ()

    b.if_(given != b.long(0), of_same_size, anew)


def reserved(
    state: State, type: ArrayType, room: Operand, count: Operand
) -> tuple[Operand, Operand]:
    """The address of new memory for so many rows of ``count`` elements in all, and that of a table
    behind it, which knows nothing yet."""
    slots = slots_for(state, room)
    per_word = LONG.itemsize // type.dtype.itemsize
    words = state.b.compute("quotient", count + (per_word - 1), state.b.long(per_word))
    address = state.b.reserve(words * LONG.itemsize + size_of(slots))
    table = address + words * LONG.itemsize
    begin(state, table, slots)
    return address, table


def forget(state: State, rows: GrowingRows) -> None:
    """Called when rows of a list that is not shared are written to, or are gone."""
    table = rows.table
    if table is None:
        return
    b = state.b

    def unknown() -> Sequence[Operand]:
        b.store(_numbers(state, table), _KNOWS, b.long(_UNKNOWN))
        return ()

    b.if_(table != b.long(0), unknown)


def find(state: State, node: Node) -> Operand:
    """The last row that is equal to a key, -1 if there is none."""
    b, count = state.b, len(node.inputs) // 2
    columns = node.inputs[:count]
    key = [_word(state, demand.scalar(state, part)) for part in node.inputs[count:]]
    held = [state.env.get(column) for column in columns]
    table = held[0].table if isinstance(held[0], GrowingRows) else None
    beside = b.long(0)
    for other in held[1:]:
        if isinstance(other, GrowingRows):
            beside = beside + other.address
        else:
            table = None
    rows = [demand.as_measured(state, column) for column in columns]
    length = rows[0].lengths[0]

    def row(place: Operand) -> list[Operand]:
        return [_word(state, column.element((place,))) for column in rows]

    def at_the_end() -> Sequence[Operand]:
        return (_looked_through(state, length, row, key),)

    if table is None:
        return at_the_end()[0]
    is_float = columns[-1].type.dtype.kind == "f"
    spread = lambda key: slots_of(b, [*key, b.long(0)] if is_float else key)
    look_up = lambda: (_looked_up(state, table, beside, length, row, key, spread),)
    (place,) = b.if_(table != b.long(0), look_up, at_the_end)
    return place


_Row = Callable[[Operand], list[Operand]]
_Slots = tuple[Operand, Callable[[], Operand]]
_Spread = Callable[[Sequence[Operand]], _Slots]


def _looked_through(state: State, length: Operand, row: _Row, key: Sequence[Operand]) -> Operand:
    b = state.b
    no = b.cast(b.long(0), np.dtype(bool))
    place, found = b.while_(
        [length, no],
        lambda place, found: (place > 0) & ~found,
        lambda place, _: [place - 1, _are_equal(row(place - 1), key)],
    )
    return kernels.select(found, place, b.long(-1))


def _looked_up(
    state: State,
    table: Operand,
    beside: Operand,
    length: Operand,
    row: _Row,
    key: Sequence[Operand],
    spread: _Spread,
) -> Operand:
    b = state.b
    numbers, slots = _numbers(state, table), _numbers(state, table, _SLOTS)
    mask = b.load(numbers, _MASK)

    def slot_of(key: Sequence[Operand]) -> Operand:
        """Where the slot of a key is, or an empty one where it would be."""

        def is_other(slot: Operand) -> Operand:
            held = b.load(slots, slot)
            same = b.load(slots, slot + 1) == key[0]
            if len(key) > 1:
                place = kernels.select(held > 0, held - 1, b.long(0))  # there is one row at least
                same = same & _are_equal(row(place)[1:], key[1:])
            return (held > 0) & ~same

        begin, step = spread(key)
        first = (begin * _SLOT) & mask

        def at_others() -> Sequence[Operand]:
            steps = step() * _SLOT
            following = lambda slot: [(slot + steps) & mask]
            return b.while_(following(first), is_other, following, brief=True)

        (slot,) = b.if_(is_other(first), at_others, lambda: (first,))
        return slot

    def learn() -> Sequence[Operand]:
        known = b.load(numbers, _KNOWS)
        stale = (known < 0) | (known > length) | (b.load(numbers, _BESIDE) != beside)

        def clear() -> Sequence[Operand]:
            with b.each(mask + 1) as i:
                b.store(slots, i, b.long(0))
            return ()

        b.if_(stale, clear)
        first = kernels.select(stale, b.long(0), known)

        def add(i: Operand) -> Sequence[Operand]:
            place = first + i
            parts = row(place)
            slot = slot_of(parts)
            b.store(slots, slot, place + 1)
            b.store(slots, slot + 1, parts[0])
            return ()

        # Mostly there is one, and a loop would take as long as what is done in it.
        one = lambda: add(b.long(0))
        b.if_(first + 1 == length, one, lambda: b.for_(length - first, (), add))
        b.store(numbers, _KNOWS, length)
        b.store(numbers, _BESIDE, beside)
        return ()

    unlike = (b.load(numbers, _KNOWS) != length) | (b.load(numbers, _BESIDE) != beside)
    b.if_(unlike, learn)
    return b.load(slots, slot_of(key)) - 1


def _are_equal(row: Sequence[Operand], key: Sequence[Operand]) -> Operand:
    first, *others = [x == y for x, y in zip(row, key)]
    for other in others:
        first = first & other
    return first


def _word(state: State, number: Operand) -> Operand:
    """An integer that is the same for equal numbers alone: of a float its bits, of both zeros
    those of one."""
    b = state.b
    if number.dtype.kind != "f":
        return b.cast(number, LONG)
    wide, zero = b.cast(number, _DOUBLE), Number(0.0, _DOUBLE)
    return kernels.bits(kernels.select(wide == zero, zero, wide))


def slots_of(b: KernelBuilder, key: Sequence[Operand]) -> _Slots:
    """At which slot a key begins, and what computes how many slots it goes on, which few need: an
    odd number, so that it comes to all of them."""
    *others, last = key
    mixed: Operand = b.long(0)
    for number in others:
        mixed = _mixed(b, b.compute("^", mixed, number))

    def step() -> Operand:
        number = b.compute("^", mixed, b.compute("shift_right", last, b.long(_LOW_BITS)))
        return b.compute("|", _mixed(b, number), b.long(1))

    begin = b.compute("+", b.cast(mixed, _UNSIGNED), b.cast(last, _UNSIGNED))
    return b.cast(begin, LONG), step


def _mixed(b: KernelBuilder, number: Operand) -> Operand:
    """A number on each bit of which many bits of another one tell."""
    factor = Number(_FACTOR, LONG)
    # C has the upper half of products with signs, and lets only numbers without leave 64 bits.
    high = b.compute("multiply_high", number, factor)
    low = b.compute("*", b.cast(number, _UNSIGNED), b.cast(factor, _UNSIGNED))
    return b.compute("^", b.cast(low, LONG), high)


def _numbers(state: State, table: Operand, first: int = 0) -> Buffer:
    return state.b.record(LONG, UNKNOWN_SIZE, table, first * LONG.itemsize)
