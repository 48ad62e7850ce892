"""Kernel expressions of special functions, made of the NumPy code that computes them.

The helper functions of a special function are NumPy code without loops over the data. With the
scalar language of `ops.core.kernels` in the place of NumPy, the same functions build its kernel
expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from ops.core import kernels
from ops.elementwise import maximum, minimum, remainder


def _where(condition: Any, x: Any, y: Any) -> Any:
    x, y = (float(z) if isinstance(z, int) else z for z in (x, y))
    return kernels.select(condition, x, y)


def _clip(x: Any, low: Any, high: Any) -> Any:
    return _LANGUAGE.minimum(_LANGUAGE.maximum(x, low), high)


# The functions of NumPy that have the same name in the language, and others.
_SAME = "copysign cos exp expm1 floor log log1p power rint sin sqrt tan trunc"
_LANGUAGE = SimpleNamespace(
    **{name: getattr(kernels, name) for name in _SAME.split()},
    clip=_clip,
    inf=np.inf,
    maximum=maximum.kernels["f"],
    minimum=minimum.kernels["f"],
    nan=np.nan,
    ones_like=lambda x: 1.0,
    remainder=remainder.kernels["f"],
    where=_where,
    zeros_like=lambda x: 0.0,
)
_NAMES = {*vars(_LANGUAGE), "np", "abs", "enumerate", "len", "range", "reversed", "zip"}


def kernel_of(helpers: Sequence[Callable], *, single: bool = False) -> Callable | None:
    """The kernel expression of the function that the first of the helpers computes in doubles.

    Args:
        single: whether float32 is good enough for itself.

    Returns:
        None if one of the helpers does what the language does not have, a loop over the data say.
    """
    known = _NAMES | {helper.__name__ for helper in helpers}
    if not all(_names(helper.__code__) <= known for helper in helpers):
        return None

    def kernel(*operands: Any) -> Any:
        namespace: dict[str, Any] = {"np": _LANGUAGE, "abs": kernels.fabs}
        for helper in helpers:
            name, defaults = helper.__name__, helper.__defaults__
            namespace[name] = FunctionType(helper.__code__, namespace, name, defaults)
        if not single:
            operands = tuple(kernels.cast(x, np.float64) for x in operands)
        return namespace[helpers[0].__name__](*operands)

    return kernel


def _names(code: CodeType) -> set[str]:
    """The global names and the attributes that a function refers to, with functions in it."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*map(_names, inner))
