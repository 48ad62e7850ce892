"""Windows that slide over an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.arrays.creation import zeros_like
from ops.arrays.indexing import index_add
from ops.core import kernels
from ops.core.batching import along_axes, numbers_below
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.op import read_only
from ops.core.operands import index_of, ndim_of
from ops.core.registry import Linear
from ops.core.types import ArrayType
from ops.elementwise import add
from ops.structure.reshaping import reshape

__all__ = [
    "sliding_windows",
]

Sizes = tuple[int, ...]


def _infer(x: ArrayType, window_shape: Sizes, axis: Sizes) -> tuple[ArrayType]:
    shape = list(x.shape)
    for size, i in zip(window_shape, axis):
        length = shape[i]
        if length is not None:
            shape[i] = length - size + 1
            if length < size:
                raise ValueError("window shape cannot be larger than input array shape")
    return (ArrayType(x.dtype, (*shape, *window_shape)),)


def _prepare(x: Any, window_shape: Any, axis: Any = None) -> tuple:
    sizes = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    sizes = tuple(index_of(size) for size in sizes)
    if any(size < 0 for size in sizes):
        raise ValueError("`window_shape` cannot contain negative values")
    ndim = ndim_of(x)
    if axis is None:
        axis = tuple(range(ndim))
        if len(sizes) != ndim:
            raise ValueError(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got "
                f"{len(sizes)} window_shape elements and `x.ndim` is {ndim}."
            )
    else:
        axis = normalize_axis_tuple(axis, ndim, allow_duplicate=True)
        if len(sizes) != len(axis):
            raise ValueError(
                "Must provide matching length window_shape and axis; got "
                f"{len(sizes)} window_shape elements and {len(axis)} axes elements."
            )
    return (x,), {"window_shape": sizes, "axis": axis}


def _transpose(ct: Any, x: Any, window_shape: Sizes, axis: Sizes) -> Any:
    """Each window's cotangent added where the window was."""
    ndim = ndim_of(ct)
    places = []
    for i, n in enumerate(lengths_of(ct)[: ndim_of(x)]):
        place = reshape(numbers_below(n), [-1 if k == i else 1 for k in range(ndim)])
        for k, (size, along) in enumerate(zip(window_shape, axis)):
            if along == i:
                inside = [1] * ndim
                inside[ndim_of(x) + k] = size
                place = add(place, np.arange(size).reshape(inside))
        places.append(place)
    spec = tuple(("arg", i) for i in range(len(places)))
    return index_add(zeros_like(ct, shape=lengths_of(x)), ct, *places, index=spec)


def windows(x, sizes, axes):
    """``np.lib.stride_tricks.sliding_window_view``, which not all versions of CuPy have."""
    tricks = np.lib.stride_tricks
    if np.__name__ == "numpy":
        return tricks.sliding_window_view(x, sizes, axes)
    shape = list(x.shape)
    for size, axis in zip(sizes, axes):
        shape[axis] -= size - 1
    strides = x.strides + tuple(x.strides[axis] for axis in axes)
    return tricks.as_strided(x, tuple(shape) + tuple(sizes), strides)


def _element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    ndim = types[0].ndim
    place = list(index[:ndim])
    for inside, axis in zip(index[ndim:], attrs["axis"]):
        place[axis] = place[axis] + inside
    return read(0, tuple(place))


sliding_windows = Linear(
    "sliding_windows",
    _infer,
    "windows({0}, {window_shape}, {axis})",
    transposes=[_transpose],
    zeros="moved",
    helpers=[windows],
    raises=lambda types, attrs: any(types[0].shape[axis] is None for axis in attrs["axis"]),
    view=True,
    put=read_only,
    unknown_lengths=True,
    prepare=_prepare,
    batch=along_axes("axis"),
    native=kernels.Element(_element),
    doc="""All windows of a given shape in an array, as new last axes.

    Args:
        x: an array.
        window_shape: a length, or one for each of the axes.
        axis: the axis, or the axes, along which the windows slide; by default all.

    Raises:
        ValueError: a window is larger than the array, or their number is not that of the axes.
    """,
    precision="exact",
)

covers(np.lib.stride_tricks.sliding_window_view, "x window_shape axis subok=* writeable=False")(
    sliding_windows
)
