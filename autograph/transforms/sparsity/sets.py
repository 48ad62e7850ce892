"""The index sets of the elements of an array, as a sparse matrix of booleans: a row for each
element, in C order, a column for each thing that it may depend on.

What depends on what within one operator is such a matrix as well, a *relation*, from the elements
of a result to those of an operand. The sets of the result are the product of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.errors import MissingLibraryError

Sets = Any  # a csr_array of booleans


def scipy_sparse() -> Any:
    """The package `scipy.sparse`.

    Raises:
        MissingLibraryError: SciPy is not installed.
    """
    try:
        import scipy.sparse
    except ImportError:
        raise MissingLibraryError(
            "sparse derivatives are SciPy's matrices, and SciPy is not installed",
            id="AG0560",
            fix="install it: pip install scipy",
        ) from None
    return scipy.sparse


# How many elements SciPy works on: what it does before takes longer than small sets do.
_MANY = 100_000


def _new(columns: np.ndarray, ends: np.ndarray, width: int) -> Sets:
    """Sets of sorted columns, which need not be checked."""
    kind = scipy_sparse().csr_array
    made = object.__new__(kind)
    data = np.ones(len(columns), bool)
    shape = (len(ends) - 1, width)
    vars(made).update(_shape=shape, maxprint=50, data=data, indices=columns, indptr=ends)
    return made


def _of_keys(keys: np.ndarray, shape: tuple[int, int]) -> Sets:
    """The sets in which there is a number for each element: that of its set times the width, and
    that of the element."""
    count, width = shape
    keys = np.unique(keys)
    rows, columns = np.divmod(keys, max(width, 1))
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    return _new(columns, ends, width)


def _keys(sets: Sets) -> np.ndarray:
    rows = np.repeat(np.arange(sets.shape[0]), np.diff(sets.indptr))
    found: np.ndarray = rows * sets.shape[1] + sets.indices
    return found


def relation(rows: Any, columns: Any, shape: tuple[int, int]) -> Sets:
    """The sets in which the elements ``columns`` are in the sets of ``rows``; pairs may repeat."""
    rows, columns = np.asarray(rows, np.int64), np.asarray(columns, np.int64)
    return _of_keys(rows * shape[1] + columns, shape)


def gathered(columns: Any, count: int, kept: Any = None) -> Sets:
    """The relation in which each element is made of one, at ``columns``; of none where ``kept``,
    if there is such a mask, is false."""
    columns = np.asarray(columns, np.int64).reshape(-1)
    ends = np.arange(len(columns) + 1)
    if kept is not None:
        kept = np.asarray(kept).reshape(-1)
        columns, ends = columns[kept], np.concatenate([[0], np.cumsum(kept)])
    return _new(columns, ends, count)


def identity(places: Sequence[int] | range | np.ndarray, width: int) -> Sets:
    """One element in each set: those at ``places``, of ``width``."""
    return gathered(np.asarray(places, dtype=np.int64), width)


def product(outer: Sets, inner: Sets) -> Sets:
    """The sets of what is related by ``outer`` to elements with the sets ``inner``."""
    lengths = np.diff(inner.indptr)[outer.indices]
    total = int(lengths.sum())
    of_rows = np.diff(outer.indptr)
    is_picked = len(of_rows) == 0 or of_rows.max() <= 1
    if total > _MANY and not is_picked:
        found = outer @ inner
        found.sort_indices()
        return found
    ends = np.concatenate([[0], np.cumsum(lengths)])
    first = np.repeat(inner.indptr[outer.indices] - ends[:-1], lengths)
    columns = inner.indices[first + np.arange(total)]
    if is_picked:
        return _new(columns, ends[outer.indptr], inner.shape[1])
    rows = np.repeat(np.repeat(np.arange(len(of_rows)), of_rows), lengths)
    return _of_keys(rows * inner.shape[1] + columns, (len(of_rows), inner.shape[1]))


def union(a: Sets | None, b: Sets | None) -> Sets | None:
    """The sets together; None are empty ones."""
    if a is None or b is None:
        return b if a is None else a
    if a.nnz + b.nnz > _MANY:
        found = a + b
        found.sort_indices()
        return found
    return _of_keys(np.concatenate([_keys(a), _keys(b)]), a.shape)


def of_all(sets: Sets) -> Sets:
    """One set: all that is in any."""
    columns = np.unique(sets.indices)
    return relation(np.zeros(len(columns), int), columns, (1, sets.shape[1]))


def repeated(one: Sets, count: int) -> Sets:
    """One set, ``count`` times."""
    ends = len(one.indices) * np.arange(count + 1)
    columns = np.tile(one.indices, count)
    return _new(columns, ends, one.shape[1])


def is_larger(a: Sets | None, b: Sets | None) -> bool:
    """Whether something is in ``a``, which has all that is in ``b``, and not in ``b``."""
    return (0 if a is None else a.nnz) > (0 if b is None else b.nnz)
