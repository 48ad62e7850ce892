"""Minima by Newton's method, whose steps are found by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found
from autograph.solvers.zoom import SearchSettings, along, zoom


def newton_cg(
    value_and_gradient: Callable, product: Callable, x: Any, tol: float, max_steps: int
) -> Found:
    """A minimum by Newton's method with truncated steps and a search along them (Dembo and
    Steihaug 1983; Nocedal and Wright 2006, algorithm 7.1).

    Args:
        value_and_gradient: of the function, of vectors.
        product: gives for ``x`` and ``v`` the Hessian at ``x`` times ``v``.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    f, g = value_and_gradient(x)
    settings = SearchSettings(40)
    steps = 0
    is_near = np.max(np.abs(g)) == 0.0
    is_stuck = False
    while steps < max_steps and not (is_near or is_stuck):
        direction, is_newton = _truncated(product, x, g)
        at = along(value_and_gradient, x, direction)
        found = zoom(at, f, g @ direction, g, np.ones_like(f), settings)
        move = found.length * direction
        is_stuck = np.max(np.abs(move)) == 0.0
        x, f, g = x + move, found.value, found.gradient
        size = np.max(np.abs(direction))
        is_near = is_newton and not is_stuck and size <= tol * (1.0 + np.max(np.abs(x)))
        is_near = is_near or np.max(np.abs(g)) == 0.0
        steps += 1
    return x, is_near and np.all(np.isfinite(g)), steps


def _truncated(product: Callable, x: Any, g: Any) -> tuple[Any, Any]:
    """A direction that leads downwards, by conjugate gradients on the equations of Newton's step,
    which end where they are solved well enough, or the curvature is not positive; and whether it is
    that step."""
    step = np.zeros_like(g)
    r, p = g, -g
    squared = r @ r
    goal = np.minimum(0.25, np.sqrt(squared)) * squared
    most = 10 * len(g)
    rounds = 0
    is_downhill = True
    while rounds < most and squared > goal and is_downhill:
        q = product(x, p)
        curvature = p @ q
        if curvature <= 0.0:
            is_downhill = False
            step = p if rounds == 0 else step
        else:
            length = squared / curvature
            step = step + length * p
            r = r + length * q
            following = r @ r
            p = (following / squared) * p - r
            squared = following
        rounds += 1
    return step, is_downhill
