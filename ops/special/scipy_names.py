"""Which functions stand for those of ``scipy.special``, without importing it.

A function of SciPy's can only be given to us if SciPy has been imported by who gives it.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ops import elementwise
from ops.arrays.joining import array
from ops.core.operands import Symbolic, operand_type
from ops.elementwise.conversion import astype
from ops.special import (
    bessel,
    cylinder,
    declare,
    entropy,
    errors,
    gammas,
    hypergeometric,
    incomplete,
    integrals,
    sums,
)

_MODULES = (bessel, cylinder, entropy, errors, gammas, hypergeometric, incomplete, integrals, sums)
FUNCTIONS: dict[str, Callable] = {
    name: getattr(module, name) for module in _MODULES for name in module.__all__
}


# Those that NumPy has as well.
FUNCTIONS |= {name: getattr(elementwise, name) for name in ("cbrt", "exp2", "expm1", "log1p")}


def _as_scipy(function: Callable, ufunc: np.ufunc) -> Callable:
    """A function on the dtypes that SciPy's ufunc computes in.

    They depend on which of its loops is the first, as versions of SciPy differ. In the ufuncs that
    try float64 first, Python numbers beside arrays are float64.
    """
    first = "f" if ufunc.types[0][0] == "f" else "d"
    promotion = declare.Promotion(first)

    def call(*operands: Any) -> Any:
        types = [operand_type(x) for x in operands]
        if first == "d" and not all(t.weak for t in types):
            types = [t.strong() for t in types]
        dtype = promotion.resolve_dtypes((*(t.scalar for t in types), None))[-1]
        return function(*(astype(x, dtype) for x in operands))

    return call


def of_scipy(function: Callable) -> Callable | None:
    """What stands for a function of ``scipy.special``; None for functions from elsewhere.

    For those of SciPy's for which nothing does, a function that says so.
    """
    module = sys.modules.get("scipy.special")
    name = getattr(function, "__name__", None)
    if module is None or not isinstance(name, str):
        return None
    if getattr(module, name, None) is not function:
        if not isinstance(function, np.ufunc):
            return None
        aliases = (key for key, value in vars(module).items() if value is function)
        name = next(aliases, None)
        if name is None:
            return None
    ours = FUNCTIONS.get(name)
    if ours is None:
        return _refused(name)
    return _as_scipy(ours, function) if isinstance(function, np.ufunc) else of_lists(ours)


def of_lists(function: Callable) -> Callable:
    """A function that also takes lists of traced values for arrays."""

    def as_array(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and any(isinstance(x, Symbolic) for x in value):
            return array(value)
        return value

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(as_array, args), **{k: as_array(v) for k, v in kwargs.items()})

    return call


def _refused(name: str) -> Callable:
    near = difflib.get_close_matches(name, FUNCTIONS, n=1)
    nearest = f"; use scipy.special.{near[0]}, the nearest that is supported" if near else ""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"scipy.special.{name} of traced arrays{nearest}")

    return refuse
