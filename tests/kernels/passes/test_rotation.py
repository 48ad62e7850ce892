"""Arrays that take each other's places from trip to trip of a loop."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.copying import copying_loops
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

U, V = np.random.default_rng(0).normal(size=(2, 8, 9))


def wave(u, v, steps):
    """Each element, and the edges by themselves."""
    n, m = u.shape
    for _ in range(steps):
        new = np.empty_like(u)
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                new[i, j] = 2.0 * u[i, j] - v[i, j] + 0.1 * (around - 4.0 * u[i, j])
        for i in range(n):
            new[i, 0], new[i, m - 1] = u[i, 1], u[i, m - 2]
        for j in range(m):
            new[0, j], new[n - 1, j] = u[1, j], u[n - 2, j]
        v, u = u, new
    return u, v


def wave_by_slices(u, v, steps):
    for _ in range(steps):
        new = np.zeros_like(u)
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        new[1:-1, 1:-1] = 2.0 * u[1:-1, 1:-1] - v[1:-1, 1:-1] + 0.1 * (around - v[1:-1, 1:-1])
        v, u = u, new
    return u + v


def distances(u, v, steps):
    """Two rows of a table by turns."""
    above, row = np.zeros(40), np.zeros(40)
    best = 0.0
    for t in range(steps):
        row[0] = t
        for j in range(1, 40):
            row[j] = min(above[j], row[j - 1], above[j - 1]) + u[t % 8, j % 9]
            best = max(best, row[j])
        above, row = row, above
    return above, row, best


def three_steps_back(u, v, steps):
    a = b = c = np.zeros_like(u)
    for t in range(steps):
        slope = np.roll(u, 1, 0) - u * np.roll(v, t, 1)
        u = u + 0.1 * (slope - 0.5 * a + 0.25 * b - 0.125 * c)
        a, b, c = slope, a, b
    return u, c


def the_worst_of_all(u, v, steps):
    """Something else goes on from trip to trip as well."""
    worst, where = 0.0, -1
    for t in range(steps):
        new = np.empty_like(u)
        for i in range(8):
            for j in range(9):
                new[i, j] = 0.5 * u[i, j] + 0.6 * u[(i + t) % 8, 8 - j] - v[i, j]
                if abs(new[i, j]) > worst:
                    worst, where = abs(new[i, j]), t
        v, u = u, new
    return worst, where, u


def again_and_again(u, v, steps):
    total = 0.0
    for _ in range(3):
        u, v = wave(u, v, steps)
        total += u[2, 3]
        v = v * 0.5
    return total, u


ROTATING = [wave, wave_by_slices, distances, the_worst_of_all, again_and_again]


def what_other_trips_have_left(u, v, steps):
    """A part of ``kept`` is written in each trip, and all of it read."""
    kept = np.empty_like(u)
    kept[:] = v
    for t in range(steps):
        kept[t % 8] = u[(t + 3) % 8] * 0.5
        v, u = u, kept.copy()
        u[0, 0] += 1.0
    return u, v


def left_by_the_first_trip(u, v, steps):
    for t in range(steps):
        if t == 0:
            kept = np.zeros_like(u)
        for i in range(8):
            kept[i, t % 9] = u[i, 0] + v[i, 1]
        v, u = u, kept.copy()
    return u, v


def only_sometimes(u, v, steps):
    for t in range(steps):
        new = np.roll(u, 1, 1) - 0.5 * v
        if t % 3 != 1:
            v, u = u, new
    return u, v


def read_after_it_was_copied(u, v, steps):
    total = 0.0
    for _ in range(steps):
        new = np.roll(u, 1, 1) - 0.5 * v
        v = u.copy()
        total += u[3, 4]
        u = new
        total -= new[0, 0]
    return total, u, v


def of_arguments(u, v, steps):
    """The caller's arrays are changed, and change places."""
    a, b = u, v
    for _ in range(steps):
        for i in range(8):
            for j in range(9):
                b[i, j] = a[i, 8 - j] * 0.5 + b[i, j]
        a, b = b, a
    return a[0, 0]


def read_after_all(u, v, steps):
    new = np.zeros_like(u)
    for _ in range(steps):
        for i in range(8):
            for j in range(9):
                new[i, j] = u[7 - i, j] - 0.5 * v[i, j]
        v, u = u, new.copy()
    return u, v, new


OTHERS = [
    three_steps_back,
    what_other_trips_have_left,
    left_by_the_first_trip,
    only_sometimes,
    read_after_it_was_copied,
    of_arguments,
    read_after_all,
]


@pytest.mark.parametrize("function", [*ROTATING, *OTHERS])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_time_steps(function, dtype):
    for steps in (4, 7, 8):
        check(function, U.astype(dtype), V.astype(dtype), steps, kernels=None, scale=1.0)


@pytest.mark.parametrize("function", [*ROTATING, *OTHERS])
def test_as_many_as_are_given(function):
    """Where only the run knows how many trips there are."""
    f = ag.to_graph(function)
    for steps in (9, 8, 7, 6, 5, 1, 0):
        try:
            expected = function(U.copy(), V.copy(), steps)
        except UnboundLocalError:
            continue
        found = f(U.copy(), V.copy(), steps)
        for x, y in zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]:
            np.testing.assert_array_equal(x, y)


def copies(function, steps):
    """How many loops of the first of all trips of a compiled function copy whole arrays."""
    (kernel,) = ag.to_graph(function).kernels(U, V, steps).values()
    trips = next(s for s in for_host(kernel.kernel).body if isinstance(s, ir.For))
    found = [copying_loops(s) for s in ir.walk(trips.body)]
    return sum(f is not None and f[1].buffer.size == f[2].buffer.size for f in found)


@pytest.mark.parametrize("function", [wave, wave_by_slices, the_worst_of_all])
@pytest.mark.parametrize("steps", [6, 7])
def test_nothing_is_copied(function, steps):
    assert copies(function, steps) == 0


def test_derivatives_and_lanes():
    def loss(u, v):
        u, v = wave(u, v, 6)
        return np.sum(u**2) + np.sum(u * v)

    ag.check_grads(loss, (U, V), order=2)
    several = ag.vmap(lambda u, v: wave(u, v, 7)[0])(np.stack([U, V]), np.stack([V, U]))
    np.testing.assert_array_equal(several, [wave(U, V, 7)[0], wave(V, U, 7)[0]])
