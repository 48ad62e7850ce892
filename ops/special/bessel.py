"""The modified Bessel functions of the first kind, of orders 0 and 1.

Up to 16 the power series (DLMF 10.25.2), whose terms are all positive; above, a polynomial in
``1 / x``, which interpolates at Chebyshev nodes and was computed in 60 digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.creation import numbered
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of, length_from, ndim_of
from ops.core.registry import Elementwise
from ops.elementwise import add, divide, equal, multiply, power, sign, sqrt, subtract
from ops.elementwise.conversion import astype, where
from ops.special.declare import horner, special
from ops.structure.identity import copy

__all__ = ["i0", "i0e", "i1", "i1e"]


def bessel_series(x, order):
    """The power series of order 0 or 1, for ``0 <= x <= 16``; that of order 1 divided by x / 2."""
    w = x * x / 4
    total = np.ones_like(w)
    for k in range(36, 0, -1):
        total *= w
        total /= k * (k + order)
        total += 1
    return total


def bessel_far(x, order):
    """The function of order 0 or 1 times ``sqrt(x) * exp(-x)``, for ``x >= 16``."""
    order_0 = (
        *(55690.31055508324, -15827.031297429634, 2206.5055261068387, -161.2331528655302),
        *(11.100125917133171, 0.3961033224609342, 0.23503474444504055, 0.09050372077627993),
        *(0.04474315600931873, 0.029219400035778265, 0.028050629105913442),
        *(0.049867785050162, 0.3989422804014327),
    )
    order_1 = (
        *(-58989.604048196255, 16730.651617781477, -2334.763663198701, 169.82220276389626),
        *(-11.916068813553968, -0.4855145442312346, -0.27693746706405126),
        *(-0.11063209296718313, -0.057526699172610725, -0.04090716185856246),
        *(-0.04675104850059088, -0.1496033551505192, 0.39894228040143265),
    )
    return horner(1 / x, order_1 if order else order_0)


def scaled_bessel(x, order):
    """The function of order 0 or 1 times ``exp(-abs(x))``."""
    size = abs(x)
    near, far = np.minimum(size, 16.0), np.maximum(size, 16.0)
    near = np.exp(-near) * bessel_series(near, order) * (near / 2 if order else 1.0)
    found = np.where(size <= 16.0, near, bessel_far(far, order) / np.sqrt(far))
    return np.copysign(found, x) if order else found


def bessel(x, order):
    """The function of order 0 or 1."""
    half = np.exp(np.minimum(abs(x), 714.0) / 2)  # the whole would overflow before the result does
    found = np.where(abs(x) > 713.9, 1.0, scaled_bessel(x, order) * half)
    limit = np.copysign(np.inf, x) if order else np.inf
    return np.where(abs(x) > 713.9, limit, found * half)


def i0_values(x):
    """The modified Bessel function of order 0."""
    return bessel(x, 0)


def i0e_values(x):
    """The modified Bessel function of order 0, scaled."""
    return scaled_bessel(x, 0)


def i1_values(x):
    """The modified Bessel function of order 1."""
    return bessel(x, 1)


def i1e_values(x):
    """The modified Bessel function of order 1, scaled."""
    return scaled_bessel(x, 1)


_SCALED = (scaled_bessel, bessel_series, bessel_far, horner)


def over_argument(out: Any, x: Any) -> Any:
    """``out / x`` of a function of order 1, and its limit at 0."""
    zero = equal(x, 0)
    return where(zero, multiply(0.5, add(multiply(0, x), 1)), divide(out, add(x, zero)))


i0 = special(
    "i0",
    (i0_values, bessel, *_SCALED),
    [lambda x, out: i1(x)],
    "The modified Bessel function of the first kind of order 0.",
)

i0e = special(
    "i0e",
    (i0e_values, *_SCALED),
    [lambda x, out: subtract(i1e(x), multiply(sign(x), out))],
    "``exp(-abs(x)) * i0(x)``.",
)

i1: Elementwise = special(
    "i1",
    (i1_values, bessel, *_SCALED),
    [lambda x, out: subtract(i0(x), over_argument(out, x))],
    """The modified Bessel function of the first kind of order 1.

    Its derivatives of order 3 and higher are not right at 0 exactly.
    """,
)

i1e: Elementwise = special(
    "i1e",
    (i1e_values, *_SCALED),
    [lambda x, out: subtract(subtract(i0e(x), over_argument(out, x)), multiply(sign(x), out))],
    """``exp(-abs(x)) * i1(x)``.

    Its derivatives of order 3 and higher are not right at 0 exactly.
    """,
)


# Less accurate than `i0`, computed in the operand's own dtype, and NaN of infinities.
chebyshev_i0 = Elementwise(
    "chebyshev_i0",
    np.sin,  # its result types are those of np.sin
    "np.i0({0})[()]",
    partials=[lambda x, out: i1(x)],
    doc="``np.i0`` of floating-point numbers.",
)


@covers(np.i0, "x")
def numpy_i0(x: Any) -> Any:
    """``np.i0``, of a number an array of no axes.

    Raises:
        TypeError: of complex numbers.
    """
    if dtype_of(x).kind == "c":
        raise TypeError("i0 not supported for complex values")
    found = chebyshev_i0(x if dtype_of(x).kind == "f" else astype(x, np.float64))
    return found if ndim_of(x) else copy(found)


@covers(np.kaiser, creates=True)
def kaiser(M: int, beta: Any) -> Any:
    """``np.kaiser``: the Kaiser window of ``M`` points, which may be differentiated by ``beta``."""
    M, beta = length_from(M), astype(beta, np.float64)
    if M == 1:
        return np.ones(1)
    half = divide(M - 1, 2)
    places = divide(subtract(numbered(M), half), half)
    arch = sqrt(subtract(1, power(places, 2.0)))
    return divide(i0(multiply(beta, arch)), i0(beta))
