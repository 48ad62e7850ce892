"""Arrays whose lengths only the run knows: `Measured`.

Such an array is no memory but a way to compute an element of it, besides its lengths. It is put
into memory (of the size of the largest that it can be) before something is written that it may
have been computed from: so writing comes last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from autograph.graph.graph import Value
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import CannotLower, Measured

MOST_ELEMENTS = 1 << 24  # of the memory for one


def settle(state: State) -> None:
    """Put into memory what is used later, before something is written."""
    for value, held in list(state.env.own.items()):
        if isinstance(held, Measured) and not held.settled:
            if state.progress.is_still_used(value):
                state.env[value] = in_memory(state, value, held)
            else:
                del state.env[value]


def in_memory(state: State, value: Value, held: Measured) -> Measured:
    """The same array, all of which is in memory of its own."""
    return held if held.settled else copied(state, value, held)[0]


def copied(
    state: State, value: Value, held: Measured
) -> tuple[Measured, Callable[[Sequence[Operand], Operand], None]]:
    """A copy of an array in new memory, and what changes an element of that."""
    size = math.prod(held.most)
    if size > MOST_ELEMENTS:
        raise CannotLower(reasons.LARGE_UNKNOWN.of())
    memory = state.places.allocate(value.type.dtype, max(size, 1), value.name)

    def at(index: Sequence[Operand]) -> Operand:
        return memory.start + flat(state.b, index, held.most)

    def store(index: Sequence[Operand], element: Operand) -> None:
        state.b.store(memory.buffer, at(index), element)

    def load(index: Sequence[Operand]) -> Operand:
        return state.b.load(memory.buffer, at(index))

    over(state, held.lengths, lambda index: store(index, held.element(index)))
    return Measured(held.lengths, held.most, load, True), store


def over(
    state: State,
    lengths: Sequence[Operand],
    body: Callable[[tuple[Operand, ...]], None],
    index: tuple[Operand, ...] = (),
) -> None:
    """Loops over all indices."""
    b, count = state.b, lengths[len(index)]
    if len(index) + 1 < len(lengths) or state.serial:

        def trip(i: Operand) -> tuple:
            if len(index) + 1 < len(lengths):
                over(state, lengths, body, (*index, i))
            else:
                body((*index, i))
            return ()

        b.for_(count, (), trip)
        return
    with b.each(count) as i:
        body((*index, i))


def flat(b: KernelBuilder, index: Sequence[Operand], shape: Sequence[int]) -> Operand:
    """The number of an element of an array, or of one that may be smaller, in memory."""
    number = b.long(0)
    for i, n in zip(index, shape):
        number = number * n + i
    return number
