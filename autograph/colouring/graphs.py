"""Graphs of the pattern of a matrix: whose vertices are to have different colours.

A pattern is given as SciPy's sparse matrices have it in compressed rows: where each row starts, and
the columns of the elements. A graph is a list of the neighbours of each vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Graph = list[list[int]]

# How many pairs of columns with a common row are worth a graph, and how many paths of two edges the
# time to look at them.
_MOST_PAIRS = 100_000_000
_MOST_PATHS = 30_000_000


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
        The graph; None if it is so dense that all columns may as well have colours of their own.
    """
    lengths = np.diff(pattern.indptr).astype(np.int64)
    if int(np.sum(lengths**2)) > _MOST_PAIRS:
        return None
    counts = pattern.astype(np.int32)
    return neighbours((counts.T @ counts).tocsr())


def bipartite(pattern: Any) -> Graph:
    """The graph whose vertices are the columns and then the rows, whose edges are the elements."""
    width = pattern.shape[1]
    by_columns = pattern.tocsc()
    rows, starts = (by_columns.indices + width).tolist(), by_columns.indptr.tolist()
    of_columns = [rows[a:b] for a, b in zip(starts, starts[1:])]
    columns, starts = pattern.indices.tolist(), pattern.indptr.tolist()
    return of_columns + [columns[a:b] for a, b in zip(starts, starts[1:])]


def has_few_paths(pattern: Any) -> bool:
    """Whether there are so few paths of two edges that a colouring may look at all of them."""
    of_rows = np.diff(pattern.indptr).astype(np.int64)
    of_columns = np.bincount(pattern.indices, minlength=1)
    return int(np.sum(of_rows**2) + np.sum(of_columns**2)) <= _MOST_PATHS
