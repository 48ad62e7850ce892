"""The parts of floats, their neighbours, and the rest of division."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.mathematics.arithmetic import (
    FORMATS,
    INF,
    SINGLE,
    clamped,
    power_of_two,
    sign_bit,
)
from ops.core import kernels
from ops.core.kernels import (
    bits,
    cast,
    choose,
    copysign,
    fabs,
    fma,
    from_bits,
    select,
    shift_right,
    trunc,
)

_INT = np.dtype("int32")


def _integer(x: Any) -> np.dtype:
    """The dtype of integers as wide as a float."""
    return np.dtype("int32") if x.dtype == SINGLE else np.dtype("int64")


def _parted(x: Any) -> tuple[Any, Any, Any]:
    """What `mantissa` and `exponent` give of ``x`` unless that is 0, infinite or NaN, and whether
    it is."""
    form = FORMATS[x.dtype]
    size = fabs(x)
    small = size < form.smallest_normal
    raised = bits(select(small, x * 2.0**form.fraction, x))
    field = shift_right(raised, form.fraction) & form.exponent_mask
    none = bits(x) & 0
    exponent = field - select(small, none + (form.bias - 1 + form.fraction), none + (form.bias - 1))
    without = raised & ~(form.exponent_mask << form.fraction)
    part = from_bits(without | (form.bias - 1 << form.fraction))
    return part, exponent, (x == 0) | ~(size < INF)


def mantissa(x: Any) -> Any:
    """The ``m`` of ``x = m * 2**e`` with ``m`` from 1/2 to 1, or ``x`` if there is none."""
    part, _, none = _parted(x)
    return select(none, x, part)


def exponent(x: Any) -> Any:
    """The ``e`` of ``x = m * 2**e`` with ``m`` from 1/2 to 1, or 0 if there is none: an int32."""
    _, found, none = _parted(x)
    return cast(select(none, found & 0, found), _INT)


def ldexp(x: Any, count: Any) -> Any:
    """``x * 2**count``, rounded once."""
    form = FORMATS[x.dtype]
    count = cast(clamped(count, -5 * form.bias, 5 * form.bias), _integer(x))
    part, found, none = _parted(x)
    total = clamped(found + count, -2 * form.bias, form.bias + 3)
    first = shift_right(total, 1)
    y = part * power_of_two(first + form.bias, x.dtype)
    y = y * power_of_two(total - first + form.bias, x.dtype)
    return select(none, x, y)


def nextafter(x: Any, y: Any) -> Any:
    """The float next to ``x`` on the way to ``y``."""
    whole = bits(x)
    away = (y > x) == (x > 0)
    step = select(away, (whole & 0) + 1, (whole & 0) - 1)
    smallest = from_bits(sign_bit(y) | 1)
    moved = select(x == 0, smallest, from_bits(whole + step))
    return select(x == y, y, select((x != x) | (y != y), x + y, moved))


def fmod(x: Any, y: Any) -> Any:
    """The rest of ``x / y`` rounded towards 0; exact.

    The quotient, rounded, is at most 1 too large, and the fused multiply-add is exact then. Where
    the quotient is not known to its last digit, C's function goes digit by digit.
    """
    form = FORMATS[x.dtype]
    a, b = fabs(x), fabs(y)
    quotient = a / b
    rest = fma(-trunc(quotient), b, a)
    rest = select(rest < 0, rest + b, rest)
    rest = copysign(select(a < b, a, rest), x)
    is_known = quotient < 2.0**form.fraction
    return choose(is_known, lambda: rest, lambda: kernels.fmod(x, y))
