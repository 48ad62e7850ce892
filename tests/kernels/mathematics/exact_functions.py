"""Elementary functions to 40 digits, and how far from them a float is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

mpmath.mp.dps = 40
mp = mpmath.mp


def _erfc(x: mpf) -> mpf:
    return mp.erfc(x) if x < 40 else mp.exp(-x * x)


def _erf(x: mpf) -> mpf:
    return mp.erf(x) if abs(x) < 40 else mp.sign(x)


def _real(function: Callable) -> Callable:
    """NaN where the result is complex, infinity at a pole."""

    def of(*args: mpf) -> mpf | float:
        try:
            result = function(*args)
        except (ValueError, ZeroDivisionError):
            return math.nan
        return math.nan if isinstance(result, mpmath.mpc) else result

    return of


# By their names in `ops.core.kernels`; NumPy's, and the exact ones.
OF_ONE: dict[str, tuple[Callable | None, Callable]] = {
    "acos": (np.arccos, mp.acos),
    "acosh": (np.arccosh, mp.acosh),
    "asin": (np.arcsin, mp.asin),
    "asinh": (np.arcsinh, mp.asinh),
    "atan": (np.arctan, mp.atan),
    "atanh": (np.arctanh, mp.atanh),
    "cbrt": (np.cbrt, lambda x: mp.sign(x) * mp.cbrt(abs(x))),
    "cos": (np.cos, mp.cos),
    "cosh": (np.cosh, mp.cosh),
    "erf": (None, _erf),
    "erfc": (None, _erfc),
    "exp": (np.exp, mp.exp),
    "exp2": (np.exp2, lambda x: mpf(2) ** x),
    "expm1": (np.expm1, mp.expm1),
    "log": (np.log, mp.log),
    "log10": (np.log10, mp.log10),
    "log1p": (np.log1p, mp.log1p),
    "log2": (np.log2, lambda x: mp.log(x, 2)),
    "sin": (np.sin, mp.sin),
    "sinh": (np.sinh, mp.sinh),
    "tan": (np.tan, mp.tan),
    "tanh": (np.tanh, mp.tanh),
}
OF_TWO: dict[str, tuple[Callable, Callable]] = {
    "atan2": (np.arctan2, mp.atan2),
    "hypot": (np.hypot, mp.hypot),
    "pow": (np.power, lambda x, y: x**y),
}


def exact(name: str, *args: Any) -> mpf | float:
    """A function of finite floats; NaN where it has no real value. Arguments of exponentials are
    cut where the result is beyond all floats."""
    function = (OF_ONE.get(name) or OF_TWO[name])[1]
    numbers = [mpf(float(x)) for x in args]
    if name in ("exp", "exp2", "expm1", "sinh", "cosh"):
        numbers = [max(min(x, mpf(5000)), mpf(-5000)) for x in numbers]
    return _real(function)(*numbers)


def error_in_ulps(got: Any, want: mpf | float) -> float:
    """How many units in the last place of ``want``, rounded to the dtype of ``got``, the two are
    apart. Infinite if they differ in what no number of units tells."""
    info = np.finfo(got.dtype)
    if math.isnan(want):
        return 0.0 if np.isnan(got) else math.inf
    if np.isnan(got):
        return math.inf
    size = abs(want)
    if size == 0:
        return 0.0 if got == 0 else math.inf
    exponent = max(int(mpmath.frexp(size)[1]) - 1, int(info.minexp))
    unit = mpf(2) ** (exponent - info.nmant)
    limit = mpf(2) ** int(info.maxexp)  # where rounding gives infinity
    if np.isinf(got):
        got_exact = math.copysign(1, got) * limit
    else:
        got_exact = mpf(float(got))
    if got == 0 and np.signbit(got) != (want < 0):
        return math.inf
    want = max(min(want, limit), -limit)
    return float(abs(got_exact - want) / unit)
