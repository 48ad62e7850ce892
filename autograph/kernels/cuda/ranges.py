"""Intervals of integers: which of the kernel's int64 fit into C's int, and what cannot overflow.

An index is an int64 in the IR. A GPU has no 64 bit integer unit, so where the number of trips of
the loops around is known, index arithmetic is done in 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Interval = tuple[int, int]

# Loops step by up to 2**20 blocks of 2**10 threads, which must not overflow either.
MOST_TRIPS = 2**30
_INT = 2**31 - 1


def of_dtype(dtype: np.dtype) -> Interval:
    """All values of an integer dtype, or of bool."""
    if dtype.kind == "b":
        return 0, 1
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


def is_small(interval: Interval) -> bool:
    """Whether the values, and their negatives, fit into 32 bits."""
    return interval[0] >= -_INT and interval[1] <= _INT


def within(inner: Interval, outer: Interval) -> bool:
    """Whether one interval lies in another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def exact(function: str, operands: Sequence[Interval]) -> Interval | None:
    """The interval of a function of integers that do not wrap; None where it is not known."""
    if len(operands) == 1:
        low, high = operands[0]
        return (-high, -low) if function == "-" else (~high, ~low) if function == "~" else None
    if function == "select":
        operands = operands[1:]
        return min(x[0] for x in operands), max(x[1] for x in operands)
    (a, b), (c, d) = operands
    match function:
        case "+" | "add_checked":
            return a + c, b + d
        case "-" | "subtract_checked":
            return a - d, b - c
        case "*" | "multiply_checked":
            products = (a * c, a * d, b * c, b * d)
            return min(products), max(products)
        case "quotient" if c > 0:
            quotients = tuple(_divided(x, y) for x in (a, b) for y in (c, d))
            return min(quotients), max(quotients)
        case "rest" if c > 0:
            return max(a, 1 - d) if a < 0 else 0, min(b, d - 1) if b > 0 else 0
        case "&" if a >= 0 and c >= 0:
            return 0, min(b, d)
        case "|" | "^" if a >= 0 and c >= 0:
            return 0, (1 << max(b, d).bit_length()) - 1
        case "shift_left" if a >= 0 and c >= 0 and d < 63:
            return a << c, b << d
        case "shift_right" if c >= 0 and d < 64:
            return min(a >> c, a >> d), max(b >> c, b >> d)
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
    return None


def _divided(x: int, y: int) -> int:
    return abs(x) // y if x >= 0 else -(abs(x) // y)
