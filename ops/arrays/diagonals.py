"""Diagonals and triangles of matrices, taken, filled and left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import numbered, zeros_like
from ops.arrays.indexing import assigned, index_add
from ops.arrays.joining import concatenate
from ops.core import kernels
from ops.core.batching import along_axes
from ops.core.index_maps import scaled
from ops.core.lengths import RunLength, length, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.op import read_only
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, length_from, ndim_of, shape_of
from ops.core.registry import Linear
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType
from ops.elementwise import add, equal, greater_equal, less, subtract
from ops.elementwise.conversion import where
from ops.structure.broadcasting import sum
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import count, expand_dims, ravel, reshape

__all__ = [
    "diag",
    "diagflat",
    "diagonal",
    "trace",
    "tril",
    "triu",
]

# -- diagonal --------------------------------------------------------------------------------------


def _diagonal_length(rows: int, columns: int, offset: int) -> int:
    return max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)


def _diagonal_infer(x: ArrayType, offset: int, axis1: int, axis2: int) -> tuple[ArrayType]:
    rows, columns = x.shape[axis1], x.shape[axis2]
    rest = [n for i, n in enumerate(x.shape) if i not in (axis1, axis2)]
    n = None
    if rows is not None and columns is not None:
        n = _diagonal_length(rows, columns, offset)
    return (ArrayType(x.dtype, (*rest, n)),)


def _diagonal_prepare(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> tuple:
    ndim = ndim_of(x)
    if ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = normalize_axis_index(axis1, ndim), normalize_axis_index(axis2, ndim)
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    return (x,), {"offset": index_of(offset), "axis1": first, "axis2": second}


def _diagonal_transpose(ct: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    lengths = list(lengths_of(x))
    ends = [lengths[axis1], lengths[axis2]]
    others = [n for i, n in enumerate(lengths) if i not in (axis1, axis2)]
    whole = zeros_like(ct, shape=[*others, *ends])
    spec = (("ellipsis",), ("arg", 0), ("arg", 1))
    rows, columns = _places(ct, offset)
    return moveaxis(index_add(whole, ct, rows, columns, index=spec), (-2, -1), (axis1, axis2))


def _places(values: Any, offset: int) -> tuple[Any, Any]:
    """The row and the column of each of the values that are along the last axis of an array."""
    n = dims_of(values)[-1]
    along = positions(length(values, axis=ndim_of(values) - 1)) if n is None else numbered(n)
    return add(along, max(-offset, 0)), add(along, max(offset, 0))


def _diagonal_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    offset, (*others, along) = attrs["offset"], index
    ends = {
        attrs["axis1"]: scaled(along, 1, max(-offset, 0)),
        attrs["axis2"]: scaled(along, 1, max(offset, 0)),
    }
    return read(0, tuple(ends[i] if i in ends else others.pop(0) for i in range(types[0].ndim)))


diagonal = Linear(
    "diagonal",
    _diagonal_infer,
    "np.diagonal({0}, {offset}, {axis1}, {axis2})",
    transposes=[_diagonal_transpose],
    zeros="moved",
    view=True,
    put=read_only,
    unknown_lengths=True,
    prepare=_diagonal_prepare,
    batch=along_axes("axis1", "axis2"),
    native=kernels.Element(_diagonal_element),
    doc="""The elements on a diagonal of the matrices that two axes span, as a new last axis.

    Args:
        x: an array.
        offset: which diagonal; those above the main one are positive.
        axis1, axis2: the axes of the rows and of the columns.

    Raises:
        ValueError: ``x`` has fewer than two axes, or they are the same.
    """,
    precision="exact",
)

covers(np.diagonal, "a offset axis1 axis2", method=True)(diagonal)


@covers(np.diag, "v k")
def diag(x: Any, k: int = 0) -> Any:
    """The ``k``-th diagonal of a matrix, or the matrix that has a vector there.

    Raises:
        ValueError: ``x`` is neither a matrix nor a vector.
    """
    if ndim_of(x) == 2:
        return diagonal(x, k)
    if ndim_of(x) != 1:
        raise ValueError("Input must be 1- or 2-d.")
    k = index_of(k)
    n = count(lengths_of(x))
    if is_length(n):  # each row, or each column, has one element of the vector, or none
        row, column = expand_dims(numbered(n + abs(k)), 1), numbered(n + abs(k))
        longer = concatenate([x, zeros_like(x, shape=(abs(k),))]) if k else x
        within = equal(subtract(column, row), k)
        return where(within, expand_dims(longer, 1) if k >= 0 else longer, dtype_of(x).type(0))
    n = RunLength(add(n, abs(k))) if isinstance(n, Symbolic) else n + abs(k)
    return assigned(zeros_like(x, shape=(n, n)), _places(x, k), x)


@covers(np.diagflat, "v k")
def diagflat(x: Any, k: int = 0) -> Any:
    """The matrix whose ``k``-th diagonal has the elements of ``x`` in C order."""
    return diag(ravel(x), k)


@covers(np.trace, "a offset axis1 axis2 dtype out", method=True)
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sum of a diagonal."""
    return sum(diagonal(x, offset, axis1, axis2), axis=-1, dtype=dtype)


# -- triangles -------------------------------------------------------------------------------------


@covers(np.tril, "m k")
def tril(x: Any, k: int = 0) -> Any:
    """``x`` with zeros above its ``k``-th diagonal. A vector counts as a matrix of equal rows."""
    rows, columns = _grid(x)
    return where(greater_equal(add(rows, k), columns), x, dtype_of(x).type(0))


@covers(np.triu, "m k")
def triu(x: Any, k: int = 0) -> Any:
    """``x`` with zeros below its ``k``-th diagonal. A vector counts as a matrix of equal rows."""
    rows, columns = _grid(x)
    return where(less(add(rows, k), add(columns, 1)), x, dtype_of(x).type(0))


def _grid(x: Any) -> tuple[Any, Any]:
    """The numbers of the rows, as a column, and of the columns of matrices."""
    ndim = ndim_of(x)
    if not ndim:
        raise TypeError("np.tril and np.triu need an array of at least one dimension")
    numbers = [
        positions(length(x, axis=axis)) if n is None else numbered(n)
        for axis, n in ((axis, dims_of(x)[axis]) for axis in (max(ndim - 2, 0), ndim - 1))
    ]
    return reshape(numbers[0], (-1, 1)), numbers[1]


# -- where they are --------------------------------------------------------------------------------


@covers(np.diag_indices, "n ndim=2", creates=True)
def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array with ``ndim`` axes of length ``n``."""
    return (numbered(length_from(n)),) * index_of(ndim)


@covers(np.diag_indices_from, "arr")
def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The indices of the main diagonal of an array of equal lengths."""
    shape = shape_of(arr)
    if len(shape) < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(shape[0], len(shape))
