"""The incomplete gamma and beta functions.

The gamma functions are a series below ``a + 1`` (DLMF 8.7.1) and a continued fraction above it
(DLMF 8.9.2), by Lentz's method; the factor that both share is computed without cancellation for
large ``a`` (DLMF 5.11). Near ``x = a`` both take in the order of ``sqrt(a)`` steps, so from
``a = 1e5`` up Temme's uniform asymptotic series is used (DLMF 8.12).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.elementwise import add, divide, exp, negative, subtract
from ops.special.declare import horner, special
from ops.special.entropy import xlog1py, xlogy
from ops.special.errors import erf_over_x, erfc_values, erfcx_of_positive, exp_of_square
from ops.special.gammas import (
    _GAMMA,
    betaln,
    betaln_values,
    gamma_values,
    gammaln,
    gammaln_of_1_plus,
    gammaln_values,
    no_derivative,
    stirling,
)

__all__ = ["betainc", "chdtr", "chdtrc", "gammainc", "gammaincc"]


def log1p_minus(u):
    """``log(1 + u) - u`` for ``-0.4 <= u <= 0.7``."""
    p = (
        *(-1.573535583688492e-07, -0.0007589645494349307, -0.02098163309568961),
        *(-0.19849115679266296, -0.8887668423319063, -2.117527372310681),
        *(-2.7566411260693977, -1.8494784924378207, -0.5),
    )
    q = (
        *(0.0007747958095722451, 0.024251375840592164, 0.26806230399724745),
        *(1.4529957766612478, 4.385072978967893, 7.734708265405986),
        *(7.923698019833667, 4.365623651542308, 1.0),
    )
    small = np.clip(u, -0.4, 0.7)
    return small * small * horner(small, p) / horner(small, q)


def gamma_factor(a, x):
    """``x**a * exp(-x) / gamma(a + 1)`` for positive ``a`` and ``x``."""
    large = np.maximum(a, 3.0)
    u = (x - large) / large
    apart = np.log(x) - np.log(large) - u
    near = np.where((u > -0.4) & (u < 0.7), log1p_minus(u), apart)
    near = np.exp(np.maximum(large * near - stirling(large), -745.2))
    near = near / np.sqrt(6.283185307179586 * large)
    small = np.minimum(a, 3.0)
    far = np.power(x, small) * np.exp(-np.minimum(x, 745.2)) / gamma_values(small + 1)
    return np.where(a >= 3.0, np.where(x > 1e300, 0.0, near), np.where(x > 745.2, 0.0, far))


def gamma_series(a, x):
    """The sum of ``x**n / ((a + 1) ... (a + n))``, for ``x < a + 1``."""
    term, total, n = np.ones_like(x), np.ones_like(x), 0
    while bool(np.any(term > 1e-17 * total)):
        n += 1
        term = term * (x / (a + n))
        total = total + term
    return total


def gamma_fraction(a, x):
    """The continued fraction, for ``x >= a + 1``."""
    b = x + 1 - a
    c = np.full_like(x, 1e300)
    d = 1 / b
    total, n, moving = d, 0, x == x
    while n < 100000 and bool(np.any(moving)):
        n += 1
        b = b + 2
        d = 1 / (n * (a - n) * d + b)
        c = b + n * (a - n) / c
        total = np.where(moving, total * (d * c), total)
        moving = moving & (abs(d * c - 1) > 5e-16)
    return total


def gamma_of_small(a, x):
    """The upper function for ``a < 1`` and ``x < 1.1``, where it is the difference of two others
    (DLMF 8.7.3)."""
    total, term = np.zeros_like(x), np.ones_like(x)
    for n in range(1, 25):
        term = -term * x / n
        total = total + term * (a / (a + n))
    power = a * np.log(x) - gammaln_of_1_plus(a)
    return -np.expm1(power) - np.exp(power) * total


def gamma_of_large(a, x, sign):
    """The lower function, or with ``sign`` 1 the upper one, for ``a >= 1e5``."""
    c_0 = (
        *(0.39192631785224378e-4, -0.00017875514403292181, 0.0003527336860670194),
        *(0.0011574074074074074, -0.014814814814814815, 0.083333333333333333),
        -0.33333333333333333,
    )
    c_1 = (
        *(-0.00099022633744855967, 0.0026455026455026455, -0.0034722222222222222),
        -0.0018518518518518519,
    )
    u = np.clip((x - a) / a, -0.4, 0.7)
    eta = np.copysign(np.sqrt(-2 * log1p_minus(u)), u)
    correction = np.exp(a * log1p_minus(u)) / np.sqrt(6.283185307179586 * a)
    correction = correction * (horner(eta, c_0) + horner(eta, c_1) / a)
    return 0.5 * erfc_values(sign * eta * np.sqrt(a / 2)) + sign * correction


def gamma_parts(a, x, upper):
    """The lower or upper regularised incomplete gamma function."""
    a, x = np.broadcast_arrays(a, x)
    inner = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf)
    large = inner & (a >= 1e5)
    by_series = inner & ~large & (x < a + 1)
    by_fraction = inner & ~large & ~by_series
    s, y = np.where(inner & ~large, a, 1.0), np.where(inner & ~large, x, 1.0)
    factor = gamma_factor(s, y)
    low = factor * gamma_series(np.where(by_series, s, 1.0), np.where(by_series, y, 0.5))
    high = factor * s
    high = high * gamma_fraction(np.where(by_fraction, s, 1.0), np.where(by_fraction, y, 2.5))
    small = by_series & (s < 1) & (y < 1.1)
    tiny = gamma_of_small(np.where(small, s, 0.5), np.where(small, y, 0.5))
    if upper:
        found = np.where(by_series, np.where(small, tiny, 1 - low), high)
        at_zero, at_infinity = 1.0, 0.0
    else:
        found = np.where(by_series, low, 1 - high)
        at_zero, at_infinity = 0.0, 1.0
    uniform = np.where(large, a, 1e5), np.where(large, x, 1e5)
    found = np.where(large, gamma_of_large(*uniform, 1.0 if upper else -1.0), found)
    found = np.where(x == np.inf, np.where(a == np.inf, np.nan, at_infinity), found)
    found = np.where((a == np.inf) & (x < np.inf), at_zero, found)
    found = np.where((a == 0) & (x > 0), at_infinity, np.where(x == 0, at_zero, found))
    wrong = (a < 0) | (x < 0) | (a != a) | (x != x) | ((a == 0) & (x == 0))
    return np.where(wrong, np.nan, found)


def gammainc_values(a, x):
    """The lower function."""
    return gamma_parts(a, x, False)


def gammaincc_values(a, x):
    """The upper function."""
    return gamma_parts(a, x, True)


HELPERS = (
    *(gamma_parts, gamma_factor, gamma_series, gamma_fraction, gamma_of_small, log1p_minus),
    *(gamma_of_large, erfc_values, erf_over_x, erfcx_of_positive, exp_of_square),
    *(gammaln_values, gammaln_of_1_plus, stirling, *_GAMMA),
)


def _density(a: Any, x: Any) -> Any:
    return exp(subtract(subtract(xlogy(subtract(a, 1), x), x), gammaln(a)))


gammainc = special(
    "gammainc",
    (gammainc_values, *HELPERS),
    [no_derivative("a"), lambda a, x, out: _density(a, x)],
    """The regularised lower incomplete gamma function.

    Args:
        a: positive numbers. The derivative by them is not known.
        x: numbers from 0 up.
    """,
    safe=0.5,
)

gammaincc = special(
    "gammaincc",
    (gammaincc_values, *HELPERS),
    [no_derivative("a"), lambda a, x, out: negative(_density(a, x))],
    "The regularised upper incomplete gamma function, ``1 - gammainc(a, x)``.",
    safe=0.5,
)


def chdtr(v: Any, x: Any) -> Any:
    """The distribution function of chi-squared: the probability of less than ``x``.

    Args:
        v: the degrees of freedom. The derivative by them is not known.
        x: numbers from 0 up.
    """
    return gammainc(divide(v, 2.0), divide(x, 2.0))


def chdtrc(v: Any, x: Any) -> Any:
    """``1 - chdtr(v, x)``: the probability of more than ``x``.

    Args:
        v: the degrees of freedom. The derivative by them is not known.
        x: numbers from 0 up.
    """
    return gammaincc(divide(v, 2.0), divide(x, 2.0))


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method, for
    ``x < (a + 1) / (a + b + 2)``."""
    c, n = np.ones_like(x), 0
    d = 1 / (1 - (a + b) * x / (a + 1))
    total, moving = d, x == x
    while n < 100000 and bool(np.any(moving)):
        n += 1
        step = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n))
        d, c = 1 / (1 + step * d), 1 + step / c
        half = d * c
        step = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))
        d, c = 1 / (1 + step * d), 1 + step / c
        total = np.where(moving, total * half * (d * c), total)
        moving = moving & ((abs(d * c - 1) > 5e-16) | (abs(half - 1) > 5e-16))
    return total


def betainc_values(a, b, x):
    """The regularised incomplete beta function."""
    inner = (a > 0) & (b > 0) & (a < np.inf) & (b < np.inf) & (x > 0) & (x < 1)
    p, q, z = np.where(inner, a, 1.0), np.where(inner, b, 1.0), np.where(inner, x, 0.5)
    mirrored = z > (p + 1) / (p + q + 2)
    factor = np.exp(p * np.log(z) + q * np.log1p(-z) - betaln_values(p, q))
    p, q = np.where(mirrored, q, p), np.where(mirrored, p, q)
    z = np.where(mirrored, 1 - z, z)
    found = factor / p * beta_fraction(p, q, z)
    found = np.where(mirrored, 1 - found, found)
    low, high = ((a > 0) & (b == 0)) | (a == np.inf), ((a == 0) & (b > 0)) | (b == np.inf)
    found = np.where(low, np.where(x == 1, 1.0, 0.0), found)
    found = np.where(high, np.where(x == 0, 0.0, 1.0), found)
    found = np.where(inner | low | high, found, np.where(x == 0, 0.0, 1.0))
    wrong = ~((a >= 0) & (b >= 0) & (x >= 0) & (x <= 1)) | (low & high) | ((a == 0) & (b == 0))
    return np.where(wrong, np.nan, found)


betainc = special(
    "betainc",
    (betainc_values, beta_fraction, betaln_values, *HELPERS),
    [
        no_derivative("a"),
        no_derivative("b"),
        lambda a, b, x, out: exp(
            subtract(
                add(xlogy(subtract(a, 1), x), xlog1py(subtract(b, 1), negative(x))), betaln(a, b)
            )
        ),
    ],
    """The regularised incomplete beta function, by its continued fraction.

    Args:
        a, b: positive, finite numbers. The derivatives by them are not known.
        x: numbers from 0 to 1.
    """,
    safe=0.5,
)
