"""Between which bounds the results of Python's operators of ints are, given those of the operands.

Bounds are inclusive pairs. A bound is an int, or ``-INFINITE`` or ``INFINITE`` where there is none.
Where Python raises there is no result: nobody divides by 0, and nothing is shifted by less than 0.
"""

from __future__ import annotations

import math
from typing import Any

INFINITE = math.inf
UNKNOWN = (-INFINITE, INFINITE)

_MOST_BITS = 1000  # of a bound: a float can hold it

Bounds = tuple[Any, Any]


def _limited(low: Any, high: Any) -> Bounds:
    most = 1 << _MOST_BITS
    return (low if low >= -most else -INFINITE), (high if high <= most else INFINITE)


def of_sum(x: Bounds, y: Bounds) -> Bounds:
    return _limited(x[0] + y[0], x[1] + y[1])


def of_difference(x: Bounds, y: Bounds) -> Bounds:
    return _limited(x[0] - y[1], x[1] - y[0])


def of_product(x: Bounds, y: Bounds) -> Bounds:
    corners = [a * b if a and b else 0 for a in x for b in y]
    return _limited(min(corners), max(corners))


def of_negative(x: Bounds) -> Bounds:
    return -x[1], -x[0]


def of_size(x: Bounds) -> Bounds:
    low, high = x
    if low >= 0:
        return x
    return (-high, -low) if high <= 0 else (0, max(-low, high))


def of_inverted(x: Bounds) -> Bounds:
    return -x[1] - 1, -x[0] - 1


def of_common_bits(x: Bounds, y: Bounds) -> Bounds:
    """Of ``x & y``."""
    masks = [high for low, high in (x, y) if low >= 0]
    return (0, min(masks)) if masks else of_bits(x, y)


def of_bits(x: Bounds, y: Bounds) -> Bounds:
    """Of ``x | y`` and ``x ^ y``."""
    ends = (*x, *y)
    if INFINITE in ends or -INFINITE in ends:
        return (0, INFINITE) if min(ends) >= 0 else UNKNOWN
    most = 1 << max(end.bit_length() for end in ends)
    return (0 if min(ends) >= 0 else -most), most - 1


def of_left_shift(x: Bounds, count: Bounds) -> Bounds:
    (low, high), (least, most) = x, (max(count[0], 0), count[1])
    if least > most or most > _MOST_BITS:
        return UNKNOWN

    def shifted(bound: Any, by: int) -> Any:
        return bound * (1 << by)

    return _limited(
        shifted(low, most if low < 0 else least), shifted(high, most if high >= 0 else least)
    )


def of_right_shift(x: Bounds, count: Bounds) -> Bounds:
    (low, high), (least, most) = x, (max(count[0], 0), count[1])
    if least > most:
        return UNKNOWN

    def shifted(bound: Any, by: Any) -> Any:
        if abs(bound) == INFINITE and by != INFINITE:
            return bound
        return bound >> min(by, 2 * _MOST_BITS) if abs(bound) != INFINITE else -(bound < 0)

    return shifted(low, least if low < 0 else most), shifted(high, least if high >= 0 else most)


def of_quotient(x: Bounds, y: Bounds) -> Bounds:
    """Of ``x // y``; known only of what is divided by positive ints."""
    (low, high), (least, most) = x, (y[0] or 1, y[1])
    if least < 1 or least > most:
        return UNKNOWN

    def divided(bound: Any, by: Any) -> Any:
        if by == INFINITE:
            return -(bound < 0)
        return bound if abs(bound) == INFINITE else bound // by

    return divided(low, least if low < 0 else most), divided(high, least if high >= 0 else most)


def of_rest(x: Bounds, y: Bounds) -> Bounds:
    """Of ``x % y``; known only of what is divided by positive ints."""
    (low, high), (least, most) = x, (y[0] or 1, y[1])
    if least < 1 or least > most:
        return UNKNOWN
    if low >= 0 and high < least:
        return x
    return 0, min(high, most - 1) if low >= 0 else most - 1
