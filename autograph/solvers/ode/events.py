"""Events: when a guard changes its sign within a step, and what the state is afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.derivatives.custom import stop_gradient
from autograph.api.derivatives.tangents import jvp
from autograph.api.implicit import implicit

# A guard is zero where the time to its zero is shorter than this part of a step.
NEAR = 1e-9
# Events in one step that are no farther apart than this part of it happen at once.
TOGETHER = 1e-12


class Watch(NamedTuple):
    """An event to look for, in numbers and vectors.

    Attributes:
        guard: ``guard(t, y)`` changes its sign when it happens.
        direction: 1 if the guard has to rise, -1 if it has to fall, 0 for both.
        terminal: whether the integration ends with it.
        jump: ``jump(t, y)`` is the state afterwards; None if it stays.
    """

    guard: Callable
    direction: float
    terminal: bool
    jump: Callable | None


def sign_after(watch: Watch, t: Any, y: Any, k: Any, h: Any) -> Any:
    """The sign of a guard right after a time: where it is zero, that of how it changes.

    Args:
        k: the slope of the state.
        h: the length of a step, negative backwards.
    """
    t, y, k = stop_gradient((t, y, k))
    value, rate = jvp(watch.guard, (t, y), (np.ones_like(t), k))
    change = rate * h
    return np.sign(change) if abs(value) <= NEAR * abs(change) else np.sign(value)


def happens(watch: Watch, sign: Any, value: Any) -> Any:
    """Whether the event is in a step, from the sign of the guard after its beginning and the value
    at its end."""
    crossed = sign * value < 0.0 or (sign != 0.0 and value == 0.0)
    if watch.direction:
        crossed = crossed and sign * watch.direction < 0.0
    return crossed


def share(guard: Callable, sign: Any, value: Any, eps: float) -> Any:
    """At which share of a step a guard crosses zero, as a function of all that it depends on.

    Args:
        guard: of the share.
        sign: that right after 0.
        value: that at 1.
        eps: the precision.
    """
    found = implicit(lambda: first_zero(guard, sign, value, eps), guard)
    return found()


def first_zero(guard: Callable, sign: Any, value: Any, eps: float) -> Any:
    """A zero in (0, 1] of a function that has the given sign after 0 and another value at 1.

    By Chandrupatla's method, which is bisection or inverse quadratic interpolation: "A new hybrid
    quadratic/bisection algorithm for finding the zero of a nonlinear function without using
    derivatives", Adv. Eng. Softw. 28 (1997), 145-149.
    """
    low = 0.0 * value
    at_low = guard(low)
    if at_low * sign <= 0.0:  # it begins at a zero, which is not the one looked for
        low = low + 0.5
        at_low = guard(low)
        while at_low * sign <= 0.0 and low > eps:
            low = 0.5 * low
            at_low = guard(low)
    if at_low * sign <= 0.0:
        return low
    a, b, c = low + (1.0 - low), low, low
    at_a, at_b, at_c = value, at_low, at_low
    part = 0.5
    best, at_best = a, at_a
    trips = 0
    while at_best != 0.0 and abs(a - b) > 2.0 * eps and trips < 100:
        x = a + part * (b - a)
        at_x = guard(x)
        if (at_x > 0.0) == (at_a > 0.0):
            c, at_c = a, at_a
        else:
            c, at_c = b, at_b
            b, at_b = a, at_a
        a, at_a = x, at_x
        best, at_best = (a, at_a) if abs(at_a) < abs(at_b) else (b, at_b)
        xi = (a - b) / (c - b)
        phi = (at_a - at_b) / (at_c - at_b)
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            part = at_a / (at_b - at_a) * at_c / (at_b - at_c)
            part = part + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        else:
            part = 0.5
        edge = min(0.5, eps / abs(b - a)) if a != b else 0.5
        part = min(1.0 - edge, max(edge, part))
        trips += 1
    return best


def sign_of(value: Any, before: Any) -> Any:
    """The sign of a guard, or where that is zero the one before."""
    return before if value == 0.0 else np.sign(value)
