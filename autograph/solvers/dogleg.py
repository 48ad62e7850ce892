"""Least squares by Powell's dogleg."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found
from autograph.solvers.gauss_newton import half_sum
from autograph.solvers.linear_squares import Algebra
from autograph.solvers.trust_region import new_radius, quality_of, to_radius


def dogleg(
    residuals: Callable,
    jacobian: Callable,
    algebra: Algebra,
    x: Any,
    tol: float,
    max_steps: int,
) -> Found:
    """A minimum of half the sum of squares, by steps within a radius, first along the gradient,
    then towards the step of Gauss and Newton (Powell 1970; Nocedal and Wright 2006, section 4.1).

    Args:
        residuals: a vector, of vectors.
        jacobian: of these.
        algebra: what is computed with that.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    r, j = residuals(x), jacobian(x)
    radius = 1.0 + 0.1 * np.sqrt(x @ x)
    steps = 0
    is_near = np.max(np.abs(algebra.transposed(r, j))) == 0.0
    while steps < max_steps and not is_near and radius > 1e-300:
        g = algebra.transposed(r, j)
        whole, is_exact = algebra.shortest(r, j)
        step, is_inside = _within(algebra, g, j, whole, radius)
        new = x + step
        r_new, j_new = residuals(new), jacobian(new)
        g_new = algebra.transposed(r_new, j_new)
        expected = -(g @ step) - 0.5 * np.sum(np.square(algebra.product(j, step)))
        quality = quality_of(half_sum(r), half_sum(r_new), g, g_new, expected)
        radius = new_radius(radius, np.sqrt(step @ step), quality, is_inside)
        is_near = is_exact and np.max(np.abs(whole)) <= tol * (1.0 + np.max(np.abs(x)))
        if quality > 1e-4:
            x, r, j = new, r_new, j_new
            is_near = is_near or np.max(np.abs(g_new)) == 0.0
        steps += 1
    return x, is_near and np.all(np.isfinite(r)), steps


def _within(algebra: Algebra, g: Any, j: Any, whole: Any, radius: Any) -> tuple[Any, Any]:
    """The step, and whether it is that of Gauss and Newton."""
    if whole @ whole <= radius * radius:
        return whole, True
    steepest = -((g @ g) / np.sum(np.square(algebra.product(j, g)))) * g
    length = np.sqrt(steepest @ steepest)
    if length >= radius:
        return (radius / length) * steepest, False
    leg = whole - steepest
    return steepest + to_radius(steepest, leg, radius) * leg, False
