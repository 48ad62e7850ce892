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
# How many steps of a product of dense matrices take no longer than one of sparse matrices, and how
# many numbers a dense one may have.
_DENSE_STEPS = 50
_DENSEST = 1 << 25


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
    rows, columns = np.divmod(_distinct(keys), max(width, 1))
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    return _new(columns, ends, width)


def _distinct(numbers: np.ndarray) -> np.ndarray:
    """Each number once, in order: what `np.unique` makes of many in ten times the time."""
    if not np.all(numbers[1:] > numbers[:-1]):
        numbers = np.sort(numbers)
        numbers = numbers[np.append(True, numbers[1:] > numbers[:-1])]
    return numbers


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
        return _large_product(outer, inner, total)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    first = np.repeat(inner.indptr[outer.indices] - ends[:-1], lengths)
    columns = inner.indices[first + np.arange(total)]
    if is_picked:
        return _new(columns, ends[outer.indptr], inner.shape[1])
    rows = np.repeat(np.repeat(np.arange(len(of_rows)), of_rows), lengths)
    return _of_keys(rows * inner.shape[1] + columns, (len(of_rows), inner.shape[1]))


def _large_product(outer: Sets, inner: Sets, total: int) -> Sets:
    """The product; ``total`` is how often an element of ``inner`` is met in it.

    Sets soon have everything in them where each element depends on all: that is looked for first.
    """
    (count, between), width = outer.shape, inner.shape[1]
    of_rows = np.diff(outer.indptr)
    if of_rows.min() > 0:
        has_all = np.diff(inner.indptr) == width
        if np.logical_or.reduceat(has_all[outer.indices], outer.indptr[:-1]).all():
            return repeated(_new(np.arange(width), np.array([0, width]), width), count)
    is_dense = count * between * width <= _DENSE_STEPS * total
    if not is_dense or max(between * width, between + width) > _DENSEST:
        found = outer @ inner
        found.sort_indices()
        return found
    factor = inner.toarray().astype(np.float32)
    step = max(1, _DENSEST // (between + width))
    blocks = [
        np.nonzero(outer[start : start + step].toarray().astype(np.float32) @ factor)
        for start in range(0, count, step)
    ]
    columns = np.concatenate([block for _, block in blocks])
    lengths = [np.bincount(rows, minlength=step) for rows, _ in blocks]
    ends = np.concatenate([[0], np.cumsum(np.concatenate(lengths)[:count])])
    return _new(columns, ends, width)


def union(a: Sets | None, b: Sets | None) -> Sets | None:
    """The sets together; None are empty ones."""
    if a is None or b is None:
        return b if a is None else a
    for one in (a, b):
        if one.nnz == one.shape[0] * one.shape[1]:
            return one
    if a.nnz + b.nnz > _MANY:
        found = a + b
        found.sort_indices()
        return found
    return _of_keys(np.concatenate([_keys(a), _keys(b)]), a.shape)


def of_all(sets: Sets) -> Sets:
    """One set: all that is in any."""
    columns = _distinct(sets.indices.astype(np.int64))
    return _new(columns, np.array([0, len(columns)]), sets.shape[1])


def repeated(one: Sets, count: int) -> Sets:
    """One set, ``count`` times."""
    ends = len(one.indices) * np.arange(count + 1)
    columns = np.tile(one.indices, count)
    return _new(columns, ends, one.shape[1])


def is_larger(a: Sets | None, b: Sets | None) -> bool:
    """Whether something is in ``a``, which has all that is in ``b``, and not in ``b``."""
    return (0 if a is None else a.nnz) > (0 if b is None else b.nnz)
