"""Least squares by the method of Levenberg and Marquardt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found
from autograph.solvers.gauss_newton import half_sum
from autograph.solvers.linear_squares import Algebra
from autograph.solvers.trust_region import quality_of


def levenberg_marquardt(
    residuals: Callable,
    jacobian: Callable,
    algebra: Algebra,
    x: Any,
    tol: float,
    max_steps: int,
) -> Found:
    """A minimum of half the sum of squares, by steps that are damped where the linear problem tells
    too little (Levenberg 1944, Marquardt 1963). Unknowns are scaled by their columns of the
    Jacobian (More 1978), the damping follows Nielsen (1999).

    Args:
        residuals: a vector, of vectors.
        jacobian: of these.
        algebra: what is computed with that.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    r, j = residuals(x), jacobian(x)
    scale = algebra.norms(j)
    damping, growth = 1e-3, 2.0
    steps = 0
    is_near = np.max(np.abs(algebra.transposed(r, j))) == 0.0
    while steps < max_steps and not is_near and damping < 1e30:
        near = tol * (1.0 + np.max(np.abs(x)))
        step, undamped, is_exact = algebra.damped(r, j, scale, damping, near)
        new = x + step
        r_new, j_new = residuals(new), jacobian(new)
        g, g_new = algebra.transposed(r, j), algebra.transposed(r_new, j_new)
        expected = -(g @ step) - 0.5 * np.sum(np.square(algebra.product(j, step)))
        quality = quality_of(half_sum(r), half_sum(r_new), g, g_new, expected)
        is_near = is_exact and np.max(np.abs(undamped)) <= near
        if quality > 1e-4:
            x, r, j = new, r_new, j_new
            scale = np.maximum(scale, algebra.norms(j))
            damping = damping * np.maximum(1.0 / 3.0, 1.0 - (2.0 * quality - 1.0) ** 3)
            growth = 2.0
            is_near = is_near or np.max(np.abs(g_new)) == 0.0
        else:
            damping, growth = damping * growth, 2.0 * growth
        steps += 1
    return x, is_near and np.all(np.isfinite(r)), steps
