"""The error function and its complement.

Near 0 a polynomial; elsewhere ``erfc(x) = exp(-x*x) * q((x - c) / (x + c)) / (x + c)`` with a
polynomial ``q``, a form of Shepherd and Laframboise, Chebyshev approximation of
(1 + 2x) exp(x^2) erfc x (1981). The square, the divisor and the exponential are in two parts.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    SINGLE,
    at_most,
    fast_two_sum,
    number,
    polynomial,
    two_product,
    two_sum,
)
from autograph.kernels.mathematics.exponential import expm1_of_reduced
from ops.core.kernels import copysign, fabs, fma, select

# erf(x) / x - 1, in x**2, for x up to 1
_ERF = {
    SINGLE: (
        0.12837916612625122,
        -0.3761262595653534,
        0.1128358542919159,
        -0.026853810995817184,
        0.00518832728266716,
        -0.0008010191959328949,
        7.853857823647559e-05,
    ),
    DOUBLE: (
        0.1283791670955126,
        -0.3761263890318375,
        0.11283791670954857,
        -0.026866170645072893,
        0.005223977624780838,
        -0.0008548326978740622,
        0.000120553310368449,
        -1.4925593505645053e-05,
        1.646097279815068e-06,
        -1.6350025034086767e-07,
        1.4657878650325638e-08,
        -1.1365661644367267e-09,
        5.945254923277616e-11,
    ),
}
# exp(x*x) * erfc(x) * (x + c), in (x - c) / (x + c), for x from 3/4
_ERFC = {
    SINGLE: (
        0.8551671504974365,
        -0.23768088221549988,
        -0.09555663913488388,
        0.013905972242355347,
        0.025420162826776505,
        0.009583705104887486,
        -0.0020017356146126986,
        -0.00103173335082829,
        -0.006125553976744413,
        0.0014008498983457685,
        0.001112858997657895,
    ),
    DOUBLE: (
        1.021582705242023,
        -0.6871606844138107,
        0.2794720925560578,
        -0.03644223150684836,
        -0.02151066188982642,
        0.006479185066112833,
        0.0030906120740381024,
        -0.0008372960282999154,
        -0.0006630738359220218,
        3.4371174379764724e-05,
        0.00014447489063609652,
        3.414787501205654e-05,
        -2.1725894286695508e-05,
        -1.608934306334477e-05,
        -1.0130542333041634e-06,
        3.4254259430037253e-06,
        1.8550324340458943e-06,
        6.537239576231327e-07,
        -8.724461891664098e-07,
        -9.765209771826733e-07,
        8.574740863726545e-07,
        -1.720506835789691e-07,
    ),
}
# What the first two have less than they should.
_ERFC_LOST = {
    SINGLE: (2.1004218017459465e-09, -2.6465538192564215e-09),
    DOUBLE: (-2.188378229510961e-17, -1.8133947964325503e-17),
}
_CENTRE = {SINGLE: 1.0, DOUBLE: 2.0}
# From here on erfc is 0.
_VANISHED = {SINGLE: 10.5, DOUBLE: 27.5}


def _tail(x: Any) -> Any:
    """``erfc(x)`` for ``x`` from 3/4."""
    x = at_most(x, _VANISHED[x.dtype])
    c = _CENTRE[x.dtype]
    divisor, divisor_low = two_sum(x, number(x, c))
    inverse = 1.0 / divisor
    # The polynomial is first + t * (second + t * rest).
    first, second, *others = _ERFC[x.dtype]
    first_low, second_low = _ERFC_LOST[x.dtype]
    t = fma(inverse, -2.0 * c, 1.0)
    slope, slope_low = fast_two_sum(number(x, second), polynomial(t, others) * t)
    q, q_low = two_product(slope, t)
    q_low = fma(slope_low + second_low, t, q_low + first_low)
    q, lost = fast_two_sum(number(x, first), q)
    # What is relatively missing of the inverse, and of the exponential of the rounded square.
    missing = fma(-inverse, divisor_low, fma(-inverse, divisor, 1.0))
    square, square_low = two_product(x, x)
    n, r, rest = expm1_of_reduced(-square, missing - square_low)
    high, low = fast_two_sum(q, fma(q, r + rest, lost + q_low))
    return n.scaled(fma(high, inverse, low * inverse))


def erf(x: Any) -> Any:
    """The error function."""
    size = fabs(x)
    near = fma(polynomial(x * x, _ERF[x.dtype]), size, size)
    return copysign(select(size < 1, near, 1.0 - _tail(size)), x)


def erfc(x: Any) -> Any:
    """``1 - erf(x)``, accurate where that is small."""
    size = fabs(x)
    rest = polynomial(x * x, _ERF[x.dtype])
    near = (1.0 - x) - rest * x
    tail = _tail(size)
    return select(size < 0.75, near, select(x < 0, 2.0 - tail, tail))
