"""The loop over the steps of an initial value problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.api.derivatives.custom import stop_gradient
from autograph.solvers.ode import control as controls
from autograph.solvers.ode import steps
from autograph.solvers.ode.control import Control
from autograph.solvers.ode.endings import (
    NOT_FINITE,
    RUNNING,
    TOO_MANY_EVENTS,
    TOO_MANY_STEPS,
    TOO_SMALL,
)
from autograph.solvers.ode.events import TOGETHER, Watch, happens, share, sign_after, sign_of
from autograph.solvers.ode.methods import Method


class Problem(NamedTuple):
    """What is integrated, and how.

    Attributes:
        slope: ``slope(t, y)`` of a time and a number or vector.
        linearized: gives for a time and a state the Jacobian and the derivative by the time; None
            if the method needs none.
        watches: the events.
        most_events: how many there may be.
        eps: the precision of times.
    """

    slope: Callable
    linearized: Callable | None
    method: Method
    control: Control
    watches: Sequence[Watch] = ()
    most_events: int = 0
    eps: float = 2.0**-52


class Pieces(NamedTuple):
    """What the state is between the times, step by step.

    Attributes:
        starts: where steps begin; infinite beyond the last one.
        lengths: how long they are.
        coefficients: for each the state where it begins, and the coefficients of the polynomial in
            the share of the step that is added to it.
        count: how many there are.
    """

    starts: Any
    lengths: Any
    coefficients: Any
    count: Any


class Happenings(NamedTuple):
    """The events that there were.

    Attributes:
        times, states, which: when each was, the state before its jump, and which one of the
            `Watch`; NaN and -1 where there were no more.
        count: how many there were.
    """

    times: Any
    states: Any
    which: Any
    count: Any


class Trajectory(NamedTuple):
    """What has been found.

    Attributes:
        states: at the times asked for; after the end, that at the end.
        t, y: where the integration has ended.
        status: how, see `endings`.
        tried: how many steps were tried.
        ending: which terminal event has ended it, or -1.
        happenings, pieces: see there.
    """

    states: Any
    t: Any
    y: Any
    status: Any
    tried: Any
    ending: Any
    happenings: Happenings
    pieces: Pieces


def integrate(problem: Problem, times: Any, y: Any, dense: bool) -> Trajectory:
    """Integrate from the first to the last one of the times.

    Derivatives are those of the steps that are made: how long they are is a constant, but for the
    last one, which ends at the last time, and for those that end with an event.

    Args:
        times: where the state is wanted, rising or falling.
        y: the state at the first one, a number or vector.
        dense: whether to keep what the state is between the times.
    """
    slope, linearized, method, control, watches, most_events, eps = problem
    count = len(times)
    t, end = times[0], times[-1]
    way = np.where(end >= t, 1.0, -1.0).astype(times.dtype)
    shape = np.shape(y)
    states = np.zeros((count, *shape), y.dtype)
    states[0] = y
    room = most_events if watches else 0
    event_times = np.full(room, np.nan, times.dtype)
    event_states = np.full((room, *shape), np.nan, y.dtype)
    which = np.full(room, -1)
    rows = control.most if dense else 0
    degree = len(method.between[0])
    starts = np.full(rows, np.inf, times.dtype)
    lengths = np.ones(rows, times.dtype)
    coefficients = np.zeros((rows, degree + 1, *shape), y.dtype)

    k = slope(t, y)
    span = stop_gradient(way * (end - t))
    if control.step is None:
        h = controls.first_step(slope, t, y, k, span, way, method, control)
    else:
        h = control.step + 0.0 * span
    h = stop_gradient(np.minimum(h, control.longest))
    # A fixed step that would end next to the end is the last one.
    reach = 1.0 if method.error else 1.0 + 1e-9
    signs = tuple(sign_after(watch, t, y, k, way * h) for watch in watches)
    before = 1.0 + 0.0 * h
    rejected, finite = False, np.all(np.isfinite(k))
    done, tried, kept, events = 1, 0, 0, 0
    status, ending = RUNNING, -1
    while done < count and ending < 0 and status == RUNNING:
        last = way * (t + way * h * reach - end) >= 0.0
        if tried >= control.most:
            status = TOO_MANY_STEPS
        elif not finite and not np.isfinite(h):
            status = NOT_FINITE
        elif not last and h <= 10.0 * eps * abs(t):
            status = TOO_SMALL if finite else NOT_FINITE
        if status != RUNNING:
            break
        t_new = end if last else t + way * h
        step_h = t_new - t
        if linearized is None:
            step = steps.explicit(method, slope, t, y, k, step_h, t_new)
        else:
            step = steps.rosenbrock(method, slope, linearized, t, y, k, step_h, t_new)
        tried += 1
        error = 0.0 * h
        if method.error:
            error = controls.size(step.error, np.maximum(np.abs(y), np.abs(step.y)), control)
            finite = np.isfinite(error)
        else:
            finite = np.all(np.isfinite(step.y))
            if not finite:
                status = NOT_FINITE
                break
        if not error < 1.0:
            h = controls.factor_again(error, method) * h
            rejected = True
            continue

        t_stop, y_stop, k_stop = t_new, step.y, step.slope
        first = 2.0 + 0.0 * t
        if watches:
            shares = []
            following = []
            for watch, sign in zip(watches, signs):
                value = watch.guard(t_new, step.y)
                s = 2.0 + 0.0 * t
                if happens(watch, sign, value):
                    at = lambda s: watch.guard(t + s * step_h, steps.within(method, y, step, s))
                    s = share(at, sign, value, eps)
                shares.append(s)
                following.append(sign_of(value, sign))
                first = np.minimum(first, s)
            signs = tuple(following)
            if first <= 1.0:
                t_stop = t + first * step_h
                y_stop = steps.within(method, y, step, first)
        while done < count and way * (times[done] - t_stop) <= 0.0:
            states[done] = steps.within(method, y, step, (times[done] - t) / step_h)
            done += 1
        if dense:
            starts[kept] = t
            lengths[kept] = step_h
            coefficients[kept, 0] = y
            for power, row in enumerate(steps.polynomial(method, step)):
                coefficients[kept, power + 1] = row
            kept += 1
        if watches and first <= 1.0:
            for number, (watch, s) in enumerate(zip(watches, shares)):
                if s <= first + TOGETHER:
                    if events < most_events:
                        event_times[events] = t_stop
                        event_states[events] = y_stop
                        which[events] = number
                        events += 1
                    else:
                        status = TOO_MANY_EVENTS
                    if watch.jump is not None:
                        y_stop = watch.jump(t_stop, y_stop)
                    if watch.terminal and ending < 0:
                        ending = number
            k_stop = slope(t_stop, y_stop)
            signs = tuple(sign_after(watch, t_stop, y_stop, k_stop, step_h) for watch in watches)
        t, y, k = t_stop, y_stop, k_stop
        if method.error:
            factor = controls.factor_after(error, before, rejected, method)
            h = stop_gradient(np.minimum(factor * abs(step_h), control.longest))
            before = error
            rejected = False
    while done < count:
        states[done] = y
        done += 1
    happenings = Happenings(event_times, event_states, which, events)
    pieces = Pieces(starts, lengths, coefficients, kept)
    return Trajectory(states, t, y, status, tried, ending, happenings, pieces)


def state_at(starts: Any, lengths: Any, coefficients: Any, count: Any, t: Any) -> Any:
    """The state at a time, or at times, of pieces; before the first one and after the last one,
    that which their polynomials give.

    Args:
        coefficients: of shape ``[most, degree + 1, ...]``.
    """
    t = np.asarray(t)
    forwards = lengths[0] > 0.0
    first = np.where(np.isinf(starts) | forwards, starts, -starts)
    place = np.searchsorted(first, np.where(forwards, t, -t), side="right") - 1
    place = np.clip(place, 0, np.maximum(count - 1, 0))
    s = (t - starts[place]) / lengths[place]
    s = s.reshape(t.shape + (1,) * (coefficients.ndim - 2))
    degree = coefficients.shape[1] - 1
    total = 0.0
    for power in range(degree, 0, -1):
        total = s * (coefficients[place, power] + total)
    return coefficients[place, 0] + total
