"""Whether numbers are equal, or nearly so, or finite."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.joining import as_arrays, asarray
from ops.arrays.reduction import all
from ops.control import effects
from ops.core.numpy_table import covers
from ops.core.operands import broadcast_shapes, dtype_of, operand_type, shape_of
from ops.core.types import weak
from ops.elementwise import (
    absolute,
    add,
    equal,
    isfinite,
    isnan,
    less_equal,
    logical_and,
    logical_or,
    multiply,
    subtract,
)
from ops.elementwise.conversion import astype, cast, promote

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "asarray_chkfinite",
    "isclose",
]


@covers(np.isclose, "a b rtol atol equal_nan")
def isclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether elements are equal within ``atol + rtol * abs(y)``."""
    if not operand_type(y).weak:
        y = astype(y, promote(operand_type(y), weak(float)))
    elif dtype_of(y).kind in "bi":
        y = cast(y, float, weak=True)
    tolerance = add(atol, multiply(rtol, absolute(y)))
    near = logical_and(less_equal(absolute(subtract(x, y)), tolerance), isfinite(y))
    close = logical_or(near, equal(x, y))
    return logical_or(close, logical_and(isnan(x), isnan(y))) if equal_nan else close


@covers(np.allclose, "a b rtol atol equal_nan")
def allclose(
    x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Whether all elements are equal within ``atol + rtol * abs(y)``, as a Python bool."""
    return cast(all(isclose(x, y, rtol, atol, equal_nan)), bool, weak=True)


@covers(np.array_equal, "a1 a2 equal_nan")
def array_equal(x: Any, y: Any, equal_nan: bool = False) -> Any:
    """Whether two arrays have the same shape and elements, as a Python bool.

    Args:
        x, y: the arrays.
        equal_nan: whether NaN equals NaN.
    """
    x, y = as_arrays((x, y))
    if shape_of(x) != shape_of(y):
        return False
    same = equal(x, y)
    if equal_nan and {dtype_of(x).kind, dtype_of(y).kind} <= {"f", "c"}:
        same = logical_or(same, logical_and(isnan(x), isnan(y)))
    return cast(all(same), bool, weak=True)


@covers(np.array_equiv, "a1 a2")
def array_equiv(x: Any, y: Any) -> Any:
    """Whether two arrays have the same elements after broadcasting, as a Python bool."""
    x, y = as_arrays((x, y))
    try:
        broadcast_shapes(shape_of(x), shape_of(y))
    except ValueError:
        return False
    return cast(all(equal(x, y)), bool, weak=True)


@covers(np.asarray_chkfinite, "a dtype order", creates=True)
def asarray_chkfinite(a: Any, dtype: Any = None, order: str | None = None) -> Any:
    """``np.asarray`` of finite numbers.

    Raises:
        ValueError: there is an infinity or a NaN.
    """
    a = asarray(a, dtype, order=order)
    if dtype_of(a).kind in "fc":
        message = "array must not contain infs or NaNs"
        effects.check(all(isfinite(a)), error="ValueError", message=message)
    return a
