"""Operators that give the same elements with their axes in another order.

As in NumPy, results may be views (``view=True``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.core import kernels
from ops.core.numpy_table import covers
from ops.core.operands import ndim_of
from ops.core.registry import Linear
from ops.core.texts import array_text
from ops.core.types import ArrayType

__all__ = [
    "matrix_transpose",
    "moveaxis",
    "rollaxis",
    "swapaxes",
    "transpose",
]


def _transpose_infer(x: ArrayType, axes: tuple[int, ...]) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, tuple(x.shape[axis] for axis in axes)),)


def _transpose_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    if attrs["axes"] == tuple(reversed(range(types[0].ndim))):
        return f"{array_text(args[0], types[0])}.T"
    return f"np.transpose({args[0]}, {attrs['axes']})"


def _transpose_prepare(x: Any, axes: Any = None) -> tuple:
    ndim = ndim_of(x)
    axes = tuple(reversed(range(ndim))) if axes is None else normalize_axis_tuple(axes, ndim)
    if len(axes) != ndim:
        raise ValueError("axes don't match array")
    return (x,), {"axes": axes}


def _transpose_transpose(ct: Any, x: Any, axes: tuple[int, ...]) -> Any:
    return transpose(ct, tuple(int(axis) for axis in np.argsort(axes)))


transpose: Linear = Linear(
    "transpose",
    _transpose_infer,
    _transpose_code,
    transposes=[_transpose_transpose],
    zeros="moved",
    view=True,
    unknown_lengths=True,
    prepare=_transpose_prepare,
    batch=lambda size, batched, args, axes: transpose(args[0], (0, *(i + 1 for i in axes))),
    native=kernels.Element(
        lambda read, index, types, attrs: read(
            0, tuple(index[i] for i in np.argsort(attrs["axes"]))
        )
    ),
    doc="""``x`` with its axes permuted.

    Args:
        x: an array.
        axes: a permutation of its axes; by default they are reversed.

    Raises:
        ValueError, AxisError: ``axes`` is no permutation.
    """,
    cheap=True,
    writable=True,
    put=lambda whole, part, axes: _transpose_transpose(part, whole, axes),
    precision="exact",
)

covers(np.transpose, "a axes")(transpose)


@covers(np.swapaxes, "a axis1 axis2", method=True)
def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """``x`` with two axes exchanged."""
    axes = list(range(ndim_of(x)))
    first, second = normalize_axis_tuple((axis1, axis2), len(axes), allow_duplicate=True)
    axes[first], axes[second] = axes[second], axes[first]
    return transpose(x, axes)


@covers(np.moveaxis, "a source destination")
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """``x`` with the axes ``source`` moved to the places ``destination``."""
    ndim = ndim_of(x)
    sources = normalize_axis_tuple(source, ndim, "source")
    destinations = normalize_axis_tuple(destination, ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` must have the same number of elements")
    order = [i for i in range(ndim) if i not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        order.insert(place, axis)
    return transpose(x, order)


@covers(np.rollaxis, "a axis start")
def rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    """``x`` with one axis moved to lie before that at ``start``."""
    ndim = ndim_of(x)
    axis = normalize_axis_index(axis, ndim)
    if start < 0:
        start += ndim
    if not 0 <= start <= ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-ndim} <= start < {ndim + 1}, but {start} was passed in"
        )
    return moveaxis(x, axis, start - 1 if axis < start else start)


@covers(np.matrix_transpose, "x")
def matrix_transpose(x: Any) -> Any:
    """``x`` with its last two axes exchanged.

    Raises:
        ValueError: ``x`` has fewer than two axes.
    """
    if ndim_of(x) < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {ndim_of(x)}")
    return swapaxes(x, -1, -2)


@covers(method="transpose")
def _transpose_to(a: Any, *axes: Any) -> Any:
    """``a.transpose``, which takes the axes one by one or as a tuple."""
    return transpose(a, axes[0] if len(axes) == 1 else axes or None)
