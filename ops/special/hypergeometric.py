"""Pochhammer's symbol, and Gauss's hypergeometric function, for which SciPy's own is called.

The ratio of gamma functions of large arguments is the expansion in the mean of the two (Tricomi and
Erdelyi, DLMF 5.11.14).
"""

from __future__ import annotations

import numpy as np

from ops.core.registry import Elementwise
from ops.elementwise import add, divide, multiply, subtract
from ops.special.declare import horner, special
from ops.special.gammas import (
    digamma,
    gamma_of_positive,
    gamma_values,
    gammasgn_values,
    no_derivative,
    sin_pi,
)

__all__ = ["hyp2f1", "poch"]


def gamma_ratio(b, m):
    """``gamma(b + m) / gamma(b)`` for positive ``b`` and ``b + m``, and ``abs(m) < 1``."""
    mean = np.maximum(b + 0.5 * (m - 1.0), 30.0)
    r = 0.5 * (m + 1.0)
    t = 1.0 / (mean * mean)
    # binomial(m, 2 k) times the generalised Bernoulli polynomials of order 2 r at r
    first = -m * (m - 1.0) / 2.0 * r / 6.0
    over = m * (m - 1.0) * (m - 2.0) * (m - 3.0) / 24.0
    second = over * (r / 60.0 + r * r / 12.0)
    over = over * (m - 4.0) * (m - 5.0) / 30.0
    third = -over * (r / 126.0 + r * r / 24.0 + 5.0 * r * r * r / 72.0)
    over = over * (m - 6.0) * (m - 7.0) / 56.0
    fourth = r / 120.0 + 101.0 * r * r / 2160.0 + 7.0 * r * r * r / 72.0
    fourth = over * (fourth + 35.0 * r * r * r * r / 432.0)
    series = 1.0 + t * (first + t * (second + t * (third + t * fourth)))
    small = np.minimum(b, 40.0)
    near = gamma_values(small + m) / gamma_values(small)
    return np.where(b < 40.0, near, np.power(mean, m) * series)


def poch_values(a, m):
    """Pochhammer's symbol: ``m`` is brought between -1 and 1 by factors, and the rest for negative
    ``a`` reflected."""
    a, m = np.broadcast_arrays(a, m)
    is_zero = (a <= 0) & (a == np.rint(a)) & (a + m > 0)
    pole = (a + m <= 0) & (a + m == np.rint(a + m)) & ~((a <= 0) & (a == np.rint(a)))
    product, known = np.ones_like(a), (abs(a) < np.inf) & (m > -np.inf)
    sign = gammasgn_values(a + m) * gammasgn_values(a)
    moving = known & (m >= 1) & (a + m != 1)
    while bool(np.any(moving)):
        m = np.where(moving, m - 1, m)
        product = np.where(moving, product * (a + m), product)
        moving = moving & (m >= 1) & (a + m != 1) & (abs(product) < np.inf) & (product != 0)
    moving = known & (m <= -1) & (a + m != 0)
    while bool(np.any(moving)):
        product = np.where(moving, product / (a + m), product)
        m = np.where(moving, m + 1, m)
        moving = moving & (m <= -1) & (a + m != 0) & (abs(product) < np.inf) & (product != 0)
    ended = (product == 0) | (m == 0)
    plain = (a > 0) & (a + m > 0)
    reflected = gamma_ratio(np.where(plain, a, 1 - a - m), np.where(abs(m) < 1, m, 0.5))
    sines = sin_pi(a) / sin_pi(a + m)
    far = gamma_values(a + m) / gamma_values(a)  # where a factor has met 1 or 0
    rest = np.where(abs(m) < 1, np.where(plain, reflected, sines * reflected), far)
    found = np.where(ended, product, product * rest)
    found = np.where(abs(product) < np.inf, found, sign * np.inf)
    found = np.where(pole & (m != 0), np.inf, np.where(is_zero, 0.0, found))
    return np.where(known, found, np.nan)


poch = special(
    "poch",
    (poch_values, gammasgn_values, gamma_ratio, gamma_values, gamma_of_positive, sin_pi, horner),
    [
        lambda a, m, out: multiply(out, subtract(digamma(add(a, m)), digamma(a))),
        lambda a, m, out: multiply(out, digamma(add(a, m))),
    ],
    """Pochhammer's symbol, ``gamma(a + m) / gamma(a)``.

    Args:
        a: real numbers; NaN for infinite ones. Where it is 0 or a negative whole number the
            derivatives are not known: NaN.
        m: real numbers.
    """,
)


def hyp2f1_values(a, b, c, z):
    """The hypergeometric function, by SciPy."""
    if np.__name__ != "numpy":
        raise NotImplementedError("scipy.special.hyp2f1 on a GPU")
    from scipy import special as scipy_special

    return scipy_special.hyp2f1(a, b, c, z)


hyp2f1: Elementwise
hyp2f1 = special(
    "hyp2f1",
    (hyp2f1_values,),
    [
        no_derivative("a"),
        no_derivative("b"),
        no_derivative("c"),
        lambda a, b, c, z, out: multiply(
            divide(multiply(a, b), c), hyp2f1(add(a, 1.0), add(b, 1.0), add(c, 1.0), z)
        ),
    ],
    """Gauss's hypergeometric function, by SciPy's own: it takes no part in kernels, and is an error
    on a GPU. The derivative by the parameters is not known.

    Args:
        a, b, c: real numbers, the parameters.
        z: real numbers.
    """,
)
