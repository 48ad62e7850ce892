"""Events: when a guard changes its sign within a step, and what the state is afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.derivatives.custom import stop_gradient
from autograph.api.derivatives.tangents import jvp
from autograph.api.implicit import implicit
from autograph.solvers.ode.methods import Scheme
from autograph.solvers.ode.steps import Stepped, evaluated, polynomial

# A guard is zero where the time to its zero is shorter than this part of a step.
NEAR = 1e-9
# Events in one step that are no farther apart than this part of it happen at once.
TOGETHER = 1e-12


class Watched(NamedTuple):
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


def signs_after(watches: tuple[Watched, ...], t: Any, y: Any, k: Any, h: Any) -> tuple:
    """The signs of the guards right after a time: where one is zero, that of how it changes.

    Args:
        k: the slope of the state.
        h: the length of a step, negative backwards.
    """
    t, y, k = stop_gradient((t, y, k))
    signs: tuple = ()
    for watch in watches:
        value, rate = jvp(watch.guard, (t, y), (np.ones_like(t), k))
        change = rate * h
        sign = np.sign(change) if abs(value) <= NEAR * abs(change) else np.sign(value)
        signs = (*signs, sign)
    return signs


def happens(watch: Watched, sign: Any, value: Any) -> Any:
    """Whether the event is in a step, from the sign of the guard after its beginning and the value
    at its end."""
    crossed = sign * value < 0.0 or (sign != 0.0 and value == 0.0)
    if watch.direction:
        crossed = crossed and sign * watch.direction < 0.0
    return crossed


def sign_of(value: Any, before: Any) -> Any:
    """The sign of a guard, or where that is zero the one before."""
    return before if value == 0.0 else np.sign(value)


class Crossings(NamedTuple):
    """Where in a step events are.

    Attributes:
        first: the share of the step at which the first one is; 2 if there is none.
        shares: that of each `Watched`, likewise.
        signs: of the guards at the end of the step.
    """

    first: Any
    shares: tuple
    signs: tuple


def look(
    watches: tuple[Watched, ...],
    t: Any,
    y: Any,
    length: Any,
    step: Stepped,
    method: Scheme,
    signs: tuple,
    eps: float,
) -> Crossings:
    """Look for events in a step.

    Args:
        t, y, length: where it begins, and how long it is.
        signs: of the guards right after its beginning.
        eps: the precision of times.
    """
    coefficients = polynomial(method, step)
    first = 2.0 + 0.0 * t
    shares: tuple = ()
    following: tuple = ()
    for watch, sign in zip(watches, signs):
        value = watch.guard(t + length, step.y)
        s = 2.0 + 0.0 * t
        if happens(watch, sign, value):
            s = share(watch, t, y, length, coefficients, sign, value, eps)
        shares = (*shares, s)
        following = (*following, sign_of(value, sign))
        first = np.minimum(first, s)
    return Crossings(first, shares, following)


def share(
    watch: Watched,
    t: Any,
    y: Any,
    length: Any,
    coefficients: tuple,
    sign: Any,
    value: Any,
    eps: float,
) -> Any:
    """At which share of a step an event is, as a function of all that the step depends on.

    Args:
        t, y, length: where the step begins, and how long it is.
        coefficients: of its polynomial.
        sign: of the guard right after its beginning.
        value: that at its end.
        eps: the precision.
    """

    def guard(s: Any) -> Any:
        return watch.guard(t + s * length, evaluated(y, coefficients, s))

    start = watch.guard(t, y)
    return implicit(lambda: first_zero(guard, start, sign, value, eps), guard)()


def first_zero(guard: Callable, start: Any, sign: Any, value: Any, eps: float) -> Any:
    """A zero in (0, 1] of a function that has the given sign after 0 and another one at 1.

    By Chandrupatla's method, which is bisection or inverse quadratic interpolation: "A new hybrid
    quadratic/bisection algorithm for finding the zero of a nonlinear function without using
    derivatives", Adv. Eng. Softw. 28 (1997), 145-149.

    Args:
        start, value: the function at 0 and 1.
    """
    low, at_low = 0.0 * value, start
    while at_low * sign <= 0.0 and (low == 0.0 or low > eps):
        # It begins at a zero, which is not the one looked for.
        low = 0.5 * low if low > 0.0 else low + 0.5
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
