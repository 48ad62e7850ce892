"""From which arguments on a kernel takes so long that other threads of Python run meanwhile."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels import making
from autograph.kernels.native.signature import ALWAYS, NEVER


def once(n):
    total = 0
    for k in range(n):
        total = (total * 3 + k) % 1000
    return total


def from_two_on(n):
    total = 0.0
    for k in range(2, n + 7):
        total = total + 1.0 / k
    return total


def squared(n):
    total = 0
    for k in range(n * n):
        total = (total * 3 + k) % 1000
    return total


def triangle(n):
    total = 0
    for k in range(n):
        for i in range(k):
            total = (total * 3 + i) % 1000
    return total


def nest(n, m):
    total = 0
    for k in range(n):
        for i in range(m):
            total = (total * 3 + i * k) % 1000
    return total


def short(n):
    total = n
    for k in range(300):
        total = (total * 3 + k) % 1000
    return total


def long(n):
    total = n
    for k in range(30000):
        total = (total * 3 + k) % 1000
    return total


def halved(n):
    total = 0
    while n > 0:
        n = n // 2
        total = total + n
    return total


def told_by_elements(xs):
    total = 0
    for k in range(int(xs[1])):
        total = (total * 3 + k) % 1000
    return total


def of_sums_of_sums(n):
    a = b = n
    for _ in list(range(60)):  # written out: each number follows from two, which do from the same
        a, b = b, a + b
    total = 0
    for k in range(min(b, 10)):
        total = (total * 3 + k) % 1000
    return total


def paces(function, *args):
    compiled = ag.to_graph(function)
    assert compiled(*args) == function(*args)
    kernels = compiled.kernels(*args)
    assert kernels
    return [making.long_from(kernel.kernel) for kernel in kernels.values()]


@pytest.mark.parametrize("function", [once, from_two_on])
def test_as_many_trips_as_an_argument_says(function):
    (pace,) = paces(function, 5)
    assert list(pace.inputs) == [0]
    assert 100 < pace.least < 100_000


@pytest.mark.parametrize("function, args", [(squared, (5,)), (triangle, (5,)), (nest, (5, 4))])
def test_loops_in_loops_take_long_sooner(function, args):
    (pace,), (other,) = paces(function, *args), paces(once, 5)
    assert list(pace.inputs) == list(range(len(args)))
    assert 1 < pace.least < other.least


def test_numbers_that_follow_from_the_same_ones_are_looked_at_once():
    assert paces(of_sums_of_sums, np.int64(5)) == [ALWAYS]  # it did not end


def test_what_never_takes_long():
    assert paces(short, 5) == [NEVER]


@pytest.mark.parametrize(
    "function, argument", [(long, 5), (halved, 5), (told_by_elements, np.arange(5))]
)
def test_what_may_take_long_for_any_arguments(function, argument):
    assert paces(function, argument) == [ALWAYS]


def test_lengths_that_only_the_run_knows():
    def both(xs):
        return np.sum(xs * xs) + np.sum(np.exp(xs))

    compiled = ag.to_graph(both)
    for n in (3, 4, 5):
        compiled(np.ones(n))
    (kernel,) = compiled.kernels(np.ones(6)).values()
    pace = making.long_from(kernel.kernel)
    assert list(pace.inputs) == [1] and pace.least > 100  # the length comes after the array
