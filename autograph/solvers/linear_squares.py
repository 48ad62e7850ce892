"""Linear least squares: what methods for sums of squares need of a Jacobian.

They see it by five functions, whether it is a whole matrix or the elements of a sparse one. Each
takes the Jacobian ``j`` as `jacobian` of those methods has given it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.solvers.krylov import cg


class Algebra(NamedTuple):
    """What is computed with a Jacobian.

    Attributes:
        product: of ``j`` and a vector of unknowns.
        transposed: the product of a vector of residuals ``r`` and ``j``.
        norms: of the columns of ``j``; one for those that are zero.
        shortest: a step to the minimum of ``|r + j step|``, and whether it has been found.
        damped: with a ``scale`` of the unknowns, a damping ``d`` and a length ``near``, the minimum
            of ``|r + j step|**2 + d |scale step|**2``; a step to the minimum without damping; and
            whether that has been found. Where the damped step is longer than ``near``, the one
            without damping is not looked for if that takes time, and has not been found.
    """

    product: Callable
    transposed: Callable
    norms: Callable
    shortest: Callable
    damped: Callable


def of_matrix() -> Algebra:
    """Of a whole matrix, by its singular values."""

    def shortest(r: Any, j: Any) -> tuple[Any, Any]:
        return -np.linalg.lstsq(j, r)[0], True

    def damped(r: Any, j: Any, scale: Any, damping: Any, near: Any) -> tuple[Any, Any, Any]:
        u, s, v = np.linalg.svd(j / scale, full_matrices=False)
        along = r @ u
        cutoff = 1e-14 * s[0]
        step = -((s / (s * s + damping)) * along) @ v / scale
        undamped = -np.where(s > cutoff, along / np.where(s > cutoff, s, 1.0), 0.0) @ v / scale
        return step, undamped, True

    def norms(j: Any) -> Any:
        return _norms(np.sum(np.square(j), axis=0))

    return Algebra(lambda j, v: j @ v, lambda r, j: r @ j, norms, shortest, damped)


def of_elements(rows: Any, columns: Any, shape: tuple[int, int], tol: float) -> Algebra:
    """Of the elements of a sparse matrix, by conjugate gradients on the normal equations, of
    unknowns that are scaled by their columns (Björck 1996, section 7.4).

    Args:
        rows, columns: of each element.
        shape: that of the matrix.
        tol: see `autograph.solvers.krylov`.
    """
    count, width = shape
    most = 10 * width + 50

    def product(j: Any, v: Any) -> Any:
        total = np.zeros(count, j.dtype)
        np.add.at(total, rows, j * v[columns])
        return total

    def transposed(r: Any, j: Any) -> Any:
        total = np.zeros(width, j.dtype)
        np.add.at(total, columns, j * r[rows])
        return total

    def norms(j: Any) -> Any:
        total = np.zeros(width, j.dtype)
        np.add.at(total, columns, np.square(j))
        return _norms(total)

    def solution(r: Any, j: Any, scale: Any, damping: Any) -> tuple[Any, Any]:
        scaled = j / scale[columns]

        def normal(v: Any) -> Any:
            return transposed(product(scaled, v), scaled) + damping * v

        found, is_found = cg(normal, -transposed(r, scaled), tol, most)
        return found / scale, is_found

    def shortest(r: Any, j: Any) -> tuple[Any, Any]:
        return solution(r, j, norms(j), 0.0)

    def damped(r: Any, j: Any, scale: Any, damping: Any, near: Any) -> tuple[Any, Any, Any]:
        step, is_found = solution(r, j, scale, damping)
        undamped = step
        if np.max(np.abs(step)) <= near:
            undamped, is_found = solution(r, j, scale, 0.0)
        else:
            is_found = False
        return step, undamped, is_found

    return Algebra(product, transposed, norms, shortest, damped)


def _norms(squared: Any) -> Any:
    return np.sqrt(np.where(squared > 0.0, squared, 1.0))
