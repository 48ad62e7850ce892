"""Loops with a test of which each trip touches another place of an array than the one before: they
make no more trips than the array has places, since nothing outside of it is ever touched.

As ``while p > 0 and w[p - 1] > v: p -= 1``, or ``while j < n and x[j] == x[i]: j += 1``. In other
loops, such ones make a few trips each time, and to count these takes as long as what they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Number, Operand
from autograph.kernels.llvm import leaving
from ops.core.symbolic_lengths import is_length

_SUMS = ("+", "add_checked")
_DIFFERENCES = ("-", "subtract_checked")
_PRODUCTS = ("*", "multiply_checked")


def most_by_places(loop: ir.While) -> int | None:
    """At most how many trips a loop makes, by the places that it touches; None if these tell
    nothing."""
    moves = _Moves(loop)
    found = [
        s.buffer.size + 1
        for s in (*_of_each_trip(loop, loop.test), *loop.body)
        if isinstance(s, (ir.Load, ir.Store)) and _is_known(s.buffer) and moves.by(s.index)
    ]
    return min(found, default=None)


def _is_known(buffer: ir.Buffer) -> bool:
    return not is_length(buffer.size) and buffer.size < ir.UNKNOWN_SIZE


def _of_each_trip(loop: ir.While, block: ir.Block) -> Iterator[ir.Statement]:
    """The statements of the test, and of branches in it, without which no trip is made."""
    for s in block:
        if isinstance(s, ir.If):
            for side, holds in ((s.then, True), (s.orelse, False)):
                if leaving.fails(loop, {s.condition: not holds}):
                    yield from _of_each_trip(loop, side)
        else:
            yield s


class _Moves:
    """By how much scalars change from trip to trip."""

    def __init__(self, loop: ir.While):
        statements = [*ir.walk(loop.test), *loop.body]
        self._made: dict[Operand, ir.Compute] = {
            s.out: s for s in statements if isinstance(s, ir.Compute)
        }
        self._inside = {
            out
            for block in (loop.test, loop.body)
            for s in ir.walk(block)
            for out in uses.defined(s)
        }
        self._following: Mapping[Operand, Operand] = dict(zip(loop.state, loop.following))

    def by(self, x: Operand) -> int | None:
        """By which number an int64 becomes more, the same in each trip; None if that is not known.
        What leaves 64 bits on the way comes back."""
        if isinstance(x, Number):
            return 0
        if x.dtype != LONG:
            return None
        if x in self._following:
            return self._step(x, self._following[x])
        if x not in self._inside:
            return 0
        s = self._made.get(x)
        if s is None or s.function not in (*_SUMS, *_DIFFERENCES, *_PRODUCTS):
            return None
        moves = [by for by in map(self.by, s.operands) if by is not None]
        if len(moves) < len(s.operands):
            return None
        if s.function in _PRODUCTS:
            factor = s.operands[1]
            return moves[0] * int(factor.value) if isinstance(factor, Number) else None
        if s.function in _SUMS:
            return sum(moves)
        return -moves[0] if len(moves) == 1 else moves[0] - moves[1]

    def _step(self, x: Operand, following: Operand) -> int | None:
        """What a trip adds to a variable of the loop."""
        if following is x:
            return 0
        s = self._made.get(following)
        if s is None or s.operands[0] is not x or not isinstance(s.operands[-1], Number):
            return None
        by = int(s.operands[-1].value)
        if s.function in _SUMS:
            return by
        return -by if s.function in _DIFFERENCES else None
