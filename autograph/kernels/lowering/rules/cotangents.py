"""Cotangents of packs and stacks: what is zero, and sums.

The address 0 is the zero of a pack, and of a stack any number of zeros. A sum of two that are not
zero is a *node*, two addresses, which is known by its own address plus 1; nothing is added until
somebody takes the pack apart, since only he knows what is in it. A stack of sums is taken apart
likewise: what is on top of a sum of stacks is the sum of what is on top of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG, Buffer, Number, Operand
from autograph.kernels.lowering.analysis.records import RecordField
from autograph.kernels.lowering.loops import ElementLoops

_SUM = 1  # is added to the address of a sum, which is a multiple of 8
_PAIR = 16  # bytes


def word(b: KernelBuilder, address: Operand, number: int) -> Buffer:
    """One of the addresses, or the like, in a record."""
    return b.record(LONG, 1, address, 8 * number)


def pair(b: KernelBuilder, first: Operand, second: Operand) -> Operand:
    """A new record of two addresses."""
    address = b.reserve(_PAIR)
    b.store(word(b, address, 0), 0, first)
    b.store(word(b, address, 1), 0, second)
    return address


def both(b: KernelBuilder, address: Operand) -> tuple[Operand, Operand]:
    """The two addresses in a record."""
    return b.load(word(b, address, 0), 0), b.load(word(b, address, 1), 0)


def added(b: KernelBuilder, x: Operand, y: Operand) -> Operand:
    """The sum of two cotangents of the same pack or stack."""

    def unless_zero() -> Sequence[Operand]:
        return b.if_(y == 0, lambda: (x,), lambda: (pair(b, x, y) + _SUM,))

    return b.if_(x == 0, lambda: (y,), unless_zero)[0]


def is_sum(address: Operand) -> Operand:
    """Whether a cotangent is a sum of two that are not zero."""
    return (address & _SUM) != 0


def over_terms(
    b: KernelBuilder,
    address: Operand,
    init: Sequence[Operand],
    visit: Callable[..., Sequence[Operand]],
) -> tuple[Operand, ...]:
    """What comes of visiting the terms of a sum in order.

    Args:
        address: not 0.
        init: a state.
        visit: given a term that is no sum, and the state; returns the next state.

    Returns:
        The last state.
    """

    def test(at: Operand, waiting: Operand, *state: Operand) -> Operand:
        return at != 0

    def body(at: Operand, waiting: Operand, *state: Operand) -> Sequence[Operand]:
        def descend() -> Sequence[Operand]:
            left, right = both(b, at - _SUM)
            return (left, pair(b, right, waiting), *state)

        def go_on() -> Sequence[Operand]:
            following = tuple(visit(at, *state))
            nothing = (b.long(0), b.long(0))
            return (*b.if_(waiting != 0, lambda: both(b, waiting), lambda: nothing), *following)

        return b.if_(is_sum(at), descend, go_on)

    return b.while_((address, b.long(0), *init), test, body)[2:]


def clear(loops: ElementLoops, buffer: Buffer, number: float = 0) -> None:
    """Set all elements of a buffer to zero, or another number."""
    b = loops.b
    _over(loops, buffer.size, lambda i: b.store(buffer, i, Number(number, buffer.dtype)))


def taken_together(
    loops: ElementLoops, address: Operand, fields: Sequence[RecordField], size: int
) -> Operand:
    """The address of a pack that is no sum but what a sum is, or 0.

    Args:
        fields: what is wanted of the pack.
        size: of the pack.
    """
    b = loops.b

    def add() -> Sequence[Operand]:
        record = b.reserve(size)
        for field in fields:  # by what changes nothing that is added to it
            clear(loops, field.of(b, record), 0 if field.contents.is_address else -0.0)

        def visit(term: Operand) -> tuple:
            for field in fields:
                _increase(loops, record, term, field)
            return ()

        over_terms(b, address, (), visit)
        return (record,)

    return b.if_(is_sum(address), add, lambda: (address,))[0]


def _increase(loops: ElementLoops, address: Operand, term: Operand, field: RecordField) -> None:
    b = loops.b
    sums, terms = field.of(b, address), field.of(b, term)

    def visit(i: Operand) -> None:
        x, y = b.load(sums, i), b.load(terms, i)
        b.store(sums, i, added(b, x, y) if field.contents.is_address else x + y)

    _over(loops, sums.size, visit)


def _over(loops: ElementLoops, count: int, visit: Callable[[Operand], None]) -> None:
    """For each of some elements."""
    if count == 1:
        visit(loops.b.long(0))
    elif count:
        loops.each(count, visit, 0.3)
