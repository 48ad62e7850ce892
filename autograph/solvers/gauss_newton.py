"""Least squares by the method of Gauss and Newton."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found
from autograph.solvers.linear_squares import Algebra
from autograph.solvers.trust_region import quality_of


def gauss_newton(
    residuals: Callable,
    jacobian: Callable,
    algebra: Algebra,
    x: Any,
    tol: float,
    max_steps: int,
) -> Found:
    """A minimum of half the sum of squares, by steps that solve the linear least squares problem,
    halved until the sum falls (Nocedal and Wright 2006, section 10.3).

    Args:
        residuals: a vector, of vectors.
        jacobian: of these.
        algebra: what is computed with that.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    r, j = residuals(x), jacobian(x)
    step, is_exact = algebra.shortest(r, j)
    part = 1.0
    steps = 0
    is_near = np.max(np.abs(step)) == 0.0
    while steps < max_steps and not is_near and part > 1e-12:
        new = x + part * step
        r_new, j_new = residuals(new), jacobian(new)
        g, g_new = algebra.transposed(r, j), algebra.transposed(r_new, j_new)
        bend = np.sum(np.square(algebra.product(j, step)))
        expected = -part * (g @ step) - 0.5 * part * part * bend
        quality = quality_of(half_sum(r), half_sum(r_new), g, g_new, expected)
        if quality > 1e-4:
            x, r, j = new, r_new, j_new
            step, is_exact = algebra.shortest(r, j)
            part = min(1.0, 2.0 * part)
            is_near = is_exact and np.max(np.abs(step)) <= tol * (1.0 + np.max(np.abs(x)))
        else:
            part = 0.5 * part
        is_near = is_near or np.max(np.abs(step)) == 0.0
        steps += 1
    return x, is_near and np.all(np.isfinite(r)), steps


def half_sum(r: Any) -> Any:
    """Half the sum of squares."""
    return 0.5 * (r @ r)
