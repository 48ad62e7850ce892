"""Powers: ``2**(y * log2(x))``.

For float64, the logarithm is in two parts with an error below ``2**-64``, since the exponential
multiplies the error by as much as 1024: the first two terms of the series of ``atanh`` are computed
in two parts, the rest of them in one (Tang, Table-driven implementation of the logarithm function,
1990; Muller, Elementary Functions, 3rd ed., chapter 5). For float32, float64 is accurate enough.

Powers to small whole numbers that are known are products, which take a fourth of the time, and
those to halves and fourths of such are products of square roots. Those of more than three factors,
and of roots, are in two parts, too: rounded each time, they would be off by their number; of those
of two or three inverses, the division is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from autograph.kernels.ir.ir import Number
from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    INF,
    LOG_2,
    NAN,
    SINGLE,
    Exponent,
    clamped,
    fast_two_sum,
    number,
    parts,
    polynomial,
    two_product,
)
from autograph.kernels.mathematics.exponential import exp2_of_reduced
from autograph.kernels.mathematics.logarithm import normal, split
from ops.core.kernels import cast, copysign, fabs, fma, rint, select, sqrt

_THIRD = parts(Fraction(1, 3), DOUBLE)
_TWO_LOG2_E = parts(2 / LOG_2, DOUBLE)
# ((atanh(s) / s - 1) / s**2 - 1/3) / s**2, in s**2
_ATANH_REST = (
    0.2000000000000113,
    0.14285714285048262,
    0.11111111260243198,
    0.09090892158131887,
    0.0769337987097295,
    0.06628380053847624,
    0.06598438481291398,
)
# log2((1 + s) / (1 - s)) / s, in s**2
_LOG2_SHORT = (
    2.8853900817778495,
    0.9617966941143776,
    0.5770779420677574,
    0.4122092821798231,
    0.3199044791385197,
    0.28291753954786464,
)
# (2**r - 1) / r
_EXP2_SHORT = (
    0.6931471807045468,
    0.24022651066551315,
    0.05550410365940646,
    0.009618038133198,
    0.001333393508827245,
    0.00015466755974068202,
    1.519615044181966e-05,
)


def _root(x: Any) -> Any:
    """``x**0.5``, which unlike `sqrt` is 0 of -0, and infinite of -infinity."""
    return select(x == -INF, number(x, INF), sqrt(x) + 0.0)


def _inverse(x: Any, count: int) -> Any:
    """``x**-count``, for 2 or 3: what the division loses would count as often."""
    inverse = 1.0 / x
    power = inverse * inverse if count == 2 else inverse * inverse * inverse
    lost = fma(-inverse, x, 1.0) * count * power
    # What is infinite has lost nothing, and a 0 has its sign.
    return select(fabs(lost) < fabs(power), power + lost, power)


# Powers with these exponents are no more than a few operations.
_SHORT: dict[float, Callable[[Any], Any]] = {
    -3.0: lambda x: _inverse(x, 3),
    -2.0: lambda x: _inverse(x, 2),
    -1.0: lambda x: 1.0 / x,
    -0.5: lambda x: 1.0 / _root(x),
    0.5: _root,
    1.0: lambda x: x,
    2.0: lambda x: x * x,
    3.0: lambda x: x * x * x,
}


_MOST_FACTORS = 16
_MOST_ROOTS = 2


def as_product(exponent: float) -> tuple[int, int] | None:
    """How many factors a power has that is a product, and of what: of its base, or the square root
    of it, or the root of that. None if it is no product."""
    for roots in range(_MOST_ROOTS + 1):
        count = exponent * 2**roots
        if count.is_integer():
            return (int(count), roots) if 1 <= abs(count) <= _MOST_FACTORS else None
    return None


def _product(x: Any, count: int, roots: int) -> Any:
    """``x**(count / 2**roots)``, for a whole number that is not 0."""
    if x.dtype == SINGLE:
        return cast(_product_in_two(cast(x, DOUBLE), count, roots)[0], SINGLE)
    high, low = _product_in_two(x, count, roots)
    # What is infinite has no rest, and a 0 has its sign.
    return select(fabs(low) < fabs(high), high + low, high)


def _root_in_two(x: Any, low: Any | None) -> tuple[Any, Any]:
    """The square root of a number, which may be in two parts, in two parts."""
    root = _root(x)
    lost = fma(-root, root, x)
    if low is not None:
        lost = lost + low
    return root, lost * (0.5 / root)


def _product_in_two(x: Any, count: int, roots: int) -> tuple[Any, Any]:
    """The same in two parts, by squaring, from the first digit of the number on."""
    base, rest = x, None
    for _ in range(roots):
        base, rest = _root_in_two(base, rest)
    if count < 0:
        inverse = 1.0 / base
        lost = fma(-inverse, base, 1.0)
        if rest is not None:
            lost = fma(-inverse, rest, lost)
        base, rest = inverse, lost * inverse
    high, low = base, number(x, 0) if rest is None else rest
    for digit in f"{abs(count):b}"[1:]:
        square, lost = two_product(high, high)
        high, low = square, fma(high + high, low, lost)
        if digit == "1":
            product, lost = two_product(high, base)
            lost = fma(low, base, lost)
            high, low = product, lost if rest is None else fma(high, rest, lost)
    return high, low


def power(x: Any, y: Any) -> Any:
    """``x**y``, as C and NumPy define it at the ends: ``x**0`` and ``1**y`` are 1 even of NaN."""
    if isinstance(y, Number):
        exponent = float(y.value)
        if exponent in _SHORT:
            return _SHORT[exponent](x)
        if product := as_product(exponent):
            return _product(x, *product)
    size = fabs(x)
    if x.dtype == SINGLE:
        result = _short_power(size, y)
    else:
        result = _power(size, y)
    whole = rint(y) == y
    odd = whole & (rint(y * 0.5) != y * 0.5)
    result = select(odd, copysign(result, x), result)
    result = select((x < 0) & (size < INF) & ~whole, number(x, NAN), result)
    is_one = (y == 0) | (x == 1) | ((x == -1) & (fabs(y) == INF))
    return select(is_one, number(x, 1), result)


def _at_ends(x: Any, y: Any) -> Any:
    """The logarithm ``y`` of ``x``, or that of 0, of infinity, of NaN."""
    return select(x < INF, select(x == 0, number(x, -INF), y), x)


def _power(x: Any, y: Any) -> Any:
    """``x**y`` of a positive float64."""
    high, low = _log2(x)
    product, rest = two_product(y, _at_ends(x, high))
    # Where the product is out of the range of exponents, the rest may be NaN.
    rest = select(fabs(product) < 1100.0, fma(y, low, rest), number(x, 0))
    product = clamped(product, -1100.0, 1100.0)
    n = Exponent(product, 1.0)
    return n.scaled(exp2_of_reduced((product - n.value) + rest))


def _log2(x: Any) -> tuple[Any, Any]:
    """The logarithm to base 2 in two parts."""
    y, up = normal(x)
    k, f, _ = split(y)
    # s = f / (2 + f), in two parts
    below, lost = fast_two_sum(number(x, 2), f)
    inverse = 1.0 / below
    s = f * inverse
    s_low = inverse * fma(-s, lost, fma(-s, below, f))
    # log(1 + f) / 2 = s + s * z * t, with t = 1/3 + z * rest
    z, z_low = two_product(s, s)
    z_low = fma(s + s, s_low, z_low)
    t, t_low = fast_two_sum(number(x, _THIRD[0]), polynomial(z, _ATANH_REST) * z)
    t_low = t_low + _THIRD[1]
    w, w_low = two_product(z, t)
    w_low = fma(z, t_low, fma(z_low, t, w_low))
    v, v_low = two_product(s, w)
    v_low = fma(s, w_low, fma(s_low, w, v_low))
    high, low = fast_two_sum(s, v)
    low = low + (s_low + v_low)
    # log2(x) = k + 2 * log2(e) * that
    b, b_low = two_product(high, number(x, _TWO_LOG2_E[0]))
    b_low = fma(high, _TWO_LOG2_E[1], fma(low, _TWO_LOG2_E[0], b_low))
    high, low = fast_two_sum(k + up, b)
    return high, low + b_low


def _short_power(x: Any, y: Any) -> Any:
    """``x**y`` of a positive float32."""
    wide = cast(x, DOUBLE)
    k, f, _ = split(wide)
    s = f / (f + 2.0)
    log = _at_ends(wide, fma(polynomial(s * s, _LOG2_SHORT), s, k))
    product = clamped(cast(y, DOUBLE) * log, -200.0, 200.0)
    n = Exponent(product, 1.0)
    r = product - n.value
    return cast(n.times(fma(polynomial(r, _EXP2_SHORT), r, 1.0)), SINGLE)
