"""Small systems of linear equations, solved where the compiler can see how.

Up to `SMALL` unknowns the elimination is written out as loops, which become a part of the kernel
around them; larger ones are the library's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

SMALL = 16


class Factors(NamedTuple):
    """A matrix ready to solve with: its triangular factors in one array and the order of its rows,
    or, if it is large, itself."""

    matrix: Any
    order: Any


def factored(a: Any) -> Factors:
    """The factors of a square matrix, by elimination with partial pivoting."""
    n = len(a)
    if n > SMALL:
        return Factors(np.linalg.inv(a), None)
    lu = a.copy()
    order = np.arange(n)
    for k in range(n - 1):
        pivot = k
        for i in range(k + 1, n):
            if abs(lu[i, k]) > abs(lu[pivot, k]):
                pivot = i
        for j in range(n):
            held = lu[k, j]
            lu[k, j] = lu[pivot, j]
            lu[pivot, j] = held
        moved = order[k]
        order[k] = order[pivot]
        order[pivot] = moved
        for i in range(k + 1, n):
            factor = lu[i, k] / lu[k, k]
            lu[i, k] = factor
            for j in range(k + 1, n):
                lu[i, j] = lu[i, j] - factor * lu[k, j]
    return Factors(lu, order)


def solved(factors: Factors, right: Any) -> Any:
    """The solution for a right side."""
    if factors.order is None:
        return factors.matrix @ right
    lu, order = factors
    n = len(right)
    x = np.zeros_like(right)
    for i in range(n):
        total = right[order[i]]
        for j in range(i):
            total = total - lu[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total = total - lu[i, j] * x[j]
        x[i] = total / lu[i, i]
    return x
