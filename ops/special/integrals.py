"""Exponential integrals, Legendre polynomials and the distribution function of Student's t.

Of the exponential integrals there are, near 0, their series (DLMF 6.6), and farther out ``x *
exp(-x) * Ei(x)`` and ``x * exp(x) * E1(x)`` as polynomials and rational functions of ``1 / x`` that
interpolate at Chebyshev nodes and were computed in 60 digits; beyond 50 the asymptotic series (DLMF
6.12).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core.operands import Symbolic
from ops.elementwise import (
    add,
    divide,
    exp,
    isinf,
    log,
    log1p,
    multiply,
    negative,
    positive,
    square,
    subtract,
)
from ops.elementwise.conversion import where
from ops.special.declare import horner, special
from ops.special.errors import ndtr
from ops.special.gammas import betaln_values, gammaln, no_derivative
from ops.special.incomplete import HELPERS, beta_fraction, betainc_values

__all__ = ["eval_legendre", "exp1", "expi", "stdtr"]


def exp1_values(x):
    """The integral of ``exp(-t) / t`` from ``x`` to infinity."""
    series = (
        *(-8.677337204770125e-18, 1.6537983849091297e-16, -2.9871733327421158e-15),
        *(5.0981091545465446e-14, -8.193389712664089e-13, 1.2353110643708935e-11),
        *(-1.7397297489890083e-10, 2.27746439867652e-09, -2.755731922398589e-08),
        *(3.0619243582206544e-07, -3.1001984126984127e-06, 2.834467120181406e-05),
        *(-0.0002314814814814815, 0.0016666666666666668, -0.010416666666666666),
        *(0.05555555555555555, -0.25, 1.0),
    )
    near = np.clip(x, 1e-320, 1.0)
    small = near * horner(near, series) - 0.5772156649015329 - np.log(near)
    p = (
        *(0.011215985114638009, 2.645934855635638, 40.90895055382592, 184.16903130801273),
        *(330.3315360149095, 267.1381891372058, 100.89539684682016, 16.94833572389735),
        *(0.9999998943943722,),
    )
    q = (
        *(0.7219001285652432, 19.22800015610971, 138.9293647144074, 399.81670614122726),
        *(534.4818040683836, 354.0814876928957, 116.843914078531, 17.948329514484644, 1.0),
    )
    between = np.clip(x, 1.0, 4.0)
    factor = horner(1.0 / between, p) / horner(1.0 / between, q)
    p_far = (
        *(345.8457248878713, 29948.068315999404, 208177.73207822896, 470155.39338146994),
        *(476247.1075463684, 249688.47555153814, 72655.80438757343, 12026.777617719292),
        *(1112.623510653273, 52.96435784193938, 1.0),
    )
    q_far = (
        *(10208.315438884878, 132630.84145426334, 501083.2240908914, 816360.022775494),
        *(678195.475455779, 313037.8361997187, 83715.85156818187, 13089.436770530518),
        *(1164.5878684952127, 53.96435784193938, 1.0),
    )
    beyond = np.clip(x, 4.0, 800.0)
    factor = np.where(x < 4.0, factor, horner(1.0 / beyond, p_far) / horner(1.0 / beyond, q_far))
    beyond = np.clip(x, 1.0, 800.0)
    found = np.where(x < 1.0, small, np.exp(-beyond) / beyond * factor)
    found = np.where(x == 0.0, np.inf, np.where(x > 800.0, 0.0, found))
    return np.where(x >= 0.0, found, np.nan)


def expi_values(x):
    """The principal value of the integral of ``exp(t) / t`` from minus infinity to ``x``."""
    series = (
        *(3.0640435978209645e-50, 1.257043527311165e-48, 5.031482118527058e-47),
        *(1.9636378862575867e-45, 7.467278517462879e-44, 2.7650265596091116e-42),
        *(9.962228045650476e-41, 3.489798672961197e-39, 1.1876221108921073e-37),
        *(3.922984005011348e-36, 1.2566625429386353e-34, 3.8999872022233505e-33),
        *(1.1713890132392279e-31, 3.401366616220572e-30, 9.53690870471076e-29),
        *(2.5787801137537893e-27, 6.715573212900493e-26, 1.6818131176655147e-24),
        *(4.0439960874775335e-23, 9.32044812542441e-22, 2.0551588116560825e-20),
        *(4.326650129802279e-19, 8.677337204770125e-18, 1.6537983849091297e-16),
        *(2.9871733327421158e-15, 5.0981091545465446e-14, 8.193389712664089e-13),
        *(1.2353110643708935e-11, 1.7397297489890083e-10, 2.27746439867652e-09),
        *(2.755731922398589e-08, 3.0619243582206544e-07, 3.1001984126984127e-06),
        *(2.834467120181406e-05, 0.0002314814814814815, 0.0016666666666666668),
        *(0.010416666666666666, 0.05555555555555555, 0.25, 1.0),
    )
    near = np.clip(x, 1e-320, 6.0)
    small = near * horner(near, series) + 0.5772156649015329 + np.log(near)
    first = (
        *(-2.2275615117183664e-10, 5.395028451276601e-10, 5.743972972624431e-10),
        *(-5.282789658700842e-09, 1.6833185114496394e-08, -2.9989725566032706e-08),
        *(-2.9652934324592872e-08, 4.2415643890333354e-07, -1.4452355239388557e-06),
        *(1.4334858789553498e-06, 9.1966411054032e-06, -4.555118743075159e-05),
        *(4.2059470988225646e-05, 0.00037313842644822235, -0.001125891451123899),
        *(-0.003353388660411261, 0.010157308753614657, 0.09097863630348939, 1.181847986987208),
    )
    t = 1.0 / np.clip(x, 6.0, 12.0)
    factor = horner((t - 0.125) * 24.0, first)
    second = (
        *(-2.9309685737608526e-11, 1.404753543736195e-10, -4.99493057415205e-12),
        *(-1.5443743156016585e-09, 3.70849773165449e-09, 7.0781421069393914e-09),
        *(-4.965175500979988e-08, 4.055709082356065e-09, 4.922952454416807e-07),
        *(-2.254835112507424e-07, -5.160183329990853e-06, -5.3727586860437305e-06),
        *(3.961169119727989e-05, 0.0002684049245426737, 0.0019403040279301375),
        *(0.02839154997859512, 1.0723449766623854),
    )
    t = 1.0 / np.clip(x, 12.0, 24.0)
    factor = np.where(x < 12.0, factor, horner((t - 0.0625) * 48.0, second))
    third = (
        *(-2.253473980523252e-14, -1.1182118142697082e-13, 2.2454426632219548e-13),
        *(1.6143081284403558e-12, -6.263534536043436e-14, -1.5135087306540233e-11),
        *(-3.6466272373192354e-11, 1.7012727812150636e-11, 4.006109455036174e-10),
        *(2.0440356622712626e-09, 1.0779086914494973e-08, 8.004365597223347e-08),
        *(8.717522469466121e-07, 1.3724291028018624e-05, 0.0003217268971197865),
        *(0.012392960781787447, 1.032936435168349),
    )
    t = 1.0 / np.clip(x, 24.0, 50.0)
    middle, scale = 0.030833333333333334, 92.3076923076923
    factor = np.where(x < 24.0, factor, horner((t - middle) * scale, third))
    t = 1.0 / np.clip(x, 50.0, 1e300)
    asymptotic = (
        *(2.43290200817664e18, 1.21645100408832e17, 6402373705728000.0, 355687428096000.0),
        *(20922789888000.0, 1307674368000.0, 87178291200.0, 6227020800.0, 479001600.0),
        *(39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0),
        *(1.0,),
    )
    factor = np.where(x < 50.0, factor, horner(t, asymptotic))
    large = np.clip(x, 6.0, 710.0)
    found = np.where(x <= 6.0, small, np.exp(large) / large * factor)
    found = np.where(x > 709.78, np.inf, found)
    found = np.where(x < 0.0, -exp1_values(-x), np.where(x == 0.0, -np.inf, found))
    return np.where(x == x, found, np.nan)


exp1 = special(
    "exp1",
    (exp1_values, horner),
    [lambda x, out: negative(divide(exp(negative(x)), x))],
    """The exponential integral ``E1``, the integral of ``exp(-t) / t`` from ``x`` to infinity.

    Args:
        x: real numbers. At 0 it is infinite, and NaN below, as SciPy's.
    """,
)

expi = special(
    "expi",
    (expi_values, exp1_values, horner),
    [lambda x, out: divide(exp(x), x)],
    """The exponential integral ``Ei``, the principal value of the integral of ``exp(t) / t`` from
    minus infinity to ``x``.

    Args:
        x: real numbers; at 0 it is minus infinity. Near its zero, 0.3725, the error is 1e-16, and
            not relative to the value.
    """,
)


def stdtr_values(df, t):
    """The distribution function of Student's t, for each side by what is at most a half, so that
    nothing is lost at 0 and in the tails."""
    known = (df > 0) & (df < np.inf) & (t == t)
    n, y = np.where(known, df, 1.0), np.clip(np.where(known, t, 0.0), -1e150, 1e150)
    far = y * y > np.minimum(n, 1.0)
    tail = 0.5 * betainc_values(0.5 * n, 0.5 + 0 * n, np.where(far, n / (n + y * y), 0.5))
    part = 0.5 * betainc_values(0.5 + 0 * n, 0.5 * n, np.where(far, 0.5, y * y / (n + y * y)))
    found = np.where(far, np.where(y > 0, 1 - tail, tail), 0.5 + np.copysign(part, y))
    found = np.where(np.abs(t) == np.inf, np.where(t > 0, 1.0, 0.0), found)
    return np.where(known, found, np.nan)


def _density_of_t(df: Any, t: Any, out: Any) -> Any:
    """The density of Student's t, the derivative of its distribution function."""
    halves = multiply(0.5, add(df, 1.0))
    constant = subtract(gammaln(halves), gammaln(multiply(0.5, df)))
    constant = subtract(constant, multiply(0.5, log(multiply(df, math.pi))))
    return exp(subtract(constant, multiply(halves, log1p(divide(square(t), df)))))


student = special(
    "stdtr",
    (stdtr_values, betainc_values, beta_fraction, betaln_values, *HELPERS),
    [no_derivative("df"), _density_of_t],
    "The distribution function of Student's t, for finite ``df``; see `stdtr`.",
)


def stdtr(df: Any, t: Any) -> Any:
    """The distribution function of Student's t.

    Args:
        df: the degrees of freedom, positive numbers; infinity is the normal distribution. The
            derivative by them is not known.
        t: real numbers.
    """
    is_normal = isinf(df)
    found = where(is_normal, ndtr(t), student(where(is_normal, 1.0, df), t))
    return positive(found)  # of numbers a number


# Beyond that degree the recurrence would be too many operations.
MOST_DEGREE = 200


def eval_legendre(n: Any, x: Any) -> Any:
    """The Legendre polynomial of degree ``n``, by its recurrence (DLMF 18.9.1).

    Args:
        n: a whole number from 0 to 200, known when the function is recorded.
        x: numbers, of any shape.

    Raises:
        NotImplementedError: ``n`` is traced, no whole number, negative, or too large.
    """
    if isinstance(n, Symbolic) or np.ndim(n) or int(n) != n or not 0 <= n <= MOST_DEGREE:
        raise NotImplementedError(
            f"eval_legendre of a degree that is not a known whole number from 0 to {MOST_DEGREE}"
        )
    before, value = None, add(multiply(0.0, x), 1.0)
    for k in range(1, int(n) + 1):
        following = multiply((2 * k - 1) / k, multiply(x, value))
        if before is not None:
            following = subtract(following, multiply((k - 1) / k, before))
        before, value = value, following
    return value
