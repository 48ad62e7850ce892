"""Linear equations whose matrix is known by its products.

Each method takes ``product``, which gives ``A @ v``, the right side ``b``, a vector, the relative
size ``tol`` of the residual at which to stop, and the most steps. It returns ``x`` and whether it
has converged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def cg(product: Callable, b: Any, tol: float, max_steps: int) -> tuple[Any, Any]:
    """Conjugate gradients (Hestenes and Stiefel 1952), for symmetric positive definite matrices."""
    x = np.zeros_like(b)
    r = b
    p = b
    squared = r @ r
    goal = tol * tol * squared
    steps = 0
    while steps < max_steps and squared > goal:
        q = product(p)
        step = squared / (p @ q)
        x = x + step * p
        r = r - step * q
        following = r @ r
        p = r + (following / squared) * p
        squared = following
        steps += 1
    return x, squared <= goal


# Below this part of the largest that a product of two vectors can be, nothing is left of it.
_NOTHING = 1e-10


def bicgstab(product: Callable, b: Any, tol: float, max_steps: int) -> tuple[Any, Any]:
    """Biconjugate gradients, stabilised (van der Vorst 1992), for any matrices. Where it breaks
    down, it begins anew with the residual that is left."""
    x = np.zeros_like(b)
    r = b
    shadow = b
    p = b
    v = np.zeros_like(b)
    squared = b @ b
    rho = squared
    goal = tol * tol * squared
    step = 0.0 * squared
    omega = 0.0 * squared
    steps = 0
    while steps < max_steps and squared > goal:
        following = shadow @ r
        if omega == 0.0 or np.abs(following) <= _NOTHING * np.sqrt((shadow @ shadow) * squared):
            shadow = r
            p = r
            rho = squared
        else:
            p = r + (following / rho) * (step / omega) * (p - omega * v)
            rho = following
        v = product(p)
        along = shadow @ v
        if np.abs(along) <= _NOTHING * np.sqrt((shadow @ shadow) * (v @ v)):
            along = v @ v  # a step of least squares instead
            rho = v @ r
            omega = 0.0 * squared
        step = rho / along
        s = r - step * v
        t = product(s)
        length = t @ t
        omega = (t @ s) / length if length > 0.0 else 0.0 * length
        x = x + step * p + omega * s
        r = s - omega * t
        squared = r @ r
        steps += 1
    return x, squared <= goal


# Vectors that are kept before GMRES begins anew.
RESTART = 30


def gmres(product: Callable, b: Any, tol: float, max_steps: int) -> tuple[Any, Any]:
    """Generalised minimal residuals (Saad and Schultz 1986), restarted, for any matrices."""
    n = len(b)
    width = min(RESTART, n)
    x = np.zeros_like(b)
    r = b
    size = np.sqrt(b @ b)
    goal = tol * size
    steps = 0
    while steps < max_steps and size > goal:
        basis = np.zeros((width + 1, n), b.dtype)
        h = np.zeros((width + 1, width), b.dtype)
        basis[0] = r / size
        for k in range(width):
            w = product(basis[k])
            # Twice, since once is not enough (Giraud, Langou, Rozloznik 2005).
            first = basis @ w
            w = w - first @ basis
            second = basis @ w
            w = w - second @ basis
            h[:, k] = first + second
            length = np.sqrt(w @ w)
            h[k + 1, k] = length
            # What is left of a space that is used up is rounding.
            used_up = length <= 1e-14 * np.max(np.abs(h[:, k]))
            basis[k + 1] = np.zeros_like(w) if used_up else w / length
        right = np.zeros(width + 1, b.dtype)
        right[0] = size
        q, upper = np.linalg.qr(h)
        # Where the space is used up, there is no vector to take anything of.
        upper = upper + np.diag(np.where(np.diag(upper) == 0.0, 1.0, 0.0))
        y = np.linalg.solve(upper, right @ q)
        x = x + y @ basis[:width]
        r = b - product(x)
        size = np.sqrt(r @ r)
        steps += width
    return x, size <= goal
