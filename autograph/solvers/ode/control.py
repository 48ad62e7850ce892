"""How long a step is: Hairer, Norsett & Wanner, "Solving ordinary differential equations I", 2nd
edition (1993), section II.4. What is computed here counts as a constant for derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.derivatives.custom import stop_gradient
from autograph.solvers.ode.methods import Scheme

SAFETY, LEAST, MOST = 0.9, 0.2, 10.0  # of the factor by which a step becomes another


class Control(NamedTuple):
    """What steps have to keep to.

    Attributes:
        rtol, atol: the error of a step may be ``atol + rtol * abs(y)``.
        step: the first one, or all of a method without an estimate; None to choose it.
        longest: the longest step.
        most: how many steps may be tried.
    """

    rtol: Any
    atol: Any
    step: Any
    longest: Any
    most: Any


def size(x: Any, y: Any, control: Control) -> Any:
    """The root mean square of ``x`` in units of the tolerance at ``y``."""
    x, y = stop_gradient(x), stop_gradient(y)
    return np.sqrt(np.mean((x / (control.atol + control.rtol * np.abs(y))) ** 2))


def error_of(estimate: Any, y: Any, y_new: Any, control: Control) -> Any:
    """The error of a step in units of the tolerance; without an estimate, 0, or NaN if the step is
    not finite."""
    if estimate is None:
        return np.where(np.all(np.isfinite(y_new)), 0.0, np.nan)
    return size(estimate, np.maximum(np.abs(y), np.abs(y_new)), control)


def first_step(
    slope: Callable, t: Any, y: Any, k: Any, end: Any, way: Any, method: Scheme, control: Control
) -> Any:
    """The length of the first step: what is given, or one whose error is about right, from a step
    of Euler's.

    Args:
        t, y, k: the time, the state and the slope where it begins.
        end: the time at which it ends at the latest.
        way: 1, or -1 backwards.
    """
    t, y, k, span = stop_gradient((t, y, k, way * (end - t)))
    if control.step is not None:
        return stop_gradient(np.minimum(control.step + 0.0 * span, control.longest))
    d0, d1 = size(y, y, control), size(k, y, control)
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = min(h0, span)
    change = slope(t + way * h0, y + (way * h0) * k) - k
    d2 = size(change, y, control) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(1e-6, h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** (1.0 / method.exponent)
    return stop_gradient(np.minimum(min(100.0 * h0, h1, span), control.longest))


def next_step(
    h: Any, length: Any, error: Any, before: Any, rejected: Any, method: Scheme, control: Control
) -> Any:
    """The length of the step after one that was good enough.

    Args:
        h: what the length of that was to be.
        length: what it was.
        error: its error, at most 1.
        before: that of the last good one.
        rejected: whether the step before was not good enough.
    """
    if not method.error:
        return h
    if error == 0.0:
        factor = MOST
    elif method.memory:
        power = 1.0 / method.exponent - 0.75 * method.memory
        factor = SAFETY * error**-power * max(before, 1e-4) ** method.memory
        factor = max(LEAST, min(MOST, factor))
    else:
        factor = min(MOST, SAFETY * error ** (-1.0 / method.exponent))
    factor = min(1.0, factor) if rejected else factor
    return stop_gradient(np.minimum(factor * abs(length), control.longest))


def shorter_step(length: Any, error: Any, method: Scheme) -> Any:
    """The length with which a step that was not good enough is tried again."""
    factor = max(LEAST, SAFETY * error ** (-1.0 / method.exponent))
    return stop_gradient(factor * abs(length))
