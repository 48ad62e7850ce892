"""Arrays whose lengths are known only at run time: `Measured`.

Such an array is no memory but a way to compute an element of it, besides its lengths. It is put
into memory (of the size of the largest that it can be) before something is written that it may
have been computed from: so writing comes last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from autograph.graph.graph import Value
from autograph.graph.wiring import wiring
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import UNKNOWN_SIZE, Buffer, Number, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, GrowingRows, Measured, Memory, is_growing
from ops.core import kernels
from ops.core.types import ArrayType

MOST_ELEMENTS = 1 << 24  # of the memory for one
_SHORT = 8  # elements of a row


def settle(
    state: State, written: Collection[Buffer] | None = None, in_step: Value | None = None
) -> None:
    """Put into memory what is used later, before something is written.

    Args:
        written: to which memory, if that is known: what is not computed from it may wait.
        in_step: an array whose elements are read where each is written over.
    """
    if not state.env.unsettled:  # what every store asks, of all that came before
        return
    for value, held in list(state.env.own.items()):
        if not isinstance(held, Measured) or held.settled:
            continue
        if not state.progress.is_still_used(value):
            del state.env[value]
        elif written is not None and not held.may_read(written):
            continue
        elif value is not in_step or state.progress.is_used_later(value):
            to_change = _is_changed_by_loop(state, value)
            state.env[value] = (
                in_rows(state, value.type, held) if to_change else in_memory(state, value, held)
            )


def _is_changed_by_loop(state: State, value: Value) -> bool:
    """Whether who uses an array last is a loop that begins with it, and may change it where it is,
    if it is a list: it would be copied, otherwise."""
    users = state.plan.uses.get(value)
    if not users or not users[-1].regions or state.keeps or state.serial or not is_growing(value):
        return False
    last = users[-1]
    is_last = value not in state.plan.outputs and sum(v is value for v in last.uses()) == 1
    return is_last and any(v.start is value for v in wiring(last).carried)


def in_memory(state: State, value: Value, held: Measured) -> Measured:
    """The same array, all of which is in memory of its own."""
    return held if held.settled else copied(state, value, held)[0]


def copied(
    state: State, value: Value, held: Measured
) -> tuple[Measured, Callable[[Sequence[Operand], Operand], None]]:
    """A copy of an array in new memory, and what changes an element of that."""
    memory, _ = placed(state, value, held)
    return _lying(state, held, memory)


def _lying(
    state: State, held: Measured, memory: Memory
) -> tuple[Measured, Callable[[Sequence[Operand], Operand], None]]:
    """An array of the same lengths in memory, and what changes an element of that."""
    sizes = sizes_of(held)

    def at(index: Sequence[Operand]) -> Operand:
        return memory.start + flat(state.b, index, sizes)

    def store(index: Sequence[Operand], element: Operand) -> None:
        state.b.store(memory.buffer, at(index), element)

    def load(index: Sequence[Operand]) -> Operand:
        return state.b.load(memory.buffer, at(index))

    return Measured(held.lengths, held.most, load, settled=True), store


def placed(state: State, value: Value, held: Measured) -> tuple[Memory, Sequence[Operand | int]]:
    """New memory with an array's elements, and for how many along each axis there is room."""
    memory, sizes = allocated(state, value, held.lengths, held.most), sizes_of(held)

    def store(index: Sequence[Operand], element: Operand) -> None:
        state.b.store(memory.buffer, memory.start + flat(state.b, index, sizes), element)

    visit(state, held, store)
    return memory, sizes


def sizes_of(held: Measured) -> list[Operand | int]:
    """For how many elements along each axis there is room in memory for an array."""
    return _sizes(held.lengths, held.most)


def visit(state: State, held: Measured, body: Callable[[Sequence[Operand], Operand], None]) -> None:
    """Do something with each index and element of an array, in any order."""
    if held.visit is not None:
        held.visit(body)
    else:
        each = lambda index: body(index, held.element(index))
        over(state, held.lengths, each, by_rows=held.is_loaded)


def of_known_size(state: State, value: Value, held: Measured) -> Memory:
    """Memory of a value that has as many elements as an array, with these."""
    wanted = state.places.wanted(value)
    if wanted is None or held.may_read([wanted.buffer]):
        memory = state.places.allocate(value.type.dtype, value.type.size, value.name)
    else:
        memory = wanted
        settle(state)

    def store(index: Sequence[Operand], element: Operand) -> None:
        place = memory.start + flat(state.b, index, held.lengths)
        state.b.store(memory.buffer, place, element)

    visit(state, held, store)
    return memory


def kept(state: State, value: Value, held: Measured) -> Measured:
    """An array whose elements are read again and again: in memory if they take long to compute, and
    there is room."""
    return all_kept(state, {value: held})[value]


def all_kept(state: State, arrays: dict[Value, Measured]) -> dict[Value, Measured]:
    """The same of several. Those of the same lengths are computed by one loop, in which what two of
    them are computed from, as both parts of complex numbers are, is computed once."""
    kept = dict(arrays)
    waiting = {value: held for value, held in arrays.items() if _is_to_be_kept(state, held)}
    while waiting:
        value, first = next(iter(waiting.items()))
        group = {value: first}
        if first.visit is None:
            group |= {v: h for v, h in waiting.items() if h.visit is None and _alike(h, first)}
        for v, held in _in_one_loop(state, group).items():
            kept[v] = held
            if isinstance(state.env.get(v), Measured):
                state.env[v] = held
            del waiting[v]
    return kept


def _is_to_be_kept(state: State, held: Measured) -> bool:
    bounded = all(n is not None for n in held.most)
    return held.is_dear and not held.settled and (bounded or not (state.serial or state.keeps))


def _alike(one: Measured, other: Measured) -> bool:
    """Whether two arrays have the same lengths, and may have the same."""
    same = all(a is b for a, b in zip(one.lengths, other.lengths))
    return same and len(one.lengths) == len(other.lengths) and one.most == other.most


def _in_one_loop(state: State, arrays: dict[Value, Measured]) -> dict[Value, Measured]:
    """Arrays of the same lengths in memory."""
    if len(arrays) == 1:
        ((value, held),) = arrays.items()
        return {value: in_memory(state, value, held)}
    memories = [allocated(state, v, held.lengths, held.most) for v, held in arrays.items()]
    made = [_lying(state, held, memory) for held, memory in zip(arrays.values(), memories)]

    def body(index: tuple[Operand, ...]) -> None:
        for element, (_, store) in zip([x.element(index) for x in arrays.values()], made):
            store(index, element)

    one = next(iter(arrays.values()))
    by_rows = all(held.is_loaded for held in arrays.values())
    over(state, one.lengths, body, by_rows=by_rows)
    return {value: found for value, (found, _) in zip(arrays, made)}


def _sizes(lengths: Sequence[Operand], most: Sequence[int | None]) -> list[Operand | int]:
    """How many elements along each axis there is memory for."""
    return [length if n is None else n for length, n in zip(lengths, most)]


def allocated(
    state: State, value: Value, lengths: Sequence[Operand], most: Sequence[int | None]
) -> Memory:
    """New memory for an array."""
    known = [n for n in most if n is not None]
    if len(known) == len(most):
        if math.prod(known) > MOST_ELEMENTS:
            raise CannotLower(reasons.LARGE_UNKNOWN.of())
        return state.places.allocate(value.type.dtype, max(math.prod(known), 1), value.name)
    count = state.b.long(1)
    for n in _sizes(lengths, most):
        count = count * n
    address = _reserved(state, value.type, count)
    return Memory(rows_at(state, value.type, address), state.b.long(0))


def _reserved(state: State, type: ArrayType, count: Operand) -> Operand:
    """The address of new memory for so many elements.

    Raises:
        CannotLower: it would be there until the kernel ends, and be reserved once a trip.
    """
    if state.keeps:
        raise CannotLower(reasons.ADDS_UP.of())
    return reserved(state, type, count)


def reserved(state: State, type: ArrayType, count: Operand) -> Operand:
    """The same where that is meant. No two arrays have one address, not even without elements:
    loops tell by it whether a trip has left one where it was."""
    if state.serial:
        raise CannotLower(reasons.UNKNOWN.of())
    nbytes, itemsize = count * type.dtype.itemsize, type.dtype.itemsize
    if itemsize < 8:
        nbytes = state.b.compute("quotient", nbytes + 7, state.b.long(8)) * 8
    return state.b.reserve(kernels.select(nbytes > 0, nbytes, state.b.long(8)))


def rows_at(state: State, type: ArrayType, address: Operand) -> Buffer:
    """The elements of an array of unknown length at an address."""
    return state.b.record(type.dtype, UNKNOWN_SIZE, address, 0)


def in_new_memory(
    state: State, type: ArrayType, held: Measured, room: Operand | int = 0
) -> tuple[Operand, Operand]:
    """The address of a copy of an array in memory that lasts, and how many rows there is room for.

    Args:
        room: for so many more rows.
    """
    rows, *rest = held.lengths
    rows = rows + room
    count = rows
    for n in rest:
        count = count * n
    address = reserved(state, type, count)
    put_at(state, type, held, address)
    return address, rows


def put_at(state: State, type: ArrayType, held: Measured, address: Operand) -> None:
    """Write the elements of an array to an address."""
    memory = rows_at(state, type, address)
    visit(
        state,
        held,
        lambda index, element: state.b.store(memory, flat(state.b, index, held.lengths), element),
    )


def at_address(
    state: State, type: ArrayType, address: Operand, lengths: Sequence[Operand]
) -> Measured:
    """An array at an address, where nothing is written any more."""
    memory = rows_at(state, type, address)
    return Measured(
        tuple(lengths),
        type.shape,
        lambda index: state.b.load(memory, flat(state.b, index, lengths)),
        settled=True,
    )


def of_rows(state: State, type: ArrayType, rows: GrowingRows) -> Measured:
    """A list as an array whose lengths the run knows."""
    memory, lengths = rows_at(state, type, rows.address), row_lengths(state, type, rows)

    def element(index: Sequence[Operand]) -> Operand:
        return state.b.load(memory, flat(state.b, index, (1, *lengths)))

    return Measured((rows.length, *lengths), type.shape, element, frozenset([memory]))


def row_lengths(state: State, type: ArrayType, rows: GrowingRows) -> list[Operand]:
    """The lengths of a row of a list."""
    others = iter(rows.others)
    return [next(others) if n is None else state.b.long(n) for n in type.shape[1:]]


def with_lengths(
    state: State, rows: GrowingRows, given: ArrayType, wanted: ArrayType
) -> GrowingRows:
    """A list as one of another type, which says more, or less, of its lengths. The kernel gives up
    where it is none."""
    lengths = [rows.length, *row_lengths(state, given, rows)]
    for n, before, length in zip(wanted.shape, given.shape, lengths):
        if n is not None and before is None:
            kernels.require(length == state.b.long(n))
    others = [length for n, length in zip(wanted.shape[1:], lengths[1:]) if n is None]
    return rows._replace(others=tuple(others))


def in_rows(state: State, type: ArrayType, held: Measured) -> GrowingRows:
    """An array as a list, in memory of its own, with room for one more row: who gets it may change
    it."""
    if state.keeps:
        raise CannotLower(reasons.ADDS_UP.of())
    address, room = in_new_memory(state, type, held, 1)
    rows = as_rows(state, type, held.lengths, address, room)
    return rows._replace(is_alone=True)


def as_rows(
    state: State, type: ArrayType, lengths: Sequence[Operand], address: Operand, room: Operand
) -> GrowingRows:
    """The list at an address that has some lengths, and room for so many rows."""
    others = [length for n, length in zip(type.shape[1:], lengths[1:]) if n is None]
    return GrowingRows(address, lengths[0], room, state.b.long(0), tuple(others))


def over(
    state: State,
    lengths: Sequence[Operand],
    body: Callable[[tuple[Operand, ...]], None],
    *,
    ordered: bool = False,
    by_rows: bool = False,
) -> None:
    """Loops over all indices.

    Args:
        ordered: whether what is done for one depends on what has been done before.
        by_rows: one vector for each row, however short they are.
    """
    b, last = state.b, lengths[-1]
    in_order = state.serial or ordered
    if in_order or by_rows or len(lengths) == 1 or isinstance(last, Number):
        _loops(state, lengths, body, (), in_order)
        return

    # Short rows are sooner done one element after the other than as a vector of which most idles.
    def rows(in_order: bool) -> tuple:
        _loops(state, lengths, body, (), in_order)
        return ()

    b.if_(last < _SHORT, lambda: rows(True), lambda: rows(False))


def _loops(
    state: State,
    lengths: Sequence[Operand],
    body: Callable[[tuple[Operand, ...]], None],
    index: tuple[Operand, ...],
    in_order: bool,
) -> None:
    """A loop for each axis; that over the last one in order, or not."""
    b, count = state.b, lengths[len(index)]
    is_last = len(index) + 1 == len(lengths)
    if is_last and not in_order:
        with b.each(count) as i:
            body((*index, i))
        return

    def trip(i: Operand) -> tuple:
        if is_last:
            body((*index, i))
        else:
            _loops(state, lengths, body, (*index, i), in_order)
        return ()

    if isinstance(count, Number) and count.value == 1:
        trip(b.long(0))
    else:
        b.for_(count, (), trip)


def flat(b: KernelBuilder, index: Sequence[Operand], shape: Sequence[Operand | int]) -> Operand:
    """The number of an element of an array, or of one that may be smaller, in memory."""
    number = b.long(0)
    for i, n in zip(index, shape):
        number = number * n + i
    return number
