"""What the operators that combine elements along axes have in common.

``axis`` is an axis, a tuple of axes, or None for all; ``keepdims`` keeps the reduced axes with
length 1. Result dtypes are NumPy's: sums and products of small integers and of booleans are int64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.core.lengths import lengths_of
from ops.core.operands import ndim_of
from ops.core.texts import array_text
from ops.core.types import ArrayType, numpy_dtype
from ops.structure.reshaping import reaxed

Axes = tuple[int, ...] | None


def all_axes(axis: Axes, ndim: int) -> tuple[int, ...]:
    """The axes that a normalised ``axis`` attribute stands for."""
    return tuple(range(ndim)) if axis is None else axis


def normalise(x: Any, axis: Any) -> Axes:
    """An ``axis`` argument as a tuple of axes from 0 up, or None.

    As in NumPy, scalars may be reduced along the axis 0 or -1 that they lack.
    """
    if axis is None or (ndim_of(x) == 0 and not isinstance(axis, tuple) and axis in (0, -1)):
        return None
    return normalize_axis_tuple(axis, ndim_of(x))


def existing_axes(x: Any, axis: Any) -> Axes:
    """The same for the functions for which scalars have no axis at all."""
    return None if axis is None else normalize_axis_tuple(axis, ndim_of(x))


def combined_axes(x: ArrayType, attrs: dict[str, Any]) -> tuple[int, ...]:
    """``axes`` of the `Fold` of an operator."""
    return all_axes(attrs["axis"], x.ndim)


def reduced_shape(shape: tuple, axis: Axes, keepdims: bool) -> tuple:
    """The shape that is left when the given axes are reduced."""
    axes = all_axes(axis, len(shape))
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def keep(x: Any, like: Any, axis: Axes) -> Any:
    """A reduction of ``like``, or its cotangent, with the reduced axes put back in, length 1."""
    return reaxed(x, reduced_shape(lengths_of(like), axis, True))


def kept_moves(numbers: Any, x: Any, axis: Axes, **_: Any) -> tuple:
    """`Custom.moves` of a reduction: each element's cotangent is zero where that of the result is
    which it goes into."""
    return (keep(numbers, x, axis),)


def reduction_prepare(x: Any, axis: Any = None, keepdims: bool = False) -> tuple:
    return (x,), {"axis": normalise(x, axis), "keepdims": bool(keepdims)}


def reduction_code(
    name: str,
) -> Callable[[Sequence[str], Sequence[ArrayType], dict[str, Any]], str]:
    """``np.name(x, ...)`` with those attributes that are not NumPy's default."""

    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
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


def total_dtype(x: ArrayType, dtype: str | None) -> np.dtype:
    """The dtype in which NumPy adds or multiplies up elements."""
    if dtype is not None:
        return numpy_dtype(dtype)
    if x.dtype.kind in "bi" and x.dtype.itemsize < 8:
        return np.dtype(np.int64)
    if x.dtype.kind == "u" and x.dtype.itemsize < 8:
        return np.dtype(np.uint64)
    return x.dtype


def total_infer(x: ArrayType, axis: Axes, keepdims: bool, dtype: str | None) -> tuple[ArrayType]:
    return (ArrayType(total_dtype(x, dtype), reduced_shape(x.shape, axis, keepdims)),)


def total_prepare(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> tuple:
    args, attrs = reduction_prepare(x, axis, keepdims)
    return args, {**attrs, "dtype": None if dtype is None else numpy_dtype(dtype).name}
