"""``np.linspace`` and its like where only the run knows how many numbers there are."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, check_grad

programs = Programs()


def count(x):
    n = -2
    while n < x:
        n += 1
    return n


@programs(5.3)
@programs(1.5)
@programs(0.5)
@programs(-0.5)
def spaced(x):
    n = count(x)
    ends = np.linspace(x, 2.0, n, endpoint=False), np.linspace(0, x, num=n, dtype=int)
    columns = np.linspace(np.array([x, 1.0]), 3.0, n, axis=1)
    return np.linspace(x, 2, n), ends, columns, np.linspace(np.float32(1), np.float32(x), n)


@programs(5.3)
@programs(0.5)
@programs(-0.5)
def steps(x):
    return np.linspace(x, 2, count(x), retstep=True), np.linspace(x, 2, count(x), False, True)


@programs(5.3)
@programs(0.5)
@programs(-0.5)
def in_proportion(x):
    n = count(x)
    both = np.logspace(x, 2, n), np.geomspace(1 + x * x, 2, n)
    return both, np.logspace(0, x, n, False, 2.0), np.geomspace(3, 1 + x * x, n, endpoint=False)


@programs(2.0)
def mesh_of_a_solver(length):
    dx = 0.3
    n = int(length / dx)
    x, dx = np.linspace(0, length, n + 1, retstep=True)
    u = np.zeros(n + 1)
    for i in range(1, n):
        u[i] = np.sin(np.pi * x[i] / length) * dx
    return u, len(x)


@pytest.mark.parametrize("x", [-2.5, -1.5])
@pytest.mark.parametrize("spaced", [np.linspace, np.logspace, np.geomspace])
def test_a_negative_number_is_what_numpy_raises(spaced, x):
    check(lambda x: spaced(1.0, 2.0, count(x) - 1), x)


def test_derivatives_go_to_both_ends():
    check_grad(lambda x: np.sum(np.linspace(x, 2 * x * x, count(x)) ** 2), 3.7)
    check_grad(lambda x: np.sum(np.geomspace(x, 2 * x * x, count(x)) ** 2), 3.7)


def test_an_integer_argument_is_a_length():
    compiled = ag.to_graph(lambda n: np.linspace(0, 1, n))
    for n in (3, 5, 8, 0, 1):
        np.testing.assert_array_equal(compiled(n), np.linspace(0, 1, n))


@programs.test
def test_numbers_counted_at_run_time(call):
    call.run()
