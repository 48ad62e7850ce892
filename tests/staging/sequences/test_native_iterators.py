"""Loops over Python's own iterators: of ranges, of combinations, and of what they leave behind."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError
from autograph.graph.graph import walk
from ops.control import regions
from tests.support.refusals import refused


def backwards(y):
    s = 0.0
    for t in reversed(range(len(y))):
        s = s * 0.5 + y[t] * t
    return s


def backwards_until(y):
    s = 0.0
    for t in reversed(range(len(y) - 1)):
        if y[t] > 100.0:
            break
        s = s * y[t] + y[t + 1]
    else:
        s = s + 1.0
    return s


def backwards_through_a_list(y):
    squares = []
    for v in y:
        squares.append(v * v)
    s = squares[-1]
    for t in reversed(range(len(y) - 1)):
        s = squares[t] - 0.5 * s + squares[t + 1]
    return s


def counted(y):
    s = 0.0
    for i, j in enumerate(range(1, len(y)), 3):
        s = s * 0.5 + y[j] * i
    return s


def zipped(y):
    s = 0.0
    for i, j in zip(range(len(y)), reversed(range(1, len(y)))):
        s = s * 0.5 + y[i] * y[j]
    return s


def what_is_left(y):
    numbers = reversed(range(len(y)))
    first = next(numbers)
    s = 0.0
    for t in numbers:
        s = s * 0.5 + y[t] * first
    return s


def pairs(y):
    s = 0.0
    for i, j in itertools.combinations(range(30), 2):
        s = s * 0.5 + y[i] * y[j] * i / (j + 1)
    return s


def places(y):
    s = 0.0
    for i, j in itertools.product(range(10), range(30)):
        s = s * 0.5 + y[i] * y[j]
    return s


def indices(y):
    s = 0.0
    for i, j in np.ndindex(10, 30):
        s = s * 0.5 + y[i] * y[j]
    return s


def endless(y):
    x = 1.0 + y[0] ** 2
    for k in itertools.count(2, 3):
        x = 0.5 * (x + 2.0 / x) + 0.01 * y[1]
        if k > 500 + 10 * y[2]:
            break
    return x * k


def repeated(y):
    x = y[0]
    for _ in itertools.repeat(None, 300):
        x = 0.9 * x + y[1]
    return x


def neighbours(y):
    s = 0.0
    for a, b in itertools.pairwise(y):
        s = s * 0.5 + a * b
    return s


ONE_LOOP = [
    *(backwards, backwards_until, counted, zipped, what_is_left, pairs, places, indices),
    *(endless, repeated, neighbours),
]
Y = np.random.default_rng(0).normal(size=300)


@pytest.mark.parametrize("function", ONE_LOOP)
def test_more_trips_than_are_run_as_python_are_one_loop(function):
    assert np.isclose(ag.to_graph(function)(Y), function(Y), rtol=1e-12)
    loops = [
        n
        for n in walk(ag.to_graph(function).graph(Y).main)
        if n.op in (regions.for_loop, regions.while_loop)
    ]
    assert len(loops) == 1


@pytest.mark.costly
@pytest.mark.parametrize("function", [*ONE_LOOP, backwards_through_a_list])
def test_derivatives(function):
    y = Y[:40]
    ag.check_grads(function, (y,), order=2, modes=("fwd", "rev"))
    lanes = np.stack([y, y[::-1]])
    expected = [ag.grad(function)(lane) for lane in lanes]
    np.testing.assert_allclose(ag.vmap(ag.grad(function))(lanes), expected, rtol=1e-10)


def test_numbers_are_those_of_python():
    """They promote no array of low precision."""

    def f(y):
        s = y[0]
        for i, j in itertools.combinations(range(9), 2):
            s = s + y[i] * i / (j + 1)
        for i in reversed(range(9)):
            s = s + y[i] * i
        return s

    y = Y.astype(np.float32)
    assert ag.to_graph(f)(y).dtype == f(y).dtype == np.float32


def test_what_needs_numbers_runs_as_python():
    def f(y):
        parts = [y[:2] * k for k in range(3)]
        for i in reversed(range(len(parts))):
            y = y + np.sum(parts[i]) + np.sum(y[:i] * np.ones(i))
        for i, j in itertools.product(range(5), range(4)):
            y = y + np.sum(np.ones((i, j)))
        return y

    np.testing.assert_allclose(ag.to_graph(f)(Y), f(Y), rtol=1e-12)


def shared(y):
    numbers = reversed(range(6))
    s = 0.0
    for i, j in zip(numbers, numbers):
        s = s * y[i] + y[j]
    return s


def nothing(y):
    s = 1.0
    for i in reversed(range(0)):
        s = s * y[i]
    for i, j in zip(range(0), range(3)):
        s = s * y[i + j]
    for a, b in itertools.pairwise(y[:0]):
        s = s * a * b
    for a, b in itertools.pairwise(y[:1]):
        s = s * a * b
    for _ in itertools.repeat(1, 0):
        s = s * 2.0
    return s


def left_early_by_what_is_known(y):
    def numbers():
        yield from range(10)

    found = numbers()
    for i in found:
        if i == 3:
            break
    return y[0] * next(found)


@pytest.mark.parametrize("function", [shared, nothing, left_early_by_what_is_known])
def test_as_python(function):
    assert ag.to_graph(function)(Y) == function(Y)


def goes_on(y):
    numbers = reversed(range(10))
    for i in numbers:
        if y[i] > 0:
            break
    for i in numbers:
        y = y + i
    return y


def goes_on_inside(y):
    numbers = reversed(range(10))
    for i, _ in enumerate(numbers):
        if y[i] > 0:
            break
    return next(numbers) + y


def goes_on_with_a_generator(y):
    def numbers():
        yield from range(10)

    found = numbers()
    for i in found:
        if y[i] > 0:
            break
    return next(found) + y


@pytest.mark.parametrize("function", [goes_on, goes_on_inside, goes_on_with_a_generator])
def test_what_a_loop_has_left(function):
    np.testing.assert_array_equal(ag.to_graph(function)(Y), function(Y))


class Countdown:
    def __init__(self, start):
        self.now = start

    def __iter__(self):
        return self

    def __next__(self):
        self.now -= 1
        if self.now < 0:
            raise StopIteration
        return self.now


def counts_down(y):
    numbers = Countdown(10)
    for i in numbers:
        if y[i] > 0:
            break
    return y[0] * numbers.now


def notes(y):
    seen = []

    def numbers():
        for k in range(10):
            seen.append(k)
            yield k

    for i in numbers():
        if y[i] > 0:
            break
    return y[0] * len(seen)


def test_an_iterator_that_others_see_is_not_advanced_past_where_the_run_leaves():
    np.testing.assert_array_equal(ag.to_graph(counts_down)(Y), counts_down(Y))
    np.testing.assert_array_equal(ag.to_graph(notes)(Y), notes(Y))


def test_it_is_advanced_where_the_way_is_known():
    def f(y):
        numbers = Countdown(10)
        for i in numbers:
            y = y + i
            if i == 4:
                break
        return y * numbers.now

    np.testing.assert_array_equal(ag.to_graph(f)(Y), f(Y))


def test_what_is_a_list_or_no_list():
    def f(x):
        total = x
        for v in x > 0.0 or [x, 1.0]:
            total += v
        return total

    assert "bool and [float, float]" in refused(BranchMismatchError, f, -1.0)
    assert "bool and [float, float]" in refused(
        BranchMismatchError, lambda x: list(x > 0.0 or [x, 1.0]), -1.0
    )
