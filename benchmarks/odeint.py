"""Differential equations: how long a solution and its derivative take, beside SciPy and JAX.

The peers are SciPy's `solve_ivp` for solutions, JAX's `odeint`, whose gradient is by the adjoint
equations, and diffrax, whose gradient is through the steps; with the same tolerances. What all of
them find has to agree.
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

TOLERANCE = 1e-8  # the derivative of the stiff problem is right to 1e-2 with it, not with 1e-6
ORBIT_END, STIFF_END = 10.0, 2000.0
SPEED, MU = 1.2, 1000.0
SPEEDS = np.linspace(1.0, 1.2, 1000)
HEIGHTS = np.linspace(0.5, 2.0, 1000)
LANES = len(SPEEDS)


def orbit(y, t):
    return np.concatenate([y[2:], -y[:2] / np.sum(y[:2] ** 2) ** 1.5])


def both(speed, gradient="steps"):
    """Where a planet is after a time of 10."""
    start = np.stack([1.0, 0.0, 0.0, speed])
    options = {"rtol": TOLERANCE, "atol": TOLERANCE, "gradient": gradient}
    return ag.odeint(orbit, start, np.array([0.0, ORBIT_END]), **options)[-1, :2]


def place(speed, gradient="steps"):
    """The same along x."""
    return both(speed, gradient)[0]


def by_adjoint(speed):
    return place(speed, "adjoint")


def relaxation(mu):
    """Van der Pol's equation, which is stiff."""
    change = lambda y, t: np.stack([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
    start, times = np.array([2.0, 0.0]), np.array([0.0, STIFF_END])
    return ag.odeint(change, start, times, rtol=TOLERANCE, atol=TOLERANCE, method="rodas4")[-1, 0]


def ball(height):
    """A ball that bounces, by the events of `odeint`."""
    bounce = ag.Event(
        lambda y, t: y[0], direction=-1, jump=lambda y, t: np.stack([0.0 * y[0], -0.8 * y[1]])
    )
    fall = lambda y, t: np.stack([y[1], -events.GRAVITY + 0.0 * y[0]])
    start = np.stack([height, 0.0 * height])
    return ag.odeint(fall, start, np.array([0.0, 2.0]), events=bounce, max_events=20).y[0]


def plain_ball(height):
    """The same by a loop over the bounces, whose times are known."""
    return events.ball(height, 0.8, 2.0)


def _scipy() -> dict[str, Callable]:
    from scipy.integrate import solve_ivp

    def place(speed: float) -> float:
        f = lambda t, y: orbit(y, t)
        start = np.array([1.0, 0.0, 0.0, speed])
        found = solve_ivp(f, (0.0, ORBIT_END), start, rtol=TOLERANCE, atol=TOLERANCE)
        return float(found.y[0, -1])

    def relaxation(mu: float) -> float:
        f = lambda t, y: np.array([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
        start = np.array([2.0, 0.0])
        found = solve_ivp(f, (0.0, STIFF_END), start, "Radau", rtol=TOLERANCE, atol=TOLERANCE)
        return float(found.y[0, -1])

    return {"place": place, "relaxation": relaxation}


def _jax() -> dict[str, Callable]:
    import jax
    import jax.numpy as jnp
    from jax.experimental.ode import odeint

    jax.config.update("jax_enable_x64", True)

    def orbit(y: Any, t: Any) -> Any:
        return jnp.concatenate([y[2:], -y[:2] / jnp.sum(y[:2] ** 2) ** 1.5])

    def both(speed: Any) -> Any:
        start = jnp.stack([1.0, 0.0, 0.0, speed])
        times = jnp.array([0.0, ORBIT_END])
        return odeint(orbit, start, times, rtol=TOLERANCE, atol=TOLERANCE)[-1, :2]

    place = lambda speed: both(speed)[0]
    ways = {"place": place, "gradient": jax.grad(place), "Jacobian": jax.jacrev(both)}
    many = {f"{name} of lanes": jax.vmap(way) for name, way in ways.items()}
    return {name: _waited(jax.jit(way)) for name, way in {**ways, **many}.items()}


def _diffrax() -> dict[str, Callable]:
    import diffrax
    import jax
    import jax.numpy as jnp

    def solved(f: Callable, start: Any, end: float, solver: Any, tol: float, most: int) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(f),
            solver,
            *(0.0, end, None, start),
            stepsize_controller=diffrax.PIDController(rtol=tol, atol=tol),
            max_steps=most,
        ).ys[-1]

    def both(speed: Any) -> Any:
        f = lambda t, y, _: jnp.concatenate([y[2:], -y[:2] / jnp.sum(y[:2] ** 2) ** 1.5])
        start = jnp.stack([1.0, 0.0, 0.0, speed])
        return solved(f, start, ORBIT_END, diffrax.Dopri5(), TOLERANCE, 256)[:2]

    def relaxation(mu: Any) -> Any:
        f = lambda t, y, _: jnp.stack([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])
        start = jnp.array([2.0, 0.0])
        return solved(f, start, STIFF_END, diffrax.Kvaerno5(), TOLERANCE, 16384)[0]

    place = lambda speed: both(speed)[0]
    ways = {"place": place, "gradient": jax.grad(place), "relaxation": relaxation}
    ways["relaxation's gradient"] = jax.grad(relaxation)
    ways["Jacobian"] = jax.jacrev(both)
    many_ways = ("place", "gradient", "Jacobian")
    many = {f"{name} of lanes": jax.vmap(ways[name]) for name in many_ways}
    return {name: _waited(jax.jit(way)) for name, way in {**ways, **many}.items()}


def _waited(function: Callable) -> Callable:
    return lambda x: np.asarray(function(x))


def run() -> Table:
    scipy = _scipy() if find_spec("scipy") else {}
    jax = _jax() if find_spec("jax") else {}
    diffrax = _diffrax() if find_spec("diffrax") else {}

    def peers(name: str) -> dict[str, Callable]:
        found = {"SciPy": scipy, "JAX": jax, "diffrax": diffrax}
        return {peer: ways[name] for peer, ways in found.items() if name in ways}

    gradient, second = ag.grad, lambda f: ag.grad(ag.grad(f))
    rows = [
        _row("orbit", ag.to_graph(place), SPEED, peers("place")),
        _row("orbit, its gradient", gradient(place), SPEED, peers("gradient")),
        _row("orbit, its gradient by the adjoint", gradient(by_adjoint), SPEED, peers("gradient")),
        _row(f"{LANES} orbits", ag.vmap(place), SPEEDS, peers("place of lanes")),
        _row(
            f"{LANES} orbits, forward mode",
            ag.vmap(lambda v: ag.jvp(place, (v,), (1.0,))[1]),
            SPEEDS,
            peers("gradient of lanes"),
        ),
        _row(
            f"{LANES} orbits, their gradients",
            ag.vmap(gradient(place)),
            SPEEDS,
            peers("gradient of lanes"),
        ),
        _row(
            f"{LANES} orbits, their Jacobians by reverse mode",
            ag.vmap(ag.jacrev(both)),
            SPEEDS,
            peers("Jacobian of lanes"),
        ),
        _row(
            f"{LANES} orbits, their Jacobians by forward mode",
            ag.vmap(ag.jacfwd(both)),
            SPEEDS,
            peers("Jacobian of lanes"),
        ),
        _row("stiff", ag.to_graph(relaxation), MU, peers("relaxation")),
        # The derivative of steps depends on which were taken, more than the solution does.
        _row("stiff, its gradient", gradient(relaxation), MU, peers("relaxation's gradient"), 2e-2),
        _row(f"{LANES} balls, their gradients", ag.vmap(gradient(plain_ball)), HEIGHTS, {}),
        _row(f"{LANES} balls, second order", ag.vmap(second(plain_ball)), HEIGHTS, {}),
        _row(f"{LANES} balls by odeint", ag.vmap(ball), HEIGHTS, {}),
        _row(f"{LANES} balls by odeint, gradients", ag.vmap(gradient(ball)), HEIGHTS, {}),
    ]
    return Table(
        "Differential equations",
        "Time of a call; in brackets the ratio of ours to it, within a round: below 1, `ag.odeint` "
        "is faster. JAX's odeint is Dormand and Prince's, with the adjoint equations; diffrax's "
        "Dopri5 and Kvaerno5 go back through the steps; SciPy has RK45 and Radau.",
        ("problem", "ag.odeint", "SciPy", "JAX", "diffrax"),
        rows,
    )


def _row(
    name: str, ours: Callable, x: Any, others: dict[str, Callable], rtol: float = 2e-3
) -> tuple:
    ways = {"ag": ours, **others}
    found = {key: np.asarray(way(x)) for key, way in ways.items()}
    for value in found.values():
        np.testing.assert_allclose(value, found["ag"], rtol=rtol, atol=1e-4)
    timings = interleaved({key: lambda way=way: way(x) for key, way in ways.items()}, rounds=7)

    def cell(key: str) -> str:
        if key not in ways:
            return ""
        ratio = "" if key == "ag" else f" ({timings.ratio('ag', key):.2g})"
        return duration(timings.seconds(key)) + ratio

    return (name, *(cell(key) for key in ("ag", "SciPy", "JAX", "diffrax")))
