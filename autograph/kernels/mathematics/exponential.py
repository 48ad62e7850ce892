"""Exponentials.

With ``n = rint(x / log(2))`` and ``r = x - n * log(2)``, ``exp(x) = 2**n * exp(r)``, and a
polynomial gives ``exp(r)`` (Cody and Waite, Software Manual for the Elementary Functions, 1980;
Tang, Table-driven implementation of the expm1 function, 1992). ``log(2)`` is in two parts; the
product of ``n`` with the first is exact in the fused multiply-add.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    FORMATS,
    LOG_2,
    SINGLE,
    Exponent,
    by_dtype,
    clamped,
    number,
    polynomial,
    polynomial_by_pairs,
    power_of_two,
)
from ops.core.kernels import fabs, fma, select

_LOG2_E = float(1 / LOG_2)
_LOG_2 = by_dtype(LOG_2)
# Between these exp(x) is neither 0 nor infinite for sure.
_LIMITS = {SINGLE: (-104.0, 90.0), DOUBLE: (-746.0, 711.0)}
_LIMITS_OF_EXPM1 = {SINGLE: (-18.0, 89.0), DOUBLE: (-39.0, 710.0)}
_LIMITS_OF_2 = {SINGLE: (-150.0, 128.0), DOUBLE: (-1075.0, 1024.0)}

# (exp(r) - 1 - r) / r**2, for r in [-0.3475, 0.3475]
_EXP = {
    SINGLE: (
        0.4999999701976776,
        0.16666541993618011,
        0.04166720435023308,
        0.008366690948605537,
        0.001388248521834612,
    ),
    DOUBLE: (
        0.5000000000000006,
        0.16666666666666588,
        0.041666666666574904,
        0.008333333333390683,
        0.0013888888932223498,
        0.00019841269717199401,
        2.4801504430689532e-05,
        2.7557408364197227e-06,
        2.762639059419591e-07,
        2.5053814336149453e-08,
    ),
}
# (2**r - 1) / r, for r in [-1/2, 1/2]
_EXP2 = {
    SINGLE: (
        0.6931471824645996,
        0.24022647738456726,
        0.055503323674201965,
        0.00961843691766262,
        0.0013398873852565885,
        0.0001535337360110134,
    ),
    DOUBLE: (
        0.6931471805599453,
        0.2402265069591013,
        0.055504108664820084,
        0.00961812910759412,
        0.0013333558146774547,
        0.00015403530457110438,
        1.5252733493195515e-05,
        1.3215435283124795e-06,
        1.017819954539904e-07,
        7.073783106988199e-09,
        4.4347749552605074e-10,
    ),
}


def exp(x: Any) -> Any:
    """The exponential."""
    return _exp(x, 0)


def half_of_exp(x: Any) -> Any:
    """Half of the exponential of a number that is not negative; it may be finite where that is
    not."""
    return _exp(x, -1)


def _exp(x: Any, more: int) -> Any:
    """``exp(x) * 2**more``."""
    x = clamped(x, *_LIMITS[x.dtype])
    n = Exponent(x, _LOG2_E)
    high, low = _LOG_2[x.dtype]
    r = fma(n.value, -low, fma(n.value, -high, x))
    return n.scaled_sum(fma(polynomial_by_pairs(r, _EXP[x.dtype]), r, 1.0), r, more)


def exp2(x: Any) -> Any:
    """``2**x``."""
    x = clamped(x, *_LIMITS_OF_2[x.dtype])
    n = Exponent(x, 1.0)
    r = x - n.value
    return n.scaled_sum(polynomial(r, _EXP2[r.dtype]), r)


def exp2_of_reduced(r: Any) -> Any:
    """``2**r`` for ``r`` from -1/2 to 1/2."""
    return fma(polynomial(r, _EXP2[r.dtype]), r, 1.0)


def expm1(x: Any) -> Any:
    """``exp(x) - 1``: ``2**n * expm1(r) + (2**n - 1)``, of which half is computed, since ``2**n``
    may be too large."""
    form = FORMATS[x.dtype]
    n, r, rest = expm1_of_reduced(clamped(x, *_LIMITS_OF_EXPM1[x.dtype]), number(x, 0))
    half = power_of_two(n.biased - (form.bias + 1), x.dtype)  # of 2**n
    y = fma(rest, half, fma(r, half, half - 0.5))
    # Where n is 0, without that half: it would round, and make 0 of -0.
    return select(fabs(x) < 0.25, select(x == 0, x, r + rest), y + y)


def expm1_of_reduced(x: Any, low: Any) -> tuple[Exponent, Any, Any]:
    """``n``, ``r``, and ``expm1(r) - r``, of the sum of a number and a small one."""
    n = Exponent(x, _LOG2_E)
    first, second = _LOG_2[x.dtype]
    exact, less = fma(n.value, -first, x), fma(n.value, -second, low)
    r = exact + less
    lost = less - (r - exact)
    return n, r, fma(polynomial(r, _EXP[x.dtype]) * r, r, lost)
