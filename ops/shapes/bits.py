"""Booleans as the bits of bytes, and the bits of numbers as those of others."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import getitem, subscript
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, index_of, ndim_of, shape_of
from ops.core.types import as_dtype
from ops.elementwise import bitwise_and, multiply, not_equal, right_shift
from ops.elementwise.conversion import astype, bitcast
from ops.shapes.padding import pad_zeros
from ops.structure.broadcasting import sum
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import expand_dims, ravel, reshape

__all__ = [
    "packbits",
    "unpackbits",
]


def _places(bitorder: str) -> np.ndarray:
    """How far each bit of a byte is from its lowest one."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    places = np.arange(8, dtype=np.uint8)
    return places[::-1] if bitorder == "big" else places


def _with_axis_last(x: Any, axis: int | None) -> tuple[Any, int]:
    if axis is None or not ndim_of(x):
        return ravel(x), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    return moveaxis(x, axis, -1), axis


@covers(np.packbits, "a axis bitorder=big")
def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Any:
    """Eight elements each in a byte: whether they are not zero.

    Args:
        a: an array of integers or booleans.
        axis: the axis along which they are packed, with zeros behind the last one if needed; None
            for the elements in C order.
        bitorder: "big" if the first one is the highest bit, or "little".

    Raises:
        TypeError: the elements are not integers or booleans.
        ValueError: another order.
    """
    places = _places(bitorder)
    if dtype_of(a).kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    a, axis = _with_axis_last(a, axis)
    widths = ((0, 0),) * (ndim_of(a) - 1) + ((0, -shape_of(a)[-1] % 8),)
    bits = pad_zeros(astype(not_equal(a, 0), np.uint8), widths=widths)
    lengths = shape_of(bits)
    bits = reshape(bits, (*lengths[:-1], lengths[-1] // 8, 8))
    return moveaxis(sum(multiply(bits, np.uint8(1) << places), -1, dtype=np.uint8), -1, axis)


@covers(np.unpackbits, "a axis count bitorder=big")
def unpackbits(
    a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Any:
    """The bits of bytes, each an element that is 0 or 1.

    Args:
        a: an array of uint8.
        axis: the axis along which there are eight times as many; None for the elements in C order.
        count: how many to give along it, with zeros behind the last one if needed; if negative, how
            many to leave out at the end.
        bitorder: as for `packbits`.

    Raises:
        TypeError: the elements are no bytes.
        ValueError: another order, or more are left out than there are.
    """
    places = _places(bitorder)
    if dtype_of(a) != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    a, axis = _with_axis_last(a, axis)
    bits = bitwise_and(right_shift(expand_dims(a, -1), places), np.uint8(1))
    n = shape_of(a)[-1] * 8
    bits = reshape(bits, (*shape_of(a)[:-1], n))
    size = n if count is None else index_of(count)
    if size < 0:
        size += n
        if size < 0:
            raise ValueError(f"-count {size - n} must not be larger than the number of bits {n}")
    if size > n:
        bits = pad_zeros(bits, widths=((0, 0),) * (ndim_of(bits) - 1) + ((0, size - n),))
    return moveaxis(subscript(bits, (..., slice(None, size))), -1, axis)


@covers(method="view")
def view(a: Any, dtype: Any = None, type: Any = None) -> Any:
    """``a.view``: an array that shares the memory of ``a``.

    Raises:
        NotImplementedError: the elements of the dtype have another size, or a class is asked for.
    """
    if type is not None or (isinstance(dtype, builtins.type) and issubclass(dtype, np.ndarray)):
        raise NotImplementedError("view() as an array of another class")
    if dtype is None or as_dtype(dtype) == dtype_of(a):
        return getitem(a, index=(("ellipsis",),)) if dims_of(a) else a
    return bitcast(a, dtype)
