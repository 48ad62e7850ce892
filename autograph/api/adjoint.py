"""`odeint` with derivatives by further differential equations, not by its steps.

The right-hand side is recorded once; what it captures are its parameters, which become arguments of
a function with rules for both modes: reverse mode integrates the adjoint equations backwards (see
`autograph.solvers.ode.adjoint`), forward mode the equations of the derivative along with the state.
The rules integrate in the same way, so derivatives of derivatives are had by them, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.api.derivatives.custom import custom_vjp
from autograph.api.derivatives.pullbacks import vjp
from autograph.api.derivatives.tangents import jvp
from autograph.api.once import RecordedOnce
from autograph.api.unknowns import Unknowns, called
from autograph.solvers.ode import adjoint
from autograph.staging.ground.recorder import active_recorder, recorder

Slope = Callable[[Any, Any], Any]
# Integrates a right-hand side from a state over times; besides it takes how many numbers of the
# state are what the user integrates, and returns the states.
Integrate = Callable[[Slope, Any, Any, int], Any]


def integrated(integrate: Integrate, slope: Slope, times: Any, y: Any, own: int, rtol: Any) -> Any:
    """The states at the times, with such derivatives.

    Args:
        integrate: see above.
        slope: of a time and a number or vector.
        times: a vector.
        y: the state at the first one.
        own: how many numbers of the state are the user's.
        rtol: of the integration.
    """
    if active_recorder() is None or not recorder().transformed.derivatives:
        return integrate(slope, times, y, own)
    recorded = RecordedOnce(slope, times[0], y, differentiated=True)
    closed, parameters = recorded.closed, recorded.captures

    def solved(times: Any, y: Any, *parameters: Any) -> Any:
        return integrate(lambda t, y: closed(parameters, t, y), times, y, own)

    with recorder().transformed.expecting(0):
        once = RecordedOnce(solved, times, y, *parameters)

    def solve(parameters: tuple, times: Any, y: Any) -> Any:
        return once(times, y, *parameters)

    solution = custom_vjp(solve)

    def forward(parameters: tuple, times: Any, y: Any) -> tuple:
        states = solution(parameters, times, y)
        return states, (parameters, times, states)

    def backward(residuals: tuple, cotangents: Any) -> tuple:
        parameters, times, states = residuals
        by_parameters = _Parameters(parameters, times.dtype)

        def back(*start: Any) -> tuple:
            return _back(integrate, closed, parameters, by_parameters, start, own, rtol)

        slope = lambda t, y: closed(parameters, t, y)
        zeros = by_parameters.zeros()
        if len(states) > 1:
            back = RecordedOnce(back, times[1], times[0], states[1], cotangents[1], zeros)
        found = called(adjoint.sweep, slope, back, times, states, cotangents, zeros, rtol)
        return by_parameters.parted(found[0]), found[1], found[2]

    def tangent(primals: tuple, tangents: tuple) -> tuple:
        states = solution(*primals)
        parameters, times, _ = primals
        changes = _changes(integrate, closed, primals, tangents, own, rtol)
        slope = lambda t, y: closed(parameters, t, y)
        return states, called(adjoint.moved, slope, times, states, changes, tangents[1])

    solution.defvjp(forward, backward)
    solution.defjvp(tangent)
    return solution(parameters, times, y)


class _Parameters:
    """The parameters as one vector, which may be empty."""

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


def _back(
    integrate: Integrate,
    closed: Callable,
    parameters: tuple,
    by_parameters: _Parameters,
    start: tuple,
    own: int,
    rtol: Any,
) -> tuple:
    """The state, and the cotangents of it and of the parameters, at an earlier time."""
    t, t_before, y, a, p = start
    whole = Unknowns((y, a, p) if parameters else (y, a), "an adjoint state")

    def slope(t: Any, z: Any) -> Any:
        y, a = whole.parted(z)[:2]
        change, pull = vjp(lambda parameters, y: closed(parameters, t, y), parameters, y)
        by_p, by_y = pull(a)
        changes = (change, -by_y, -by_parameters.joined(by_p)) if parameters else (change, -by_y)
        return whole.joined(changes, "an adjoint state")

    joined = whole.joined((y, a, p) if parameters else (y, a), "an adjoint state")
    states = integrated(integrate, slope, ops.stack([t, t_before]), joined, own, rtol)
    found = whole.parted(states[1])
    return found[0], found[1], (found[2] if parameters else p)


def _changes(
    integrate: Integrate,
    closed: Callable,
    primals: tuple,
    tangents: tuple,
    own: int,
    rtol: Any,
) -> Any:
    """How fast the states change, at times that stay but for the first one."""
    (parameters, times, y), (d_parameters, d_times, d_y) = primals, tangents
    both = Unknowns((y, y), "a state and its change")

    def slope(t: Any, z: Any) -> Any:
        y, d_y = both.parted(z)
        f = lambda parameters, y: closed(parameters, t, y)
        return both.joined(jvp(f, (parameters, y), (d_parameters, d_y)), "a state and its change")

    d_start = d_y - d_times[0] * closed(parameters, times[0], y)
    start = both.joined((y, d_start), "a state and its change")
    states = integrated(integrate, slope, times, start, own, rtol)
    return both.rows_parted(states)[1]
