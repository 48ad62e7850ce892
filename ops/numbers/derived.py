"""NumPy functions that are short formulas in the operators."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import subscript
from ops.arrays.joining import array, stack
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dtype_of, index_of, ndim_of, operand_type, shape_of
from ops.core.types import ArrayType
from ops.elementwise import (
    add,
    divide,
    equal,
    greater,
    isnan,
    less,
    maximum,
    minimum,
    multiply,
    negative,
    positive,
    rint,
    subtract,
)
from ops.elementwise.conversion import astype, cast, promote, where
from ops.numbers.complex_numbers import imag, real
from ops.structure.identity import copy, duplicate
from ops.structure.reshaping import reshape

__all__ = [
    "clip",
    "cross",
    "kron",
    "nan_to_num",
    "round",
]

_INT64 = np.iinfo(np.int64)


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """``x`` with elements below ``min`` or above ``max`` replaced by these, where given."""
    if dtype_of(x).kind in "iu":
        limits = np.iinfo(dtype_of(x))
        if type(min) is int and min <= limits.min:
            min = None
        if type(max) is int and max >= limits.max:
            max = None
        min, max = _not_below(limits.min, min), _not_above(limits.max, max)
    if min is None and max is None:
        return positive(x)
    if min is not None and max is not None:
        x = _in_common_dtype(x, min, max)
    if min is not None:  # a zero beside a bound that is one stays as it is: it comes second
        x = maximum(min, x)
    return x if max is None else minimum(max, x)


def _in_common_dtype(x: Any, min: Any, max: Any) -> Any:
    """``x`` in the dtype of the result, where the promotion of two operands after the other gives
    another one than that of all three."""
    first, second, third = types = [operand_type(part) for part in (x, min, max)]
    wide = promote(*types)
    is_left_to_them = all(kind.weak for kind in types)
    if is_left_to_them or promote(ArrayType(promote(first, second)), third) == wide:
        return x
    return cast(x, wide)


# A bound that is a Python int of the run may be beyond the dtype, and then it is none.


def _not_below(least: int, bound: Any) -> Any:
    if not isinstance(bound, Symbolic) or not operand_type(bound).weak or least < _INT64.min:
        return bound
    return cast(where(less(bound, least), least, bound), weak=True)


def _not_above(most: int, bound: Any) -> Any:
    if not isinstance(bound, Symbolic) or not operand_type(bound).weak or most > _INT64.max:
        return bound
    return cast(where(greater(bound, most), most, bound), weak=True)


def _of_numpy(x: Any) -> Any:
    """A Python number as one of NumPy's, as its functions make it before they compute."""
    x = array(x) if isinstance(x, (list, tuple)) else x
    return cast(x, dtype_of(x)) if operand_type(x).weak else x


@covers(np.clip, "a a_min a_max out min max where dtype casting order subok")
def clip_between(
    a: Any,
    a_min: Any = np._NoValue,
    a_max: Any = np._NoValue,
    min: Any = np._NoValue,
    max: Any = np._NoValue,
) -> Any:
    """``np.clip``, whose bounds have two names each.

    Raises:
        ValueError: a bound is given by both.
        TypeError: only one of ``a_min`` and ``a_max`` is given.
    """
    if a_min is np._NoValue and a_max is np._NoValue:
        a_min, a_max = min, max
    elif a_min is np._NoValue or a_max is np._NoValue:
        missing = "a_min" if a_min is np._NoValue else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: '{missing}'")
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError(
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
            "forbidden."
        )
    a = _of_numpy(a)
    return clip_method(a, *(None if bound is np._NoValue else bound for bound in (a_min, a_max)))


@covers("a min max out where dtype casting order subok", method="clip")
def clip_method(a: Any, min: Any = None, max: Any = None) -> Any:
    """``a.clip``."""
    return clip(a, *(array(b) if isinstance(b, (list, tuple)) else b for b in (min, max)))


@covers(np.round, np.around, "a decimals out", method=True)
def round(x: Any, decimals: int = 0) -> Any:
    """``x`` rounded to the given number of decimals, halves to even.

    The derivative is zero.
    """
    decimals = index_of(decimals)
    dtype = dtype_of(x)
    x = _of_numpy(x)
    if dtype.kind in "iu" and decimals >= 0:
        return positive(x)
    if decimals == 0:
        return rint(x)
    if dtype.kind == "b":
        raise TypeError("np.round of booleans; convert them to numbers first")
    scale = 10 ** abs(decimals) if abs(decimals) <= 308 else np.inf
    if decimals > 0:
        return divide(rint(multiply(x, float(scale))), float(scale))
    return astype(multiply(rint(divide(x, scale)), scale), dtype)


@covers(np.nan_to_num, "x copy nan posinf neginf")
def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """``x`` with NaN and infinities replaced, in the real and in the imaginary part.

    Args:
        x: an array.
        copy: if False, ``x`` itself is changed.
        nan, posinf, neginf: what NaN and the infinities are replaced by; by default 0 and the
            largest finite numbers.
    """
    dtype = dtype_of(x)
    if dtype.kind == "c":
        parts = (_finite(part, nan, posinf, neginf) for part in (real(x), imag(x)))
        first, second = parts
        result = astype(add(first, multiply(second, 1j)), dtype)
    elif dtype.kind == "f":
        result = _finite(x, nan, posinf, neginf)
    else:
        result = duplicate(x)
    if not ndim_of(x):
        return positive(result)  # a number, not an array of no dimensions
    if copy:
        return result
    x[...] = result
    return x


def _finite(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    dtype = dtype_of(x)
    limits = np.finfo(dtype)
    for found, replacement in [
        (isnan(x), nan),
        (equal(x, np.inf), limits.max if posinf is None else posinf),
        (equal(x, -np.inf), limits.min if neginf is None else neginf),
    ]:
        x = where(found, astype(replacement, dtype), x)
    return x


@covers(np.kron, "a b")
def kron(x: Any, y: Any) -> Any:
    """The Kronecker product: ``x`` with each element replaced by that times ``y``."""
    ndim = builtins.max(ndim_of(x), ndim_of(y))
    x_shape, y_shape = ((1,) * (ndim - ndim_of(z)) + shape_of(z) for z in (x, y))
    x = reshape(x, [length for n in x_shape for length in (n, 1)])
    y = reshape(y, [length for n in y_shape for length in (1, n)])
    return reshape(multiply(x, y), [m * n for m, n in zip(x_shape, y_shape)])


@covers(np.cross, "a b axisa axisb axisc axis")
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """The cross product of vectors of three elements, or of two, whose third is 0.

    Args:
        a, b: arrays that hold the vectors, the rest of which broadcasts.
        axisa, axisb, axisc: along which axis the vectors lie in ``a``, in ``b``, in the result.
        axis: all of these.

    Returns:
        The vectors; if all have two elements, only the third of each.

    Raises:
        ValueError: the vectors have another length.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    if not ndim_of(a) or not ndim_of(b):
        raise ValueError("At least one array has zero dimension")
    axisa = normalize_axis_index(axisa, ndim_of(a), "axisa")
    axisb = normalize_axis_index(axisb, ndim_of(b), "axisb")
    sizes = shape_of(a)[axisa], shape_of(b)[axisb]
    if not {2, 3}.issuperset(sizes):
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    u, v = (
        [subscript(x, (*[slice(None)] * place, i)) for i in range(n)]
        for x, place, n in ((a, axisa, sizes[0]), (b, axisb, sizes[1]))
    )

    def minor(i: int, j: int) -> Any:
        first = multiply(u[i], v[j]) if i < sizes[0] and j < sizes[1] else None
        second = multiply(u[j], v[i]) if j < sizes[0] and i < sizes[1] else None
        if first is None:
            return negative(second)
        return first if second is None else subtract(first, second)

    if sizes == (2, 2):
        return minor(0, 1) if ndim_of(u[0]) or ndim_of(v[0]) else copy(minor(0, 1))
    return stack([minor(1, 2), minor(2, 0), minor(0, 1)], axisc)
