"""Minima of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found


def minimise(
    value: Callable, gradient: Callable, correction: Callable, x: Any, tol: float, max_steps: int
) -> Found:
    """A minimum by Newton's method, with a multiple of the identity added to the Hessian where that
    leads upwards (Levenberg and Marquardt).

    Args:
        value, gradient: of the function, of numbers or vectors.
        correction: gives for ``x``, its gradient ``g`` and a number ``s`` the solution ``d`` of
            ``(H(x) + s m I) d = g``, where ``m`` is about as large as the Hessian and ``g`` are.
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
    return x, slope == 0.0 or moved <= tol * (1.0 + np.max(np.abs(x))), steps
