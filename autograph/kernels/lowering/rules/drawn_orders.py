"""Orders and choices without replacement that a generator draws: NumPy's algorithms.

NumPy has no functions in C for them, but its generators' methods are few lines: an order is made by
exchanges from the end on (Fisher and Yates' shuffle; Durstenfeld, "Algorithm 235: random
permutation", 1964), a choice by Floyd's algorithm (Bentley and Floyd, "Programming pearls: a sample
of brilliance", 1987), or, where much is chosen of many, by the exchanges of the last places. Which
of both, and by which functions places are drawn, is part of the stream; see
`autograph.kernels.native.orders.are_numpys`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.graph.graph import Node
from autograph.kernels.ir import draws, ir
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory
from autograph.kernels.native import orders
from ops.core.records import NamedTuple

Source = tuple[Buffer, Operand] | int  # of `ir.Draw`
Write = Callable[[State, Source, Memory], None]

_MOST = 1 << 20  # of what is chosen, or put in order: there is memory for all of it
_BITS = np.dtype(np.uint64)


def drawn_order(node: Node, static: Mapping[str, Any]) -> Write | None:
    """What writes the result of ``rng.permutation(n)``, or of ``rng.choice(n, k, replace=False)``,
    to memory; None if that is not native."""
    method = node.attrs["method"]
    is_permutation = method == "permutation"
    name = "x" if is_permutation else "a"
    allowed = {name} if is_permutation else {name, "replace", "shuffle"}
    count, result = static.get(name), node.outputs[-1].type
    if node.attrs["names"] or not static.keys() <= allowed or result.dtype != LONG:
        return None
    if type(count) is not int or not 0 < count <= _MOST or not orders.are_numpys():
        return None
    if is_permutation:
        return lambda state, source, to: _permuted(_Drawer(state, source), to, count)
    size, in_order = result.size, not static.get("shuffle", True)
    if orders.by_exchanges(count, size, not in_order):
        return lambda state, source, to: _last_places(_Drawer(state, source), to, count, size)
    return lambda state, source, to: _chosen(_Drawer(state, source), to, count, size, in_order)


class _Drawer(NamedTuple):
    """Emits draws of places."""

    state: State
    source: Source

    def at_most(self, last: Operand) -> Operand:
        """One of the numbers from 0 to ``last``, as orders are drawn."""
        return self._drawn(draws.INTERVAL, (last,))

    def bounded(self, last: Operand) -> Operand:
        """The same, as integers are."""
        b = self.state.b
        given = b.cast(b.long(0), _BITS), b.cast(last, _BITS), b.long(1)
        return self._drawn(draws.filling(LONG), given)

    def _drawn(self, function: str, given: tuple[Operand, ...]) -> Operand:
        b = self.state.b
        place = self.state.places.allocate(LONG, 1)
        result = place.buffer, b.long(place.start)
        b.add(ir.Draw(function, self.source, given, result))
        b.written(place.buffer)
        return b.load(*result)


def _permuted(drawer: _Drawer, to: Memory, count: int) -> None:
    _number(drawer.state, to, count)
    _exchange(drawer.state, to, count, 1, drawer.at_most)


def _last_places(drawer: _Drawer, to: Memory, count: int, size: int) -> None:
    """The last of all numbers, after as many exchanges."""
    state = drawer.state
    b, every = state.b, state.places.allocate(LONG, count)
    _number(state, every, count)
    _exchange(state, every, count, max(count - size, 1), drawer.bounded)
    state.loops.copy(Memory(every.buffer, b.long(every.start) + (count - size)), to, size)


def _chosen(drawer: _Drawer, to: Memory, count: int, size: int, in_order: bool) -> None:
    """Some numbers, each from a range that is one longer than that of the one before: where such a
    number has been drawn, the last of its range, which can't have been."""
    state = drawer.state
    b = state.b
    slots = 1 << int(1.2 * size).bit_length()
    table, none = state.places.allocate(LONG, slots), b.long(-1)

    def place(slot: Operand) -> tuple[Buffer, Operand]:
        return table.buffer, b.long(table.start) + slot

    def after(number: Operand, until: Callable[[Operand], Operand]) -> Operand:
        """The slot of a number, or a later one."""
        first = number & (slots - 1)
        goes_on = lambda slot: ~until(b.load(*place(slot)))
        (slot,) = b.while_([first], goes_on, lambda slot: [(slot + 1) & (slots - 1)])
        return slot

    with b.each(slots) as i:
        b.store(*place(i), none)

    def trip(i: Operand) -> Sequence[Operand]:
        last = i + (count - size)
        drawn = drawer.bounded(last)
        slot = after(drawn, lambda held: (held == none) | (held == drawn))

        def put_last() -> Sequence[Operand]:
            return after(last, lambda held: held == none), last

        slot, number = b.if_(b.load(*place(slot)) == drawn, put_last, lambda: (slot, drawn))
        b.store(*place(slot), number)
        b.store(to.buffer, b.long(to.start) + i, number)
        return ()

    b.for_(size, (), trip)
    if not in_order:
        _exchange(state, to, size, 1, drawer.bounded)


def _number(state: State, to: Memory, count: int) -> None:
    b = state.b
    with b.each(count) as i:
        b.store(to.buffer, b.long(to.start) + i, i)


def _exchange(
    state: State, memory: Memory, count: int, first: int, draw: Callable[[Operand], Operand]
) -> None:
    """Exchange each element, from the last one to the ``first``, with one up to it."""
    b, start = state.b, state.b.long(memory.start)

    def trip(i: Operand) -> Sequence[Operand]:
        last = b.long(count - 1) - i
        own, other = start + last, start + draw(last)
        x, y = b.load(memory.buffer, own), b.load(memory.buffer, other)
        b.store(memory.buffer, other, x)
        b.store(memory.buffer, own, y)
        return ()

    if count > first:
        b.for_(count - first, (), trip)
