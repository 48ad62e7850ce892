"""Matrix products and what can be written with them."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.conversion import conjugate
from ops.elementwise import multiply
from ops.lengths import RunLength, count, lengths_of
from ops.numpy_table import covers
from ops.registry import (
    Linear,
    broadcast_shapes,
    dtype_of,
    may_not_broadcast,
    ndim_of,
    shape_of,
)
from ops.structural import expand_dims, ravel, reshape, squeeze, sum_to, swapaxes, transpose
from ops.types import ArrayType, Type

__all__ = [
    "dot",
    "inner",
    "matmul",
    "outer",
    "tensordot",
    "vdot",
]


def _matmul_infer(x: ArrayType, y: ArrayType) -> tuple[ArrayType]:
    for position, operand in enumerate((x, y)):
        if operand.shape == ():
            raise ValueError(f"matmul: operand {position} is a scalar, which has no rows")
    columns, rows = x.shape[-1], y.shape[-2 if y.ndim > 1 else -1]
    if columns != rows and None not in (columns, rows):
        raise ValueError(
            f"matmul: shapes {x.shape} and {y.shape} do not fit: {columns} columns, {rows} rows"
        )
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    shape = (*batch, *x.shape[-2:-1], *(y.shape[-1:] if y.ndim > 1 else ()))
    *_, dtype = np.matmul.resolve_dtypes((x.dtype, y.dtype, None))
    return (ArrayType(dtype, shape),)


def _matmul_raises(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if the shapes fit."""
    x, y = types
    if None in (x.shape[-1], y.shape[-2 if y.ndim > 1 else -1]):
        return True
    batches = [ArrayType(t.dtype, t.shape[:-2]) for t in types]
    return may_not_broadcast(batches, attrs)


def _matmul_by_x(ct: Any, x: Any, y: Any) -> Any:
    x_shape, y_ndim = lengths_of(x), ndim_of(y)
    if y_ndim == 1:  # rows of x with the vector y
        return multiply(expand_dims(ct, -1), y)
    if len(x_shape) == 1 and y_ndim == 2:
        return matmul(y, ct)
    if len(x_shape) == 1:
        return sum_to(squeeze(matmul(y, expand_dims(ct, -1)), -1), x_shape)
    return sum_to(matmul(ct, swapaxes(y, -1, -2)), x_shape)


def _matmul_by_y(ct: Any, x: Any, y: Any) -> Any:
    x_shape, y_shape = lengths_of(x), lengths_of(y)
    if len(x_shape) == 1 and len(y_shape) == 1:
        return multiply(ct, x)
    if len(x_shape) == 1:
        return multiply(expand_dims(x, -1), expand_dims(ct, -2))
    if len(y_shape) <= 2:  # one product over all rows of the batch, instead of a sum of products
        if len(x_shape) > 2:
            rows = count(x_shape[:-1])
            rows = rows if isinstance(rows, int) else RunLength(rows)
            x, ct = reshape(x, (rows, x_shape[-1])), reshape(ct, (rows, *y_shape[1:]))
        return matmul(transpose(x), ct)
    return sum_to(matmul(swapaxes(x, -1, -2), ct), y_shape)


matmul = Linear(
    "matmul",
    _matmul_infer,
    "{0} @ {1}",
    transposes=[_matmul_by_x, _matmul_by_y],
    joint=False,
    raises=_matmul_raises,
    unknown_lengths=True,
    doc="""``x @ y``: the matrix product over the last two axes; the axes before them broadcast.

    A vector as first operand is a row, as second operand a column, and that axis is left out of the
    result.

    Raises:
        ValueError: the shapes do not fit, or an operand is a scalar.
    """,
)


@covers(np.dot, "a b out", method=True)
def dot(x: Any, y: Any) -> Any:
    """``np.dot``: the sum of products over the last axis of ``x`` and the last but one of ``y``.

    With a scalar it is the product; of two matrices or vectors, `matmul`.
    """
    if not ndim_of(x) or not ndim_of(y):
        return multiply(x, y)
    if ndim_of(y) <= 2 or ndim_of(x) == 1:
        return matmul(x, y)
    return tensordot(x, y, (-1, -2))


@covers(np.inner, "a b")
def inner(x: Any, y: Any) -> Any:
    """``np.inner``: the sum of products over the last axes of both."""
    if not ndim_of(x) or not ndim_of(y):
        return multiply(x, y)
    if ndim_of(x) == ndim_of(y) == 1:
        return matmul(x, y)
    return tensordot(x, y, (-1, -1))


@covers(np.outer, "a b out")
def outer(x: Any, y: Any) -> Any:
    """``np.outer``: all products of an element of ``x`` and one of ``y``, as a matrix."""
    return multiply(expand_dims(ravel(x), 1), ravel(y))


@covers(np.vdot, "a b")
def vdot(x: Any, y: Any) -> Any:
    """``np.vdot``: the inner product of two arrays taken as vectors, ``x`` conjugated."""
    if dtype_of(x).kind == "c":
        x = conjugate(x)
    return matmul(ravel(x), ravel(y))


@covers(np.tensordot, "a b axes")
def tensordot(x: Any, y: Any, axes: Any = 2) -> Any:
    """``np.tensordot``: the sum of products over some axes of both.

    Args:
        x, y: arrays.
        axes: how many last axes of ``x`` and first of ``y``, or a pair: which of ``x``, and the
            ones of ``y`` that go with them.

    Raises:
        ValueError: the lengths along these axes differ.
    """
    x_shape, y_shape = shape_of(x), shape_of(y)
    if np.ndim(axes) == 0:
        count = operator.index(axes)
        axes = (range(len(x_shape) - count, len(x_shape)), range(count))
    x_axes = normalize_axis_tuple(_axis_list(axes[0]), len(x_shape))
    y_axes = normalize_axis_tuple(_axis_list(axes[1]), len(y_shape))
    if [x_shape[i] for i in x_axes] != [y_shape[i] for i in y_axes]:
        raise ValueError("shape-mismatch for sum")
    x_free = tuple(i for i in range(len(x_shape)) if i not in x_axes)
    y_free = tuple(i for i in range(len(y_shape)) if i not in y_axes)
    shape = (*(x_shape[i] for i in x_free), *(y_shape[i] for i in y_free))
    summed = math.prod(x_shape[i] for i in x_axes)
    rows = math.prod(x_shape[i] for i in x_free)
    columns = math.prod(y_shape[i] for i in y_free)
    x = reshape(transpose(x, (*x_free, *x_axes)), (rows, summed))
    y = reshape(transpose(y, (*y_axes, *y_free)), (summed, columns))
    return reshape(matmul(x, y), shape)


def _axis_list(axes: Any) -> tuple[int, ...]:
    return (axes,) if np.ndim(axes) == 0 else tuple(axes)
