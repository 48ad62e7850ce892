"""Both modes by further differential equations: Pontryagin et al., "The mathematical theory of
optimal processes" (1962); Chen, Rubanova, Bettencourt & Duvenaud, "Neural ordinary differential
equations", NeurIPS 2018, appendix B. What an event does to derivatives, the saltation matrix, and
to cotangents, its transpose: Saccon, van de Wouw & Nijmeijer, "Sensitivity analysis of hybrid
systems with state jumps", Proc. 53rd IEEE CDC (2014), 3065-3070; Corner, Sandu & Sandu, "Adjoint
sensitivity analysis of hybrid multibody dynamical systems", Multibody Syst. Dyn. 49 (2020),
395-420.

With the cotangent ``a(t)`` of the state, ``da/dt = -a df/dy``, and that of the parameters grows by
``a df/dp`` as time runs backwards; at each time at which the state was asked for its cotangent is
added to ``a``. All of this is about states at times that stay. An event moves by
``dt = -(dg/dy dy + dg/dp dp) / r`` with the rate ``r = dg/dt + dg/dy f`` at which its guard changes
along the solution, and the state there by ``dy + f dt`` before its jump.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.errors import ConvergenceError
from autograph.solvers.ode.endings import RUNNING, require_returned, require_same
from autograph.solvers.ode.integrate import Happenings


class Passed(NamedTuple):
    """What there was on the way, as the way back meets it.

    Attributes:
        times, states: where states were asked for, and these.
        t, y: where the integration has ended.
        status: how, see `autograph.solvers.ode.endings`.
        ending: which terminal event has ended it, or -1.
        happenings: the events.
    """

    times: Any
    states: Any
    t: Any
    y: Any
    status: Any
    ending: Any
    happenings: Happenings


class Changes(NamedTuple):
    """Tangents of what there was, or cotangents; see `Passed`."""

    states: Any
    t: Any
    y: Any
    event_times: Any
    event_states: Any


class Way(NamedTuple):
    """The way back.

    Attributes:
        slope: the right-hand side.
        back: ``back(t, t_before, y, a, p)`` integrates from one time to the one before, and returns
            what ``y``, ``a`` and ``p`` are there.
        afterwards: for each event a function of the time and the state before its jump that gives
            that after it.
        through: for each event ``through(t, y, a, by_t, by_y)``, of the time, the state before its
            jump, the cotangent of that after it, and those of the time of the event and of the
            state at it: the cotangents of the state before it and of the events' parameters.
        rtol: of the integration.
    """

    slope: Callable
    back: Callable
    afterwards: tuple[Callable, ...]
    through: tuple[Callable, ...]
    rtol: Any


def sweep(
    way: Way, passed: Passed, cotangents: Changes, parameters: Any, event_parameters: Any
) -> tuple[Any, Any, Any, Any, Any]:
    """The cotangents of the parameters, those of the events, the times, the end if that is none of
    an event, and the state at the first time.

    Args:
        cotangents: of what there was.
        parameters, event_parameters: vectors of zeros, as long as the parameters are.
    """
    times, states = passed.times, passed.states
    events = passed.happenings
    happens = len(way.through) > 0
    forwards = np.where(times[-1] >= times[0], 1.0, -1.0)
    t, y = passed.t, passed.y
    by_times = np.zeros_like(times)

    # States after the end are that at the end, which moves with it.
    a = cotangents.y
    for i in range(len(times)):
        if forwards * (times[i] - t) > 0.0:
            a = a + cotangents.states[i]
        elif i > 0:
            by_times[i] = np.sum(way.slope(times[i], states[i]) * cotangents.states[i])
    by_end = cotangents.t + np.sum(way.slope(t, y) * a)
    i = len(times) - 1 if passed.status == RUNNING else -1
    e = events.count - 1
    while i >= 0:
        happened = False
        stop, kept = times[i], states[i]
        if happens:
            happened = e >= 0 and forwards * (events.times[e] - stop) >= 0.0
            if happened:
                stop, kept = events.times[e], events.states[e]
                for number, after in enumerate(way.afterwards):
                    if events.which[e] == number:
                        kept = after(stop, kept)
        if forwards * (t - stop) > 0.0:
            size = np.max(np.abs(y)) + np.max(np.abs(kept))
            y, a, parameters = way.back(t, stop, y, a, parameters)
            distance = np.max(np.abs(y - kept))
            require_returned(distance, size, np.sqrt(way.rtol), t, stop)
            t, y = stop, kept
        if happened:
            y = events.states[e]
            by_t, by_y = cotangents.event_times[e], cotangents.event_states[e]
            if e == events.count - 1 and passed.ending >= 0:
                by_t = by_t + by_end
                by_end = 0.0 * by_end
            for number, through in enumerate(way.through):
                if events.which[e] == number:
                    a, more = through(stop, y, a, by_t, by_y)
                    event_parameters = event_parameters + more
            e -= 1
        else:
            if i == 0:
                by_times[0] = by_times[0] - np.sum(way.slope(times[0], states[0]) * a)
            if forwards * (times[i] - passed.t) <= 0.0:
                a = a + cotangents.states[i]
            i -= 1
    found = parameters, event_parameters, by_times, by_end, a
    if passed.status != RUNNING:
        return tuple(np.nan * x for x in found)
    return found


def rate_of(rate: Any, t: Any) -> Any:
    """The rate at which a guard changes at its event.

    Raises:
        ConvergenceError: it is zero.
    """
    if not abs(rate) > 0.0:
        raise ConvergenceError(
            f"the guard of the event at the time {t} is flat there, so that the time of the event "
            "has no derivative",
            fix="let the guard change its sign at a rate other than zero",
        )
    return rate


def moved(
    slope: Callable,
    shifts: tuple[Callable, ...],
    passed: Passed,
    changes: Changes,
    d_times: Any,
    seen: Any,
) -> Changes:
    """How fast what has been found moves; NaN if the integration has not come to its end.

    Args:
        slope: the right-hand side.
        shifts: for each event a function of its time, the state before its jump and its change,
            that tells how fast the event moves.
        passed: what has been found.
        changes: how fast the states change at times that stay, also those at events and at the end.
        d_times: how fast the times move.
        seen: how many events the equations of the derivative have seen.

    Raises:
        IntegrationError: these are others than there were.
    """
    times, states, events = passed.times, passed.states, passed.happenings
    if passed.status == RUNNING:
        require_same(seen, events.count)
    forwards = np.where(times[-1] >= times[0], 1.0, -1.0)
    event_times = np.zeros_like(events.times)
    event_states = np.zeros_like(events.states)
    d_end = changes.t
    if shifts:
        for e in range(len(event_times)):
            if e < events.count:
                t, y, change = events.times[e], events.states[e], changes.event_states[e]
                d_t = 0.0 * d_end
                for number, shift in enumerate(shifts):
                    if events.which[e] == number:
                        d_t = shift(t, y, change)
                event_times[e] = d_t
                event_states[e] = change + d_t * slope(t, y)
                if passed.ending >= 0:
                    d_end = d_t
    d_y = changes.y + d_end * slope(passed.t, passed.y)
    found = np.zeros_like(changes.states)
    for i in range(len(times)):
        if forwards * (times[i] - passed.t) > 0.0:
            found[i] = d_y
        else:
            found[i] = changes.states[i] + d_times[i] * slope(times[i], states[i])
    all_changes = found, d_end, d_y, event_times, event_states
    if passed.status != RUNNING:
        all_changes = tuple(np.nan * x for x in all_changes)
    return Changes(*all_changes)
