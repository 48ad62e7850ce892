"""Sine, cosine and tangent.

``x`` is reduced to ``r = x - n * pi / 2`` with ``r`` between ``-pi/4`` and ``pi/4``; polynomials give
the sine and cosine of ``r``, and the last two bits of ``n`` say which is taken with which sign.

For moderate ``x`` by the method of Cody and Waite (Software Manual for the Elementary Functions,
1980): ``pi / 2`` is a sum of three floats, and the first product is exact in the fused multiply-add.
For others by that of Payne and Hanek (Radian reduction for trigonometric functions, 1983):
``x * 2 / pi`` modulo 4, from those digits of ``2 / pi`` that matter. See Muller, Elementary
Functions, 3rd ed., chapter 11.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.builder import current
from autograph.kernels.ir import INT, LONG, Buffer
from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    FORMATS,
    PI,
    SINGLE,
    at_least,
    by_dtype,
    fast_two_sum,
    parts,
    polynomial,
    power_of_two,
    rounded,
    two_product,
    two_sum,
    with_sign_flipped,
)
from ops.kernels import bits, cast, fabs, fma, rint, select, shift_left, shift_right

_HALF_PI = by_dtype(PI / 2, 3)
_TWO_OVER_PI = float(2 / PI)

# Below this the method of Cody and Waite serves.
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

_CHUNK = 48  # bits of 2 / pi in an element of the table


def _digits_of_two_over_pi() -> np.ndarray:
    """2 / pi in chunks of bits, as many as the largest float64 needs."""
    count = 26
    whole = (2 << (count * _CHUNK)) * 10**400 // _pi_times(10**400)
    mask = (1 << _CHUNK) - 1
    return np.array(
        [float(whole >> (_CHUNK * (count - 1 - i)) & mask) for i in range(count)], DOUBLE
    )


def _pi_times(scale: int) -> int:
    """``pi * scale`` rounded down, nearly: by Machin's formula, in integers."""
    guard = 10**10

    def arctan_of_inverse(n: int) -> int:
        term = total = scale * guard // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)) // guard


_TABLE = Buffer(DOUBLE, 26, "constant", "two_over_pi", data=_digits_of_two_over_pi())


def _reduced_moderate(x: Any) -> tuple[Any, Any, Any]:
    n, quadrant = rounded(x, _TWO_OVER_PI)
    first, second, third = _HALF_PI[x.dtype]
    exact = fma(n, -first, x)
    product, rest = two_product(n, second)
    high, low = fast_two_sum(exact, -product)
    return high, fma(n, -third, low - rest), quadrant


def _reduced_huge(x: Any) -> tuple[Any, Any, Any]:
    """The reduction of any float64 from 2**17; NaN of infinity and of NaN."""
    form = FORMATS[DOUBLE]
    exponent = (shift_right(bits(x), form.fraction) & form.exponent_mask) - form.bias
    # The product of x and the chunks before this one is a multiple of 4.
    start = shift_right((exponent - 54) * (65536 // _CHUNK + 1), 16)
    start = at_least(start, 0)
    x = x * power_of_two(form.bias - start * _CHUNK, DOUBLE)
    large, small = [], []
    for i in range(5):
        x = x * 2.0**-_CHUNK
        product, rest = two_product(x, current().load(_TABLE, start + i))
        # Sizes are below 2**(102 - 48 i) and 2**(49 - 48 i).
        (large if i < 3 else small).append(_modulo_4(product) if i < 3 else product)
        (large if i < 2 else small).append(_modulo_4(rest) if i < 2 else rest)
    total, lost = _sum(large)
    middle, least = _sum([*lost, *small[:2]])
    n, quadrant = rounded(total)
    high, low = two_sum(total - n, middle)
    for y in [*least, *small[2:]]:
        low = low + y
    high, low = fast_two_sum(high, low)
    first, second, _ = _HALF_PI[DOUBLE]
    product, rest = two_product(high, first)
    high, low = fast_two_sum(product, fma(low, first, fma(high, second, rest)))
    return high, low, quadrant


def _modulo_4(x: Any) -> Any:
    return x - 4.0 * rint(x * 0.25)


def _sum(terms: list[Any]) -> tuple[Any, list[Any]]:
    """A sum, and the errors of its additions."""
    total, errors = terms[0], []
    for term in terms[1:]:
        total, error = two_sum(total, term)
        errors.append(error)
    return total, errors


def _reduced(x: Any) -> tuple[Any, Any, Any]:
    """``r`` in two parts, and an integer with the last bits of ``n``."""

    def huge() -> tuple[Any, Any, Any]:
        if x.dtype == DOUBLE:
            return _reduced_huge(x)
        high, low, quadrant = _reduced_huge(cast(x, DOUBLE))
        single = cast(high, SINGLE)
        low = cast(low + (high - cast(single, DOUBLE)), SINGLE)
        return single, low, cast(quadrant, INT)

    moderate = _reduced_moderate(x)
    is_huge = ~(fabs(x) < _MODERATE[x.dtype])
    return current().if_(is_huge, huge, lambda: moderate)


def _sin_of_reduced(r: Any, low: Any) -> Any:
    z = r * r
    return r + fma(polynomial(z, _SIN[r.dtype]), z * r, low)


def _cos_of_reduced(r: Any, low: Any) -> Any:
    z = r * r
    return 1.0 - fma(z, 0.5, -fma(polynomial(z, _COS[r.dtype]), z * z, -(r * low)))


def _turned(x: Any, quadrant: Any) -> Any:
    """The sine of ``x + quadrant * pi / 2``, given ``x`` reduced."""
    r, low, n = x
    y = select((quadrant & 1) == 0, _sin_of_reduced(r, low), _cos_of_reduced(r, low))
    top = r.dtype.itemsize * 8 - 2
    return with_sign_flipped(y, shift_left(quadrant & 2, top))


def sin(x: Any) -> Any:
    """The sine."""
    r, low, n = _reduced(x)
    return select(x == 0, x, _turned((r, low, n), n))


def cos(x: Any) -> Any:
    """The cosine."""
    r, low, n = _reduced(x)
    return _turned((r, low, n), n + 1)


def tan(x: Any) -> Any:
    """The tangent: of ``r``, or minus its inverse."""
    r, low, n = _reduced(x)
    z = r * r
    y = r + fma(polynomial(z, _TAN[x.dtype]), z * r, fma(low, z, low))
    return select(x == 0, x, select((n & 1) == 0, y, -1.0 / y))
