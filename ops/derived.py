"""NumPy functions that are short formulas in the operators."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.conversion import astype, cast, promote, where
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    floor,
    isfinite,
    isnan,
    less_equal,
    logical_and,
    logical_or,
    maximum,
    minimum,
    multiply,
    not_equal,
    rint,
    sin,
    subtract,
)
from ops.indexing import getitem, subscript
from ops.joining import axis_slice, concatenate, stack
from ops.numpy_table import covers
from ops.reduction import all, max, mean, min, sum
from ops.registry import dtype_of, ndim_of, operand_type, shape_of
from ops.structural import copy, moveaxis, reshape, swapaxes
from ops.types import weak

__all__ = [
    "allclose",
    "array_equal",
    "average",
    "clip",
    "cross",
    "diff",
    "isclose",
    "kron",
    "linspace",
    "matrix_transpose",
    "nan_to_num",
    "ptp",
    "round",
    "select",
    "sinc",
    "trapezoid",
]


def clip(x: Any, a_min: Any = None, a_max: Any = None) -> Any:
    """``x`` with elements below ``a_min`` or above ``a_max`` replaced by these, where given."""
    if a_min is not None:
        x = maximum(x, a_min)
    return x if a_max is None else minimum(x, a_max)


@covers(np.round, np.around, "a decimals out", method=True)
def round(x: Any, decimals: int = 0) -> Any:
    """``x`` rounded to the given number of decimals, halves to even.

    Raises:
        NotImplementedError: integers to tens, and booleans.
    """
    decimals = operator.index(decimals)
    kind = dtype_of(x).kind
    if kind == "b" or (kind in "iu" and decimals < 0):
        raise NotImplementedError(f"np.round of {dtype_of(x)} to {decimals} decimals")
    if kind in "iu":
        return copy(x)
    if decimals == 0:
        return rint(x)
    scale = float(10 ** abs(decimals))
    if decimals > 0:
        return divide(rint(multiply(x, scale)), scale)
    return multiply(rint(divide(x, scale)), scale)


@covers(np.diff, "a n axis prepend append")
def diff(x: Any, n: int = 1, axis: int = -1) -> Any:
    """The differences of neighbours along an axis, taken ``n`` times.

    Raises:
        ValueError: ``n`` is negative, or ``x`` a scalar.
    """
    ndim = ndim_of(x)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis_index(axis, ndim)
    difference = not_equal if dtype_of(x).kind == "b" else subtract
    for _ in range(n):
        later = getitem(x, index=axis_slice(ndim, axis, 1, None))
        x = difference(later, getitem(x, index=axis_slice(ndim, axis, None, -1)))
    return x


@covers(np.ptp, "a axis out keepdims")
def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The distance between the largest and the smallest element along ``axis``."""
    return subtract(max(x, axis, keepdims), min(x, axis, keepdims))


@covers(np.average, "a axis weights returned=False keepdims")
def average(x: Any, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Any:
    """The mean along ``axis``, or the weighted mean. The weights have the shape of ``x``."""
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    if shape_of(weights) != shape_of(x):
        raise NotImplementedError("np.average: weights of another shape than the array")
    found, weight = dtype_of(x), dtype_of(weights)
    dtype = np.result_type(found, weight, *([np.float64] if found.kind in "biu" else []))
    weights = astype(weights, dtype)
    total = sum(weights, axis, keepdims=keepdims)
    return divide(sum(multiply(x, weights), axis, keepdims=keepdims), total)


@covers(np.isclose, "a b rtol atol equal_nan")
def isclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether elements are equal within ``atol + rtol * abs(y)``."""
    y = astype(y, promote(operand_type(y), weak(float)))
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


@covers(np.array_equal, "a b equal_nan=False")
def array_equal(x: Any, y: Any) -> Any:
    """Whether two arrays have the same shape and elements, as a Python bool."""
    if shape_of(x) != shape_of(y):
        return False
    return cast(all(equal(x, y)), bool, weak=True)


@covers(np.nan_to_num, "x copy=True nan posinf neginf")
def nan_to_num(x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """``x`` with NaN and infinities replaced, by default by 0 and the largest finite numbers.

    Raises:
        NotImplementedError: complex numbers.
    """
    dtype = dtype_of(x)
    if dtype.kind == "c":
        raise NotImplementedError("np.nan_to_num of complex numbers")
    if dtype.kind != "f":
        return copy(x)
    limits = np.finfo(dtype)
    for found, replacement in [
        (isnan(x), nan),
        (equal(x, np.inf), limits.max if posinf is None else posinf),
        (equal(x, -np.inf), limits.min if neginf is None else neginf),
    ]:
        x = where(found, astype(replacement, dtype), x)
    return x


@covers(np.linspace, "start stop num endpoint retstep=False dtype axis=0 device")
def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None) -> Any:
    """``num`` numbers at equal distances from ``start`` to ``stop``, with or without the latter.

    Raises:
        NotImplementedError: ``start`` or ``stop`` is an array.
    """
    num = operator.index(num)
    if shape_of(start) or shape_of(stop):
        raise NotImplementedError("np.linspace between arrays")
    found = promote(operand_type(start), operand_type(stop), weak(float))
    steps = num - 1 if endpoint else num
    start, stop = astype(start, found), astype(stop, found)
    step = divide(subtract(stop, start), builtins.max(steps, 1))
    points = add(multiply(np.arange(num).astype(found), step), start)
    if endpoint and num > 1:
        inner = getitem(points, index=axis_slice(1, 0, None, -1))
        points = concatenate([inner, reshape(stop, 1)])
    if dtype is None:
        return points
    return astype(floor(points) if np.dtype(dtype).kind in "iu" else points, dtype)


@covers(np.kron, "a b")
def kron(x: Any, y: Any) -> Any:
    """The Kronecker product: ``x`` with each element replaced by that times ``y``."""
    ndim = builtins.max(ndim_of(x), ndim_of(y))
    x_shape, y_shape = ((1,) * (ndim - ndim_of(z)) + shape_of(z) for z in (x, y))
    x = reshape(x, [length for n in x_shape for length in (n, 1)])
    y = reshape(y, [length for n in y_shape for length in (1, n)])
    return reshape(multiply(x, y), [m * n for m, n in zip(x_shape, y_shape)])


@covers(np.cross, "a b axisa=-1 axisb=-1 axisc=-1 axis")
def cross(x: Any, y: Any, axis: int = -1) -> Any:
    """The cross product of vectors of three elements along ``axis``.

    Raises:
        ValueError: the vectors have another length.
    """
    x, y = moveaxis(x, axis, -1), moveaxis(y, axis, -1)
    if shape_of(x)[-1] != 3 or shape_of(y)[-1] != 3:
        raise ValueError("cross: the vectors have to have three elements")
    x_parts, y_parts = ([subscript(z, (..., i)) for i in range(3)] for z in (x, y))
    parts = [
        subtract(multiply(x_parts[i], y_parts[j]), multiply(x_parts[j], y_parts[i]))
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    return stack(parts, axis)


@covers(np.select, "condlist choicelist default")
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """For each element the choice that goes with the first condition that is true.

    Args:
        condlist: boolean arrays.
        choicelist: as many arrays or numbers; all broadcast and are promoted together.
        default: what stands where no condition is true.
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    dtype = promote(*(operand_type(x) for x in (*choicelist, default)))
    result = astype(default, dtype)
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = where(condition, astype(choice, dtype), result)
    return result


@covers(np.trapezoid, "y x dx axis")
def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The integral of ``y`` along an axis by the trapezoidal rule.

    Args:
        y: the values of the integrand.
        x: where they were taken: a vector, or an array of the shape of ``y``.
        dx: the distance between them if ``x`` is None.
        axis: the axis.
    """
    y = moveaxis(y, axis, -1)
    if x is not None:
        dx = diff(moveaxis(x, axis, -1) if ndim_of(x) > 1 else x)
    pairs = add(subscript(y, (..., slice(1, None))), subscript(y, (..., slice(None, -1))))
    return sum(divide(multiply(dx, pairs), 2.0), axis=-1)


@covers(np.sinc, "x")
def sinc(x: Any) -> Any:
    """``sin(pi x) / (pi x)``, and 1 at 0."""
    angle = multiply(np.pi, where(equal(x, 0), 1e-20, x))
    return divide(sin(angle), angle)


@covers(np.matrix_transpose, "x")
def matrix_transpose(x: Any) -> Any:
    """``x`` with its last two axes exchanged.

    Raises:
        ValueError: ``x`` has fewer than two axes.
    """
    if ndim_of(x) < 2:
        raise ValueError(f"matrix_transpose: an array of {ndim_of(x)} axes")
    return swapaxes(x, -1, -2)


@covers(np.clip, method=True)
def clip_between(
    a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, min: Any = None, max: Any = None
) -> Any:
    """``np.clip``, whose bounds have two names each."""
    if out is not None:
        raise NotImplementedError("clip(): the argument 'out' is not supported")
    bounds = [a_min if min is None else min, a_max if max is None else max]
    return clip(a, *(None if bound is np._NoValue else bound for bound in bounds))
