"""Random numbers that are drawn one after the other from a state, which is an array of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.graph.graph import Node
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import is_array


def draw(state: State, node: Node) -> None:
    """An operator that declares `ops.core.kernels.Draws`. The words are scalars while numbers are
    drawn."""
    assert node.op.draws is not None
    one, b = node.op.draws.one, state.b
    before, *parameters = node.inputs
    after, drawn = node.outputs
    count = before.type.size
    operands = [demand.scalar(state, v) for v in parameters]
    source = demand.memory(state, before)
    words = tuple(b.load(source.buffer, source.start + i) for i in range(count))

    def lookup(table: np.ndarray, i: Operand) -> Operand:
        return b.load(b.constant(table), b.cast(i, LONG))

    def number(words: Any) -> tuple[Any, Operand]:
        words, found = one(words, operands, lookup, node.attrs)
        return words, b.cast(found, drawn.type.dtype)

    if is_array(drawn):
        numbers = state.places.give(drawn)

        def trip(i: Operand, *words: Operand) -> tuple[Operand, ...]:
            following, found = number(words)
            b.store(numbers.buffer, numbers.start + i, found)
            return following

        words = b.for_(drawn.type.size, words, trip)
        state.env[drawn] = numbers
    else:
        words, state.env[drawn] = number(words)
    target = state.places.give(after)
    for i, word in enumerate(words):
        b.store(target.buffer, target.start + i, word)
    state.env[after] = target
