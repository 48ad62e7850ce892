"""Elements that follow from their sums, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import PatternError


def substituted(sums: Any, leaves: Any, parents: Any, count: int) -> Any:
    """The edges of trees, from the sums of the edges at each vertex.

    Args:
        sums: for each edge, in an order in which each is the last one that is left at one of its
            ends, its leaf, the sum at that end.
        leaves, parents: its ends, among ``count`` vertices.
    """
    found = np.zeros_like(sums)
    others = np.zeros(count, sums.dtype)
    for k in range(len(sums)):
        edge = sums[k] - others[leaves[k]]
        found[k] = edge
        others[parents[k]] += edge
    return found


def require_pattern(difference: Any, size: Any, tol: float) -> None:
    """Raise if a product of a sparse matrix is not that of the derivative.

    Args:
        difference: of the two, the largest element.
        size: that of the product.
        tol: how large it may be, relative to that.

    Raises:
        PatternError: it is larger.
    """
    if difference > tol * (1.0 + size):
        raise PatternError(
            f"the derivative is not zero everywhere outside of the pattern: a product with it "
            f"differs by {difference:.3g}",
            fix="leave pattern out, or give one that holds for these arguments, too",
        )
