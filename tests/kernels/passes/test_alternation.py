"""Arrays that trips of a loop compute aside and copy back, in two memories by turns."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

U, V = np.random.default_rng(0).normal(size=(2, 13, 17))
EXACT = 0.0  # units in the last place: elements are computed by the operations that are written


def curvature(u):
    return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]


def diffusion(u, v, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * curvature(u)
    return u


def line(u, v, steps):
    w = u[3].copy()
    for _ in range(steps):
        w[1:-1] = w[1:-1] + 0.1 * (w[2:] - 2.0 * w[1:-1] + w[:-2])
    return w


def around(u, v, steps):
    for _ in range(steps):
        u = u + 0.1 * (np.roll(u, 1, 0) + np.roll(u, -1, 1) - 2.0 * u)
    return u


def reaction(u, v, steps):
    u, v = u.copy(), v.copy()
    for _ in range(steps):
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        rate = a * b * b
        change = 0.16 * curvature(u) - rate + 0.06 * (1.0 - a)
        other = 0.08 * curvature(v) + rate - 0.12 * b
        a += change
        b += other
    return u, v


def convection(u, v, steps):
    u, v = u.copy(), v.copy()
    for _ in range(steps):
        before, other = u.copy(), v.copy()
        u[1:, 1:] = before[1:, 1:] - 0.1 * other[1:, 1:] * (before[1:, 1:] - before[:-1, 1:])
        v[1:, 1:] = other[1:, 1:] - 0.1 * before[1:, 1:] * (other[1:, 1:] - other[1:, :-1])
    return u, v


def read_after_the_change(u, v, steps):
    u, sums = u.copy(), np.zeros(8)
    for t in range(steps):
        sums[t] = u[4, 4]
        u[1:-1, 1:-1] += 0.1 * curvature(u)
        sums[t] += u[1, 1] * u[2, 3]
        v[0, t] = u[3, 3]
    return u, sums, v


def another_part_in_each_trip(u, v, steps):
    u = u.copy()
    for t in range(steps):
        u[1 + t, 1:-1] += 0.1 * (u[t, 2:] + u[2 + t, :-2] + u[1 + t, 2:])
    return u


def changed_twice(u, v, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * curvature(u)
        u[0] = u[-1]
    return u


def only_sometimes(u, v, steps):
    u = u.copy()
    for t in range(steps):
        if t % 3 != 1:
            u[1:-1, 1:-1] += 0.1 * curvature(u)
    return u


def of_an_argument(u, v, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * curvature(u)
    return u.copy()


def the_sweeps_of_a_sweep(u, v, steps):
    u = u.copy()
    for _ in range(2):
        for _ in range(steps):
            u[1:-1, 1:-1] += 0.1 * curvature(u)
        u *= 0.5
    return u


BY_TURNS = [diffusion, line, around, reaction, convection, read_after_the_change]
OTHERS = [
    another_part_in_each_trip,
    changed_twice,
    only_sometimes,
    of_an_argument,
    the_sweeps_of_a_sweep,
]


@pytest.mark.parametrize("function", [*BY_TURNS, *OTHERS])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_time_steps(function, dtype):
    for steps in (7, 4, 1, 0):
        check(function, U.astype(dtype), V.astype(dtype), steps, ulps=EXACT)


def made_anew(u, v, steps):
    """The whole arrays, with their edges, are computed aside."""
    for _ in range(steps):
        u, v = u.copy(), v.copy()
        u[1:-1, 1:-1] += 0.1 * curvature(u)
        v = v + 0.1 * (np.roll(v, 1, 1) + np.roll(v, -1, 1) - 2 * v) * u
    return u, v


@pytest.mark.costly
@pytest.mark.parametrize("function", [made_anew, *BY_TURNS, *OTHERS])
def test_time_steps_of_any_length(function):
    f = ag.to_graph(function)
    small = (5, 4, 3) if function in (made_anew, diffusion) else ()
    for n in (13, 15, 17, 20, *small, 33):
        u, v = np.random.default_rng(n).normal(size=(2, n, n + n % 2)) / 10
        for steps in (7, 4, 1, 0) if n > 20 else (5,):
            found, expected = f(u.copy(), v.copy(), steps), function(u.copy(), v.copy(), steps)
            for x, y in zip(found, expected):
                np.testing.assert_array_equal(x, y)


def test_nothing_is_copied_at_any_length():
    f = ag.to_graph(made_anew)
    for n in (13, 15, 17, 20):
        f(*np.ones((2, n, n)), 7)
    assert copies(f, *np.ones((2, 30, 30)), 7) == 0


def copies(function, *args):
    """How many loops of a trip do nothing but copy."""
    (kernel,) = ag.to_graph(function).kernels(*(args or (U, V, 7))).values()
    trips = [s for s in for_host(kernel.kernel).body if isinstance(s, ir.For)]
    blocks = [s.body for s in ir.walk(trips[0].body) if isinstance(s, ir.Each)]
    plain = [[s for s in b if not isinstance(s, ir.Compute)] for b in blocks]
    return sum(
        len(b) == 2 and isinstance(b[1], ir.Store) and b[1].value is getattr(b[0], "out", None)
        for b in plain
    )


@pytest.mark.parametrize("function", [diffusion, line, around, reaction])
def test_nothing_is_copied(function):
    assert copies(function) == 0


@pytest.mark.parametrize("function", [changed_twice])
def test_what_is_written_elsewhere_is_copied(function):
    assert copies(function) > 0


class Plate:
    def __init__(self, rate):
        self.rate = rate

    def step(self, u):
        u[1:-1, 1:-1] += self.rate * curvature(u)

    def run(self, u, steps):
        u = u.copy()
        for _ in range(steps):
            self.step(u)
        return u


def test_methods_derivatives_and_lanes():
    check(lambda u, rate: Plate(rate).run(u, 6), U, 0.1, ulps=EXACT)

    def loss(u):
        return np.sum(diffusion(u, V, 5) ** 2)

    slope = ag.jvp(loss, (U,), (V,))[1]
    np.testing.assert_allclose(np.sum(ag.grad(loss)(U) * V), slope, rtol=1e-12)
    several = ag.vmap(lambda u: diffusion(u, V, 5))(np.stack([U, V]))
    np.testing.assert_array_equal(several, [diffusion(U, V, 5), diffusion(V, U, 5)])
