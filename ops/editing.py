"""Arrays with parts put in, added or left out, at places that are known when the graph is built."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.conversion import astype
from ops.creation import zeros_like
from ops.indexing import assigned
from ops.joining import array, concatenate
from ops.lengths import lengths_of
from ops.numpy_table import covers
from ops.rearrange import take
from ops.registry import Symbolic, concrete, dtype_of, ndim_of, shape_of
from ops.structural import moveaxis, ravel, reaxed

__all__ = [
    "append",
    "delete",
    "insert",
]


def _as_array(x: Any) -> Any:
    return array(x) if isinstance(x, (list, tuple)) else x


@covers(np.append, "arr values axis")
def append(x: Any, values: Any, axis: int | None = None) -> Any:
    """``x`` and what is put behind it: along an axis, or the elements of both in C order."""
    parts = [x, _as_array(values)]
    if axis is None:
        return concatenate([ravel(part) for part in parts])
    return concatenate(parts, axis)


def _places(obj: Any) -> Any:
    """Places along an axis as NumPy takes them, with symbolic integers made known."""
    if isinstance(obj, (list, tuple)):
        return [_places(place) for place in obj]
    obj = concrete(obj)
    if isinstance(obj, Symbolic):
        return np.asarray(obj) if ndim_of(obj) else operator.index(obj)
    return obj


@covers(np.delete, "arr obj axis")
def delete(x: Any, obj: Any, axis: int | None = None) -> Any:
    """``x`` without the parts at some places along an axis.

    Args:
        x: an array.
        obj: an integer, a slice, integers, or booleans.
        axis: the axis, or None for the elements in C order.

    Raises:
        IndexError: a place is out of range.
    """
    if axis is None:
        x, axis = ravel(x), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    kept = np.delete(np.arange(shape_of(x)[axis]), _places(obj))
    return take(x, kept, axis)


@covers(np.insert, "arr obj values axis")
def insert(x: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """``x`` with values put in before some places along an axis.

    Args:
        x: an array.
        obj: an integer, a slice, integers, or booleans; places of ``x`` as it was.
        values: what to put in, converted to the dtype of ``x``. For a single integer its first axis
            is along ``axis``; else it broadcasts.
        axis: the axis, or None for the elements in C order.

    Raises:
        IndexError: a place is out of range.
        ValueError: the values do not fit.
    """
    if axis is None:
        x, axis = ravel(x), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    lengths = list(lengths_of(x))
    n = shape_of(x)[axis]
    values = astype(_as_array(values), dtype_of(x))
    obj = _places(obj)
    if isinstance(obj, slice):
        places = np.arange(*obj.indices(n))
    else:
        places = np.asarray(obj, None if np.size(obj) else np.intp)
        if places.dtype.kind == "b":
            if places.ndim != 1:
                raise ValueError("boolean array argument obj to insert must be one dimensional")
            places = np.flatnonzero(places)
        elif places.ndim > 1:
            raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if places.dtype.kind not in "iu":
        kind = TypeError if places.size == 1 else IndexError
        raise kind("arrays used as indices must be of integer (or boolean) type")
    if places.size == 1:
        missing = ndim_of(x) - ndim_of(values)
        values = reaxed(values, (1,) * missing + lengths_of(values))
        if places.ndim == 0:
            values = moveaxis(values, 0, axis)
        numbers = np.full(shape_of(values)[axis], places.item(), np.intp)
    else:
        numbers = places.astype(np.intp)
    if np.any((numbers < -n) | (numbers > n)):
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")
    order = np.argsort(np.where(numbers < 0, numbers + n, numbers), kind="stable")
    new = np.empty(len(numbers), np.intp)
    new[order] = np.sort(np.where(numbers < 0, numbers + n, numbers)) + np.arange(len(numbers))
    lengths[axis] = n + len(numbers)
    old = np.delete(np.arange(n + len(numbers)), new)
    before = (slice(None),) * axis
    result = assigned(zeros_like(x, shape=lengths), (*before, old), x)
    return assigned(result, (*before, new), values)
