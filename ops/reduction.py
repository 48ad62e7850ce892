"""Reductions: operators that combine the elements along some axes.

``axis`` is an axis, a tuple of axes, or None for all; ``keepdims`` keeps the reduced axes with
length 1. Result dtypes are NumPy's: sums and products of small integers and of booleans are int64.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.conversion import array_text, astype, conjugate, real
from ops.elementwise import (
    divide,
    equal,
    greater,
    multiply,
    not_equal,
    sqrt,
    square,
    subtract,
)
from ops.lengths import count, lengths_of
from ops.numpy_table import covers
from ops.registry import Custom, Linear, Symbolic, dtype_of, ndim_of
from ops.structural import broadcast_to, reaxed
from ops.types import ArrayType, Type

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "max",
    "mean",
    "min",
    "std",
    "sum",
    "var",
]

Axes = tuple[int, ...] | None


def all_axes(axis: Axes, ndim: int) -> tuple[int, ...]:
    """The axes that a normalised ``axis`` attribute stands for."""
    return tuple(range(ndim)) if axis is None else axis


def normalise(x: Any, axis: Any) -> Axes:
    """An ``axis`` argument as a tuple of axes from 0 up, or None."""
    return None if axis is None else normalize_axis_tuple(axis, ndim_of(x))


def reduced_shape(shape: tuple, axis: Axes, keepdims: bool) -> tuple:
    """The shape that is left when the given axes are reduced."""
    axes = all_axes(axis, len(shape))
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def keep(x: Any, like: Any, axis: Axes) -> Any:
    """A reduction of ``like``, or its cotangent, with the reduced axes put back in, length 1."""
    return reaxed(x, reduced_shape(lengths_of(like), axis, True))


def reduction_prepare(x: Any, axis: Any = None, keepdims: bool = False) -> tuple:
    return (x,), {"axis": normalise(x, axis), "keepdims": bool(keepdims)}


def reduction_code(name: str) -> Callable[[Sequence[str], Sequence[Type], dict[str, Any]], str]:
    """``np.name(x, ...)`` with those attributes that are not NumPy's default."""

    def code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
        parts = [array_text(args[0], types[0])]
        axis = attrs["axis"]
        if axis is not None:
            single = isinstance(axis, tuple) and len(axis) == 1
            parts.append(f"axis={axis[0] if single else axis}")
        if attrs.get("dtype") is not None:
            parts.append(f"dtype='{attrs['dtype']}'")
        if attrs.get("keepdims"):
            parts.append("keepdims=True")
        return f"np.{name}({', '.join(parts)})"

    return code


# -- sums ------------------------------------------------------------------------------------------


def total_dtype(x: ArrayType, dtype: str | None) -> np.dtype:
    """The dtype in which NumPy adds or multiplies up elements."""
    if dtype is not None:
        return np.dtype(dtype)
    if x.dtype.kind in "bi" and x.dtype.itemsize < 8:
        return np.dtype(np.int64)
    if x.dtype.kind == "u" and x.dtype.itemsize < 8:
        return np.dtype(np.uint64)
    return x.dtype


def total_infer(x: ArrayType, axis: Axes, keepdims: bool, dtype: str | None) -> tuple[ArrayType]:
    return (ArrayType(total_dtype(x, dtype), reduced_shape(x.shape, axis, keepdims)),)


def total_prepare(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> tuple:
    args, attrs = reduction_prepare(x, axis, keepdims)
    return args, {**attrs, "dtype": None if dtype is None else np.dtype(dtype).name}


def _sum_transpose(ct: Any, x: Any, axis: Axes, keepdims: bool, dtype: str | None) -> Any:
    return broadcast_to(ct if keepdims else keep(ct, x, axis), lengths_of(x))


sum = Linear(
    "sum",
    total_infer,
    reduction_code("sum"),
    transposes=[_sum_transpose],
    unknown_lengths=True,
    prepare=total_prepare,
    doc="""The sum of the elements along ``axis``.

    Args:
        x: an array or number.
        axis: an axis, a tuple of axes, or None for all.
        dtype: the dtype in which to add and of the result.
        keepdims: keep the reduced axes with length 1.

    Raises:
        AxisError: an axis is out of range.
    """,
)

covers(np.sum, "a axis dtype out keepdims initial where", method=True)(sum)


@covers(np.mean, "a axis dtype out keepdims where", method=True)
def mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The mean along ``axis``. Integers and booleans are added as float64, float16 as float32."""
    found = dtype_of(x)
    wide = _mean_dtype(found) if dtype is None else np.dtype(dtype)
    result = divide(sum(x, axis, _unless(found, wide), keepdims), group_size(x, axis))
    return astype(result, np.float16) if dtype is None and found == np.float16 else result


def _mean_dtype(dtype: np.dtype) -> np.dtype:
    if dtype.kind in "biu":
        return np.dtype(np.float64)
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _unless(found: np.dtype, wanted: np.dtype) -> np.dtype | None:
    """The dtype to ask for in order to get the wanted one."""
    return None if found == wanted else wanted


def group_size(x: Any, axis: Any) -> Any:
    """How many elements are combined into one: an int, symbolic if only the run knows it."""
    lengths = lengths_of(x)
    return count(lengths[i] for i in all_axes(normalise(x, axis), len(lengths)))


@covers(np.var, "a axis dtype out ddof keepdims where mean correction", method=True)
def var(
    x: Any, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The variance along ``axis``: the mean of the squared distances from the mean.

    Args:
        x: an array.
        axis, dtype, keepdims: as for `sum`.
        ddof: what is subtracted from the count before dividing by it.
    """
    found = dtype_of(x)
    wide = _mean_dtype(found) if dtype is None else np.dtype(dtype)
    size = group_size(x, axis)
    centre = divide(sum(x, axis, _unless(found, wide), keepdims=True), size)
    distance = subtract(x, centre)
    if dtype_of(distance).kind == "c":
        squared = real(multiply(distance, conjugate(distance)))
    else:
        squared = square(distance)
    result = divide(sum(squared, axis, keepdims=keepdims), _remaining(size, ddof))
    return astype(result, np.float16) if dtype is None and found == np.float16 else result


def _remaining(size: Any, ddof: float) -> Any:
    """``max(size - ddof, 0)``, a Python number."""
    if not isinstance(size, Symbolic):
        return builtins.max(size - ddof, 0)
    if ddof == 0:
        return size
    remaining = subtract(size, ddof)
    return multiply(remaining, greater(remaining, 0))


@covers(np.std, "a axis dtype out ddof keepdims where mean correction", method=True)
def std(
    x: Any, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The standard deviation along ``axis``, the square root of `var`."""
    return sqrt(var(x, axis, dtype, ddof, keepdims))


def may_be_empty(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if there are elements to reduce."""
    return not types[0].is_static


# -- extrema ---------------------------------------------------------------------------------------


def _extremum(name: str, doc: str) -> Custom:
    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        shape = reduced_shape(x.shape, axis, keepdims)
        if x.is_static and x.size == 0 and math.prod(shape):
            raise ValueError(f"{name} of an empty array, or along an empty axis, has no value")
        return (ArrayType(x.dtype, shape),)

    def shares(x: Any, out: Any, axis: Axes) -> Any:
        """What part each element has in the extremum: ties are split evenly."""
        chosen = astype(equal(x, keep(out, x, axis)), dtype_of(x))
        return divide(chosen, sum(chosen, axis, keepdims=True))

    def vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool) -> tuple:
        (x,) = args
        return (multiply(keep(cts[0], x, axis), shares(x, outs[0], axis)),)

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: Axes, keepdims: bool):
        (x,) = args
        return (sum(multiply(tangents[0], shares(x, outs[0], axis)), axis, keepdims=keepdims),)

    return Custom(
        name,
        infer,
        reduction_code(name),
        vjp=vjp,
        jvp=jvp,
        raises=may_be_empty,
        unknown_lengths=True,
        prepare=reduction_prepare,
        doc=doc,
    )


max = _extremum("max", "The largest element along ``axis``; NaN if there is one.")

covers(np.max, np.amax, "a axis out keepdims initial where", method=True)(max)

min = _extremum("min", "The smallest element along ``axis``; NaN if there is one.")

covers(np.min, np.amin, "a axis out keepdims initial where", method=True)(min)


def _position(name: str, doc: str) -> Custom:
    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        shape = reduced_shape(x.shape, axis, keepdims)
        if x.is_static and x.size == 0 and math.prod(shape):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        return (ArrayType(np.dtype(np.intp), shape),)

    def prepare(x: Any, axis: int | None = None, keepdims: bool = False) -> tuple:
        axis = None if axis is None else (normalize_axis_index(axis, ndim_of(x)),)
        return (x,), {"axis": axis, "keepdims": bool(keepdims)}

    return Custom(
        name,
        infer,
        reduction_code(name),
        differentiable=False,
        raises=may_be_empty,
        unknown_lengths=True,
        prepare=prepare,
        doc=doc,
    )


argmax = _position("argmax", "The index of the first largest element along one axis, or of all.")

covers(np.argmax, "a axis out keepdims", method=True)(argmax)

argmin = _position("argmin", "The index of the first smallest element along one axis, or of all.")

covers(np.argmin, "a axis out keepdims", method=True)(argmin)


# -- truth -----------------------------------------------------------------------------------------


def _quantifier(name: str, doc: str) -> Custom:
    def infer(x: ArrayType, axis: Axes, keepdims: bool) -> tuple[ArrayType]:
        return (ArrayType(np.dtype(bool), reduced_shape(x.shape, axis, keepdims)),)

    return Custom(
        name,
        infer,
        reduction_code(name),
        differentiable=False,
        unknown_lengths=True,
        prepare=reduction_prepare,
        doc=doc,
    )


all = _quantifier("all", "Whether all elements along ``axis`` are true.")

covers(np.all, "a axis out keepdims where", method=True)(all)

any = _quantifier("any", "Whether some element along ``axis`` is true.")

covers(np.any, "a axis out keepdims where", method=True)(any)


@covers(np.count_nonzero, "a axis keepdims")
def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements along ``axis`` are not zero."""
    return sum(not_equal(x, 0), axis, keepdims=keepdims)
