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


def halves(u, v, steps):
    """Arrays whose lengths are quotients."""
    w, z = u[3, ::2].copy(), v[2, : u.shape[1] // 3].copy()
    for _ in range(steps):
        w[1:-1] = 0.5 * (w[:-2] + w[2:])
    for _ in range(steps):
        z[1:-1] = 0.5 * (z[:-2] + z[2:]) + w[0]
    return w, z


def relax(w):
    w[1:-1] = 0.5 * (w[:-2] + w[2:])


def called(u, v, steps):
    w = u[3].copy()
    for _ in range(3):
        for _ in range(steps):
            relax(w)
        w *= 0.5
    return w


def again(w, depth):
    if depth == 0:
        return w
    x = w.copy()
    for _ in range(5):
        relax(x)
    return again(x, depth - 1) + w


def recursive(u, v, steps):
    return again(u[3], steps)


def few_of_many(u, v, steps):
    w = np.concatenate((u[0], u[1], u[2], u[3], v[0], v[1], v[2], v[3]))
    for _ in range(steps):
        w[1:5] = 0.5 * (w[:4] + w[2:6])
    return w


BY_TURNS = [diffusion, line, around, reaction, convection, read_after_the_change, halves]
OTHERS = [
    another_part_in_each_trip,
    changed_twice,
    only_sometimes,
    of_an_argument,
    the_sweeps_of_a_sweep,
    called,
    recursive,
    few_of_many,
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


def of_any_length(function):
    """A function that has been called for several lengths, and arguments of another one."""
    f = ag.to_graph(function)
    for n in (13, 15, 17, 20):
        f(*np.ones((2, n, n)), 7)
    return f, (*np.ones((2, 30, 30)), 7)


@pytest.mark.parametrize("function", [diffusion, line, around, reaction, made_anew, halves])
def test_nothing_is_copied_at_any_length(function):
    f, args = of_any_length(function)
    assert copies(f, *args) == 0


@pytest.mark.parametrize("function", [changed_twice, few_of_many])
def test_what_is_copied_at_any_length(function):
    f, args = of_any_length(function)
    assert copies(f, *args) > 0


def test_passes_assume_nothing_of_lengths():
    f, _ = of_any_length(line)
    forms = [form.open_shapes for form in f.compiled_forms() if form.open_shapes is not None]
    assumed = [str(a) for open_shapes in forms for a in open_shapes.symbols.assumptions]
    assert assumed and not any(str(ir.UNKNOWN_SIZE) in text for text in assumed)


def test_memory_is_reserved_once_when_the_kernel_begins():
    f, args = of_any_length(the_sweeps_of_a_sweep)
    (kernel,) = f.kernels(*args).values()
    body = for_host(kernel.kernel).body
    (sweeps,) = (s for s in body if isinstance(s, ir.For))
    inside = list(ir.walk([sweeps]))
    (own,) = {s.buffer for s in inside if isinstance(s, ir.Store) and s.buffer.kind == "reserved"}
    assert not any(isinstance(s, ir.Reserve) for s in inside)
    assert own.base in {s.out for s in body if isinstance(s, ir.Reserve)}


def copies(f, *args):
    """How many loops of a trip of a compiled function do nothing but copy."""
    (kernel,) = f.kernels(*args).values()
    trips = [s for s in for_host(kernel.kernel).body if isinstance(s, ir.For)]
    blocks = [s.body for s in ir.walk(trips[0].body) if isinstance(s, ir.Each)]
    plain = [[s for s in b if not isinstance(s, ir.Compute)] for b in blocks]
    return sum(
        len(b) == 2 and isinstance(b[1], ir.Store) and b[1].value is getattr(b[0], "out", None)
        for b in plain
    )


@pytest.mark.parametrize("function", [diffusion, line, around, reaction])
def test_nothing_is_copied(function):
    assert copies(ag.to_graph(function), U, V, 7) == 0


@pytest.mark.parametrize("function", [changed_twice, few_of_many])
def test_what_is_written_elsewhere_is_copied(function):
    assert copies(ag.to_graph(function), U, V, 7) > 0


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
