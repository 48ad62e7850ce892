"""Functions of `<math.h>` by operators of ONNX.

ONNX Runtime has many of them for floats of 32 bits only. For doubles they are written out, by
those it has: the definitions of `autograph.kernels.mathematics` that need no bits of a number, and
identities which keep the digits (Kahan, "Branch cuts for complex elementary functions", 1987).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.export.onnx_model.terms import FUNCTIONS, Tensor
from autograph.kernels.mathematics import inverse_trigonometric
from ops.core.kernels import (
    cast,
    copysign,
    exp,
    expm1,
    fabs,
    log,
    log1p,
    power,
    rint,
    select,
    signbit,
    sqrt,
    tanh,
)
from ops.special import errors
from ops.special.declare import horner
from ops.special.native import kernel_of

DOUBLE = np.dtype(np.float64)
_LN_2, _LN_10 = math.log(2.0), math.log(10.0)


def _operator(name: str, **attrs: Any) -> Callable[..., Any]:
    return lambda x, *others: x.made(name, *others, **attrs)


def _single(name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that there is for all floats but doubles."""
    return lambda x: otherwise(x) if x.dtype == DOUBLE else x.made(name)


def _trunc(x: Any) -> Any:
    whole = fabs(x).made("Floor")
    return copysign(whole, x)


def _signbit(x: Any) -> Any:
    """Of a zero its inverse tells; the sign of NaN nothing does."""
    return (x < 0) | ((x == 0) & (1.0 / x < 0))


def _copysign(x: Any, y: Any) -> Any:
    return select(signbit(x) == signbit(y), x, -x)


def _expm1(x: Any) -> Any:
    t = tanh(x * 0.5)
    near = select(fabs(x) < 1e-20, x, 2.0 * t / (1.0 - t))
    return select(fabs(x) < 0.5, near, exp(x) - 1.0)


def _log1p(x: Any) -> Any:
    """The error of ``1 + x`` is also that of the divisor."""
    u = 1.0 + x
    exact = (u == 1.0) | (u == math.inf)
    found = log(u) * (x / select(exact, 1.0, u - 1.0))
    return select(u == 1.0, x, select(u == math.inf, x, select(u == 0, -math.inf, found)))


def _sinh(x: Any) -> Any:
    size = fabs(x)
    rest = expm1(size)
    half = exp(size * 0.5)
    near = select(size < 1e-20, size, (rest + rest / (rest + 1.0)) * 0.5)
    return copysign(select(size < 20.0, near, half * (half * 0.5)), x)


def _cosh(x: Any) -> Any:
    half = exp(fabs(x) * 0.5)
    return half * (half * 0.5) + 0.5 / half / half


def _asinh(x: Any) -> Any:
    size = fabs(x)
    near = log1p(size + size * size / (1.0 + sqrt(size * size + 1.0)))
    return copysign(select(size > 2.0**28, log(size) + _LN_2, near), x)


def _acosh(x: Any) -> Any:
    u = x - 1.0
    near = log1p(u + sqrt(u * u + u + u))
    return select(x < 1.0, math.nan, select(x > 2.0**28, log(x) + _LN_2, near))


def _atanh(x: Any) -> Any:
    size = fabs(x)
    return copysign(0.5 * log1p((size + size) / (1.0 - size)), x)


def _exp2(x: Any) -> Any:
    return power(2.0, x)


def _log_of_base(base: float, scale: float) -> Callable[[Any], Any]:
    """A logarithm, exact where the result is an integer."""

    def found(x: Any) -> Any:
        y = log(x) / scale
        whole = rint(y)
        finite = fabs(whole) < math.inf
        exact = finite & (power(base, whole) == x)
        return select(exact, whole, y)

    return found


def _cbrt(x: Any) -> Any:
    """With a step of Newton's method, by which cubes have exact roots."""
    size = fabs(x)
    y = power(size, 1.0 / 3.0)
    ordinary = (size > 0) & (size < math.inf)
    y2 = y * y
    better = y - (y2 * y - size) / select(ordinary, y2 * 3.0, 1.0)
    return copysign(select(ordinary, better, size), x)


def _hypot(x: Any, y: Any) -> Any:
    a, b = fabs(x), fabs(y)
    large, small = select(a > b, a, b), select(a > b, b, a)
    ratio = small / select(large == 0, 1.0, large)
    found = large * sqrt(1.0 + ratio * ratio)
    return select((a == math.inf) | (b == math.inf), math.inf, found)


def _ldexp(x: Any, count: Any) -> Any:
    """In three steps, for a power of two may be out of range where the result is not."""
    n = cast(count, x.dtype)
    most = 4.0 * (DOUBLE.itemsize if x.dtype == DOUBLE else 1) * 64.0
    n = select(n > most, most, select(n < -most, -most, n))
    part = rint(n * 0.25)
    step = power(2.0, part)
    return x * step * step * step * power(2.0, n - part * 3.0)


def _popcount(x: Any) -> Any:
    """By sums of neighbouring fields (Warren, "Hacker's Delight", 2nd ed., 5-1)."""
    wide = cast(cast(x, np.dtype(f"u{x.dtype.itemsize}")), np.uint64)
    total = wide * 0
    for place in range(x.dtype.itemsize * 8):
        total = total + ((wide >> np.uint64(place)) & np.uint64(1))
    return cast(total, np.uint8)


def _fma(x: Any, y: Any, z: Any) -> Any:
    """Rounded twice: what needs one rounding is not written by it here."""
    return x * y + z


_OF_NORMAL = (errors.erf_over_x, errors.erfcx_of_positive, errors.exp_of_square, horner)
_ERF, _ERFC = (kernel_of((f, *_OF_NORMAL)) for f in (errors.erf_values, errors.erfc_values))


def _erf(x: Any) -> Any:
    assert _ERF is not None
    return x.made("Erf") if x.dtype != DOUBLE else _ERF(x)


def _erfc(x: Any) -> Any:
    assert _ERFC is not None
    return cast(_ERFC(x), x.dtype)


def _atan2(y: Any, x: Any) -> Any:
    return inverse_trigonometric.atan2(y, x)


def _in_singles(function: Callable[..., Any]) -> Callable[..., Any]:
    """Halves computed as singles."""

    def found(*operands: Tensor) -> Any:
        if operands[0].dtype != np.float16:
            return function(*operands)
        return cast(function(*(cast(x, np.float32) for x in operands)), np.float16)

    return found


FUNCTIONS.update(
    {
        "acos": _single("Acos", inverse_trigonometric.acos),
        "acosh": _single("Acosh", _acosh),
        "asin": _single("Asin", inverse_trigonometric.asin),
        "asinh": _single("Asinh", _asinh),
        "atan": _single("Atan", inverse_trigonometric.atan),
        "atan2": _in_singles(_atan2),
        "atanh": _single("Atanh", _atanh),
        "cbrt": _in_singles(_cbrt),
        "ceil": _operator("Ceil"),
        "copysign": _copysign,
        "cos": _operator("Cos"),
        "cosh": _single("Cosh", _cosh),
        "erf": _erf,
        "erfc": _erfc,
        "exp": _operator("Exp"),
        "exp2": _exp2,
        "expm1": _in_singles(_expm1),
        "fabs": _operator("Abs"),
        "floor": _operator("Floor"),
        "fma": _fma,
        "fmod": _operator("Mod", fmod=1),
        "hypot": _in_singles(_hypot),
        "ldexp": _in_singles(_ldexp),
        "log": _operator("Log"),
        "log10": _in_singles(_log_of_base(10.0, _LN_10)),
        "log1p": _in_singles(_log1p),
        "log2": _in_singles(_log_of_base(2.0, _LN_2)),
        "popcount": _popcount,
        "pow": _operator("Pow"),
        "rint": _operator("Round"),
        "signbit": _signbit,
        "sin": _operator("Sin"),
        "sinh": _single("Sinh", _sinh),
        "sqrt": _operator("Sqrt"),
        "tan": _single("Tan", lambda x: x.made("Sin").made("Div", x.made("Cos"))),
        "tanh": _operator("Tanh"),
        "trunc": _trunc,
    }
)
