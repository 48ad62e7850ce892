"""Rearrangements that consist of subscripts, reshapes and choices."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.conversion import where
from ops.creation import zeros_like
from ops.indexing import assigned, getitem, subscript
from ops.joining import concatenate, split
from ops.lengths import length, positions
from ops.numpy_table import covers
from ops.reduction import sum
from ops.registry import dims_of, dtype_of, ndim_of, shape_of
from ops.structural import as_shape, broadcast_to, expand_dims, moveaxis, reshape

__all__ = [
    "broadcast_arrays",
    "diag",
    "diagonal",
    "flip",
    "fliplr",
    "flipud",
    "meshgrid",
    "repeat",
    "roll",
    "take",
    "take_along_axis",
    "tile",
    "trace",
    "tril",
    "triu",
]


@covers(np.flip, "m axis")
def flip(x: Any, axis: Any = None) -> Any:
    """``x`` with the order of the elements reversed along the given axes, by default along all."""
    ndim = ndim_of(x)
    axes = range(ndim) if axis is None else normalize_axis_tuple(axis, ndim)
    spec = [("slice", None, None, -1 if i in axes else None) for i in range(ndim)]
    return getitem(x, index=tuple(spec))


@covers(np.flipud, "m")
def flipud(x: Any) -> Any:
    """``x`` with its rows in reversed order."""
    return flip(x, 0)


@covers(np.fliplr, "m")
def fliplr(x: Any) -> Any:
    """``x`` with its columns in reversed order."""
    return flip(x, 1)


@covers(np.roll, "a shift axis")
def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """``x`` with its elements moved along an axis, those that leave coming in again.

    Args:
        x: an array.
        shift: a number of places, or one for each axis.
        axis: an axis, a tuple of axes, or None to roll the elements in C order.
    """
    shape = shape_of(x)
    if axis is None:
        return reshape(roll(reshape(x, -1), shift, 0), shape)
    axes = normalize_axis_tuple(axis, len(shape), allow_duplicate=True)
    shifts, axes = np.broadcast_arrays(shift, axes)
    for places, i in zip(shifts.flat, axes.flat):
        n = shape[i]
        if n and places % n:
            head, tail = split(x, [n - int(places) % n], int(i))
            x = concatenate([tail, head], int(i))
    return x


@covers(np.repeat, "a repeats axis", method=True)
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
    """``x`` with each element repeated.

    Args:
        x: an array.
        repeats: how many times, a static number or one for each element along the axis.
        axis: the axis, or None for the elements in C order.
    """
    if axis is None:
        x, axis = reshape(x, -1), 0
    shape = shape_of(x)
    axis = normalize_axis_index(axis, len(shape))
    if np.ndim(repeats) == 0:
        count = operator.index(repeats)
        if count < 0:
            raise ValueError("repeats may not contain negative values.")
        repeated = (*shape[: axis + 1], count, *shape[axis + 1 :])
        repeated = broadcast_to(expand_dims(x, axis + 1), repeated)
        return reshape(repeated, (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))
    return take(x, np.repeat(np.arange(shape[axis]), repeats), axis)


@covers(np.tile, "A reps")
def tile(x: Any, reps: Any) -> Any:
    """``x`` laid out repeatedly along each axis.

    Args:
        x: an array.
        reps: how many times along each axis; missing axes count as 1, on either side.
    """
    reps = as_shape(reps)
    shape = shape_of(x)
    ndim = max(len(reps), len(shape))
    reps = (1,) * (ndim - len(reps)) + reps
    shape = (1,) * (ndim - len(shape)) + shape
    single = [length for n in shape for length in (1, n)]
    tiled = [length for pair in zip(reps, shape) for length in pair]
    return reshape(broadcast_to(reshape(x, single), tiled), [r * n for r, n in zip(reps, shape)])


@covers(np.take, "a indices axis out mode=raise", method=True)
def take(x: Any, indices: Any, axis: int | None = None) -> Any:
    """The elements of ``x`` at ``indices`` along an axis, or in C order if ``axis`` is None.

    Raises:
        IndexError: an index is out of range.
    """
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    return subscript(x, (*[slice(None)] * axis, indices))


@covers(np.take_along_axis, "arr indices axis")
def take_along_axis(x: Any, indices: Any, axis: int | None = -1) -> Any:
    """The elements of ``x`` at ``indices``, which has one index for each element of the result.

    Args:
        x: an array.
        indices: integers, as many axes as ``x``; the other axes broadcast.
        axis: the axis that the indices are along.
    """
    if axis is None:
        x, axis = reshape(x, -1), 0
    return subscript(x, index_along_axis(x, indices, axis))


def index_along_axis(x: Any, indices: Any, axis: int) -> tuple[Any, ...]:
    """The subscript by which `take_along_axis` reads ``x``."""
    ndim = ndim_of(x)
    if ndim_of(indices) != ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    index = [
        reshape(
            positions(length(x, axis=i)) if n is None else np.arange(n), [-1] + [1] * (ndim - i - 1)
        )
        for i, n in enumerate(dims_of(x))
    ]
    index[normalize_axis_index(axis, ndim)] = indices
    return tuple(index)


def _diagonal_indices(shape: Sequence[int], offset: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = shape
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    along = np.arange(length)
    return along + max(-offset, 0), along + max(offset, 0)


@covers(np.diagonal, "a offset axis1 axis2", method=True)
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements on a diagonal of the matrices that two axes span, as a new last axis."""
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    return subscript(x, (..., *_diagonal_indices(shape_of(x)[-2:], offset)))


@covers(np.diag, "v k")
def diag(x: Any, k: int = 0) -> Any:
    """The ``k``-th diagonal of a matrix, or the matrix that has a vector there.

    Raises:
        ValueError: ``x`` is neither a matrix nor a vector.
    """
    shape = shape_of(x)
    if len(shape) == 2:
        return diagonal(x, k)
    if len(shape) != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = shape[0] + abs(k)
    matrix = zeros_like(x, shape=(n, n))
    return assigned(matrix, _diagonal_indices((n, n), k), x)


@covers(np.trace, "a offset axis1 axis2 dtype out", method=True)
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sum of a diagonal."""
    return sum(diagonal(x, offset, axis1, axis2), axis=-1, dtype=dtype)


def _triangle(x: Any, mask: np.ndarray) -> Any:
    return where(mask, x, dtype_of(x).type(0))


@covers(np.tril, "m k")
def tril(x: Any, k: int = 0) -> Any:
    """``x`` with zeros above its ``k``-th diagonal."""
    return _triangle(x, np.tri(*_matrix_shape(x), k, bool))


@covers(np.triu, "m k")
def triu(x: Any, k: int = 0) -> Any:
    """``x`` with zeros below its ``k``-th diagonal."""
    return _triangle(x, ~np.tri(*_matrix_shape(x), k - 1, bool))


def _matrix_shape(x: Any) -> tuple[int, ...]:
    """The last two lengths of ``x``; a vector counts as a matrix of equal rows."""
    shape = shape_of(x)
    return shape[-2:] if len(shape) > 1 else shape * 2


@covers(np.meshgrid)
def meshgrid(*vectors: Any, indexing: str = "xy", sparse: bool = False) -> tuple[Any, ...]:
    """Arrays of the coordinates of a grid.

    Args:
        vectors: the coordinates along each axis.
        indexing: ``xy`` to have the first two axes exchanged, as in a picture, or ``ij``.
        sparse: leave the axes along which nothing changes with length 1.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = 1, 0
    grids = []
    for i, vector in enumerate(vectors):
        shape = [1] * len(vectors)
        shape[order[i]] = -1
        grids.append(reshape(vector, shape))
    if sparse:
        return tuple(grids)
    return broadcast_arrays(*grids)


@covers(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """The arrays, each broadcast to the shape they have together."""
    shape = np.broadcast_shapes(*(shape_of(x) for x in arrays))
    return tuple(broadcast_to(x, shape) for x in arrays)
