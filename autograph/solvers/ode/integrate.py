"""The loop over the steps of an initial value problem."""

from __future__ import annotations

from collections.abc import Callable
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
from autograph.solvers.ode.events import TOGETHER, Watched, look, signs_after
from autograph.solvers.ode.methods import RK4, Scheme
from autograph.solvers.ode.pieces import Pieces


class Problem(NamedTuple):
    """What is integrated, and how.

    Attributes:
        slope: ``slope(t, y)`` of a time and a number or vector.
        linearized: gives for a time and a state the Jacobian and the derivative by the time; None
            if the method needs none.
        method, control: see there.
        watches: the events.
        most_events: how many there may be.
        eps: the precision of times.
    """

    slope: Callable
    linearized: Callable | None
    method: Scheme
    control: Control
    watches: tuple[Watched, ...] = ()
    most_events: int = 0
    eps: float = 2.0**-52


class Happenings(NamedTuple):
    """The events that there were.

    Attributes:
        times, states, which: when each was, the state before its jump, and which one of the
            `Watched`; NaN and -1 where there were no more.
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


def at_its_own(slope: Callable, t: Any, length: Any, s: Any, t_stop: Any, y_stop: Any) -> tuple:
    """The time of one of the events that happen at once, and the state at it.

    These are the values for all of them, but each moves by itself, and so has its own derivative:
    the state moves on in between, by a step whose length is zero, right up to its order.

    Args:
        t, length: where the step begins, and how long it is.
        s: the share of it at which the event is.
        t_stop, y_stop: the time of the event before, and the state after it.
    """
    late = t + s * length - t_stop
    late = late - stop_gradient(late)
    t_own = t_stop + late
    moved = steps.explicit(RK4, slope, t_stop, y_stop, slope(t_stop, y_stop), late, t_own)
    return t_own, moved.y


def integrate(problem: Problem, times: Any, y: Any, dense: bool) -> Trajectory:
    """Integrate from the first to the last one of the times.

    Derivatives are those of the steps that are made: how long they are is a constant, but for the
    last one, which ends at the last time, and for those that end with an event.

    Args:
        times: where the state is wanted, rising or falling.
        y: the state at the first one, a number or vector.
        dense: whether to keep what the state is between the times.
    """
    slope, method, control = problem.slope, problem.method, problem.control
    watches = problem.watches
    count = len(times)
    t, end = times[0], times[-1]
    way = np.where(end >= t, 1.0, -1.0).astype(times.dtype)
    shape = np.shape(y)
    states = np.zeros((count, *shape), y.dtype)
    room = problem.most_events if watches else 0
    event_times = np.full(room, np.nan, times.dtype)
    event_states = np.full((room, *shape), np.nan, y.dtype)
    which = np.full(room, -1)
    rows = control.most if dense else 0
    starts = np.full(rows, np.inf, times.dtype)
    lengths = np.ones(rows, times.dtype)
    coefficients = np.zeros((rows, len(method.between[0]) + 1, *shape), y.dtype)

    k = slope(t, y)
    h = controls.first_step(slope, t, y, k, end, way, method, control)
    signs = signs_after(watches, t, y, k, way * h)
    before = 1.0 + 0.0 * h
    rejected, finite = False, np.all(np.isfinite(k))
    done, tried, kept, events = 0, 0, 0, 0
    status, ending = RUNNING, -1
    while done < count and times[done] == t:
        states[done] = y
        done += 1
    while done < count and ending < 0 and status == RUNNING:
        last = way * (t + way * h * method.reach - end) >= 0.0
        if tried >= control.most:
            status = TOO_MANY_STEPS
        elif not np.isfinite(h):
            status = NOT_FINITE
        elif not last and h <= 10.0 * problem.eps * abs(t):
            status = TOO_SMALL if finite else NOT_FINITE
        if status == RUNNING:
            t_new = end if last else t + way * h
            length = t_new - t
            step = steps.one(method, slope, problem.linearized, t, y, k, length, t_new)
            tried += 1
            error = controls.error_of(step.error, y, step.y, control)
            finite = np.isfinite(error)
            if error < 1.0:
                t_stop, y_stop, k_stop = t_new, step.y, step.slope
                if watches:
                    crossings = look(watches, t, y, length, step, method, signs, problem.eps)
                    signs = crossings.signs
                    if crossings.first <= 1.0:
                        t_stop = t + crossings.first * length
                        y_stop = steps.within(method, y, step, crossings.first)
                while done < count and way * (times[done] - t_stop) <= 0.0:
                    states[done] = steps.within(method, y, step, (times[done] - t) / length)
                    done += 1
                if dense:
                    starts[kept] = t
                    lengths[kept] = length
                    coefficients[kept, 0] = y
                    for power, row in enumerate(steps.polynomial(method, step)):
                        coefficients[kept, power + 1] = row
                    kept += 1
                if watches and crossings.first <= 1.0:
                    for number, (watch, s) in enumerate(zip(watches, crossings.shares)):
                        if s <= crossings.first + TOGETHER:
                            if len(watches) > 1:
                                t_stop, y_stop = at_its_own(slope, t, length, s, t_stop, y_stop)
                            if events < problem.most_events:
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
                    signs = signs_after(watches, t_stop, y_stop, k_stop, length)
                t, y, k = t_stop, y_stop, k_stop
                h = controls.next_step(h, length, error, before, rejected, method, control)
                before = error
                rejected = False
            else:
                h = controls.shorter_step(length, error, method)
                rejected = True
                if not method.error:
                    status = NOT_FINITE
    while done < count:
        states[done] = y
        done += 1
    happenings = Happenings(event_times, event_states, which, events)
    pieces = Pieces(starts, lengths, coefficients, kept)
    return Trajectory(states, t, y, status, tried, ending, happenings, pieces)
