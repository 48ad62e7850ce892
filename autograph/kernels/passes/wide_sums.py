"""Sums of int64 of which it is known in the end whether they leave 64 bits, in any order.

Python's ints have no end: a sum is right if it fits in the end, whatever it was on the way. So
lanes of a vector may add up their parts, if the sum of all is known with more than 64 bits. Here it
is in two halves: the lower 32 bits of each number are added up as numbers without a sign, the upper
ones with theirs. Neither sum leaves 64 bits for the numbers of `MOST` trips (as are the digits of
numbers with several words in Knuth, "The Art of Computer Programming", volume 2, 1997, section
4.3.1).
"""

from __future__ import annotations

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, LONG, Number, Operand, Statement, Var

MOST = 1 << 28  # numbers that may be added up
SMALL = 1 << 34  # the size of numbers of which so many fit in 64 bits
_BITS = 32  # of a half
_HALF = Number(_BITS, LONG)
_LOWER = Number((1 << _BITS) - 1, LONG)


def halves(value: Operand) -> tuple[list[Statement], Var, Var]:
    """The statements that compute the halves of an int64, the lower and the upper one."""
    low, high = Var(LONG), Var(LONG)
    made: list[Statement] = [
        ir.Compute(low, "&", (value, _LOWER)),
        ir.Compute(high, "shift_right", (value, _HALF)),
    ]
    return made, low, high


def joined(low: Operand, high: Operand) -> tuple[list[Statement], Var]:
    """The statements that compute a sum from those of the halves, and give up if it leaves 64 bits;
    and that sum."""
    made: list[Statement] = []

    def compute(function: str, *operands: Operand, dtype: np.dtype = LONG) -> Var:
        out = Var(dtype)
        made.append(ir.Compute(out, function, operands))
        return out

    upper = compute("+", high, compute("shift_right", low, _HALF))
    lifted = compute("shift_left", upper, _HALF)
    fits = compute("==", compute("shift_right", lifted, _HALF), upper, dtype=BOOL)
    made.append(ir.Check(fits))
    return made, compute("|", lifted, compute("&", low, _LOWER))
