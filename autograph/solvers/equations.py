"""Roots and fixed points.

A method returns what it has found, whether it has converged, and how many steps it has made. To
converge means that the last step was not longer than ``tol * (1 + max(abs(x)))``, and that x is
finite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Found = tuple[Any, Any, Any]

# A step is as good as none below this part of Newton's.
SHORTEST = 1e-6


def newton(residual: Callable, correction: Callable, x: Any, tol: float, max_steps: int) -> Found:
    """A root by Newton's method; a step is halved as long as it makes the residual larger.

    Args:
        residual: the function, of numbers or vectors.
        correction: gives for ``x`` and its residual ``r`` the solution ``d`` of ``J(x) d = r``.
        x: where to begin.
        tol: see above.
        max_steps: the most steps.
    """
    r = residual(x)
    size = np.max(np.abs(r))
    moved = np.inf
    steps = 0
    while steps < max_steps and size > 0.0 and moved > tol * (1.0 + np.max(np.abs(x))):
        d = correction(x, r)
        moved = np.max(np.abs(d))
        is_last = moved <= tol * (1.0 + np.max(np.abs(x)))
        fraction = 1.0
        new = x - d
        r = residual(new)
        reached = np.max(np.abs(r))
        while not is_last and not reached < size and fraction > SHORTEST:
            fraction = 0.5 * fraction
            new = x - fraction * d
            r = residual(new)
            reached = np.max(np.abs(r))
        if not is_last and not reached < size:
            break
        x = new
        size = reached
        steps += 1
    length = np.max(np.abs(x))
    return x, length < np.inf and (size == 0.0 or moved <= tol * (1.0 + length)), steps


def iterate(function: Callable, x: Any, tol: float, max_steps: int) -> Found:
    """A fixed point by applying the function again and again."""
    new = function(x)
    moved = np.max(np.abs(new - x))
    steps = 1
    while steps < max_steps and moved > tol * (1.0 + np.max(np.abs(new))):
        x = new
        new = function(x)
        moved = np.max(np.abs(new - x))
        steps += 1
    length = np.max(np.abs(new))
    return new, length < np.inf and moved <= tol * (1.0 + length), steps
