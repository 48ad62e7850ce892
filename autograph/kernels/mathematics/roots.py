"""Cube roots, and roots of sums of squares."""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    FORMATS,
    INF,
    SINGLE,
    number,
    polynomial,
    power_of_two,
    rounded,
    two_product,
)
from autograph.kernels.mathematics.logarithm import normal, split
from ops.core.kernels import copysign, fabs, fma, select, sqrt

# (1 + f)**(-1/3)
_INVERSE_CBRT = {
    SINGLE: (
        1.0000038146972656,
        -0.33326098322868347,
        0.22160503268241882,
        -0.17581859230995178,
        0.1604180783033371,
        -0.1080651506781578,
    ),
    DOUBLE: (
        0.9999999458536364,
        -0.33333629434939976,
        0.2222383508134374,
        -0.17259585174199504,
        0.14314923630089346,
        -0.1295171105397826,
        0.12746356819394314,
        -0.08195436715454249,
    ),
}
# Squares of sizes between these lose nothing; others are scaled, by these.
_SQUARED = {SINGLE: (2.0**-50, 2.0**50, 2.0**100), DOUBLE: (2.0**-450, 2.0**450, 2.0**600)}


def cbrt(x: Any) -> Any:
    """The cube root: of ``m`` times ``2**k``, with ``x = m * 2**(3 k)``.

    From a polynomial near ``m**(-1/3)``, by Newton's method: for the inverse, which needs no
    division, then for the root, with the error of the cube computed exactly.
    """
    form = FORMATS[x.dtype]
    size = fabs(x)
    y, up = normal(size)
    exponent, f, _ = split(y)
    exponent = exponent + up
    k, k_bits = rounded(exponent, 1 / 3)
    rest = fma(k, -3.0, exponent)  # -1, 0 or 1
    m = (f + 1.0) * select(rest > 0, number(x, 2), select(rest < 0, number(x, 0.5), number(x, 1)))
    turn = select(rest > 0, 2 ** (-1 / 3), select(rest < 0, 2 ** (1 / 3), number(x, 1)))
    r = polynomial(f, _INVERSE_CBRT[x.dtype]) * turn
    if x.dtype == DOUBLE:
        r = fma(r * (1 / 3), fma(-m * r, r * r, 1.0), r)
    square = r * r
    y = m * square
    y2, y2_low = two_product(y, y)
    error = fma(-y2_low, y, fma(-y2, y, m))
    y = fma(error * square, 1 / 3, y) * power_of_two(k_bits + form.bias, x.dtype)
    # 0, infinity and NaN are their own roots.
    return select((size > 0) & (size < INF), copysign(y, x), x)


def hypot(x: Any, y: Any) -> Any:
    """The length of the vector ``(x, y)``: infinite if one of them is, even if the other is NaN."""
    low, high, factor = _SQUARED[x.dtype]
    x, y = fabs(x), fabs(y)
    larger, smaller = select(x > y, x, y), select(x > y, y, x)
    is_small, is_large = larger < low, larger > high
    one = number(x, 1)
    up = select(is_small, factor, select(is_large, 1 / factor, one))
    down = select(is_small, 1 / factor, select(is_large, factor, one))
    a, b = larger * up, smaller * up
    length = sqrt(fma(a, a, b * b)) * down
    infinite = (x == INF) | (y == INF)
    return select(infinite, number(x, INF), length)
