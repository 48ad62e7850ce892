"""Generator expressions over many numbers are loops, and iterators are gone through once."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()
X = np.random.default_rng(0).random(40)


@programs(X)
def sums(x):
    total = sum(x[i] * x[i - 1] for i in range(40)), sum((x[i] for i in range(40)), 1.5)
    return total, sum(x[i] > 0.5 for i in range(40)), sum(x[i] if i % 3 else 0 for i in range(40))


@programs(X)
def extremes(x):
    far = max(abs(x[i] - x[0]) for i in range(40))
    return far, min((x[i] for i in range(40)), key=lambda v: -v)


@programs(X)
def all_and_any(x):
    return all(x[i] >= 0 for i in range(40)), any(x[i] > 2 for i in range(40))


@programs(X)
def in_each_other(x):
    return sum(sum(x[i] * x[j] for j in range(40)) for i in range(40))


@programs(X)
def any_stops(x):
    asked = [0]

    def is_large(i):
        asked[0] += 1
        return x[i] > 0.9

    return any(is_large(i) for i in range(40)), asked[0]


@programs(X)
def draws(x):
    rng = np.random.default_rng(3)
    return sum(rng.normal() * x[i] for i in range(40)), rng.normal()


@programs(X)
def a_loop_that_ends(x):
    total = 0.0
    for v in (x[i] * x[i - 1] for i in range(40)):
        if v > 0.7:
            break
        total += v
    return total


@programs(X)
def backwards(x):
    return sum(x[i] * i for i in range(39, -1, -1)), list(x[i] for i in range(40))


@programs(X)
def of_lists_that_differ(x):
    parts = [np.ones(i % 3 + 1) for i in range(40)]
    return sum(np.sum(parts[i]) * x[i] for i in range(40))


@programs(X)
def of_known_numbers(x):
    return np.ones(sum(i % 2 for i in range(40))) * x[0]


@programs.test
def test_programs(call):
    call.run()


@pytest.mark.parametrize("take", [sum, max, any], ids=lambda f: f.__name__)
def test_many_numbers_are_a_loop(take):
    f = ag.to_graph(lambda x: take(x[i] * x[i - 1] for i in range(len(x))))
    x = np.linspace(0.0, 0.1, 2000)
    assert f(x) == take(x[i] * x[i - 1] for i in range(len(x)))
    assert len(str(f.graph(x)).splitlines()) < 40


def generator_twice(x):
    values = (v for v in x)
    return sum(values), sum(values)


def generator_after_its_first(x):
    values = (v for v in x)
    return next(values), sum(values)


def in_two_calls(x):
    def total(values):
        return sum(values)

    values = (v for v in x)
    return total(values), total(values)


def after_a_loop(x):
    values = (v for v in x)
    total = 0.0
    for v in values:
        if v > 0.5:
            break
        total += v
    return total, max(values)


def map_twice(x):
    values = map(lambda v: v * 2, x)
    return sum(values), list(values)


def enumerate_after_its_first(x):
    pairs = enumerate(x)
    next(pairs)
    return sum(v for _, v in pairs)


def paired_with_itself(x):
    values = (v for v in x)
    return [a * b for a, b in zip(values, values)]


def filtered_twice(x):
    values = (v for v in x if v > 0.3)
    return sum(values), sum(values)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [
        generator_twice,
        generator_after_its_first,
        in_two_calls,
        after_a_loop,
        map_twice,
        enumerate_after_its_first,
        paired_with_itself,
        filtered_twice,
    ],
)
def test_what_is_left_of_one_that_is_gone_through(function):
    check(function, X[:6])


def test_iterators_of_arrays_know_where_they_are():
    def f(x):
        values = iter(x)
        return next(values), sum(values)

    assert ag.to_graph(f)(X) == f(X)
