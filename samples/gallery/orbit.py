"""An asteroid's orbit from bearings: a fit by derivatives through an adaptive solver.

From a planet on a circle, the direction to an asteroid is measured now and then, to about a minute
of arc, never its distance. Where was it, and how fast, when the first one was taken? Levenberg and
Marquardt's method needs the derivatives of all bearings by these four numbers: forward mode through
the solver, which chooses its steps by itself.

Lengths are in astronomical units, times in years.

    python -m samples.gallery.orbit
"""

from __future__ import annotations

import time

import numpy as np
from tqdm import tqdm

import autograph as ag
from samples.integrate import solve_ivp

MASS = 4.0 * np.pi**2  # of the sun, times the gravitational constant
TRUE = np.array([1.6, 0.4, -2.5, 4.8])  # the place and the velocity at first
GUESS = np.array([1.4, 0.0, 0.0, 5.5])


def attraction(t, state):
    """The rate of change of a place and a velocity around the sun in the origin."""
    place, velocity = state[:2], state[2:]
    return np.concatenate([velocity, -MASS * place / np.sum(place**2) ** 1.5])


def places(start, times):
    """Where the asteroid is: [m, 2]."""
    return solve_ivp(attraction, times, start, rtol=1e-8, atol=1e-8)[0][:, :2]


def observer(times):
    """Where the planet is: [m, 2]."""
    return np.stack([np.cos(2.0 * np.pi * times), np.sin(2.0 * np.pi * times)], 1)


def bearings(start, times):
    """The directions to the asteroid, as points of the unit circle in one vector: [2 m]."""
    way = places(start, times) - observer(times)
    return np.ravel(way / np.sqrt(np.sum(way**2, axis=1, keepdims=True)))


jacobian = ag.jacfwd(bearings)
predicted = ag.to_graph(bearings)


def compute(count: int, years: float, steps: int, noise: float = 3e-4, seed: int = 0):
    """Observe `count` times and fit: the times, the observed directions [m, 2], and the state at
    first after each step, the guess at the front."""
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, years, count)
    angles = np.reshape(bearings(TRUE, times), (count, 2))
    angles = np.arctan2(angles[:, 1], angles[:, 0]) + noise * rng.normal(size=count)
    observed = np.stack([np.cos(angles), np.sin(angles)], 1)

    state, damping, path = GUESS, 1.0, [GUESS]
    error = np.sum((predicted(state, times) - np.ravel(observed)) ** 2)
    progress = tqdm(range(steps), unit="step")
    for _ in progress:
        residual = predicted(state, times) - np.ravel(observed)
        slopes = jacobian(state, times)
        normal = slopes.T @ slopes
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), slopes.T @ residual)
        trial = np.sum((predicted(state - change, times) - np.ravel(observed)) ** 2)
        if trial < error:
            state, error, damping = state - change, trial, damping / 5.0
        else:
            damping *= 5.0
        path.append(state)
        progress.set_postfix(error=f"{np.sqrt(error / count):.1e}")
    return times, observed, np.array(path)


def draw(times, observed, path):
    from samples.gallery.pictures import BLUE, GREY, ORANGE, RED, pyplot

    long = np.linspace(0.0, 3.5, 400)
    figure, axes = pyplot.subplots(figsize=(6.0, 5.0))
    seen = observer(times)
    for place, direction in zip(seen, observed):
        axes.plot(*np.stack([place, place + 4.0 * direction], 1), color=GREY, lw=0.4)
    axes.plot(*observer(np.linspace(0.0, 1.0, 200)).T, color=BLUE, lw=1.0, label="planet")
    axes.plot(*seen.T, ".", color=BLUE, ms=4)
    axes.plot(*places(path[0], long).T, "--", color=ORANGE, lw=1.2, label="guess")
    for state in path[1:4]:
        axes.plot(*places(state, long).T, color=ORANGE, lw=0.7)
    axes.plot(*places(path[-1], long).T, color=RED, lw=2.0, label="fit")
    axes.plot(*places(TRUE, long).T, color="black", lw=1.5, ls=(0, (1, 3)), label="true orbit")
    axes.plot(0.0, 0.0, "o", color=ORANGE, ms=8)
    axes.set(
        xlabel="x, astronomical units",
        ylabel="y, astronomical units",
        xlim=(-3.5, 2.5),
        ylim=(-3.2, 2.5),
        aspect="equal",
        title="bearings (grey), and the orbits of the first steps",
    )
    axes.legend(loc="upper left")
    return figure


def main() -> None:
    from samples.gallery.pictures import save

    start = time.perf_counter()
    times, observed, path = compute(count=30, years=1.5, steps=12)
    seconds = time.perf_counter() - start
    off = np.linalg.norm(path[-1, :2] - TRUE[:2])
    print(f"fitted in {seconds:.1f} s, the first place to {off:.1e} astronomical units")
    print(save(draw(times, observed, path), "orbit"))


if __name__ == "__main__":
    main()
