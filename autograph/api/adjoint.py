"""`odeint` with derivatives by further differential equations, not by its steps.

The right-hand side, the guards and the jumps are recorded once; what they capture are their
parameters, which become arguments of a function with rules for both modes: reverse mode integrates
the adjoint equations backwards (see `autograph.solvers.ode.adjoint`), forward mode the equations of
the derivative along with the state, with the same events. The rules integrate in the same way, so
derivatives of derivatives are had by them, too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.api.derivatives.custom import custom_vjp, stop_gradient
from autograph.api.derivatives.pullbacks import vjp
from autograph.api.derivatives.tangents import jvp
from autograph.api.once import RecordedOnce
from autograph.api.unknowns import Unknowns, called
from autograph.solvers.ode import adjoint
from autograph.solvers.ode import pieces as kept
from autograph.solvers.ode.events import Watched
from autograph.solvers.ode.integrate import Happenings, Trajectory
from autograph.solvers.ode.pieces import Pieces
from autograph.staging.ground.recorder import active_recorder, recorder


class System(NamedTuple):
    """What is integrated: ``slope(t, y)`` of a time and a number or vector, and the events."""

    slope: Callable
    watches: tuple[Watched, ...] = ()


class Solver(NamedTuple):
    """How it is integrated.

    Attributes:
        integrate: takes a system, times, the state at the first one, how many numbers of that are
            the user's, whether to keep what the state is between the times, and whether to raise
            what does not come to its end.
        own: how many those are.
        rtol: of the integration.
        dense: whether to keep what the user's state is between the times.
        checked: whether what does not come to its end is an error; else derivatives are NaN there.
    """

    integrate: Callable[[System, Any, Any, int, bool, bool], Trajectory]
    own: int
    rtol: Any
    dense: bool = False
    checked: bool = True

    def states(self, system: System, times: Any, y: Any) -> Any:
        """The states at the times, of another system, of which the user's may be a part."""
        return integrated(self._replace(dense=False, checked=True), system, times, y).states


def integrated(solver: Solver, system: System, times: Any, y: Any) -> Trajectory:
    """What there is on the way from the first to the last one of the times, with such derivatives.

    Args:
        times: a vector.
        y: the state at the first one, a number or vector.
    """

    def run(system: System, times: Any, y: Any) -> Trajectory:
        return solver.integrate(system, times, y, solver.own, solver.dense, solver.checked)

    if active_recorder() is None or not recorder().transformed.derivatives:
        return run(system, times, y)
    closed = _Closed(system, times[0], y)

    def solved(times: Any, y: Any, *parameters: Any) -> Trajectory:
        return run(closed.system(parameters), times, y)

    with recorder().transformed.expecting(0):
        once = RecordedOnce(solved, times, y, *closed.parameters)

    def solve(parameters: tuple, times: Any, y: Any) -> Trajectory:
        return once(times, y, *parameters)

    solution = custom_vjp(solve)

    def forward(parameters: tuple, times: Any, y: Any) -> tuple:
        found = solution(parameters, times, y)
        return found, (parameters, times, found)

    def backward(residuals: tuple, cotangents: Trajectory) -> tuple:
        parameters, times, found = residuals
        return _backward(solver, closed, parameters, times, found, cotangents)

    def tangent(primals: tuple, tangents: tuple) -> tuple:
        found = solution(*primals)
        return found, _tangent(solver, closed, primals, tangents, found)

    solution.defvjp(forward, backward)
    solution.defjvp(tangent)
    return solution(closed.parameters, times, y)


class _Closed:
    """A system as a function of what it captures, its parameters: those of the right-hand side
    first, and then those of the guards and jumps, of each function its own."""

    def __init__(self, system: System, t: Any, y: Any):
        self._watches = system.watches
        self._functions = [RecordedOnce(system.slope, t, y, differentiated=True)]
        for watch in system.watches:
            for function in (watch.guard, watch.jump):
                if function is not None:
                    self._functions.append(RecordedOnce(function, t, y, differentiated=True))
        captured = [function.captures for function in self._functions]
        self.own = len(captured[0])  # how many of the parameters are those of the right-hand side
        self.parameters = tuple(x for captures in captured for x in captures)

    def system(self, parameters: tuple) -> System:
        """The system with such parameters."""
        bound, start = [], 0
        for function in self._functions:
            count = len(function.captures)
            bound.append(_bound(function, parameters[start : start + count]))
            start += count
        slope, *others = bound
        watches = []
        for watch in self._watches:
            guard, jump = others.pop(0), None if watch.jump is None else others.pop(0)
            watches.append(watch._replace(guard=guard, jump=jump))
        return System(slope, tuple(watches))

    def slope(self, parameters: tuple, t: Any, y: Any) -> Any:
        """The right-hand side, with parameters of its own."""
        return self._functions[0].closed(parameters, t, y)

    def jump(self, parameters: tuple, number: int, t: Any, y: Any) -> Any:
        """The state after an event that has a jump."""
        jump = self.system(parameters).watches[number].jump
        assert jump is not None
        return jump(t, y)


def _bound(function: RecordedOnce, captures: tuple) -> Callable:
    return lambda t, y: function.closed(captures, t, y)


class _Parameters:
    """Parameters as one vector, which may be empty."""

    def __init__(self, parameters: tuple, dtype: np.dtype):
        self._parameters = parameters
        self.dtype = dtype
        self._unknowns = Unknowns(parameters, "a parameter", dtype=dtype) if parameters else None

    def zeros(self) -> Any:
        return ops.zeros(self._unknowns.length if self._unknowns else 0, self.dtype)

    def joined(self, tree: tuple) -> Any:
        if self._unknowns is None:
            return self.zeros()
        joined = self._unknowns.joined(tree, "a cotangent")
        return ops.reshape(joined, (-1,))

    def parted(self, vector: Any) -> tuple:
        if self._unknowns is None:
            return ()
        parts = self._unknowns.parted(vector[0] if self._unknowns.is_number else vector)
        return tuple(ops.astype(x, p.dtype) for x, p in zip(parts, self._parameters))


# -- reverse mode ----------------------------------------------------------------------------------


def _backward(
    solver: Solver,
    closed: _Closed,
    parameters: tuple,
    times: Any,
    found: Trajectory,
    changes: Trajectory,
) -> tuple:
    """The cotangents of the parameters, the times and the state at the first one."""
    own, others = parameters[: closed.own], parameters[closed.own :]
    by_own, by_others = _Parameters(own, times.dtype), _Parameters(others, times.dtype)
    zeros = by_own.zeros()
    system = closed.system(parameters)

    def back(*start: Any) -> tuple:
        return _back(solver, closed, own, by_own, start)

    t, end = found.t, found.y
    back = RecordedOnce(back, t, t, end, end, zeros)
    through = tuple(
        RecordedOnce(_through(closed, parameters, number, by_others), t, end, end, t, end)
        for number in range(len(system.watches))
    )
    afterwards = tuple(watch.jump or _unchanged for watch in system.watches)
    way = adjoint.Way(system.slope, back, afterwards, through, solver.rtol)

    places = _Places(solver, times, found)
    cotangents = places.cotangents(changes)
    by = called(adjoint.sweep, way, places.passed, cotangents, zeros, by_others.zeros())
    by_parameters, by_event_parameters, by_places, by_end, by_y = by
    is_last = np.arange(len(times)) == len(times) - 1
    by_times = places.of_times(by_places) + ops.where(is_last, by_end, ops.zeros_like(by_end))
    return (*by_own.parted(by_parameters), *by_others.parted(by_event_parameters)), by_times, by_y


def _back(
    solver: Solver, closed: _Closed, parameters: tuple, by_parameters: _Parameters, start: tuple
) -> tuple:
    """The state, and the cotangents of it and of the parameters, at an earlier time."""
    t, t_before, y, a, p = start
    whole = Unknowns((y, a, p) if parameters else (y, a), "an adjoint state")

    def slope(t: Any, z: Any) -> Any:
        y, a = whole.parted(z)[:2]
        change, pull = vjp(lambda parameters, y: closed.slope(parameters, t, y), parameters, y)
        by_p, by_y = pull(a)
        changes = (change, -by_y, -by_parameters.joined(by_p)) if parameters else (change, -by_y)
        return whole.joined(changes, "an adjoint state")

    joined = whole.joined((y, a, p) if parameters else (y, a), "an adjoint state")
    states = solver.states(System(slope), ops.stack([t, t_before]), joined)
    found = whole.parted(states[1])
    return found[0], found[1], (found[2] if parameters else p)


def _through(
    closed: _Closed, parameters: tuple, number: int, by_others: _Parameters
) -> Callable[..., tuple]:
    """What takes cotangents back through an event: see `autograph.solvers.ode.adjoint.Way`."""
    own, others = parameters[: closed.own], parameters[closed.own :]
    system = closed.system(parameters)

    def guard(others: tuple, t: Any, y: Any) -> Any:
        return closed.system((*own, *others)).watches[number].guard(t, y)

    def jump(others: tuple, t: Any, y: Any) -> Any:
        return closed.jump((*own, *others), number, t, y)

    def through(t: Any, y: Any, a: Any, by_t: Any, by_y: Any) -> tuple:
        f = system.slope(t, y)
        pulled = by_others.zeros()
        if system.watches[number].jump is None:
            before = a + by_y
            by_t = by_t + ops.sum(f * by_y)
        else:
            after, pull = vjp(jump, others, t, y)
            by_q, jump_t, jump_y = pull(a)
            pulled = by_others.joined(by_q)
            before = by_y + jump_y
            by_t = by_t + jump_t - ops.sum(system.slope(t, after) * a) + ops.sum(f * before)
        rate = jvp(system.watches[number].guard, (t, y), (ops.ones_like(t), f))[1]
        rate = called(adjoint.rate_of, rate, t)
        by_q, guard_y = vjp(lambda others, y: guard(others, t, y), others, y)[1](-by_t / rate)
        return before + guard_y, pulled + by_others.joined(by_q)

    return through


def _unchanged(t: Any, y: Any) -> Any:
    return y


# -- forward mode ----------------------------------------------------------------------------------


def _tangent(
    solver: Solver, closed: _Closed, primals: tuple, tangents: tuple, found: Trajectory
) -> Trajectory:
    """How fast what has been found changes."""
    (parameters, times, y), (d_parameters, d_times, d_y) = primals, tangents
    system, places = closed.system(parameters), _Places(solver, times, found)
    both = Unknowns((y, y), "a state and its change")

    def change(function: Callable, y: Any, d_y: Any) -> tuple:
        """The value of a function of a system and a state, and how fast it changes."""
        of_all = lambda parameters, y: function(closed.system(parameters), y)
        return jvp(of_all, (parameters, y), (d_parameters, d_y))

    def slope(t: Any, z: Any) -> Any:
        y, d_y = both.parted(z)
        changes = change(lambda system, y: system.slope(t, y), y, d_y)
        return both.joined(changes, "a state and its change")

    def shift(number: int, t: Any, y: Any, d_y: Any) -> Any:
        """How fast the time of an event changes."""
        d_guard = change(lambda system, y: system.watches[number].guard(t, y), y, d_y)[1]
        rate = jvp(system.watches[number].guard, (t, y), (ops.ones_like(t), system.slope(t, y)))[1]
        return -d_guard / called(adjoint.rate_of, rate, t)

    def watched(number: int, watch: Watched) -> Watched:
        def guard(t: Any, z: Any) -> Any:
            return watch.guard(t, both.parted(z)[0])

        def jump(t: Any, z: Any) -> Any:
            y, d_y = both.parted(z)
            d_t = shift(number, t, y, d_y)
            of_all = lambda parameters, t, y: closed.jump(parameters, number, t, y)
            moving = (d_parameters, d_t, d_y + d_t * system.slope(t, y))
            after, d_after = jvp(of_all, (parameters, t, y), moving)
            d_after = d_after - d_t * system.slope(t, after)
            return both.joined((after, d_after), "a state and its change")

        return watch._replace(guard=guard, jump=None if watch.jump is None else jump)

    watches = tuple(watched(number, watch) for number, watch in enumerate(system.watches))
    shifts = tuple(
        RecordedOnce(functools.partial(shift, number), found.t, found.y, found.y)
        for number in range(len(watches))
    )
    d_start = d_y - d_times[0] * system.slope(times[0], y)
    start = both.joined((y, d_start), "a state and its change")
    moving = integrated(solver._replace(dense=False), System(slope, watches), places.times, start)
    changes = adjoint.Changes(
        both.rows_parted(moving.states)[1],
        d_times[-1],
        both.parted(moving.y)[1],
        ops.zeros_like(found.happenings.times),
        both.rows_parted(moving.happenings.states)[1],
    )
    of_places = places.tangents(d_times)
    passed = places.passed._replace(status=ops.maximum(found.status, moving.status))
    seen = moving.happenings.count
    moved = called(adjoint.moved, system.slope, shifts, passed, changes, of_places, seen)
    return places.moved(moved)


class _Places:
    """Where states are asked for: the times, and where what is between them is kept, the points of
    steps that tell it, in their order. Steps are constants of derivatives, states are not."""

    def __init__(self, solver: Solver, times: Any, found: Trajectory):
        self._count = len(times)
        self._found = found
        self._order: Any = None
        self.times, states = times, found.states
        if solver.dense:
            pieces = stop_gradient(found.pieces)
            points, self._powers = called(kept.points, pieces, stop_gradient(found.t))
            between = called(kept.values, found.pieces.coefficients, self._powers)
            every = ops.concatenate([times, ops.reshape(points, (-1,))])
            self._order = called(kept.in_order, stop_gradient(every), times[-1] >= times[0])
            self._back = ops.argsort(self._order)
            self.times = every[self._order]
            states = ops.concatenate([states, between])[self._order]
        self.passed = adjoint.Passed(
            *(self.times, states, found.t, found.y),
            *(found.status, found.ending, found.happenings),
        )

    def cotangents(self, by: Trajectory) -> adjoint.Changes:
        """The cotangents by places."""
        states = by.states
        if self._order is not None:
            count = self._found.pieces.count
            between = called(kept.spread, by.pieces.coefficients, self._powers, count)
            states = ops.concatenate([states, between])[self._order]
        events = by.happenings
        return adjoint.Changes(states, by.t, by.y, events.times, events.states)

    def of_times(self, by_places: Any) -> Any:
        """Those of the times alone."""
        return by_places if self._order is None else by_places[self._back][: self._count]

    def tangents(self, d_times: Any) -> Any:
        """How fast the places move."""
        if self._order is None:
            return d_times
        more = ops.zeros(self.times.shape[0] - self._count, d_times.dtype)
        return ops.concatenate([d_times, more])[self._order]

    def moved(self, changes: adjoint.Changes) -> Trajectory:
        """How fast what has been found changes."""
        starts, lengths, coefficients, _ = self._found.pieces
        still = ops.zeros_like(starts), ops.zeros_like(lengths), ops.zeros_like(coefficients)
        pieces = Pieces(*still, count=None)
        states = changes.states
        if self._order is not None:
            states = states[self._back]
            between = called(kept.interpolated, states[self._count :], self._powers)
            states, pieces = states[: self._count], pieces._replace(coefficients=between)
        events = Happenings(changes.event_times, changes.event_states, None, None)
        return Trajectory(states, changes.t, changes.y, None, None, None, events, pieces)
