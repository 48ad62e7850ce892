"""Loops over elements whose trips are independent run on threads, and compute what they did."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import assert_same

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 60))
SMALL = (
    RNG.integers(-8, 8, size=(60, 4, 3, 3)) / 8.0
)  # whose products are exact, however contracted
Z = SMALL + 1j * SMALL[::-1]


def escape_times(x):
    counts = np.zeros((60, 60), dtype=np.int64)
    for i in range(60):
        for j in range(60):
            c = complex(x[i, j], x[j, i])
            z = 0j
            n = 0
            while n < 30 and abs(z) <= 2.0:
                z = z * z + c
                n += 1
            counts[i, j] = n
    return counts


def steps(start):
    x = 1.5
    n = 0
    while abs(x * x - abs(start)) > 1e-4:
        x = 0.5 * (x + abs(start) / x)
        n += 1
    return x, n


def a_called_function(x):
    roots = np.zeros((60, 60), dtype=x.dtype)
    for i in range(60):
        for j in range(60):
            root, n = steps(x[i, j])
            roots[i, j] = root + n
    return roots


def products(z):
    out = np.zeros((60, 3, 3), dtype=z.dtype)
    for _ in range(2):
        for i in range(60):
            for turn in range(60):
                for k in range(4):
                    if turn != k:
                        left = z[i, k] * 2.0
                        out[i] += left * z[i, k - 1] + left[0]
    return out


def in_another_loop(x):
    for _ in range(2):
        y = np.zeros((60, 60))
        for i in range(60):
            for j in range(60):
                n = 0
                while n < 40 + i:
                    y[i, j] += x[i, j] / (n + 1.0)
                    n += 1
        x = y
    return x


def carried(x):
    """The array of a trip still holds what the trip before wrote."""
    last = np.zeros(4)
    out = np.zeros((60, 6))  # rows too short for threads of their own
    for i in range(60):
        for j in range(6):
            n = 0
            while n < 40:
                out[i, j] += last[n % 4]
                n += 1
        last[i % 4] = x[i, 0]
    return out


def running(x):
    out = np.zeros((61, 60))
    for i in range(60):
        for j in range(60):
            n = 0
            while n < 40:
                out[i + 1, j] += out[i, j] * 0.01 + x[i, j]
                n += 1
    return out


def scattered(x, places):
    out = np.zeros((60, 60))
    for i in range(60):
        for j in range(60):
            n = 0
            while n < 40:
                out[places[i], j] += x[i, j]
                n += 1
    return out


def on_threads(function, *args):
    return "call i32 @ag_parallel" in str(ag.to_graph(function).kernels(*args))


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (escape_times, X),
        (a_called_function, X),
        (a_called_function, X.astype(np.float32)),
        (products, Z),
        (products, Z.astype(np.complex64)),
        (in_another_loop, X),
    ],
)
def test_independent_trips_are_shared(function, x):
    assert on_threads(function, x)
    assert_same(ag.to_graph(function)(x), function(x), 0.0)


@pytest.mark.parametrize("function", [carried, running])
def test_trips_that_need_the_one_before_stay_in_order(function):
    assert not on_threads(function, X)
    assert_same(ag.to_graph(function)(X), function(X), 0.0)


def test_trips_that_may_write_the_same_row_stay_in_order():
    places = np.arange(60) // 2
    assert not on_threads(scattered, X, places)
    assert_same(ag.to_graph(scattered)(X, places), scattered(X, places), 0.0)


def test_an_error_in_one_of_the_trips():
    def read(x, places):
        out = np.zeros((60, 60))
        for i in range(60):
            for j in range(60):
                n = 0
                while n < 40:
                    out[i, j] += x[i, places[j]]
                    n += 1
        return out

    places = np.arange(60)
    assert_same(ag.to_graph(read)(X, places), read(X, places), 0.0)
    places[59] = 60
    with pytest.raises(IndexError):
        ag.to_graph(read)(X, places)
