"""Arrays with parts put in, added or left out."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import numbered
from ops.arrays.indexing import assigned, subscript
from ops.arrays.joining import array, concatenate
from ops.arrays.rearrange import take
from ops.arrays.reduction import all
from ops.control import effects
from ops.core.lengths import length, lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, concrete, dims_of, dtype_of, ndim_of, operand_type, shape_of
from ops.core.symbolic_lengths import is_length
from ops.elementwise import (
    add,
    equal,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    multiply,
)
from ops.elementwise.conversion import astype, where
from ops.order.selection import flatnonzero
from ops.order.sorting import argsort
from ops.structure.broadcasting import broadcast_to
from ops.structure.identity import refine
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import ravel, reaxed, reshape

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
    return concatenate([x, _as_array(values)], axis)


def _places(obj: Any, what: str) -> Any:
    """Places along an axis as NumPy takes them: a slice, or an array of integers or booleans.

    Raises:
        IndexError, TypeError: they are other numbers.
        ValueError: booleans that are not in a vector.
    """
    if isinstance(obj, slice):
        return obj
    if isinstance(obj, (list, tuple)):
        obj = array(obj) if len(obj) else np.zeros(0, np.intp)
    obj = concrete(obj)
    obj = obj if isinstance(obj, Symbolic) else np.asarray(obj)
    if dtype_of(obj).kind == "b":
        if ndim_of(obj) != 1:
            raise ValueError(f"boolean array argument obj to {what} must be one dimensional")
    elif dtype_of(obj).kind not in "iu":
        kind = TypeError if what == "insert" and operand_type(obj).size == 1 else IndexError
        raise kind("arrays used as indices must be of integer (or boolean) type")
    return obj


def _require_within(places: Any, low: int, high: int, axis: int, size: int) -> None:
    known = [] if isinstance(places, Symbolic) else np.ravel(places).tolist()
    if is_length(size) and known and builtins.all(low <= place <= high for place in known):
        return
    inside = all(logical_and(greater_equal(places, low), less_equal(places, high)))
    message = f"index out of bounds for axis {axis} with size {size}"
    effects.check(inside, error="IndexError", message=message)


@covers(np.delete, "arr obj axis")
def delete(x: Any, obj: Any, axis: int | None = None) -> Any:
    """``x`` without the parts at some places along an axis.

    Args:
        x: an array.
        obj: an integer, a slice, integers, or booleans.
        axis: the axis, or None for the elements in C order.

    Raises:
        IndexError: a place is out of range.
        ValueError: booleans, but not one for each place.
    """
    if axis is None:
        x, axis = ravel(x), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    n = shape_of(x)[axis]
    obj = _places(obj, "delete")
    if not isinstance(obj, Symbolic) and not is_length(n):
        return take(x, np.delete(np.arange(n), obj), axis)
    if dtype_of(obj).kind == "b":
        if dims_of(obj) != (n,):
            raise ValueError(
                "boolean array argument obj to delete must be one dimensional and match the axis "
                f"length of {n}"
            )
        return subscript(x, (*[slice(None)] * axis, logical_not(obj)))
    _require_within(obj, -n, n - 1, axis, n)
    if operand_type(obj).size == 1:  # so the length of the result is known
        place = reshape(astype(obj, np.intp), ())
        place = where(less(place, 0), add(place, n), place)
        kept = numbered(max(n - 1, 0))
        return take(x, add(kept, greater_equal(kept, place)), axis)
    kept = assigned(np.ones(n, bool), obj, False)
    return subscript(x, (*[slice(None)] * axis, kept))


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
    n = shape_of(x)[axis]
    values = astype(_as_array(values), dtype_of(x))
    obj = _places(obj, "insert")
    if isinstance(obj, slice):
        obj = np.arange(*obj.indices(n))
    if dtype_of(obj).kind == "b":
        obj = flatnonzero(obj)
    if ndim_of(obj) > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    missing = ndim_of(x) - ndim_of(values)
    values = reaxed(values, (1,) * missing + lengths_of(values))
    if dims_of(obj) in ((), (1,)):
        if not dims_of(obj):
            values = moveaxis(values, 0, axis)
        count = lengths_of(values)[axis]
        obj = reshape(obj, 1)
        values = reshape(values, lengths_of(values)[max(-missing, 0) :])
    else:
        count = lengths_of(obj)[0]
        values = reshape(values, lengths_of(values)[max(-missing, 0) :])
        given = dims_of(values)[axis]
        if dims_of(obj)[0] is None and given not in (1, None):  # so there have to be that many
            message = f"could not broadcast {given} values to the number of places"
            effects.check(equal(length(obj), given), error="ValueError", message=message)
            obj, count = refine(obj, shape=(given,)), given
    _require_within(obj, -n, n, axis, n)
    obj = astype(obj, np.intp)
    obj = broadcast_to(where(less(obj, 0), add(obj, n), obj), (count,))
    slabs = list(lengths_of(x))
    slabs[axis] = count
    # What was at place i gets the number 2 i + 1, and what comes before it 2 i.
    numbers = concatenate([add(multiply(numbered(n), 2), 1), multiply(obj, 2)])
    both = concatenate([x, broadcast_to(values, slabs)], axis)
    return take(both, argsort(numbers), axis)
