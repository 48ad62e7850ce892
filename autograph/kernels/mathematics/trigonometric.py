"""Sine, cosine and tangent.

``x`` is reduced to ``r = x - n * pi / 2`` with ``r`` between ``-pi/4`` and ``pi/4``; polynomials
give the sine and cosine of ``r``, and the last two bits of ``n`` say which is taken, with which
sign.

The reduction is that of Cody and Waite (Software Manual for the Elementary Functions, 1980; Muller,
Elementary Functions, 3rd ed., chapter 11): ``pi / 2`` is a sum of three floats, and the first
product is exact in the fused multiply-add. It serves up to some size of ``x``. Beyond, where few
arguments are, C's function is called: it has the digits of ``2 / pi`` that a reduction needs there,
whose code would be larger than all of this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    PI,
    SINGLE,
    by_dtype,
    fast_two_sum,
    polynomial,
    rounded,
    two_product,
    with_sign_flipped,
)
from ops.core import kernels
from ops.core.kernels import choose, fabs, fma, select, shift_left

_HALF_PI = by_dtype(PI / 2, 3)
_TWO_OVER_PI = float(2 / PI)

# Below this the reduction is accurate.
_MODERATE = {SINGLE: 2.0**17, DOUBLE: 2.0**30}

# (sin(r) / r - 1) / r**2, in r**2
_SIN = {
    SINGLE: (-0.16666653752326965, 0.008332133293151855, -0.00019511458231136203),
    DOUBLE: (
        -0.16666666666666627,
        0.008333333333321442,
        -0.0001984126982902885,
        2.755731342107831e-06,
        -2.5050715563494355e-08,
        1.589431873783192e-10,
    ),
}
# (cos(r) - 1 + r**2 / 2) / r**4, in r**2
_COS = {
    SINGLE: (0.04166664555668831, -0.0013887278037145734, 2.4428787583019584e-05),
    DOUBLE: (
        0.04166666666666659,
        -0.001388888888887209,
        2.480158728823463e-05,
        -2.755731399735594e-07,
        2.0875675642451926e-09,
        -1.1357208946121448e-11,
    ),
}
# (tan(r) / r - 1) / r**2, in r**2
_TAN = {
    SINGLE: (
        0.3333335220813751,
        0.13332603871822357,
        0.05406682938337326,
        0.02124549075961113,
        0.010933375917375088,
        -3.707505311467685e-05,
        0.00444010179489851,
    ),
    DOUBLE: (
        0.33333333333333387,
        0.13333333333324218,
        0.053968253973514145,
        0.02186948838257839,
        0.008863238193352215,
        0.0035920980503012677,
        0.0014560656727910053,
        0.0005887640184911459,
        0.00024411040371405415,
        8.263694138376302e-05,
        6.890636174555581e-05,
        -2.7771635054559465e-05,
        5.04267157023022e-05,
        -2.5163899807278837e-05,
        9.997735381242868e-06,
    ),
}


def _reduced(x: Any) -> tuple[Any, Any, Any]:
    """``r`` in two parts, and an integer with the last bits of ``n``."""
    n, quadrant = rounded(x, _TWO_OVER_PI)
    first, second, third = _HALF_PI[x.dtype]
    exact = fma(n, -first, x)
    product, rest = two_product(n, second)
    high, low = fast_two_sum(exact, -product)
    return high, fma(n, -third, low - rest), quadrant


def _sin_of_reduced(r: Any, low: Any) -> Any:
    z = r * r
    return r + fma(polynomial(z, _SIN[r.dtype]), z * r, low)


def _cos_of_reduced(r: Any, low: Any) -> Any:
    z = r * r
    return 1.0 - fma(z, 0.5, -fma(polynomial(z, _COS[r.dtype]), z * z, -(r * low)))


def _sin_of_turned(r: Any, low: Any, quadrant: Any) -> Any:
    """The sine of ``r + quadrant * pi / 2``."""
    y = select((quadrant & 1) == 0, _sin_of_reduced(r, low), _cos_of_reduced(r, low))
    top = r.dtype.itemsize * 8 - 2
    return with_sign_flipped(y, shift_left(quadrant & 2, top))


def sin(x: Any) -> Any:
    """The sine."""
    y = select(x == 0, x, _sin_of_turned(*_reduced(x)))
    return _unless_huge(x, y, kernels.sin)


def cos(x: Any) -> Any:
    """The cosine."""
    r, low, n = _reduced(x)
    return _unless_huge(x, _sin_of_turned(r, low, n + 1), kernels.cos)


def tan(x: Any) -> Any:
    """The tangent: of ``r``, or minus its inverse."""
    r, low, n = _reduced(x)
    z = r * r
    y = r + fma(polynomial(z, _TAN[x.dtype]), z * r, fma(low, z, low))
    y = select(x == 0, x, select((n & 1) == 0, y, -1.0 / y))
    return _unless_huge(x, y, kernels.tan)


def _unless_huge(x: Any, y: Any, otherwise: Callable[[Any], Any]) -> Any:
    """``y``, or if the reduction of ``x`` does not serve, or ``x`` is NaN, C's function of it."""
    return choose(fabs(x) < _MODERATE[x.dtype], lambda: y, lambda: otherwise(x))
