"""What quasi-Newton methods of limited memory know of the Hessian."""

from __future__ import annotations

from typing import Any

import numpy as np


def two_loops(g: Any, moves: Any, changes: Any, weights: Any, scale: Any, oldest: Any) -> Any:
    """The product of a vector and the inverse Hessian, as far as steps have shown it (Nocedal and
    Wright 2006, algorithm 7.4).

    Args:
        g: the vector.
        moves, changes: rows of the last steps, and of the changes of the gradient in them.
        weights: one over the inner products of these, zero for rows without a step.
        scale: the inverse Hessian before all steps is this multiple of the identity.
        oldest: the row of the step of longest ago.
    """
    size = len(weights)
    parts = np.zeros_like(weights)
    for back in range(size):
        row = (oldest + (size - 1 - back)) % size
        part = weights[row] * (moves[row] @ g)
        parts[row] = part
        g = g - part * changes[row]
    g = scale * g
    for forth in range(size):
        row = (oldest + forth) % size
        g = g + (parts[row] - weights[row] * (changes[row] @ g)) * moves[row]
    return g


def remembered(rows: Any, place: Any, row: Any) -> Any:
    """A copy of rows with another one at a place."""
    changed = np.copy(rows)
    changed[place] = row
    return changed
