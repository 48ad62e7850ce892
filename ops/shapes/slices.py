"""Functions applied to each slice of an array along an axis, or to one axis after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.joining import array
from ops.control.constructs import call, collect
from ops.core.numpy_table import covers
from ops.core.operands import ndim_of, shape_of
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import expand_dims, reshape

__all__ = [
    "apply_along_axis",
    "apply_over_axes",
]


@covers(np.apply_along_axis)
def apply_along_axis(func1d: Callable, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """``func1d`` of each vector along an axis of an array.

    Args:
        func1d: takes a vector; what it returns stands in its place in the result.
        axis: the axis.
        arr: the array.
        args, kwargs: passed to ``func1d``.

    Raises:
        ValueError: there is no vector.
    """
    arr = array(arr) if isinstance(arr, (list, tuple)) else arr
    axis = normalize_axis_index(axis, ndim_of(arr))
    vectors = moveaxis(arr, axis, -1)
    rest = shape_of(vectors)[:-1]
    if 0 in rest:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    vectors = reshape(vectors, (math.prod(rest), shape_of(vectors)[-1]))
    results = call(np.array, collect(lambda row: call(func1d, row, *args, **kwargs), vectors))
    inner = ndim_of(results) - 1
    results = reshape(results, (*rest, *shape_of(results)[1:]))
    places = tuple(range(len(rest), len(rest) + inner))
    return moveaxis(results, places, tuple(range(axis, axis + inner)))


@covers(np.apply_over_axes)
def apply_over_axes(func: Callable, a: Any, axes: Any) -> Any:
    """``func(a, axis)`` for one axis after the other, each kept with length 1 if it is dropped.

    Raises:
        ValueError: the result has another number of axes.
    """
    result = array(a) if isinstance(a, (list, tuple)) else a
    ndim = ndim_of(result)
    for axis in (axes,) if np.ndim(axes) == 0 else axes:
        axis = axis + ndim if axis < 0 else axis
        found = call(func, result, axis)
        if ndim_of(found) != ndim:
            found = expand_dims(found, axis)
            if ndim_of(found) != ndim:
                raise ValueError("function is not returning an array of the correct shape")
        result = found
    return result
