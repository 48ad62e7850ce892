"""Operators that choose elements, and put some in the place of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Known, several


def Gather(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return np.take(x, indices, axis=axis)


def _shortened(x: Any, shape: Any, axis: int) -> Any:
    """An array that is as long as the indices of its elements along the other axes."""
    along = axis % x.ndim
    return x[tuple([slice(None) if i == along else slice(n) for i, n in enumerate(shape)])]


def GatherElements(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return np.take_along_axis(_shortened(x, indices.shape, axis), indices, axis=axis)


def GatherND(x: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    return x[_places(indices, batch_dims)]


def _places(indices: Any, batch_dims: int = 0) -> tuple[Any, ...]:
    """Rows of indices as one array for each axis."""
    lead = indices.shape[:-1]
    batches = tuple(
        [
            np.reshape(np.arange(lead[i]), [-1 if j == i else 1 for j in range(len(lead))])
            for i in range(batch_dims)
        ]
    )
    return (*batches, *[indices[..., i] for i in range(indices.shape[-1])])


def Slice(x: Any, starts: Known, ends: Known, axes: Known = None, steps: Known = None) -> Any:
    begins, stops = integers(starts), integers(ends)
    along = range(len(begins)) if axes is None else integers(axes)
    by = [1] * len(begins) if steps is None else integers(steps)
    parts = [slice(None)] * x.ndim
    for axis, begin, stop, step in zip(along, begins, stops, by):
        parts[axis] = slice(begin, stop, step)
    return x[tuple(parts)]


def OneHot(indices: Any, depth: Known, values: Any, *, axis: int = -1) -> Any:
    """Indices may be negative; of those out of range all elements are off."""
    (count,) = integers(depth)
    rank = indices.ndim + 1
    classes = np.reshape(np.arange(count), [-1, *[1] * (rank - 1 - axis % rank)])
    whole = indices.astype(np.int64)
    places = np.expand_dims(np.where(whole < 0, whole + count, whole), axis)
    return np.where(places == classes, values[1], values[0])


def NonZero(x: Any) -> Any:
    return np.stack(np.nonzero(x))


def Compress(x: Any, condition: Any, *, axis: int | None = None) -> Any:
    return np.compress(condition, x, axis=axis)


def TopK(
    x: Any, k: Known, *, axis: int = -1, largest: int = 1, sorted: int = 1, outputs: int = 2
) -> Any:
    """Of equal elements the first ones come first."""
    (count,) = integers(k)
    n = x.shape[axis]
    if largest:
        order = n - 1 - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    else:
        order = np.argsort(x, axis, kind="stable")
    chosen = np.take(order, np.arange(count), axis=axis)
    return several((np.take_along_axis(x, chosen, axis), chosen), outputs)


def Unique(x: Any, *, axis: int | None = None, sorted: int = 1, outputs: int = 1) -> Any:
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    if not sorted:
        order = np.argsort(first)
        along = 0 if axis is None else axis
        values, first, counts = np.take(values, order, along), first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    return several((values, first, np.reshape(inverse, (-1,)), counts), outputs)


# -- in the place of others ------------------------------------------------------------------------


def _put(y: Any, places: tuple[Any, ...], updates: Any, reduction: str) -> Any:
    if reduction == "add":
        np.add.at(y, places, updates)
    elif reduction == "mul":
        np.multiply.at(y, places, updates)
    elif reduction == "max":
        np.maximum.at(y, places, updates)
    elif reduction == "min":
        np.minimum.at(y, places, updates)
    else:
        y[places] = updates
    return y


def ScatterElements(
    x: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none"
) -> Any:
    shape, rank = indices.shape, indices.ndim
    places = tuple(
        [
            indices
            if i == axis % rank
            else np.reshape(np.arange(shape[i]), [-1 if j == i else 1 for j in range(rank)])
            for i in range(rank)
        ]
    )
    return _put(x.copy(), places, updates, reduction)


def Scatter(x: Any, indices: Any, updates: Any, *, axis: int = 0) -> Any:
    return ScatterElements(x, indices, updates, axis=axis)


def ScatterND(x: Any, indices: Any, updates: Any, *, reduction: str = "none") -> Any:
    return _put(x.copy(), _places(indices), updates, reduction)


def TensorScatter(
    past: Any, update: Any, write_indices: Any = None, *, axis: int = -2, mode: str = "linear"
) -> Any:
    """What is new, in each batch from an index along an axis on; "circular" goes on at 0."""
    along = axis % past.ndim
    moved, new = np.moveaxis(past.copy(), along, 1), np.moveaxis(update, along, 1)
    batch, length = new.shape[:2]
    start = np.zeros(batch, np.int64) if write_indices is None else write_indices
    places = start[:, None] + np.arange(length)
    if mode == "circular":
        places = places % moved.shape[1]
    moved[np.arange(batch)[:, None], places] = new
    return np.moveaxis(moved, 1, along)
