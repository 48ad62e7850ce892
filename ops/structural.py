"""Operators that give the same elements another shape.

All are linear, and as in NumPy their results may be views (``view=True``).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.conversion import array_text
from ops.registry import REGISTRY, Linear, broadcast_shapes, shape_of
from ops.types import ArrayType, Type


def as_shape(shape: Any) -> tuple[int, ...]:
    """A shape, or a single length, as a tuple of Python ints."""
    if isinstance(shape, (tuple, list)) or getattr(shape, "ndim", 0):
        return tuple(operator.index(n) for n in shape)
    return (operator.index(shape),)


# -- reshape ---------------------------------------------------------------------------------------


def _reshape_infer(x: ArrayType, shape: tuple[int, ...]) -> tuple[ArrayType]:
    if math.prod(shape) != x.size:
        raise ValueError(f"cannot reshape array of size {x.size} into shape {shape}")
    return (ArrayType(x.dtype, shape),)


def _reshape_prepare(x: Any, shape: Any) -> tuple:
    shape = as_shape(shape)
    unknown = [axis for axis, n in enumerate(shape) if n == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if any(n < -1 for n in shape):
        raise ValueError(f"negative dimensions are not allowed: {shape}")
    if unknown:
        (axis,) = unknown
        size = math.prod(shape_of(x))
        known = math.prod(shape[:axis] + shape[axis + 1 :])
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        shape = (*shape[:axis], size // known, *shape[axis + 1 :])
    return (x,), {"shape": shape}


reshape = Linear(
    "reshape",
    _reshape_infer,
    lambda args, types, attrs: f"{array_text(args[0], types[0])}.reshape({attrs['shape']})",
    transposes=[lambda ct, x, shape: reshape(ct, shape_of(x))],
    view=True,
    prepare=_reshape_prepare,
    doc="""The elements of ``x``, in C order, in the given shape.

    Args:
        x: an array or number.
        shape: a length or a sequence of lengths, one of which may be -1: as long as it takes.

    Raises:
        ValueError: the number of elements would change.
    """,
)

# -- transpose -------------------------------------------------------------------------------------


def _transpose_infer(x: ArrayType, axes: tuple[int, ...]) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, tuple(x.shape[axis] for axis in axes)),)


def _transpose_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    if attrs["axes"] == tuple(reversed(range(types[0].ndim))):
        return f"{array_text(args[0], types[0])}.T"
    return f"np.transpose({args[0]}, {attrs['axes']})"


def _transpose_prepare(x: Any, axes: Any = None) -> tuple:
    ndim = len(shape_of(x))
    axes = tuple(reversed(range(ndim))) if axes is None else normalize_axis_tuple(axes, ndim)
    if len(axes) != ndim:
        raise ValueError("axes don't match array")
    return (x,), {"axes": axes}


def _transpose_transpose(ct: Any, x: Any, axes: tuple[int, ...]) -> Any:
    return transpose(ct, tuple(int(axis) for axis in np.argsort(axes)))


transpose = Linear(
    "transpose",
    _transpose_infer,
    _transpose_code,
    transposes=[_transpose_transpose],
    view=True,
    prepare=_transpose_prepare,
    doc="""``x`` with its axes permuted.

    Args:
        x: an array.
        axes: a permutation of its axes; by default they are reversed.

    Raises:
        ValueError, AxisError: ``axes`` is no permutation.
    """,
)

# -- broadcast_to ----------------------------------------------------------------------------------


def _broadcast_infer(x: ArrayType, shape: tuple[int, ...]) -> tuple[ArrayType]:
    if broadcast_shapes(x.shape, shape) != shape:
        raise ValueError(f"an array of shape {x.shape} cannot be broadcast to shape {shape}")
    return (ArrayType(x.dtype, shape),)


broadcast_to = Linear(
    "broadcast_to",
    _broadcast_infer,
    "np.broadcast_to({0}, {shape})",
    transposes=[lambda ct, x, shape: sum_to(ct, shape_of(x))],
    view=True,
    prepare=lambda x, shape: ((x,), {"shape": as_shape(shape)}),
    doc="""``x`` repeated along new leading axes and axes of length 1, without copying.

    Raises:
        ValueError: ``x`` does not broadcast to ``shape``.
    """,
)


def sum_to(x: Any, shape: tuple[int, ...]) -> Any:
    """The transpose of broadcasting: ``x`` summed over the axes along which ``shape`` was repeated.

    Args:
        x: an array.
        shape: a shape that broadcasts to that of ``x``, or does so after leading ones are dropped.
    """
    found = shape_of(x)
    if found == shape:
        return x
    fitting = shape[max(len(shape) - len(found), 0) :]
    leading = len(found) - len(fitting)
    axes = [*range(leading)]
    axes += [leading + i for i, n in enumerate(fitting) if n == 1 != found[leading + i]]
    if axes:
        x = REGISTRY["sum"](x, axis=tuple(axes))
    return reshape(x, shape)


# -- copy ------------------------------------------------------------------------------------------

copy = Linear(
    "copy",
    lambda x: (x.strong(),),
    "np.array({0})",
    transposes=[lambda ct, x: ct],
    doc="An array with the elements of ``x`` that shares no memory with it.",
)


# -- in terms of these -----------------------------------------------------------------------------


def expand_dims(x: Any, axis: Any) -> Any:
    """``x`` with axes of length 1 put in, so that they are at ``axis`` in the result."""
    shape = shape_of(x)
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    axes = normalize_axis_tuple(axes, len(shape) + len(axes))
    lengths = iter(shape)
    return reshape(x, [1 if i in axes else next(lengths) for i in range(len(shape) + len(axes))])


def squeeze(x: Any, axis: Any = None) -> Any:
    """``x`` without its axes of length 1, or without those in ``axis``.

    Raises:
        ValueError: an axis is longer.
    """
    shape = shape_of(x)
    if axis is None:
        return reshape(x, [n for n in shape if n != 1])
    axes = normalize_axis_tuple(axis, len(shape))
    if any(shape[i] != 1 for i in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return reshape(x, [n for i, n in enumerate(shape) if i not in axes])


def ravel(x: Any) -> Any:
    """The elements of ``x`` in C order, as a vector."""
    return reshape(x, -1)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """``x`` with two axes exchanged."""
    axes = list(range(len(shape_of(x))))
    first, second = normalize_axis_tuple((axis1, axis2), len(axes), allow_duplicate=True)
    axes[first], axes[second] = axes[second], axes[first]
    return transpose(x, axes)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """``x`` with the axes ``source`` moved to the places ``destination``."""
    ndim = len(shape_of(x))
    sources = normalize_axis_tuple(source, ndim, "source")
    destinations = normalize_axis_tuple(destination, ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` must have the same number of elements")
    order = [i for i in range(ndim) if i not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        order.insert(place, axis)
    return transpose(x, order)
