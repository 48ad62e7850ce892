"""Differential equations: how long a solution and its derivative take, beside SciPy and JAX.

The peers are SciPy's `solve_ivp` for solutions, JAX's `odeint` for gradients by the adjoint equations,
and diffrax for those through the steps, with the same tolerances and, where they have it, the same
method. How far each is from a solution of high precision stands beside its time.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved
from samples import events

TOLERANCE = 1e-8
ORBIT_END, STIFF_END = 10.0, 2000.0
SPEEDS = np.linspace(1.0, 1.2, 1000)
HEIGHTS = np.linspace(0.5, 2.0, 1000)


def orbit(y, t):
    return np.concatenate([y[2:], -y[:2] / np.sum(y[:2] ** 2) ** 1.5])


def place(speed):
    """Where a planet is after a time of 10, along x."""
    start = np.stack([1.0, 0.0, 0.0, speed])
    times = np.array([0.0, ORBIT_END])
    return ag.odeint(orbit, start, times, rtol=TOLERANCE, atol=TOLERANCE)[-1, 0]


def place_by_adjoint(speed):
    start = np.stack([1.0, 0.0, 0.0, speed])
    times = np.array([0.0, ORBIT_END])
    found = ag.odeint(orbit, start, times, rtol=TOLERANCE, atol=TOLERANCE, gradient="adjoint")
    return found[-1, 0]


def relaxation(mu):
    """Van der Pol's equation, which is stiff."""
    change = lambda y, t: np.stack([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
    start, times = np.array([2.0, 0.0]), np.array([0.0, STIFF_END])
    return ag.odeint(change, start, times, rtol=1e-6, atol=1e-6, method="rodas4")[-1, 0]


def ball(height):
    """A ball that bounces, as events of odeint."""
    bounce = ag.Event(
        lambda y, t: y[0], direction=-1, jump=lambda y, t: np.stack([0.0 * y[0], -0.8 * y[1]])
    )
    fall = lambda y, t: np.stack([y[1], -events.GRAVITY + 0.0 * y[0]])
    start = np.stack([height, 0.0 * height])
    found = ag.odeint(fall, start, np.array([0.0, 2.0]), events=bounce, max_events=20)
    return found.y[0]


def closed_ball(height):
    return events.ball(height, 0.8, 2.0)
