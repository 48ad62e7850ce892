"""Graphs of the pattern of a matrix: whose vertices are to have different colours.

A pattern is given as SciPy's sparse matrices have it in compressed rows: where each row starts, and
the columns of the elements. A graph is a list of the neighbours of each vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Graph = list[list[int]]

# How many pairs of columns with a common row are looked at.
_MOST_PAIRS = 30_000_000


def neighbours(pattern: Any) -> Graph:
    """The graph whose edges are the elements of a symmetric pattern off its diagonal."""
    starts, columns = pattern.indptr.tolist(), pattern.indices.tolist()
    return [
        [j for j in columns[start:end] if j != i]
        for i, (start, end) in enumerate(zip(starts, starts[1:]))
    ]


def conflicts(pattern: Any) -> Graph | None:
    """The graph of the columns of a pattern: edges are between columns with a common row.

    Coleman & Moré, Estimation of sparse Jacobian matrices and graph coloring problems, 1983.

    Returns:
        The graph; None if it is too large.
    """
    common = _common_rows(pattern)
    return None if common is None else neighbours(common)


def degrees(pattern: Any) -> np.ndarray:
    """How many columns have a row in common with each column; if there are too many pairs to look
    at, how many it can be at most."""
    common = _common_rows(pattern)
    if common is not None:
        return np.diff(common.indptr)
    by_column = pattern.tocsc()
    others = (np.diff(pattern.indptr) - 1).astype(np.int64)
    sums = np.concatenate([[0], np.cumsum(others[by_column.indices])])
    bounds: np.ndarray = np.minimum(np.diff(sums[by_column.indptr]), pattern.shape[1])
    return bounds


def _common_rows(pattern: Any) -> Any:
    """A matrix with an element for each pair of columns with a common row; None if there are too
    many."""
    lengths = np.diff(pattern.indptr).astype(np.int64)
    if int(np.sum(lengths**2)) > _MOST_PAIRS:
        return None
    counts = pattern.astype(np.int32)
    return (counts.T @ counts).tocsr()


def bipartite(pattern: Any) -> Graph:
    """The graph whose vertices are the columns and then the rows, whose edges are the elements."""
    width = pattern.shape[1]
    by_columns = pattern.tocsc()
    rows, starts = (by_columns.indices + width).tolist(), by_columns.indptr.tolist()
    of_columns = [rows[a:b] for a, b in zip(starts, starts[1:])]
    columns, starts = pattern.indices.tolist(), pattern.indptr.tolist()
    return of_columns + [columns[a:b] for a, b in zip(starts, starts[1:])]
