"""Loops over the bits of an integer as what they count: ``while v: v &= v - 1; count += 1`` takes
as many trips as ``v`` has ones, and ``while v: count += v & 1; v >>= 1`` as many as it has bits.

Both are counted by an instruction or a few, in vectors as well (Warren, "Hacker's Delight", 2012,
sections 5-1 and 5-3). Of a negative int Python goes on without end, so a kernel gives up there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var

_WORD, _BYTE = np.dtype("uint64"), np.dtype("uint8")
_SUMS = ("+", "add_checked")
_DIFFERENCES = ("-", "subtract_checked")


def without_bit_loops(block: Block) -> Block:
    """A block without such loops; itself if there are none. It is left as it is."""
    if ir.While not in map(type, ir.walk(block)):
        return block
    made: list[Statement] = []
    for s in block:
        counted = _Bits(s).statements() if isinstance(s, ir.While) else None
        if counted is not None:
            made += counted
            continue
        inner: dict[str, Any] = {
            f.name: found
            for f in dataclasses.fields(s)
            if isinstance(value := getattr(s, f.name), Block)
            and (found := without_bit_loops(value)) is not value
        }
        made.append(dataclasses.replace(s, **inner) if inner else s)
    same = len(made) == len(block.statements) and all(
        a is b for a, b in zip(made, block.statements)
    )
    return block if same else Block(made)


class _Bits:
    """A loop with a test, which may be one over the bits of an integer.

    Attributes:
        bits: the integer in the state.
        clears: whether a trip clears the lowest one; else it moves all down by one.
        checked: whether a trip gives up where the integer leaves 64 bits.
    """

    bits: Var
    clears = False
    checked = False

    def __init__(self, loop: ir.While):
        self.loop = loop
        self.made: dict[Operand, ir.Compute] = {}
        self.is_plain = all(isinstance(s, ir.Compute) for s in (*loop.test, *loop.body))
        if self.is_plain and loop.freed is None:
            self.made = {s.out: s for s in (*loop.test, *loop.body) if isinstance(s, ir.Compute)}

    def statements(self) -> list[Statement] | None:
        """What gives the same as the loop; None if that is not known."""
        loop, tested = self.loop, self.made.get(self.loop.condition)
        if tested is None or not self._tests(tested) or not self._steps():
            return None
        changes = [self._change(k) for k in range(len(loop.state))]
        if any(x is None for x in changes):
            return None
        place = next(k for k, var in enumerate(loop.state) if var is self.bits)
        return self._counted(place, [x for x in changes if x is not None])

    def _counted(self, place: int, changes: Sequence[Number]) -> list[Statement]:
        """What stands for the loop.

        Args:
            place: of the integer in the state.
            changes: see `_change`.
        """
        loop, made = self.loop, list[Statement]()

        def compute(function: str, *operands: Operand, dtype: Any = LONG) -> Var:
            out = Var(dtype)
            made.append(ir.Compute(out, function, operands))
            return out

        first = loop.init[place]
        zero = Number(0, LONG)
        runs: Var | None = None
        if self.made[loop.condition].function == ">":
            runs = compute(">", first, zero, dtype=BOOL)
            first = compute("select", runs, first, zero)
        elif self.checked or not self.clears:
            made.append(ir.Check(compute(">=", first, zero, dtype=BOOL)))
        word = compute("cast", first, dtype=_WORD)
        ones = compute("cast", compute("popcount", word, dtype=_BYTE))
        trips = ones
        if not self.clears and any(x is not _ONE_OF_BITS for x in changes):
            for count in (1, 2, 4, 8, 16, 32):  # all below the highest one
                moved = compute("shift_right", word, Number(count, _WORD), dtype=_WORD)
                word = compute("|", word, moved, dtype=_WORD)
            trips = compute("cast", compute("popcount", word, dtype=_BYTE))
        for k, (result, init, change) in enumerate(zip(loop.results, loop.init, changes)):
            if k == place:
                left = (zero, zero) if runs is None else (runs, zero, init)
                made.append(ir.Compute(result, "+" if runs is None else "select", left))
                continue
            by = ones if change is _ONE_OF_BITS else trips
            if isinstance(change, Number) and change.value != 1:
                by = compute("*", trips, change)
            added = self.made[loop.following[k]]
            made.append(ir.Compute(result, added.function, (init, by), added.location))
        return made

    def _tests(self, s: ir.Compute) -> bool:
        """Find the integer: the loop ends where it is 0, or not positive."""
        is_cast = s.function == "cast" and s.out.dtype == BOOL
        compared = s.function in ("!=", ">") and _is_number(s.operands[1], 0)
        (var, *_) = s.operands
        if not (is_cast or compared) or not isinstance(var, Var) or var.dtype != LONG:
            return False
        self.bits = var
        return any(x is var for x in self.loop.state)

    def _steps(self) -> bool:
        """Find what a trip does to it."""
        following = next(
            x for x, var in zip(self.loop.following, self.loop.state) if var is self.bits
        )
        s = self.made.get(following)
        if s is None:
            return False
        if s.function == "shift_right":
            return s.operands[0] is self.bits and _is_number(s.operands[1], 1)
        if s.function != "&" or not any(x is self.bits for x in s.operands):
            return False
        less = self.made.get(s.operands[s.operands[0] is self.bits])
        if less is None or less.function not in _DIFFERENCES or len(less.operands) != 2:
            return False
        self.clears, self.checked = True, less.function != "-"
        return less.operands[0] is self.bits and _is_number(less.operands[1], 1)

    def _change(self, k: int) -> Number | None:
        """What a trip adds to a state: a number, or the lowest bit; None if that is not all."""
        state, following = self.loop.state[k], self.loop.following[k]
        if state is self.bits:
            return _ONE_OF_BITS
        s = self.made.get(following)
        if state.dtype != LONG or s is None or s.function not in _SUMS or len(s.operands) != 2:
            return None
        x, by = s.operands if s.operands[0] is state else s.operands[::-1]
        if x is not state:
            return None
        if isinstance(by, Number):
            return by if abs(int(by.value)) < _SMALL else None
        bit = self.made.get(by)
        if self.clears or bit is None or bit.function != "&":
            return None
        of, mask = bit.operands if bit.operands[0] is self.bits else bit.operands[::-1]
        return _ONE_OF_BITS if of is self.bits and _is_number(mask, 1) else None


_SMALL = 1 << 32
_ONE_OF_BITS = Number(1, LONG)  # itself, which says that a trip adds the lowest bit


def _is_number(x: Operand, value: int) -> bool:
    return isinstance(x, Number) and x.value == value
