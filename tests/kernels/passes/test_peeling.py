"""First trips of loops in order that do something else are written before their loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

X = np.random.default_rng(0).random((9, 11))


def cheapest_path(x, w):
    n, m = x.shape
    d = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i == 0 and j == 0:
                d[i, j] = x[i, j]
            elif i == 0:
                d[i, j] = d[i, j - 1] + x[i, j]
            elif j == 0:
                d[i, j] = d[i - 1, j] + x[i, j]
            else:
                d[i, j] = min(d[i - 1, j], d[i, j - 1]) + x[i, j]
    return d


def banded(x, w):
    n, m = x.shape
    d = np.full((n + 1, m), 100.0)
    for i in range(n):
        for j in range(max(0, i - w), min(m, i + w + 1)):
            if j == 0:
                d[i + 1, 0] = x[i, 0] * i
                continue
            d[i + 1, j] = x[i, j] + min(d[i, j - 1], d[i, j], d[i + 1, j - 1])
    return d


def smoothed(x, w):
    n, m = x.shape
    y = np.zeros(n)
    last = 7.0
    for i in range(n):
        if i > 0:
            y[i] = 0.5 * y[i - 1] + x[i, w]
        else:
            y[i] = x[i, w] + last
        last = y[i]
    return y, last


def second_too(x, w):
    """The second trip is another one as well: nothing is gained, and nothing is done."""
    n, m = x.shape
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i, w]
        if i > 1:
            y[i] -= 0.2 * y[i - 2]
    return y


def by_data(x, w):
    n, m = x.shape
    y = np.zeros(n)
    for i in range(n):
        if i == 0:
            y[i] = x[i, w]
        elif x[i, w] > 0.5:
            y[i] = y[i - 1]
        else:
            y[i] = y[i - 1] - x[i, w]
    return y


PEELED = [cheapest_path, banded, smoothed]


@pytest.mark.parametrize("program", [*PEELED, second_too, by_data])
@pytest.mark.parametrize("shape", [(9, 11), (5, 4), (1, 4), (0, 4), (1, 3)])
def test_they_compute_the_same(program, shape):
    x = X[: shape[0], : shape[1]].copy()
    compiled = ag.to_graph(program)
    for w in (2, 1, 0):
        for _ in range(2):
            found, expected = compiled(x, w), program(x, w)
            for a, b in zip(found, expected) if isinstance(found, tuple) else [(found, expected)]:
                assert np.array_equal(a, b)


def branches_in_loops(program):
    (kernel,) = ag.to_graph(program).kernels(X, 2).values()
    loops = [s for s in ir.walk(for_host(kernel.kernel).body) if isinstance(s, ir.For)]
    inner = [s for s in loops if not any(isinstance(x, ir.For) for x in ir.walk(s.body))]
    assert inner
    return [s for loop in inner for s in ir.walk(loop.body) if isinstance(s, ir.If)]


@pytest.mark.parametrize("program", PEELED)
def test_no_branch_is_left(program):
    assert not branches_in_loops(program)


@pytest.mark.parametrize("program", [second_too, by_data])
def test_loops_with_other_branches_stay(program):
    assert branches_in_loops(program)


def below_diagonal(x, n):
    y = np.zeros(n)
    last = 0.5
    for i in range(n):
        for j in range(i):
            if j + 1 < i:
                y[j] += 0.5 * last
            last = 0.5 * last + y[j] + x[i]
    return y, last


def diagonal(x, n):
    y = np.zeros((n, n))
    for i in range(n):
        last = 1.0
        for j in range(i + 1):
            if j == i:
                y[i, j] = last
            else:
                last = 0.5 * last + x[j] + y[i - 1, j]
    return y, last


def halves(x, n):
    y = np.zeros(n)
    last = 0.5
    for i in range(n):
        if i - 2 * (i // 2) > 0:
            y[i] = last + x[i]
        last = 0.5 * last + y[i] + x[i]
    return y, last


def least_of_both(x, n):
    y = np.zeros(n)
    last = 0.5
    for i in range(n):
        if i - min(i, 3) > 0:
            y[i] = last + x[i]
        last = 0.5 * last + y[i] + x[i]
    return y, last


@pytest.mark.parametrize("program", [below_diagonal, diagonal, halves, least_of_both])
@pytest.mark.parametrize("n", [2, 3, 6, 9])
def test_bounds_of_numbers_of_a_trip_say_nothing_of_the_next(program, n):
    """``j < i`` of a loop in a loop, or ``2 * (i // 2) <= i``."""
    found, expected = ag.to_graph(program)(X[0], n), program(X[0], n)
    for a, b in zip(found, expected):
        assert np.array_equal(a, b)
