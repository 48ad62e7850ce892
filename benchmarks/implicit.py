"""Derivatives of solutions of equations: how exact, and how long they take, by order.

Three ways: the derivative of the equation (`ag.root`), the derivative through the steps that the
solver made, and the best there is elsewhere, ``jax.lax.custom_root`` with the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

LANES = np.linspace(0.5, 20.0, 10_000)
LOAD = np.linspace(0.5, 1.0, 50)


def cubic(a):
    return ag.root(lambda x: x**3 + x - a, 1.0)


def cubic_by_steps(a):
    """Newton's method, until a step changes little."""
    x = 1.0
    step = 1.0
    while abs(step) > 1e-10 * (1.0 + abs(x)):
        step = (x**3 + x - a) / (3.0 * x**2 + 1.0)
        x = x - step
    return x


def exact(a: float) -> list[float]:
    """The solution and its first three derivatives, by those of the inverse."""
    x = max(np.roots([1.0, 0.0, 1.0, -a]), key=lambda z: -abs(z.imag)).real
    x = x - (x**3 + x - a) / (3.0 * x**2 + 1.0)
    f, ff, fff = 3.0 * x**2 + 1.0, 6.0 * x, 6.0
    return [x, 1.0 / f, -ff / f**3, (3.0 * ff**2 - f * fff) / f**5]


def springs(stiffness):
    """A chain of springs that become harder, by Newton's method."""
    return np.sum(ag.root(lambda u: _forces(u, stiffness), 0.0 * LOAD) ** 2)


def _forces(u, stiffness):
    neighbours = np.append(u[1:], 0.0) + np.append(0.0, u[:-1])
    return 2.5 * u - neighbours + stiffness * u**3 - LOAD


def _order(function: Callable, grad: Callable, count: int) -> Callable:
    for _ in range(count):
        function = grad(function)
    return function


def _jax() -> tuple[Callable, Callable, Callable, Callable]:
    """The cubic and the springs, JAX's `grad`, and what makes lanes of a compiled function."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    jax.config.update("jax_enable_x64", True)

    def newton(f, x):
        def going(state):
            x, step = state
            return jnp.max(jnp.abs(step)) > 1e-10 * (1.0 + jnp.max(jnp.abs(x)))

        def one(state):
            x, _ = state
            jacobian = jax.jacfwd(f)(x)
            r = f(x)
            step = jnp.linalg.solve(jacobian, r) if jnp.ndim(x) else r / jacobian
            return x - step, step

        return lax.while_loop(going, one, (x, jnp.ones_like(x)))[0]

    def tangent(g, y):
        if not jnp.ndim(y):
            return y / g(1.0)
        return jnp.linalg.solve(jax.jacfwd(g)(y), y)

    def jax_cubic(a):
        return lax.custom_root(lambda x: x**3 + x - a, jnp.float64(1.0), newton, tangent)

    def forces(u, stiffness):
        zero = jnp.zeros(1)
        neighbours = jnp.append(u[1:], zero) + jnp.append(zero, u[:-1])
        return 2.5 * u - neighbours + stiffness * u**3 - LOAD

    def jax_springs(stiffness):
        f = lambda u: forces(u, stiffness)
        return jnp.sum(lax.custom_root(f, jnp.zeros(len(LOAD)), newton, tangent) ** 2)

    def in_lanes(function):
        compiled = jax.jit(jax.vmap(function))
        return lambda x: compiled(x).block_until_ready()

    def alone(function):
        compiled = jax.jit(function)
        return lambda x: compiled(x).block_until_ready()

    return jax_cubic, jax_springs, jax.grad, lambda f, many: in_lanes(f) if many else alone(f)


def _error(function: Callable, order: int) -> str:
    worst = max(abs(float(function(a)) / exact(a)[order] - 1.0) for a in (0.7, 3.0, 10.0))
    return f"{worst:.0e}"


def run() -> Table:
    peer = _jax() if find_spec("jax") else None
    rows = []
    for count in (1, 2, 3):
        ours = _order(cubic, ag.grad, count)
        steps = _order(cubic_by_steps, ag.grad, count)
        ways = {"equation": ag.vmap(ours), "steps": ag.vmap(steps)}
        errors = {"equation": _error(ours, count), "steps": _error(steps, count)}
        if peer is not None:
            theirs = _order(peer[0], peer[2], count)
            ways["jax"] = peer[3](theirs, True)
            errors["jax"] = _error(theirs, count)
        rows.append(_row(f"cubic, order {count}, {len(LANES)} lanes", ways, LANES, errors))
    for count in (1, 2):
        ways = {"equation": _order(springs, ag.grad, count)}
        if peer is not None:
            ways["jax"] = peer[3](_order(peer[1], peer[2], count), False)
        found = [float(way(0.3)) for way in ways.values()]
        np.testing.assert_allclose(found, found[0], rtol=1e-7)
        rows.append(_row(f"{len(LOAD)} springs, order {count}", ways, 0.3, {}))
    return Table(
        "Derivatives of solutions",
        "Time of a call, and in brackets the largest relative error of the derivative at three "
        "places. A ratio below 1 means that `ag.root` is faster than jax.lax.custom_root with the "
        "same steps of Newton's method.",
        ("function", "ag.root", "through the steps", "custom_root of JAX", "ratio to JAX"),
        rows,
    )


def _row(name: str, ways: dict[str, Callable], x: object, errors: dict[str, str]) -> tuple:
    timings = interleaved({key: lambda way=way: way(x) for key, way in ways.items()})

    def cell(key: str) -> str:
        if key not in ways:
            return ""
        error = f" ({errors[key]})" if key in errors else ""
        return duration(timings.seconds(key)) + error

    ratio = f"{timings.ratio('equation', 'jax'):.2f}" if "jax" in ways else ""
    return (name, cell("equation"), cell("steps"), cell("jax"), ratio)
