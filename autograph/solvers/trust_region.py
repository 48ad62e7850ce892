"""Minima of quadratic models within a radius in which these are trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.equations import Found


def trust_region(
    value_and_gradient: Callable, product: Callable, x: Any, tol: float, max_steps: int
) -> Found:
    """A minimum by the trust region method, with steps by conjugate gradients (Steihaug 1983;
    Nocedal and Wright 2006, algorithms 4.1 and 7.2).

    Args:
        value_and_gradient: of the function, of vectors.
        product: gives for ``x`` and ``v`` the Hessian at ``x`` times ``v``.
        x, tol, max_steps: see `autograph.solvers.equations`.
    """
    f, g = value_and_gradient(x)
    radius = 1.0 + 0.1 * np.sqrt(x @ x)
    steps = 0
    is_near = np.max(np.abs(g)) == 0.0
    while steps < max_steps and not is_near and radius > 1e-300:
        step, is_inside = _within(product, x, g, radius)
        length = np.sqrt(step @ step)
        expected = -(g @ step + 0.5 * (step @ product(x, step)))
        f_new, g_new = value_and_gradient(x + step)
        quality = quality_of(f, f_new, g, g_new, expected)
        radius = new_radius(radius, length, quality, is_inside)
        is_near = is_inside and np.max(np.abs(step)) <= tol * (1.0 + np.max(np.abs(x)))
        if quality > 1e-4:
            x, f, g = x + step, f_new, g_new
            is_near = is_near or np.max(np.abs(g)) == 0.0
        steps += 1
    return x, is_near and np.all(np.isfinite(g)), steps


def quality_of(f: Any, f_new: Any, g: Any, g_new: Any, expected: Any) -> Any:
    """The decrease of the value, as a part of what was expected. Where that is less than the last
    digits of the value, the gradient tells: the part by which it has become smaller."""
    seen = (f - f_new) / np.where(expected > 0.0, expected, 1.0)
    is_level = expected <= 1e-12 * np.abs(f) and np.abs(f_new - f) <= 1e-12 * np.abs(f)
    if is_level:
        seen = 1.0 - np.max(np.abs(g_new)) / np.max(np.abs(g))
    return np.where(np.isnan(seen), -np.inf, seen)


def new_radius(radius: Any, length: Any, quality: Any, is_inside: Any) -> Any:
    """The radius after a step (Nocedal and Wright 2006, algorithm 4.1)."""
    if quality < 0.25:
        return 0.25 * length
    if quality > 0.75 and not is_inside:
        return 2.0 * radius
    return radius


def _within(product: Callable, x: Any, g: Any, radius: Any) -> tuple[Any, Any]:
    """A step that makes the model smaller, by conjugate gradients that end at the radius or where
    the curvature is not positive; and whether it ends inside."""
    step = np.zeros_like(g)
    r, p = g, -g
    squared = r @ r
    goal = np.minimum(0.25, np.sqrt(squared)) * squared
    most = 10 * len(g)
    rounds = 0
    is_inside = True
    while rounds < most and squared > goal and is_inside:
        q = product(x, p)
        curvature = p @ q
        length = squared / np.where(curvature > 0.0, curvature, 1.0)
        further = step + length * p
        if curvature <= 0.0 or further @ further >= radius * radius:
            step = step + to_radius(step, p, radius) * p
            is_inside = False
        else:
            step = further
            r = r + length * q
            following = r @ r
            p = (following / squared) * p - r
            squared = following
        rounds += 1
    return step, is_inside


def to_radius(step: Any, direction: Any, radius: Any) -> Any:
    """How far it is from inside to a radius along a direction."""
    a, b = direction @ direction, step @ direction
    c = radius * radius - step @ step
    root = np.sqrt(np.maximum(b * b + a * c, 0.0))
    return c / (b + root) if b > 0.0 else (root - b) / a
