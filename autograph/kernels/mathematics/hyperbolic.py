"""Hyperbolic functions: near 0 polynomials, elsewhere from the exponential."""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import (
    DOUBLE,
    NAN,
    SINGLE,
    at_most,
    number,
    polynomial,
    two_sum,
)
from autograph.kernels.mathematics.exponential import exp, half_of_exp
from autograph.kernels.mathematics.logarithm import log1p_of_parts
from ops.core.kernels import copysign, fabs, fma, select, sqrt

# (tanh(x) / x - 1) / x**2, in x**2
_TANH = {
    SINGLE: (
        -0.3333328068256378,
        0.13331441581249237,
        -0.05373971536755562,
        0.020639093592762947,
        -0.005704993382096291,
    ),
    DOUBLE: (
        -0.33333333333332854,
        0.13333333333262093,
        -0.05396825393126854,
        0.021869487576110055,
        -0.008863221002799234,
        0.00359198917497045,
        -0.0014549588830904696,
        0.0005863165548971265,
        -0.00022856423712759626,
        7.714439319745e-05,
        -1.6072581537790563e-05,
    ),
}
# (sinh(x) / x - 1) / x**2, in x**2, for x up to 1
_SINH = {
    SINGLE: (
        0.1666666716337204,
        0.008333349600434303,
        0.0001983615948120132,
        2.8169511097075883e-06,
    ),
    DOUBLE: (
        0.16666666666666666,
        0.008333333333333333,
        0.000198412698412696,
        2.755731922411629e-06,
        2.5052108346508853e-08,
        1.6059050601288112e-10,
        7.646482893690314e-13,
        2.8482330692417173e-15,
    ),
}
# From here on, 1 + x**2 is x**2.
_LARGE = {SINGLE: 2.0**28, DOUBLE: 2.0**60}


def tanh(x: Any) -> Any:
    """The hyperbolic tangent: ``1 - 2 / (exp(2 x) + 1)`` but for a polynomial near 0."""
    size = fabs(x)
    square = x * x
    near = fma(polynomial(square, _TANH[x.dtype]) * square, size, size)
    far = 1.0 - 2.0 / (exp(at_most(size + size, 44.0)) + 1.0)
    return copysign(select(size < 0.625, near, far), x)


def sinh(x: Any) -> Any:
    """The hyperbolic sine: of halves of exponentials, but for a polynomial near 0."""
    size = fabs(x)
    square = x * x
    near = fma(polynomial(square, _SINH[x.dtype]) * square, size, size)
    half = half_of_exp(size)
    return copysign(select(size < 1, near, half - 0.25 / half), x)


def cosh(x: Any) -> Any:
    """The hyperbolic cosine."""
    half = half_of_exp(fabs(x))
    return half + 0.25 / half


def asinh(x: Any) -> Any:
    """The inverse of the hyperbolic sine: ``log(1 + t)`` with ``t = x + x*x / (1 + sqrt(x*x + 1))``
    for a positive ``x``, or ``log(2 x)`` if that is large."""
    size = fabs(x)
    large = size > _LARGE[x.dtype]
    square = size * size
    high, low = two_sum(size, square / (1.0 + sqrt(square + 1.0)))
    return copysign(_log1p_or_double(large, size, high, low), x)


def acosh(x: Any) -> Any:
    """The inverse of the hyperbolic cosine: ``log(1 + t)`` with ``t = u + sqrt(u*u + 2 u)`` and
    ``u = x - 1``, or ``log(2 x)`` if that is large."""
    large = x > _LARGE[x.dtype]
    u = x - 1.0
    high, low = two_sum(u, sqrt(fma(u, u, u + u)))
    return select(x < 1, number(x, NAN), _log1p_or_double(large, x, high, low))


def _log1p_or_double(large: Any, x: Any, high: Any, low: Any) -> Any:
    """``log(1 + high + low)``, or where ``x`` is large ``log(2 x)``."""
    y, lost = two_sum(number(x, 1), high)
    y, lost = select(large, x, y), select(large, number(x, 0), lost + low)
    return log1p_of_parts(y, lost, select(large, number(x, 1), number(x, 0)))


def atanh(x: Any) -> Any:
    """The inverse of the hyperbolic tangent: half of ``log(1 + t)`` with ``t = 2 x / (1 - x)`` for
    a positive ``x``."""
    size = fabs(x)
    twice = size + size
    high, low = two_sum(twice, twice * size / (1.0 - size))
    y, lost = two_sum(number(x, 1), high)
    y = log1p_of_parts(y, lost + low, number(x, 0)) * 0.5
    return copysign(select(size > 1, number(x, NAN), y), x)
