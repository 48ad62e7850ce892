"""Arrays whose shapes are numbers known only at run time, in native loops."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.native.runtime import runtime
from tests.kernels.kernel_check import ALL, SOME, assert_same, check

X = np.random.default_rng(0).random(30)


# -- several lengths known only at run time -------------------------------------------------------


def cells(x, size):
    g = int(1 / size)
    counts = np.zeros((g, g))
    for k in range(len(x)):
        counts[int(x[k] * g), k % g] += 1.0
    return counts


def cells_of_integers(x, size):
    g = int(1 / size)
    counts = np.zeros((g, g + 1), dtype=np.int32)
    total = 0
    for k in range(len(x)):
        counts[int(x[k] * g), k % g] += 1
        total += counts[0, 0] + counts[-1, -1]
    return counts, counts.shape[1], total


def parts_of_cells(x, size):
    total = 0.0
    for k in range(1, 5):
        g = int(k / size)
        a = np.zeros((g + 3, g))
        a[1:k, 1:k] = 2.0
        a[0] = k
        a[:, 1] += x[k]
        total += a[k // 2 :, 0].sum() + a[:, 1].max() + a[1].sum()
    return total


def filled_by_loops(x, size):
    total = 0.0
    for k in range(1, 6):
        a = np.empty((k, int(k / size), 2))
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j, 0] = x[i] + j
                a[i, j, 1] = x[j] - i
        total += a.sum() + a[0, -1, 1]
    return total


def in_branches(x, size):
    g = int(1 / size)
    a = np.ones((2, g, g))
    for k in range(len(x)):
        if x[k] > 0.5:
            a[0, k % g] = x[k]
        elif x[k] > 0.2:
            a[1, :, k % g] += 1
    return a


def of_the_neighbours(x, size):
    g = int(1 / size)
    u = np.zeros((g, g))
    u[g // 2] = x[0]
    for _ in range(7):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    return u


GRIDS = (cells, cells_of_integers, parts_of_cells, filled_by_loops, in_branches, of_the_neighbours)


@pytest.mark.parametrize("function", GRIDS)
@pytest.mark.parametrize("size", [0.3, 0.1])
def test_grids(function, size):
    check(function, X, size, ulps=8)


def test_a_grid_without_cells():
    check(lambda x, size: np.zeros((int(1 / size), int(2 / size))), X, 3.0, kernels=None)
    check(cells, X[:0], 0.3)


@pytest.mark.parametrize("size", [0.3, -0.3])
def test_errors(size):
    """A place outside of the grid, and a negative length."""

    def function(x, size):
        g = int(1 / size)
        counts = np.zeros((g, g))
        for k in range(len(x)):
            counts[k, 0] += x[k]
        return counts

    check(function, X, size)


def test_memory_of_grids_that_nobody_gets():
    """A kernel that gives up after it has made what it returns gives that back."""

    def function(x, size):
        g = int(1 / size)
        a = np.full((g, g), x[0])
        total = 0
        for k in range(len(x)):
            total = total * 1000 + int(x[k] * 1000)
        return a, total

    check(function, X, 0.01)


# -- running totals --------------------------------------------------------------------------------


def running_totals(x, size):
    total = 0.0
    for k in range(1, 6):
        g = int(k / size)
        a = np.cumsum(x[:k])
        b = np.ones((g, k + 1))
        b[:, 0] = k
        total += a[-1] * 2 + a.sum() + np.cumsum(b, axis=0)[-1].sum()
        total += np.cumsum(b, axis=1)[0].sum() + np.cumprod(x[:k])[k // 2] + np.cumsum(b)[g]
        total += np.maximum.accumulate(x[:k])[-1] + np.cumsum(np.arange(g))[-1]
        total += np.cumsum(x[:k] > 0.5)[-1] + np.cumsum(x[: 0 * k]).sum()
    return total


def test_running_totals():
    check(running_totals, X, 0.3, ulps=40)


def test_running_totals_in_lanes_and_gradients():
    def totals(x):
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = np.cumsum(x[: i + 1] ** 2)[i // 2]
        return out

    check(totals, X)
    ag.check_grads(lambda x: np.sum(np.sin(totals(x))), (X[:7],), order=2)
    rows = X.reshape(5, 6)
    np.testing.assert_allclose(ag.vmap(totals)(rows), [totals(row) for row in rows], rtol=1e-14)


# -- made anew in each trip ------------------------------------------------------------------------


def replaced(x, size):
    total = 0.0
    for k in range(2, 6):
        g = int(k / size)
        u, i = np.ones(g), 0
        while i < 5:
            u = u * 0.5 + x[i]
            i += 1
        total += u.sum()
    return total


def two_that_meet(x, size):
    g = int(1 / size)
    u, v = np.arange(g) / g, np.zeros((g, 2))
    for k in range(len(x)):
        new = u.copy()
        new[1:-1] = 0.5 * (u[2:] + u[:-2]) + x[k]
        v = v + new[:, None] * 0.01
        u = new
    return u, v


def exchanged(x, size):
    g = int(1 / size)
    a, b, total = np.ones(g), np.zeros(g), 0.0
    for k in range(len(x)):
        a, b = b, a + x[k]
        if k % 3 == 0:
            a[k % g] += 5.0
        c = a
        if k % 5 == 4:
            b = c * 2
            c[0] = 3.0
        total += a[1] + b.sum()
    return total, a.copy(), b


def of_other_lengths(x, size):
    g = int(1 / size)
    u = np.zeros(g)
    for k in range(len(x)):
        u = np.concatenate((u, u[:2] + k, np.full(g, x[k])))
        if len(u) > 40:
            u = u[::3] * 0.5
    return u


def doubled(x, size):
    u, total = np.ones(int(1 / size)), 0.0
    while len(u) < 3000:
        u = np.concatenate((u, u[::-1] + 1))
        total += u[len(u) // 3] * x[0]
    return u, total


ANEW = (replaced, two_that_meet, exchanged, of_other_lengths, doubled)


@pytest.mark.parametrize("function", ANEW)
@pytest.mark.parametrize("size", [0.3, 0.07])
def test_made_anew(function, size):
    check(function, X, size, kernels=ALL if function is replaced else SOME, ulps=40)


def machine(codes, size, x):
    """Arrays changed, made anew and exchanged as a program says."""
    total = 0.0
    for times in range(1, 3):
        g = int(times / size)
        a, b, c = np.ones(g), np.zeros(g + 1), np.full((g, 2), x)
        for i in range(codes.shape[0]):
            code = codes[i]
            if code == 0:
                a = a + i
            elif code == 1:
                a[i % len(a)] = x * i
            elif code == 2:
                b = np.concatenate((a[1:] * 0.5, b[:2]))
            elif code == 3:
                b[0] += 1
            elif code == 4:
                a, b = b.copy(), a.copy()
            elif code == 5:
                b = a.copy()
            elif code == 6:
                c = c * 0.5 + a[0]
            elif code == 7:
                c[i % c.shape[0]] = b[0]
            elif code == 8:
                d = a.copy()
                d[-1] += 2
                a = d[::-1] * 1.0
            elif code == 9:
                c = np.concatenate((c, c[:1] + i))
            else:
                c = c[c.shape[0] // 2 :].copy()
            total += a.sum() + 2 * b.sum() + 3 * c.sum() + len(b)
    return total


@pytest.fixture(scope="module")
def compiled_machine():
    compiled = ag.to_graph(machine)
    assert len(compiled.kernels(np.arange(3), 0.2, 0.7)) == 1
    return compiled


@pytest.mark.parametrize("seed", range(20))
def test_random_changes(compiled_machine, seed):
    rng = np.random.default_rng(seed)
    codes, size = rng.integers(0, 11, 40), 1 / rng.integers(2, 9)
    assert_same(compiled_machine(codes, size, 0.7), machine(codes, size, 0.7), ulps=100)


def test_trips_do_not_add_up():
    """A thousand trips that make arrays of 8 KB do not need more than 2 MB."""

    def function(size, n):
        total = 0.0
        for k in range(1, 3):
            g = int(k / size)
            u, v = np.ones(g), np.zeros(g)
            for i in range(n):
                w = u[::-1].copy()
                w[0] = i
                v = np.sqrt(np.abs(v)) + w
                u = 0.5 * u + 0.1 * v[0]
            total += u[0] + v[-1]
        return total

    compiled = check(function, 0.001, 3, ulps=20)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before = limit.value
    try:
        limit.value = 2_000_000
        assert_same(compiled(0.001, 1000), function(0.001, 1000), ulps=1000)
    finally:
        limit.value = before
