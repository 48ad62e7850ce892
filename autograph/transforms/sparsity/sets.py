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


def relation(rows: Any, columns: Any, shape: tuple[int, int]) -> Sets:
    """The sets in which the elements ``columns`` are in the sets of ``rows``; pairs may repeat."""
    rows, columns = np.asarray(rows), np.asarray(columns)
    coo = scipy_sparse().coo_array((np.ones(len(rows), bool), (rows, columns)), shape=shape)
    return coo.tocsr()


def gathered(columns: Any, count: int, kept: Any = None) -> Sets:
    """The relation in which each element is made of one, at ``columns``; of none where ``kept``,
    if there is such a mask, is false."""
    columns = np.asarray(columns).reshape(-1)
    ends = np.arange(len(columns) + 1)
    if kept is not None:
        kept = np.asarray(kept).reshape(-1)
        columns, ends = columns[kept], np.concatenate([[0], np.cumsum(kept)])
    data = np.ones(len(columns), bool)
    return scipy_sparse().csr_array((data, columns, ends), shape=(len(ends) - 1, count))


def identity(places: Sequence[int] | range | np.ndarray, width: int) -> Sets:
    """One element in each set: those at ``places``, of ``width``."""
    return gathered(np.asarray(places, dtype=np.int64), width)


def product(outer: Sets, inner: Sets) -> Sets:
    """The sets of what is related by ``outer`` to elements with the sets ``inner``."""
    return outer @ inner


def union(a: Sets | None, b: Sets | None) -> Sets | None:
    """The sets together; None are empty ones."""
    if a is None or b is None:
        return b if a is None else a
    return a + b


def of_all(sets: Sets) -> Sets:
    """One set: all that is in any."""
    columns = np.unique(sets.indices)
    return relation(np.zeros(len(columns), int), columns, (1, sets.shape[1]))


def repeated(one: Sets, count: int) -> Sets:
    """One set, ``count`` times."""
    ends = len(one.indices) * np.arange(count + 1)
    columns = np.tile(one.indices, count)
    return scipy_sparse().csr_array(
        (np.ones(len(columns), bool), columns, ends), shape=(count, one.shape[1])
    )


def is_larger(a: Sets | None, b: Sets | None) -> bool:
    """Whether something is in ``a``, which has all that is in ``b``, and not in ``b``."""
    return (0 if a is None else a.nnz) > (0 if b is None else b.nnz)
