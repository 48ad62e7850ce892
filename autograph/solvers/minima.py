"""Minima of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found


def minimise(
    value: Callable,
    gradient: Callable,
    correction: Callable,
    flattest: Callable,
    x: Any,
    tol: float,
    max_steps: int,
) -> Found:
    """A minimum by Newton's method, with a multiple of the identity added to the Hessian where that
    leads upwards (Levenberg and Marquardt).

    Args:
        value, gradient: of the function, of numbers or vectors.
        correction: gives for ``x``, its gradient ``g`` and a number ``s`` the solution ``d`` of
            ``(H(x) + s m I) d = g``, where ``m`` is about as large as the Hessian and ``g`` are.
        flattest: gives for ``x`` the least curvature, its direction, and the largest part of the
            Hessian.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    f, g = value(x), gradient(x)
    slope = np.max(np.abs(g))
    shift = 0.0
    moved = np.inf
    steps = 0
    while steps < max_steps and slope > 0.0 and moved > tol * (1.0 + np.max(np.abs(x))):
        d = correction(x, g, shift)
        new = x - d
        f_new, g_new = value(new), gradient(new)
        reached = np.max(np.abs(g_new))
        length = np.max(np.abs(d))
        is_last = shift < 1e-6 and length <= tol * (1.0 + np.max(np.abs(x)))
        # Near the minimum the value changes by less than its last digit.
        level = reached < 0.9 * slope and f_new <= f + 1e-12 * np.abs(f)
        downwards = np.sum(g * d) > 0.0 and (f_new < f or level)
        if is_last or downwards:
            x, f, g, slope = new, f_new, g_new, reached
            moved = length if shift < 1e-6 else np.inf
            shift = 0.1 * shift if shift > 1e-6 else 0.0
        else:
            shift = max(10.0 * shift, 1e-3)
        steps += 1
    length = np.max(np.abs(x))
    converged = length < np.inf and (slope == 0.0 or moved <= tol * (1.0 + length))
    if converged:
        converged = _is_lowest(gradient, flattest, x, tol)
    return x, converged, steps


def _is_lowest(gradient: Callable, flattest: Callable, x: Any, tol: float) -> Any:
    """Whether a place without a slope is a minimum, and no saddle or maximum: where the curvature
    says nothing, whether the function rises to both sides.

    Args:
        gradient, flattest, x, tol: as for `minimise`.
    """
    curvature, direction, scale = flattest(x)
    h = tol**0.5 * (1.0 + np.max(np.abs(x)))
    after = np.sum(gradient(x + h * direction) * direction)
    before = np.sum(gradient(x - h * direction) * direction)
    noise = 1e-8 * h * scale
    rises = after >= -noise and before <= noise
    return curvature * h > 1e-3 * max(np.abs(after), np.abs(before)) or rises
