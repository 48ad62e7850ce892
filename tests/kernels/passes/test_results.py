"""Arrays that are copied whole to results are made there."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.passes.copying import copying_loops
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

U, V = np.random.default_rng(0).normal(size=(2, 13, 17))


def thomas(u, v):
    """Two sweeps, of which the second begins with what the first has left."""
    d, b = u.copy(), 4 + v * v
    for i in range(1, len(u)):
        w = 1 / b[i - 1]
        b[i] -= w
        d[i] -= w * d[i - 1]
    d[-1] = d[-1] / b[-1]
    for i in range(len(u) - 2, -1, -1):
        d[i] = (d[i] - d[i + 1]) / b[i]
    return d


def twice(u, v):
    d, e = u.copy(), v.copy()
    for i in range(1, len(u)):
        d[i] += d[i - 1] * e[i]
        e[i] += d[i]
    d[0] = 0.0
    e[0] = 1.0
    for i in range(1, len(u)):
        d[i] -= d[i - 1]
        e[i] *= e[i - 1]
    return e, d


def both(u, v):
    """What the first loop has left is a result as well."""
    d = u.copy()
    for i in range(1, len(u)):
        d[i] += d[i - 1]
    e = d.copy()
    for i in range(1, len(u)):
        e[i] *= e[i - 1] + d[i]
    return d, e


def argument(u, v):
    d = v.copy()
    for i in range(1, len(u)):
        d[i] += d[i - 1]
        u[i] += d[i]
    u[:] = d
    for i in range(1, len(u)):
        u[i] *= u[i - 1]
    return d


def swapped(u, v):
    a, b = u.copy(), v.copy()
    for _ in range(5):
        b[1:] = 0.5 * (a[1:] + a[:-1])
        a, b = b, a
    return b, a


def of_one_line(u, v):
    d = u.copy()
    for i in range(1, len(u)):
        d[i] += d[i - 1]
    e = d[:, 3].copy()
    for i in range(1, len(u)):
        e[i] *= e[i - 1]
    return e


PROGRAMS = [thomas, twice, both, argument, swapped, of_one_line]


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_programs(function, dtype):
    check(function, U.astype(dtype), V.astype(dtype), ulps=0.0)


@pytest.mark.parametrize("function", PROGRAMS)
def test_programs_of_any_length(function):
    f = ag.to_graph(function)
    for n in (13, 15, 17, 4, 33):
        u, v = np.random.default_rng(n).normal(size=(2, n, n + n % 2)) / 10
        mine, own = u.copy(), u.copy()
        for x, y in zip(f(mine, v), function(own, v)):
            np.testing.assert_array_equal(x, y)
        np.testing.assert_array_equal(mine, own)


def copied(f, *args):
    """The arrays of the kernel's own that a loop copies to others, and does nothing else."""
    (native,) = f.kernels(*args).values()
    found = map(copying_loops, for_host(native.kernel).body)
    return [loops[1].buffer for loops in found if loops and loops[1].buffer.kind != "input"]


@pytest.mark.parametrize("function", [thomas, twice])
def test_nothing_is_copied(function):
    assert copied(ag.to_graph(function), U, V) == []
    f = ag.to_graph(function)
    for n in (13, 15, 17):
        f(*np.ones((2, n, n)))
    assert copied(f, *np.ones((2, 30, 30))) == []


def test_derivatives():
    def loss(u):
        return np.sum(thomas(u, V) ** 2)

    slope = ag.jvp(loss, (U,), (V,))[1]
    np.testing.assert_allclose(np.sum(ag.grad(loss)(U) * V), slope, rtol=1e-12)
