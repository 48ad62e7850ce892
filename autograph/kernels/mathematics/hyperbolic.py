"""Hyperbolic functions: near 0 polynomials, elsewhere from the exponential."""

from __future__ import annotations

from typing import Any

from autograph.kernels.mathematics.arithmetic import DOUBLE, SINGLE, at_most, polynomial
from autograph.kernels.mathematics.exponential import exp
from ops.kernels import copysign, fabs, fma, select

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


def tanh(x: Any) -> Any:
    """The hyperbolic tangent: ``1 - 2 / (exp(2 x) + 1)`` but for a polynomial near 0."""
    size = fabs(x)
    square = x * x
    near = fma(polynomial(square, _TANH[x.dtype]) * square, size, size)
    far = 1.0 - 2.0 / (exp(at_most(size + size, 44.0)) + 1.0)
    return copysign(select(size < 0.625, near, far), x)
