"""Products of matrices, and the array API's names for what the top namespace has as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays import contraction
from ops.arrays.contraction import dot, matmul
from ops.arrays.creation import zeros_like
from ops.arrays.diagonals import diagonal as any_diagonal
from ops.arrays.diagonals import trace as any_trace
from ops.arrays.indexing import subscript
from ops.arrays.joining import array
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of, index_of, known_length, ndim_of, operand_type, shape_of
from ops.elementwise import add
from ops.linalg.common import check_square
from ops.linalg.systems import inv
from ops.numbers.derived import cross as any_cross
from ops.structure.permuting import matrix_transpose
from ops.structure.reshaping import expand_dims, ravel

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_power",
    "matrix_transpose",
    "multi_dot",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
]


@covers(np.linalg.matrix_power, "a n")
def matrix_power(a: Any, n: Any) -> Any:
    """Square matrices to an integer power, by repeated squaring.

    Args:
        a: ``(..., m, m)``.
        n: the exponent; a negative one is that of the inverse.

    Raises:
        LinAlgError: a matrix is not square, or singular and the exponent is negative.
        TypeError: the exponent is not an integer.
    """
    check_square(operand_type(a))
    try:
        n = index_of(n)
    except TypeError as error:
        raise TypeError("exponent must be an integer") from error
    if n == 0:
        return add(zeros_like(a), np.eye(known_length(a, -1), dtype=dtype_of(a)))
    if n < 0:
        a, n = inv(a), -n
    if n == 3:
        return matmul(matmul(a, a), a)
    square = result = None
    while n > 0:
        square = a if square is None else matmul(square, square)
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else matmul(result, square)
    return result


# -- chains ----------------------------------------------------------------------------------------


@covers(np.linalg.multi_dot, "arrays out")
def multi_dot(arrays: Sequence[Any]) -> Any:
    """The product of several matrices, multiplied in the order that takes the fewest operations.

    Args:
        arrays: two matrices or more; the first and the last may be vectors.

    Raises:
        ValueError: there are fewer than two, or the shapes do not fit.
        LinAlgError: one is neither.
    """
    arrays = [array(x) if isinstance(x, (list, tuple)) else x for x in arrays]
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return dot(*arrays)
    first, last = ndim_of(arrays[0]), ndim_of(arrays[-1])
    if first == 1:
        arrays[0] = expand_dims(arrays[0], 0)
    if last == 1:
        arrays[-1] = expand_dims(arrays[-1], 1)
    for x in arrays:
        if ndim_of(x) != 2:
            raise np.linalg.LinAlgError(
                f"{ndim_of(x)}-dimensional array given. Array must be two-dimensional"
            )
    sizes = [shape_of(x)[0] for x in arrays] + [shape_of(arrays[-1])[1]]
    result = _chain(arrays, _splits(sizes), 0, len(arrays) - 1)
    if first == 1 and last == 1:
        return subscript(result, (0, 0))
    return ravel(result) if 1 in (first, last) else result


def _splits(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each run of matrices, by Cormen et al., "Introduction to Algorithms", 15.2."""
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    best = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = [
                cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                for k in range(i, j)
            ]
            cost[i, j] = min(costs)
            best[i, j] = i + costs.index(cost[i, j])
    return best


def _chain(arrays: Sequence[Any], splits: dict, i: int, j: int) -> Any:
    if i == j:
        return arrays[i]
    k = splits[i, j]
    return matmul(_chain(arrays, splits, i, k), _chain(arrays, splits, k + 1, j))


# -- as in the top namespace -----------------------------------------------------------------------


@covers(np.linalg.outer, "x1 x2")
def outer(x1: Any, x2: Any, /) -> Any:
    """All products of an element of one vector and one of another, as a matrix.

    Raises:
        ValueError: one is not a vector.
    """
    if ndim_of(x1) != 1 or ndim_of(x2) != 1:
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={ndim_of(x1)} and x2.ndim={ndim_of(x2)}."
        )
    return contraction.outer(x1, x2)


@covers(np.linalg.cross, "x1 x2 axis")
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of three elements along ``axis``.

    Raises:
        ValueError: the vectors have another length.
    """
    lengths = [shape_of(x)[axis] for x in (x1, x2)]
    if lengths != [3, 3]:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{lengths[0]} and {lengths[1]} dimensional instead."
        )
    return any_cross(x1, x2, axis=axis)


@covers(np.linalg.diagonal, "x offset")
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices, over the last two axes."""
    return any_diagonal(x, offset, axis1=-2, axis2=-1)


@covers(np.linalg.trace, "x offset dtype")
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of matrices, over the last two axes."""
    return any_trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)


@covers(np.linalg.tensordot, "x1 x2 axes")
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over some axes of both; see `ops.tensordot`."""
    return contraction.tensordot(x1, x2, axes)


@covers(np.linalg.vecdot, "x1 x2 axis")
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The inner products of vectors along an axis, the first ones conjugated."""
    return contraction.vecdot(x1, x2, axis)


covers(np.linalg.matmul, "x1 x2")(matmul)
covers(np.linalg.matrix_transpose, "x")(matrix_transpose)
