"""NumPy's functions that write into an array they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.cumulative import cumsum
from ops.arrays.joining import array
from ops.arrays.rearrange import index_along_axis, require_integers, take
from ops.arrays.reduction import any, as_mask
from ops.control import effects
from ops.core.numpy_table import covers
from ops.core.operands import (
    Symbolic,
    concrete,
    dtype_of,
    is_array,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.types import Casting
from ops.elementwise import logical_not, maximum, minimum, not_equal, remainder, subtract
from ops.elementwise.conversion import astype
from ops.elementwise.conversion import where as where_
from ops.shapes.inspection import result_type
from ops.structure.broadcasting import broadcast_to
from ops.structure.identity import duplicate
from ops.structure.reshaping import ravel, reshape

__all__ = []


def _as_array(x: Any) -> Any:
    return array(x) if isinstance(x, (list, tuple)) else x


@covers(np.copyto)
def copyto(dst: Any, src: Any, casting: Casting = "same_kind", where: Any = True) -> None:
    """``np.copyto``: ``dst[...] = src``, or only where a condition is true.

    Raises:
        TypeError: ``casting`` does not allow to convert ``src`` to the dtype of ``dst``.
    """
    src = _as_array(src)
    is_weak = operand_type(src).weak and result_type(dst, src) == dtype_of(dst)
    if not is_weak and not np.can_cast(result_type(src), dtype_of(dst), casting):
        raise TypeError(
            f"Cannot cast array data from {dtype_of(src)!r} to {dtype_of(dst)!r} according to the "
            f"rule '{casting}'"
        )
    if where is True:
        dst[...] = src
        return
    where = as_mask(where)
    where, src = (broadcast_to(x, shape_of(dst)) for x in (where, src))
    dst[...] = where_(where, astype(src, dtype_of(dst)), dst)


def _of_same_size(a: Any, mask: Any) -> Any:
    """A mask as a vector of booleans, one for each element of ``a``."""
    mask = _as_array(mask)
    if operand_type(mask).size != operand_type(a).size:
        raise ValueError("mask and data must be the same size")
    mask = ravel(mask)
    return mask if dtype_of(mask).kind == "b" else not_equal(mask, 0)


def _write_where(a: Any, mask: Any, values: Any) -> None:
    values = astype(reshape(values, shape_of(a)), dtype_of(a))
    a[...] = where_(reshape(mask, shape_of(a)), values, a)


@covers(np.putmask)
def putmask(a: Any, mask: Any, values: Any) -> None:
    """``np.putmask``: where ``mask`` is true, the value at the same place of ``values`` repeated.

    Raises:
        ValueError: the mask has another number of elements than ``a``.
        TypeError: ``values`` is an array of a dtype that is not safely converted to that of ``a``.
    """
    of_numbers = isinstance(values, (list, tuple)) or not is_array(values)
    if not of_numbers and not np.can_cast(dtype_of(values), dtype_of(a)):
        raise TypeError(
            f"Cannot cast array data from {dtype_of(values)!r} to {dtype_of(a)!r} according to the "
            "rule 'safe'"
        )
    values = _as_array(values)
    if operand_type(values).weak:  # it has to fit, as if it were assigned
        number, values = values, duplicate(a)
        values[...] = number
    mask, values = _of_same_size(a, mask), ravel(values)
    size, n = operand_type(a).size, operand_type(values).size
    if n:
        _write_where(a, mask, values if n == size else take(values, np.arange(size) % n))


@covers(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """``np.place``: where ``mask`` is true, the values one after the other, over and over.

    Raises:
        ValueError: the mask has another number of elements than ``arr``, or there is no value.
    """
    mask, vals = _of_same_size(arr, mask), ravel(_as_array(vals))
    n = operand_type(vals).size
    if not n:
        message = "Cannot insert from an empty array!"
        effects.check(logical_not(any(mask)), error="ValueError", message=message)
        return
    turn = maximum(subtract(cumsum(mask, dtype=np.intp), 1), 0)
    _write_where(arr, mask, take(vals, remainder(turn, n)))


@covers(np.put)
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """``np.put``: assignment to places counted in C order.

    Args:
        a: the array.
        ind: the places.
        v: the values, repeated as often as needed.
        mode: what a place out of range means: "raise", "wrap" around, or "clip".

    Raises:
        IndexError: a place is out of range.
    """
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    ind, v = concrete(_as_array(ind)), ravel(_as_array(v))
    ind = ind if isinstance(ind, Symbolic) else np.asarray(ind)
    require_integers(dtype_of(ind))
    places = astype(ravel(ind), np.intp)
    size, count, n = (operand_type(x).size for x in (a, places, v))
    if not count or not n:
        return
    if mode == "wrap":
        places = remainder(places, size)
    elif mode == "clip":
        places = minimum(maximum(places, 0), size - 1)
    elif not isinstance(places, Symbolic) and not np.all((-size <= places) & (places < size)):
        raise IndexError(f"a place is out of bounds for array with size {size}")
    values = v if n in (1, count) else take(v, np.arange(count) % n)
    if ndim_of(a) == 1:
        a[places] = values
        return
    whole = ravel(a) + 0 if isinstance(a, Symbolic) else a.reshape(-1).copy()
    whole[places] = values
    a[...] = reshape(whole, shape_of(a))


@covers("a indices values mode", method="put")
def put_method(a: Any, indices: Any, values: Any, mode: str = "raise") -> None:
    """``a.put``."""
    put(a, indices, values, mode)


@covers(np.put_along_axis)
def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None = -1) -> None:
    """``np.put_along_axis``: writes where `ops.take_along_axis` reads."""
    indices = _as_array(indices)
    if axis is not None:
        arr[index_along_axis(arr, indices, axis)] = _as_array(values)
        return
    if ndim_of(indices) != 1:
        raise ValueError("when axis=None, `indices` must have a single dimension.")
    put(arr, indices, broadcast_to(_as_array(values), shape_of(indices)))


@covers(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """``np.fill_diagonal``: writes to the main diagonal.

    Args:
        a: a matrix, or an array of equal lengths.
        val: a number, or values, repeated as often as needed.
        wrap: in a matrix with more rows than columns go on below.

    Raises:
        ValueError: the array has fewer than two axes, or more of different lengths.
    """
    shape = shape_of(a)
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    size = operand_type(a).size
    if len(shape) == 2:
        step = shape[1] + 1
        end = size if wrap else min(shape[1] * shape[1], size)
    else:
        if len(set(shape)) > 1:
            raise ValueError("All dimensions of input must be of equal length")
        step = 1 + sum(shape[0] ** i for i in range(1, len(shape)))
        end = size
    places = np.arange(0, end, step)
    val = ravel(_as_array(val)) if ndim_of(_as_array(val)) else val
    if ndim_of(val):
        if not operand_type(val).size:
            return
        val = take(val, np.arange(len(places)) % operand_type(val).size)
    a[np.unravel_index(places, shape)] = val
