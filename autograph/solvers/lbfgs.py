"""Minima by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found
from autograph.solvers.quasi_newton import remembered, two_loops
from autograph.solvers.zoom import SearchSettings, along, zoom

# How many steps are remembered.
MEMORY = 10


def lbfgs(value_and_gradient: Callable, x: Any, tol: float, max_steps: int) -> Found:
    """A minimum by the limited memory method of Broyden, Fletcher, Goldfarb and Shanno (Liu and
    Nocedal 1989; Nocedal and Wright 2006, algorithm 7.5), with a search for the strong conditions
    of Wolfe.

    Args:
        value_and_gradient: of the function, of vectors.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    f, g = value_and_gradient(x)
    moves = np.zeros((MEMORY, len(x)), x.dtype)
    changes = np.zeros((MEMORY, len(x)), x.dtype)
    weights = np.zeros(MEMORY, x.dtype)
    scale = 1.0 / np.maximum(1.0, np.sqrt(g @ g))
    direction = -scale * g
    settings = SearchSettings(40)
    kept = 0
    steps = 0
    is_near = np.max(np.abs(g)) == 0.0
    is_stuck = False
    while steps < max_steps and not (is_near or is_stuck):
        at = along(value_and_gradient, x, direction)
        found = zoom(at, f, g @ direction, g, np.ones_like(f), settings)
        move = found.length * direction
        change = found.gradient - g
        is_stuck = np.max(np.abs(move)) == 0.0
        x, f, g = x + move, found.value, found.gradient
        product, squared = move @ change, change @ change
        if product > 1e-14 * np.sqrt((move @ move) * squared):
            place = kept % MEMORY
            moves, changes = remembered(moves, place, move), remembered(changes, place, change)
            weights = remembered(weights, place, 1.0 / product)
            scale = product / squared
            kept += 1
        direction = -two_loops(g, moves, changes, weights, scale, kept % MEMORY)
        is_near = np.max(np.abs(direction)) <= tol * (1.0 + np.max(np.abs(x)))
        steps += 1
    return x, is_near and np.all(np.isfinite(g)), steps
