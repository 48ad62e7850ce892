"""Logarithms.

``x = 2**k * (1 + f)`` with ``1 + f`` between the square roots of 1/2 and of 2, and ``log(1 + f)``
is ``f - f*f/2`` and a small rest: for float32 a polynomial, for float64 one in the square of
``s = f / (2 + f)``, as in FDLIBM (Sun Microsystems, 1993) from Tang, Table-driven implementation of
the logarithm function (1990).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    FORMATS,
    INF,
    LOG_2,
    NAN,
    SINGLE,
    by_dtype,
    fast_two_sum,
    number,
    polynomial,
    two_product,
    two_sum,
)
from ops.core.kernels import bits, fma, from_bits, select, shift_right

_LOG_2 = by_dtype(LOG_2)
_LOG2_E = by_dtype(1 / LOG_2)
_LOG_10 = Fraction("2.302585092994045684017991454684364207601101488628772976")
_LOG10_E = by_dtype(1 / _LOG_10)
_LOG10_2 = by_dtype(LOG_2 / _LOG_10)

# (log(1 + f) - f + f*f/2) / f**3
_LOG_SINGLE = (
    0.3333333134651184,
    -0.250008225440979,
    0.20001226663589478,
    -0.16623353958129883,
    0.1420174241065979,
    -0.13160204887390137,
    0.1276170164346695,
    -0.07634592056274414,
)
# (log((1 + s) / (1 - s)) / s - 2) / s**2, in s**2
_LOG_RATIO_DOUBLE = (
    0.6666666666666735,
    0.3999999999941313,
    0.2857142874276514,
    0.22222198531270707,
    0.18183566660488365,
    0.15313987024044629,
    0.14796621798990833,
)


def split(x: Any) -> tuple[Any, Any, Any]:
    """``k`` and ``f`` of a positive finite normal ``x``, and the integer whose field of the
    exponent is that of ``2**k``; something of another ``x``."""
    form = FORMATS[x.dtype]
    root = bits(x.dtype.type(math.sqrt(0.5)))
    raised = bits(x) + (form.one - int(root))
    biased = shift_right(raised, form.fraction) & form.exponent_mask
    # The exponent in the low bits of 2**fraction is that number of units.
    unit = 2.0**form.fraction
    k = from_bits(biased | (form.bias + form.fraction << form.fraction)) - (unit + form.bias)
    f = from_bits((raised & form.fraction_mask) + int(root)) - 1.0
    return k, f, raised


def normal(x: Any) -> tuple[Any, Any]:
    """``x`` and 0, or if ``x`` is subnormal ``x * 2**fraction`` and ``-fraction``."""
    form = FORMATS[x.dtype]
    small = x < form.smallest_normal
    up = number(x, -form.fraction)
    return select(small, x * 2.0**form.fraction, x), select(small, up, number(x, 0))


def correction(f: Any) -> Any:
    """``log(1 + f) - f``."""
    square = f * f
    if f.dtype == SINGLE:
        return fma(polynomial(f, _LOG_SINGLE) * f, square, square * -0.5)
    half = square * 0.5
    s = f / (f + 2.0)
    z = s * s
    return fma(s, fma(polynomial(z, _LOG_RATIO_DOUBLE), z, half), -half)


def at_ends(x: Any, y: Any) -> Any:
    """The logarithm ``y`` of ``x``, or that of 0, of infinity, of NaN or of a negative number."""
    ends = select(x == 0, number(x, -INF), number(x, NAN))
    return select(x > 0, select(x < INF, y, x), ends)


def log(x: Any) -> Any:
    """The natural logarithm."""
    y, up = normal(x)
    k, f, _ = split(y)
    k = k + up
    high, low = _LOG_2[x.dtype]
    return at_ends(x, fma(k, high, f + fma(k, low, correction(f))))


def log1p(x: Any) -> Any:
    """``log(1 + x)``."""
    y, lost = two_sum(number(x, 1), x)
    return select(x == 0, x, log1p_of_parts(y, lost, number(x, 0)))


def log1p_of_parts(y: Any, lost: Any, up: Any) -> Any:
    """``log((y + lost) * 2**up)``, for ``y`` that is not subnormal. What was lost is made good to
    first order, ``1 / (1 + f)`` being near ``1 - f``."""
    form = FORMATS[y.dtype]
    k, f, raised = split(y)
    k = k + up
    down = from_bits(2 * form.one - (raised & (form.exponent_mask << form.fraction)))  # 2**-k
    lost = select(y < 2.0 ** (form.fraction + 2), lost * down, number(y, 0))
    high, low = _LOG_2[y.dtype]
    rest = fma(k, low, correction(f)) + fma(lost, -f, lost)
    return at_ends(y, fma(k, high, f + rest))


def _times(f: Any, factor: tuple[float, ...]) -> tuple[Any, Any]:
    """``log(1 + f)`` times a number in two parts, in two parts."""
    high, low = fast_two_sum(f, correction(f))
    product, rest = two_product(high, factor[0])
    return product, fma(high, factor[1], fma(low, factor[0], rest))


def log2(x: Any) -> Any:
    """The logarithm to base 2."""
    y, up = normal(x)
    k, f, _ = split(y)
    product, rest = _times(f, _LOG2_E[x.dtype])
    return at_ends(x, (k + up) + (product + rest))


def log10(x: Any) -> Any:
    """The logarithm to base 10, so near to correctly rounded that it is exact of powers of 10."""
    y, up = normal(x)
    k, f, _ = split(y)
    product, rest = _times(f, _LOG10_E[x.dtype])
    high, low = _LOG10_2[x.dtype]
    whole, lost = two_product(k + up, high)
    total, small = fast_two_sum(whole, product)
    return at_ends(x, total + (small + fma(k + up, low, lost + rest)))
