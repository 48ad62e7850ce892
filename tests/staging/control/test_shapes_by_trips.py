"""Loops that change shapes or advance iterators, of which ints tell the number of trips: the ints
become static."""

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import LoopStateError
from tests.support.oracle import Programs

programs = Programs()
X = np.arange(8.0) ** 2


@programs(X, 3)
@programs(X, 0)
def differences(x, n):
    for _ in range(n):
        x = np.diff(x)
    return x


@programs(X, 3)
def first_elements(x, n):
    total = 0.0
    for _ in range(n):
        total += x[0]
        x = x[1:]
    return total


@programs(X, 3)
@programs(X, 0)
def shorter_and_shorter(x, n):
    while n > 0:
        x = x[1:]
        n -= 1
    return x


@programs(X, 2)
def products(x, n):
    y = np.eye(1)
    for _ in range(n):
        y = np.kron(y, np.ones((2, 2))) * x[1]
    return y


@programs(X, 3)
def longer_tuples(x, n):
    found = ()
    for i in range(n):
        found = (*found, x[i])
    return found


def _powers(p, x, n):
    for _ in range(n):
        p = np.convolve(p, x)
    return p


@programs(X, 3)
def called_in_a_branch(x, n):
    return _powers(x[:1], x[:2], n) if n > 1 else x[:4]


def _squares():
    i = 0
    while True:
        yield i * i
        i += 1


@programs(2.0, 4)
@programs(2.0, 0)
def generator_advanced(x, n):
    squares, counter, total = _squares(), itertools.count(1), 0.0
    for _ in range(n):
        total += x * next(squares) + next(counter)
    return total


@programs(5)
def generator_of_numbers(n):
    def fibonacci():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    numbers, value = fibonacci(), 0
    while n > 0:
        value = next(numbers)
        n -= 1
    return value


@programs.test
def test_programs(call):
    call.run()


def test_derivatives_and_lanes():
    def f(x, n):
        for _ in range(n):
            x = x[1:] * x[:-1]
        return np.sum(x)

    found = ag.grad(f)(X[1:4], 2)
    np.testing.assert_allclose(found, [4.0**2 * 9, 2 * 4 * 9, 4.0**2])
    lanes = ag.vmap(lambda x: f(x, 2))(np.stack([X, X + 1]))
    np.testing.assert_allclose(lanes, [f(X, 2), f(X + 1, 2)])


def test_what_only_the_run_decides():
    def f(x):
        while np.sum(x) > 1:
            x = x[1:]
        return x

    np.testing.assert_array_equal(ag.to_graph(f)(X), f(X))

    def narrower(x):
        while np.sum(x) > 1:
            x = x[:, 1:]
        return x

    np.testing.assert_array_equal(ag.to_graph(narrower)(X[None]), narrower(X[None]))

    def smaller(x):
        while np.sum(x) > 1:
            x = x[1:, 1:]
        return x

    with pytest.raises(LoopStateError, match="AG0312"):
        ag.to_graph(smaller)(np.outer(X, X))
