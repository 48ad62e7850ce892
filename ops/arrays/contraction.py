"""Matrix products and what can be written with them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.core.batching import Size
from ops.core.kernels import aligned as aligned_places
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers, deliver
from ops.core.operands import (
    broadcast_shapes,
    dims_of,
    dtype_of,
    index_of,
    may_not_broadcast,
    ndim_of,
    operand_type,
)
from ops.core.reads import ElementReader
from ops.core.registry import Linear
from ops.core.types import ArrayType
from ops.elementwise import multiply
from ops.elementwise.conversion import cast, conjugate
from ops.structure.broadcasting import sum_to
from ops.structure.lanes import aligned
from ops.structure.permuting import moveaxis, swapaxes, transpose
from ops.structure.reshaping import expand_dims, merged, ravel, reshape, squeeze

__all__ = [
    "dot",
    "inner",
    "matmul",
    "matvec",
    "outer",
    "tensordot",
    "vdot",
    "vecdot",
    "vecmat",
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


def _matmul_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if the shapes fit."""
    x, y = types
    if () in (x.shape, y.shape):
        return False
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
            rows = merged(x_shape[:-1])
            x, ct = reshape(x, (rows, x_shape[-1])), reshape(ct, (rows, *y_shape[1:]))
        return matmul(transpose(x), ct)
    return sum_to(matmul(swapaxes(x, -1, -2), ct), y_shape)


def _matmul_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    x, y = args
    x_ndim, y_ndim = (ndim_of(z) - flag for z, flag in zip(args, batched))
    if not batched[1] and y_ndim <= 2:  # the rows of all lanes in one product
        if x_ndim == 1 or y_ndim == 1:
            return matmul(x, y)
        *rows, columns = lengths_of(x)
        product = matmul(reshape(x, (merged(rows), columns)), y)
        return reshape(product, (*rows, *lengths_of(y)[1:]))
    if not batched[0] and y_ndim == 1 and x_ndim <= 2:
        return matmul(y, transpose(x))
    x = expand_dims(x, -2) if x_ndim == 1 else x
    y = expand_dims(y, -1) if y_ndim == 1 else y
    product = matmul(*aligned(batched, (x, y), core=2))
    vectors = [axis for axis, ndim in ((-2, x_ndim), (-1, y_ndim)) if ndim == 1]
    return squeeze(product, tuple(vectors)) if vectors else product


def _matmul_reads(
    read: ElementReader, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    x, y = types
    row = index[-1 if y.ndim == 1 else -2 :][:1] if x.ndim > 1 else ()
    column = index[-1:] if y.ndim > 1 else ()
    stack = index[: len(index) - len(row) - len(column)]
    return read.total(
        x.known_shape[-1],
        lambda k: (
            read(0, (*aligned_places(stack, x.shape[:-2]), *row, k))
            * read(1, (*aligned_places(stack, y.shape[:-2]), k, *column))
        ),
    )


matmul = Linear(
    "matmul",
    _matmul_infer,
    "{0} @ {1}",
    transposes=[_matmul_by_x, _matmul_by_y],
    zeros="lost",
    joint=False,
    raises=_matmul_raises,
    errors=(ValueError,),
    unknown_lengths=True,
    batch=_matmul_batch,
    reads=_matmul_reads,
    doc="""``x @ y``: the matrix product over the last two axes; the axes before them broadcast.

    A vector as first operand is a row, as second operand a column, and that axis is left out of the
    result.

    Raises:
        ValueError: the shapes do not fit, or an operand is a scalar.
    """,
    product=True,
)


@covers(np.dot, "a b out", method=True)
def dot_into(x: Any, y: Any, out: Any = None) -> Any:
    """``np.dot``: `dot`, whose result may go into an array of its own type.

    Raises:
        ValueError: ``out`` has another dtype or shape.
    """
    result = dot(x, y)
    if out is None:
        return result
    if dims_of(out) != dims_of(result) or dtype_of(out) != dtype_of(result):
        raise ValueError(
            "output array is not acceptable (must have the right datatype, number of dimensions, "
            "and be a C-Array)"
        )
    deliver(result, out)
    return out if ndim_of(out) else result


def dot(x: Any, y: Any) -> Any:
    """The sum of products over the last axis of ``x`` and the last but one of ``y``.

    With a scalar it is the product; of two matrices or vectors, `matmul`.
    """
    x, y = _as_array(x), _as_array(y)
    if not ndim_of(x) or not ndim_of(y):
        return multiply(x, y)
    if ndim_of(y) <= 2 or ndim_of(x) == 1:
        return matmul(x, y)
    return tensordot(x, y, (-1, -2))


@covers(np.inner, "a b")
def inner(x: Any, y: Any) -> Any:
    """``np.inner``: the sum of products over the last axes of both."""
    x, y = _as_array(x), _as_array(y)
    if not ndim_of(x) or not ndim_of(y):
        return multiply(x, y)
    if ndim_of(x) == ndim_of(y) == 1:
        return matmul(x, y)
    return tensordot(x, y, (-1, -1))


@covers(np.outer, "a b out")
def outer(x: Any, y: Any) -> Any:
    """``np.outer``: all products of an element of ``x`` and one of ``y``, as a matrix."""
    return multiply(expand_dims(ravel(x), 1), ravel(y))


def _as_array(x: Any) -> Any:
    """Python's numbers as arrays of the dtype that NumPy gives them by themselves: these functions
    do not take them as weak."""
    return cast(x) if operand_type(x).weak else x


@covers(np.vdot, "a b")
def vdot(x: Any, y: Any) -> Any:
    """``np.vdot``: the inner product of two arrays taken as vectors, ``x`` conjugated."""
    return matmul(ravel(_conjugated(x)), ravel(y))


@covers(np.vecdot)
def vecdot(
    x1: Any,
    x2: Any,
    axis: int | None = None,
    axes: list | None = None,
    keepdims: bool = False,
) -> Any:
    """``np.vecdot``: the inner products of vectors along an axis, the first ones conjugated.

    Args:
        x1, x2: arrays whose other axes broadcast.
        axis: where the vectors lie, in both; by default the last.
        axes: where they lie in each of the two, and in the result if it keeps the axis.
        keepdims: whether the result has an axis of length 1 in the place of that of the vectors.

    Raises:
        ValueError: the vectors have different lengths, or there are none.
        TypeError: both ``axis`` and ``axes`` are given.
    """
    _check_axes("vecdot", 1, x1, x2)
    kept = 1 if keepdims else 0
    if axes is None:
        place = (-1 if axis is None else index_of(axis),)
        axes = [place, place, place * kept]
    elif axis is not None:
        raise TypeError("cannot specify both 'axis' and 'axes'")
    first, second, *last = core_axes("vecdot", axes, (1, 1, kept), optional=True)
    if ndim_of(x1) == ndim_of(x2) == 1:
        normalize_axis_tuple(first, 1)
        normalize_axis_tuple(second, 1)
        product = matmul(_conjugated(x1), x2)
    else:
        x1, x2 = moveaxis(x1, first, -1), moveaxis(x2, second, -1)
        product = matmul(expand_dims(_conjugated(x1), -2), expand_dims(x2, -1))
        product = squeeze(product, (-2, -1))
    return expand_dims(product, *last) if kept else product


@covers(getattr(np, "matvec", None))  # from NumPy 2.2 on
def matvec(
    x1: Any, x2: Any, axes: list | None = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """``np.matvec``: matrices times vectors, the axes before which broadcast.

    Args:
        x1, x2: arrays.
        axes: where the matrices are in ``x1``, the vectors in ``x2``, and those of the result.
        axis, keepdims: are refused, as by NumPy.
    """
    _check_axes("matvec", 2, x1)
    _check_axes("matvec", 1, x2)
    x1, x2, place = _moved("matvec", x1, x2, (2, 1, 1), axes, axis, keepdims)
    return moveaxis(squeeze(matmul(x1, expand_dims(x2, -1)), -1), -1, place)


@covers(getattr(np, "vecmat", None))  # from NumPy 2.2 on
def vecmat(
    x1: Any, x2: Any, axes: list | None = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """``np.vecmat``: conjugated vectors times matrices, the axes before which broadcast.

    The arguments are those of `matvec`.
    """
    _check_axes("vecmat", 1, x1)
    _check_axes("vecmat", 2, x2)
    x1, x2, place = _moved("vecmat", x1, x2, (1, 2, 1), axes, axis, keepdims)
    return moveaxis(squeeze(matmul(expand_dims(_conjugated(x1), -2), x2), -2), -1, place)


def _moved(
    name: str, x1: Any, x2: Any, cores: tuple, axes: list | None, axis: Any, keepdims: bool
) -> tuple:
    """The operands with their vectors and matrices last, and where those of the result go."""
    if axis is not None or keepdims:
        raise TypeError(f"{name}: axis= and keepdims= need a single, shared core dimension")
    if axes is None:
        return x1, x2, -1
    *places, last = core_axes(name, axes, cores)
    x1, x2 = (moveaxis(x, at, range(-len(at), 0)) for x, at in zip((x1, x2), places))
    return x1, x2, last


def core_axes(
    name: str, axes: Any, cores: Sequence[int], optional: bool = False
) -> list[tuple[int, ...]]:
    """The argument ``axes`` of a ufunc on vectors and matrices.

    Args:
        name: of the ufunc.
        axes: for each operand and for the result a tuple of axes, or one if there is one only.
        cores: how many axes they need.
        optional: whether that of the result may be left out.

    Raises:
        TypeError: it is not a list of tuples and integers.
        ValueError: it has too many or too few entries.
        AxisError: an entry has.
    """
    if not isinstance(axes, list):
        raise TypeError("axes should be a list.")
    if len(axes) == len(cores) - 1 and optional:
        axes = [*axes, (-1,) * cores[-1]]
    if len(axes) != len(cores):
        raise ValueError(
            f"axes should be a list with an entry for all {len(cores)} inputs and outputs; entries "
            "for outputs can only be omitted if none of them has core axes."
        )
    places = []
    for i, (entry, core) in enumerate(zip(axes, cores)):
        if not isinstance(entry, tuple) and core == 1:
            entry = (entry,)
        if not isinstance(entry, tuple):
            index_of(entry)
            raise np.exceptions.AxisError(
                f"{name}: operand {i} has {core} core dimensions, but the axes item is a single "
                "integer."
            )
        if len(entry) != core:
            raise np.exceptions.AxisError(
                f"{name}: operand {i} has {core} core dimensions, but {len(entry)} dimensions are "
                "specified by axes tuple."
            )
        places.append(tuple(map(operator.index, entry)))
    return places


def _check_axes(name: str, least: int, *operands: Any) -> None:
    for x in operands:
        if ndim_of(x) < least:
            raise ValueError(f"{name}: an operand of {ndim_of(x)} dimensions, it needs {least}")


def _conjugated(x: Any) -> Any:
    return conjugate(x) if dtype_of(x).kind == "c" else x


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
    x_shape, y_shape = lengths_of(x), lengths_of(y)
    if np.ndim(axes) == 0:
        n = index_of(axes)
        axes = (range(-n, 0), range(n))
    x_axes, y_axes = _axis_list(axes[0]), _axis_list(axes[1])
    if len(x_axes) != len(y_axes):
        raise ValueError("shape-mismatch for sum")
    for i, j in zip(x_axes, y_axes):
        if not (-len(x_shape) <= i < len(x_shape) and -len(y_shape) <= j < len(y_shape)):
            raise IndexError(
                f"tensordot over axes {i} and {j} of shapes {dims_of(x)}, {dims_of(y)}"
            )
        lengths = dims_of(x)[i], dims_of(y)[j]
        if lengths[0] != lengths[1] and None not in lengths:
            raise ValueError("shape-mismatch for sum")
    x_axes = normalize_axis_tuple(x_axes, len(x_shape))
    y_axes = normalize_axis_tuple(y_axes, len(y_shape))
    x_free = tuple(i for i in range(len(x_shape)) if i not in x_axes)
    y_free = tuple(i for i in range(len(y_shape)) if i not in y_axes)
    rows, columns = [x_shape[i] for i in x_free], [y_shape[i] for i in y_free]
    x = transpose(x, (*x_free, *x_axes))
    y = transpose(y, (*y_axes, *y_free))
    x = reshape(x, (merged(rows), merged(x_shape[i] for i in x_axes)))
    y = reshape(y, (merged(y_shape[i] for i in y_axes), merged(columns)))
    return reshape(matmul(x, y), (*rows, *columns))


def _axis_list(axes: Any) -> tuple[int, ...]:
    return (axes,) if np.ndim(axes) == 0 else tuple(axes)
