"""What is not solved is told."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import ConvergenceError


def require_converged(converged: Any, what: str, max_steps: int) -> None:
    """Raise if a method has not converged.

    Args:
        converged: whether it has.
        what, max_steps: for the message.

    Raises:
        ConvergenceError: it has not.
    """
    if not converged:
        raise ConvergenceError(
            f"{what} has not converged in {max_steps} steps, or can get no nearer"
            + (", or found a saddle or maximum" if what == "argmin" else ""),
            fix="begin nearer, raise max_steps or tol, or ask for the flag with info=True",
        )


def require_solution(distance: Any, size: Any, tol: float) -> None:
    """Raise if what should solve an equation does not, or its derivative is infinite.

    Args:
        distance: from the next estimate, by Newton's method.
        size: of the largest number in what is to be a solution.
        tol: see `autograph.implicit`.

    Raises:
        ConvergenceError: the distance is too large, or there is no next estimate.
    """
    if not np.isfinite(distance):
        raise ConvergenceError(
            "the derivative of a solution is infinite or not known: the equation has a singular "
            "Jacobian there",
            fix="check that there is one solution nearby, and not two that meet",
        )
    if distance > tol * (1.0 + size):
        raise ConvergenceError(
            f"the derivative of a solution is asked for, but the equation has another one at a "
            f"distance of {distance}, more than tol={tol}",
            fix="solve more exactly, or say with tol how exact the derivative has to be",
        )
