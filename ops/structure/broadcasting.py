"""Operators that repeat elements, and that add up what was repeated: their transposes are each
other.

As in NumPy, results may be views (``view=True``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.batching import Size, along_axes, require_same
from ops.core.lengths import RunLength, as_shape, joined_shape, lengths_of, split_shape
from ops.core.numpy_table import covers
from ops.core.op import read_only
from ops.core.operands import broadcast_shapes, dims_of, may_not_broadcast, ndim_of
from ops.core.registry import Linear
from ops.core.texts import shape_text
from ops.core.types import ArrayType
from ops.structure.reducing import (
    Axes,
    combined_axes,
    keep,
    reduction_code,
    total_infer,
    total_prepare,
)
from ops.structure.reshaping import reshape, spread

__all__ = [
    "broadcast_to",
    "sum_to",
    "unbroadcast",
]


# -- repeating -------------------------------------------------------------------------------------


def _broadcast_infer(
    x: ArrayType, *lengths: ArrayType, shape: tuple[int | None, ...]
) -> tuple[ArrayType]:
    if broadcast_shapes(x.shape, shape) != shape:
        raise ValueError(f"an array of shape {x.shape} cannot be broadcast to shape {shape}")
    return (ArrayType(x.dtype, shape),)


def _broadcast_prepare(x: Any, shape: Any) -> tuple:
    dims, lengths = split_shape(as_shape(shape))
    return (x, *lengths), {"shape": dims}


def _broadcast_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
) -> Any:
    require_same(batched[1:], "the length of an array")
    x, *lengths = args
    x = spread(x, len(shape) + 1 - ndim_of(x))
    return broadcast_to(x, (size, *joined_shape(shape, lengths)))


broadcast_to = Linear(
    "broadcast_to",
    _broadcast_infer,
    lambda args, types, attrs: (
        f"np.broadcast_to({args[0]}, {shape_text(attrs['shape'], args[1:])})"
    ),
    transposes=[lambda ct, x, *lengths, shape: sum_to(ct, lengths_of(x))],
    zeros="moved",
    raises=lambda types, attrs: may_not_broadcast(
        [types[0], ArrayType(types[0].dtype, attrs["shape"])], attrs
    ),
    view=True,
    put=read_only,
    unknown_lengths=True,
    prepare=_broadcast_prepare,
    batch=_broadcast_batch,
    native=kernels.Element(
        lambda read, index, types, attrs: read(0, kernels.aligned(index, types[0].shape))
    ),
    doc="""``x`` repeated along new leading axes and axes of length 1, without copying.

    Raises:
        ValueError: ``x`` does not broadcast to ``shape``.
    """,
    cheap=True,
    aligned=True,
    precision="exact",
)

covers(np.broadcast_to, "array shape subok=False")(broadcast_to)


# -- adding up -------------------------------------------------------------------------------------


def _sum_transpose(ct: Any, x: Any, axis: Axes, keepdims: bool, dtype: str | None) -> Any:
    lead = axis is None or sorted(axis) == list(range(len(axis)))  # broadcasting puts them back in
    return broadcast_to(ct if keepdims or lead else keep(ct, x, axis), lengths_of(x))


sum = Linear(
    "sum",
    total_infer,
    reduction_code("sum"),
    transposes=[_sum_transpose],
    zeros="moved",
    unknown_lengths=True,
    prepare=total_prepare,
    batch=along_axes("axis"),
    native=kernels.Fold("+", lambda dtype: 0, combined_axes),
    doc="""The sum of the elements along ``axis``.

    Args:
        x: an array or number.
        axis: an axis, a tuple of axes, or None for all.
        dtype: the dtype in which to add and of the result.
        keepdims: keep the reduced axes with length 1.

    Raises:
        AxisError: an axis is out of range.
    """,
)


def summed_to(x, shape):
    """``x``, of as many axes as ``shape``, summed over those along which only ``shape`` is 1."""
    axes = tuple(i for i, n in enumerate(shape) if n == 1 != x.shape[i])
    return np.sum(x, axis=axes, keepdims=True) if axes else x


def _unbroadcast_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
) -> Any:
    require_same(batched[1:], "the length of an array")
    x, *lengths = args
    return unbroadcast(x, (size, *joined_shape(shape, lengths)))


def _unbroadcast_axes(x: ArrayType, attrs: dict[str, Any]) -> tuple[int, ...]:
    return tuple(i for i, n in enumerate(attrs["shape"]) if n == 1 != x.shape[i])


unbroadcast = Linear(
    "unbroadcast",
    lambda x, *lengths, shape: (ArrayType(x.dtype, shape),),
    lambda args, types, attrs: f"summed_to({args[0]}, {shape_text(attrs['shape'], args[1:])})",
    transposes=[lambda ct, x, *lengths, shape: broadcast_to(ct, lengths_of(x))],
    zeros="moved",
    helpers=[summed_to],
    view=True,
    unknown_lengths=True,
    prepare=_broadcast_prepare,
    batch=_unbroadcast_batch,
    native=kernels.Fold("+", lambda dtype: 0, _unbroadcast_axes),
    doc="""``x`` summed over the axes that had length 1 before they were broadcast.

    Args:
        x: an array.
        shape: as many lengths. Those known only at run time are 1 or that of ``x``.
    """,
    cheap=True,
    writable=True,
)


def sum_to(x: Any, shape: tuple[int | RunLength, ...]) -> Any:
    """The transpose of broadcasting: ``x`` summed over the axes along which ``shape`` was repeated.

    Args:
        x: an array.
        shape: a shape that broadcasts to that of ``x``, or does so after leading ones are dropped.
    """
    found = dims_of(x)
    if found == shape:
        return x
    fitting = shape[max(len(shape) - len(found), 0) :]
    leading = len(found) - len(fitting)
    axes = [*range(leading)]
    if any(isinstance(n, RunLength) for n in shape):
        x = unbroadcast(sum(x, axis=tuple(axes)) if axes else x, fitting)
        return x if len(shape) == len(fitting) else reshape(x, shape)
    axes += [leading + i for i, n in enumerate(fitting) if n == 1 != found[leading + i]]
    if axes:
        x = sum(x, axis=tuple(axes))
    return reshape(x, shape)
