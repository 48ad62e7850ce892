"""One step, of an explicit method or one for stiff problems, and the state within it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.solvers.ode.linear import factored, solved
from autograph.solvers.ode.methods import Row, Scheme


class Stepped(NamedTuple):
    """What a step has found.

    Attributes:
        y: the state at its end.
        slope: there.
        error: an estimate, of the same shape; None of a method without.
        parts, scale: what the states within it are made of; see `autograph.solvers.ode`.
    """

    y: Any
    slope: Any
    error: Any
    parts: tuple
    scale: Any


def weighted(weights: Row, parts: Sequence[Any]) -> Any:
    """The sum of the parts, each with its weight; at least one is not 0."""
    total = None
    for weight, part in zip(weights, parts):
        if weight != 0.0:
            total = weight * part if total is None else total + weight * part
    return total


def one(
    method: Scheme,
    slope: Callable,
    linearized: Callable | None,
    t: Any,
    y: Any,
    k: Any,
    h: Any,
    end: Any,
) -> Stepped:
    """A step; see `explicit` and `rosenbrock`."""
    if linearized is None:
        return explicit(method, slope, t, y, k, h, end)
    return rosenbrock(method, slope, linearized, t, y, k, h, end)


def explicit(method: Scheme, slope: Callable, t: Any, y: Any, k: Any, h: Any, end: Any) -> Stepped:
    """A step of an explicit Runge-Kutta method whose last stage is the first of the next step.

    Args:
        slope: the function.
        t, y, k: the time, the state and the slope where it begins.
        h: how long it is; negative backwards.
        end: the time at which it ends.
    """
    parts = [k]
    last = len(method.stages) - 1
    for i in range(1, last):
        parts.append(slope(t + method.nodes[i] * h, y + h * weighted(method.stages[i], parts)))
    y_new = y + h * weighted(method.stages[last], parts)
    k_new = slope(end, y_new)
    parts.append(k_new)
    error = h * weighted(method.error, parts) if method.error else None
    return Stepped(y_new, k_new, error, tuple(parts), h)


def rosenbrock(
    method: Scheme,
    slope: Callable,
    linearized: Callable,
    t: Any,
    y: Any,
    k: Any,
    h: Any,
    end: Any,
) -> Stepped:
    """A step of a Rosenbrock method: in each stage a linear system with the same matrix is solved,
    ``I / (gamma h) - J`` with the Jacobian ``J`` where the step begins.

    Args:
        linearized: gives for a time and a state the Jacobian, and the derivative by the time.
        slope, t, y, k, h, end: see `explicit`.
    """
    jacobian, drift = linearized(t, y)
    shift = 1.0 / (method.gamma * h)
    is_number = np.ndim(y) == 0
    if is_number:
        matrix = shift - jacobian
    else:
        matrix = factored(shift * np.eye(len(y), dtype=y.dtype) - jacobian)
    parts: list[Any] = []
    for i in range(len(method.nodes)):
        at = y + weighted(method.stages[i], parts) if i else y
        right = slope(t + method.nodes[i] * h, at) if i else k
        if method.drifts[i] != 0.0:
            right = right + (method.drifts[i] * h) * drift
        if i:
            right = right + weighted(method.couplings[i], parts) / h
        parts.append(right / matrix if is_number else solved(matrix, right))
    y_new = y + weighted(method.stages[-1], parts)
    error = weighted(method.error, parts)
    return Stepped(y_new, slope(end, y_new), error, tuple(parts), 1.0)


def within(method: Scheme, y: Any, step: Stepped, s: Any) -> Any:
    """The state at the share ``s`` of a step that begins with ``y``."""
    total = None
    for coefficients, part in zip(method.between, step.parts):
        if any(coefficients):
            weight = 0.0
            for coefficient in reversed(coefficients):
                weight = s * (coefficient + weight)
            total = weight * part if total is None else total + weight * part
    return y + step.scale * total


def polynomial(method: Scheme, step: Stepped) -> tuple:
    """The coefficients of the state in a step, less that at its beginning, from ``s`` on."""
    powers = range(len(method.between[0]))
    rows = [tuple(row[power] for row in method.between) for power in powers]
    return tuple(step.scale * weighted(row, step.parts) for row in rows)


def evaluated(y: Any, coefficients: tuple, s: Any) -> Any:
    """The state at the share ``s`` of a step that begins with ``y``, from its `polynomial`."""
    total = s * coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = s * (coefficient + total)
    return y + total
