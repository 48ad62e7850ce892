"""Sums and products of sparse matrices, of whose stored elements the values, the rows and the
columns are given: three arrays of one axis. Places that occur twice count as their sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.creation import zeros
from ops.arrays.cumulative import cumsum
from ops.arrays.indexing import added, subscript
from ops.core.lengths import RunLength, lengths_of
from ops.core.operands import dtype_of, ndim_of
from ops.elementwise import add, multiply
from ops.elementwise.conversion import astype
from ops.structure.reshaping import expand_dims


def rows_of(starts: Any, values: Any) -> Any:
    """The row of each stored element of a matrix in compressed rows.

    Args:
        starts: where the elements of each row begin, and at last where those of the last one end.
        values: of the elements.
    """
    (count,) = lengths_of(values)
    marks = _marks(subscript(starts, slice(1, None)), count)
    return _running(subscript(marks, slice(None, -1)))


def starts_of(rows: Any, count: int) -> Any:
    """Where the elements of each of ``count`` rows begin, which are sorted; see `rows_of`."""
    return _running(_marks(add(rows, 1), count))


def _marks(places: Any, count: Any) -> Any:
    """How often each number to ``count`` is among ``places``."""
    length = RunLength(add(count.value, 1)) if isinstance(count, RunLength) else count + 1
    return added(zeros((length,), dtype_of(places)), places, 1)


def _running(counts: Any) -> Any:
    return cumsum(counts, axis=0, dtype=dtype_of(counts).name)


def sparse_product(values: Any, rows: Any, columns: Any, count: int, x: Any) -> Any:
    """A matrix of ``count`` rows times ``x``, a vector or a matrix."""
    dtype = np.result_type(dtype_of(values), dtype_of(x))
    picked = subscript(x, columns)
    weights = values if ndim_of(x) == 1 else expand_dims(values, -1)
    terms = multiply(astype(weights, dtype), astype(picked, dtype))
    return added(zeros((count, *lengths_of(x)[1:]), dtype), rows, terms)


def summed(values: Any, places: Any, count: int) -> Any:
    """The sums of the values at each of ``count`` places."""
    return added(zeros((count,), dtype_of(values)), places, values)


def dense(values: Any, rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    """The matrix with its zeros."""
    return added(zeros(shape, dtype_of(values)), (rows, columns), values)
