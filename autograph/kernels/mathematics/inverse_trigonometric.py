"""Inverses of sine, cosine and tangent: polynomials on an interval, to which the identities of the
functions lead back; see Cody and Waite, Software Manual for the Elementary Functions, 1980.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    PI,
    SINGLE,
    by_dtype,
    fast_two_sum,
    number,
    polynomial,
)
from ops.core.kernels import copysign, fabs, fma, select, signbit, sqrt

_PI = by_dtype(PI)
_HALF_PI = by_dtype(PI / 2)

# (asin(x) / x - 1) / x**2, in x**2, for x up to 1/2
_ASIN = {
    SINGLE: (
        0.16666752099990845,
        0.07495297491550446,
        0.045470379292964935,
        0.02417951263487339,
        0.04216630384325981,
    ),
    DOUBLE: (
        0.16666666666665408,
        0.07500000000336995,
        0.044642856828342625,
        0.03038195913638776,
        0.022371758064253823,
        0.017359704555766946,
        0.013885237510344936,
        0.012169198248833994,
        0.006528032962791532,
        0.01952810831411285,
        -0.016224008575020626,
        0.03191210386840864,
    ),
}
# (atan(x) / x - 1) / x**2, in x**2, for x up to 1
_ATAN = {
    SINGLE: (
        -0.33333298563957214,
        0.19998548924922943,
        -0.14264240860939026,
        0.10952184349298477,
        -0.08403447270393372,
        0.05795755237340927,
        -0.031177811324596405,
        0.010914590209722519,
        -0.0017936188960447907,
    ),
    DOUBLE: (
        -0.3333333333333307,
        0.1999999999995147,
        -0.14285714282575665,
        0.11111111007041134,
        -0.09090907003236601,
        0.07692279841967431,
        -0.06666404078181432,
        0.058805279311847224,
        -0.05253519050149127,
        0.04722323844619395,
        -0.04219183090168355,
        0.0366419928617888,
        -0.029903985338659917,
        0.02198500600690397,
        -0.01390070136924527,
        0.007196601740922783,
        -0.0028849685544594457,
        0.0008313393527883665,
        -0.00015216462270524906,
        1.3225448915220177e-05,
    ),
}


def _asin_parts(size: Any) -> tuple[Any, Any]:
    """``s`` and ``asin(s) - s``, where ``s`` is ``size``, or above 1/2 the sine of half of the
    angle whose cosine ``size`` is."""
    above = size > 0.5
    z = select(above, fma(size, -0.5, 0.5), size * size)
    s = select(above, sqrt(z), size)
    return s, polynomial(z, _ASIN[size.dtype]) * z * s


def asin(x: Any) -> Any:
    """The angle, from ``-pi/2`` to ``pi/2``, whose sine is ``x``."""
    size = fabs(x)
    s, rest = _asin_parts(size)
    high, low = _HALF_PI[x.dtype]
    above, lost = fast_two_sum(number(x, high), s * -2.0)
    above = above - (fma(rest, 2.0, -low) - lost)
    return copysign(select(size > 0.5, above, s + rest), x)


def acos(x: Any) -> Any:
    """The angle, from 0 to ``pi``, whose cosine is ``x``."""
    size = fabs(x)
    s, rest = _asin_parts(size)
    half, half_low = _HALF_PI[x.dtype]
    signed, signed_rest = copysign(s, x), copysign(rest, x)
    near = (half - signed) - (signed_rest - half_low)
    twice, twice_rest = s + s, rest + rest
    whole, whole_low = _PI[x.dtype]
    below = (whole - twice) - (twice_rest - whole_low)
    far = select(x < 0, below, twice + twice_rest)
    return select(size > 0.5, far, near)


def _atan_rest(t: Any) -> Any:
    """``atan(t) - t`` for ``t`` up to 1."""
    z = t * t
    return polynomial(z, _ATAN[t.dtype]) * z * t


def atan(x: Any) -> Any:
    """The angle, from ``-pi/2`` to ``pi/2``, whose tangent is ``x``."""
    size = fabs(x)
    above = size > 1
    t = select(above, -1.0 / size, size)
    rest = _atan_rest(t)
    high, low = _HALF_PI[x.dtype]
    return copysign(select(above, high + (t + (rest + low)), t + rest), x)


def atan2(y: Any, x: Any) -> Any:
    """The angle, from ``-pi`` to ``pi``, of the point ``(x, y)``."""
    along, across = fabs(x), fabs(y)
    steep = across > along
    less, more = select(steep, along, across), select(steep, across, along)
    # 0 / 0 is taken as 0, infinity / infinity as 1.
    same = select(less == 0, less, number(x, 1))
    t = select(less == more, same, less / more)
    rest = _atan_rest(t)
    behind = signbit(x)
    flipped = steep != behind
    t, rest = select(flipped, -t, t), select(flipped, -rest, rest)
    zero = number(x, 0)
    half, half_low = (number(x, c) for c in _HALF_PI[x.dtype])
    whole, whole_low = (number(x, c) for c in _PI[x.dtype])
    high = select(steep, half, select(behind, whole, zero))
    low = select(steep, half_low, select(behind, whole_low, zero))
    return copysign(high + (t + (rest + low)), y)
