"""Elementary functions for vectors, in operations that machines have.

Each function is defined once, in the scalar language of `ops.core.kernels`, for float32 and
float64. The result is within 2 units in the last place of the exact one, for every argument;
infinities, NaN, zeros and their signs are NumPy's. Ordinary arguments take no branch, so that all
lanes of a vector go the same way. For rare ones that would need much code, definitions branch to
C's function, which printers know: kernels are expanded once.

The polynomials come from ``tests/kernels/mathematics/derive_polynomials.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.mathematics import (
    error_function,
    exponential,
    floating,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
)
from autograph.kernels.mathematics.expansion import expand

# By their names in `ops.core.kernels`.
DEFINITIONS: dict[str, Callable[..., Any]] = {
    "acos": inverse_trigonometric.acos,
    "acosh": hyperbolic.acosh,
    "asin": inverse_trigonometric.asin,
    "asinh": hyperbolic.asinh,
    "atan": inverse_trigonometric.atan,
    "atan2": inverse_trigonometric.atan2,
    "atanh": hyperbolic.atanh,
    "cbrt": roots.cbrt,
    "cos": trigonometric.cos,
    "cosh": hyperbolic.cosh,
    "erf": error_function.erf,
    "erfc": error_function.erfc,
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "expm1": exponential.expm1,
    "exponent": floating.exponent,
    "fmod": floating.fmod,
    "hypot": roots.hypot,
    "ldexp": floating.ldexp,
    "log": logarithm.log,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "log2": logarithm.log2,
    "mantissa": floating.mantissa,
    "nextafter": floating.nextafter,
    "pow": power.power,
    "sin": trigonometric.sin,
    "sinh": hyperbolic.sinh,
    "tan": trigonometric.tan,
    "tanh": hyperbolic.tanh,
}

# What is applied more often is called. That may take half as long again to run, as what is put in
# the place of the call, but a program of 150 applications compiles in a tenth of the time.
_OFTEN = 8


def expanded(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel in which elementary functions of float32 and float64 are replaced by statements
    that compute them, or calls of functions of these statements; see `DEFINITIONS`."""
    return expand(kernel, DEFINITIONS, _OFTEN)


__all__ = ["DEFINITIONS", "expanded"]
