"""The error function, its relatives, and the normal distribution.

All go back to ``exp(x**2) * erfc(x)``, whose exponential factor is gone, as W. J. Cody's do
(Rational Chebyshev approximations for the error function, Mathematics of Computation 23, 1969). The
rational functions here interpolate at Chebyshev nodes and were computed in 60 digits; they are
right to 1e-17. Inverses: M. J. Wichura, Algorithm AS 241 (Applied Statistics 37, 1988).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core import kernels
from ops.elementwise import add, exp, multiply, negative, reciprocal, square, subtract
from ops.special.declare import horner, special

__all__ = ["erf", "erfc", "erfcinv", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri"]


def erf_over_x(x):
    """``erf(x) / x`` for ``abs(x) <= 1``."""
    p = (
        *(8.625602445726376e-08, 0.00019709588069752516, 0.0018829155471563983),
        *(0.0455033341653278, 0.14365581715028763, 1.1283791670955126),
    )
    q = (
        *(2.0866484101019162e-05, 0.0006937362332349159, 0.010705251871973175),
        *(0.0938746087651241, 0.46064498648983654, 1.0),
    )
    w = x * x
    return horner(w, p) / horner(w, q)


def erfcx_of_positive(x):
    """``exp(x**2) * erfc(x)`` for ``x >= 0.5``."""
    p = (
        *(-2.7471897304653244e-13, 0.00013020007348639185, 0.002363834580237801),
        *(0.020590799852111846, 0.11114961704813567, 0.4047732821063567),
        *(1.0183931817027367, 1.7382953541192772, 1.8649892006076505, 1.0000000000015397),
    )
    q = (
        *(0.00023077359112084892, 0.004189788630988825, 0.036611611143260774),
        *(0.19910271870810042, 0.7355718648876269, 1.901488723599945),
        *(3.4216296673036886, 4.115949859507585, 2.993368367728622, 1.0),
    )
    p_far = (
        *(298.2017340763448, 4276.725722782652, 9070.387685008618, 6594.902350114173),
        *(2100.9353849241893, 317.7109660086342, 22.12427563452295, 0.5641895835477563),
    )
    q_far = (
        *(1954.6462925053652, 12562.070706628689, 20604.124698332056, 13313.89438290792),
        *(3987.017897327544, 582.2351539503679, 39.71425754690528, 1.0),
    )
    near = np.minimum(x, 4.0)
    far = np.maximum(x, 4.0)
    w = 1 / far / far
    far = horner(w, p_far) / horner(w, q_far) / far
    return np.where(x < 4.0, horner(near, p) / horner(near, q), far)


def exp_of_square(x, scale):
    """``exp(scale * x**2)`` with ``scale`` a power of two up to its sign: the square is split, so
    that its rounding does not count. The result is finite."""
    x = np.minimum(abs(x), 26.62 if scale > 0 else 27.5 if scale == -1.0 else 38.9)
    high = np.floor(x * 16) / 16
    return np.exp(scale * high * high) * np.exp(scale * (x - high) * (x + high))


def erf_values(x):
    """The error function."""
    inner = np.clip(x, -1.0, 1.0)
    size = np.maximum(abs(x), 0.5)
    outer = np.copysign(1 - exp_of_square(size, -1.0) * erfcx_of_positive(size), x)
    return np.where(abs(x) <= 1.0, inner * erf_over_x(inner), outer)


def erfc_values(x):
    """The complement of the error function."""
    inner = np.clip(x, -1.0, 0.5)
    size = np.maximum(abs(x), 0.5)
    tail = np.where(size > 27.5, 0.0, exp_of_square(size, -1.0) * erfcx_of_positive(size))
    tail = np.where(x < 0, 2 - tail, tail)
    return np.where((x > -1.0) & (x <= 0.5), 1 - inner * erf_over_x(inner), tail)


def erfcx_values(x):
    """The complement of the error function, scaled by ``exp(x**2)``."""
    inner = np.clip(x, -1.0, 0.5)
    positive = erfcx_of_positive(np.maximum(x, 0.5))
    size = np.maximum(-x, 0.5)
    negative = np.where(size > 26.628735713751, np.inf, 2 * exp_of_square(size, 1.0))
    negative = negative - erfcx_of_positive(size)
    inner = exp_of_square(inner, 1.0) * (1 - inner * erf_over_x(inner))
    return np.where(x < -1.0, negative, np.where(x <= 0.5, inner, positive))


def quantile_of_normal(p, q):
    """The quantile of the normal distribution.

    Args:
        p: the smaller of the two probabilities, below and above the quantile.
        q: the one below minus 0.5.
    """
    near = (
        *(2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4),
        *(4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3),
        *(1.3314166789178437745e2, 3.3871328727963666080e0),
    )
    near_q = (
        *(5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4),
        *(2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2),
        *(4.2313330701600911252e1, 1.0),
    )
    middle = (
        *(7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1),
        *(1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0),
        *(4.63033784615654529590e0, 1.42343711074968357734e0),
    )
    middle_q = (
        *(1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2),
        *(1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0),
        *(2.05319162663775882187e0, 1.0),
    )
    far = (
        *(2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3),
        *(2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0),
        *(5.46378491116411436990e0, 6.65790464350110377720e0),
    )
    far_q = (
        *(2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5),
        *(7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1),
        *(5.99832206555887937690e-1, 1.0),
    )
    w = np.maximum(0.180625 - q * q, 0.0)
    inner = q * horner(w, near) / horner(w, near_q)
    r = np.sqrt(-np.log(np.where(p > 0, p, 0.25)))
    t = np.minimum(r, 5.0) - 1.6
    middle = horner(t, middle) / horner(t, middle_q)
    t = np.maximum(r, 5.0) - 5.0
    far = horner(t, far) / horner(t, far_q)
    outer = np.where(p > 0, np.where(r <= 5.0, middle, far), np.inf)
    found = np.where(abs(q) <= 0.425, inner, np.where(q < 0, -outer, outer))
    return np.where(p >= 0, found, np.nan)


def erfinv_values(x):
    """The inverse of the error function."""
    return quantile_of_normal((1 - abs(x)) / 2, x / 2) / 1.4142135623730951


def erfcinv_values(x):
    """The inverse of the complement of the error function."""
    return quantile_of_normal(np.minimum(x, 2 - x) / 2, (1 - x) / 2) / 1.4142135623730951


def ndtri_values(p):
    """The quantile of the normal distribution."""
    return quantile_of_normal(np.minimum(p, 1 - p), p - 0.5)


def ndtr_values(x):
    """The distribution function of the normal distribution."""
    z = x * 0.7071067811865476
    inner = np.clip(z, -0.5, 0.5)
    size = np.maximum(abs(z), 0.5)
    tail = 0.5 * exp_of_square(x, -0.5) * erfcx_of_positive(size)
    tail = np.where(size > 27.5, 0.0, tail)
    tail = np.where(x < 0, tail, 1 - tail)
    return np.where(abs(z) <= 0.5, 0.5 + 0.5 * inner * erf_over_x(inner), tail)


def log_ndtr_values(x):
    """The logarithm of the distribution function of the normal distribution."""
    low = np.clip(x, -1e154, -1.0)
    tail = np.log(0.5 * erfcx_of_positive(-low * 0.7071067811865476)) - low * low / 2
    tail = np.where(x < -1e154, -np.inf, tail)
    return np.where(x < -1.0, tail, np.log1p(-ndtr_values(-np.maximum(x, -1.0))))


def mills_values(x):
    """The density of the normal distribution divided by its distribution function."""
    size = np.clip(-x * 0.7071067811865476, 0.5, 1e300)
    low = 0.7978845608028654 / erfcx_of_positive(size)
    high = np.maximum(x, -1.0)
    density = np.where(high > 38.9, 0.0, exp_of_square(high, -0.5))
    return np.where(x < -1.0, low, 0.3989422804014327 * density / ndtr_values(high))


_TAIL = (horner, erfcx_of_positive, exp_of_square, erf_over_x)
_NORMAL = (ndtr_values, *_TAIL)


def _bell(x: Any, factor: float) -> Any:
    return multiply(factor, exp(negative(square(x))))


def _density(x: Any) -> Any:
    return multiply(1 / math.sqrt(2 * math.pi), exp(multiply(-0.5, square(x))))


erf = special(
    "erf",
    (erf_values, *_TAIL),
    [lambda x, out: _bell(x, 2 / math.sqrt(math.pi))],
    "The error function, ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to ``x``.",
    kernel=kernels.erf,
)

erfc = special(
    "erfc",
    (erfc_values, *_TAIL),
    [lambda x, out: _bell(x, -2 / math.sqrt(math.pi))],
    "``1 - erf(x)``, accurate where that is small.",
    kernel=kernels.erfc,
)

erfcx = special(
    "erfcx",
    (erfcx_values, *_TAIL),
    [lambda x, out: subtract(multiply(multiply(2, x), out), 2 / math.sqrt(math.pi))],
    "``exp(x**2) * erfc(x)``, which neither overflows nor vanishes for large ``x``.",
)

erfinv = special(
    "erfinv",
    (erfinv_values, quantile_of_normal, horner),
    [lambda x, out: multiply(math.sqrt(math.pi) / 2, exp(square(out)))],
    "The inverse of `erf`: infinite at -1 and 1, NaN beyond.",
    first="f",
    safe=0.5,
)

erfcinv = special(
    "erfcinv",
    (erfcinv_values, quantile_of_normal, horner),
    [lambda x, out: multiply(-math.sqrt(math.pi) / 2, exp(square(out)))],
    "The inverse of `erfc`: infinite at 0 and 2, NaN beyond.",
    first="f",
    safe=0.5,
)

ndtr = special(
    "ndtr",
    (ndtr_values, *_TAIL),
    [lambda x, out: _density(x)],
    "The distribution function of the normal distribution.",
)

ndtri = special(
    "ndtri",
    (ndtri_values, quantile_of_normal, horner),
    [lambda p, out: reciprocal(_density(out))],
    "The quantiles of the normal distribution, the inverse of `ndtr`.",
    first="f",
    safe=0.5,
)

mills = special(
    "mills",
    (mills_values, *_NORMAL),
    [lambda x, out: negative(multiply(out, add(x, out)))],
    """The density of the normal distribution divided by its distribution function, which is the
    derivative of `log_ndtr`.""",
)

log_ndtr = special(
    "log_ndtr",
    (log_ndtr_values, *_NORMAL),
    [lambda x, out: mills(x)],
    "The logarithm of `ndtr`, accurate far to the left and far to the right.",
)
