"""Generators of NumPy's that a compiled function makes itself."""

import numpy as np

import autograph as ag
from tests.support.oracle import check


def test_made_inside():
    def seeded(x, seed):
        rng = np.random.default_rng(seed)
        total = x
        for _ in range(4):
            total += rng.normal() * rng.integers(3)
        if total > 0:
            total += rng.random()
        return total, rng.random(3), np.random.default_rng(42).random()

    check(seeded, 1.0, 3)
    check(seeded, 1.0, 12345)
    check(lambda seed: np.random.default_rng(seed).random(), -1)
    check(lambda x: np.random.default_rng([1, 2]).random() + x, 1.0)


def test_made_in_each_trip():
    def function(x, n):
        total = 0.0
        for i in range(n):
            rng = np.random.default_rng(i)
            total += rng.random() * x + rng.random()
        return total

    check(function, 1.0, 4)


def test_made_in_branches():
    def function(x):
        if x > 0:
            rng = np.random.default_rng(1)
        else:
            rng = np.random.default_rng(2)
            rng.random()
        return rng.random()

    check(function, 1.0)
    check(function, -1.0)


def test_made_in_recursion():
    def each(n, seed):
        rng = np.random.default_rng(seed + n)
        if n == 0:
            return rng.random()
        return each(n - 1, seed) + rng.random()

    def shared(n, rng):
        return rng.random() if n == 0 else rng.random() + 2 * shared(n - 1, rng)

    def outer(n):
        rng = np.random.default_rng(5)
        return shared(n, rng) + rng.random()

    check(each, 3, 0)
    check(outer, 4)


def test_made_and_returned():
    compiled = ag.to_graph(lambda seed: (np.random.default_rng(seed), 1.0))
    rng, _ = compiled(3)
    assert rng.random() == np.random.default_rng(3).random()

    def used(seed):
        rng = np.random.default_rng(seed)
        rng.random(4)
        return [rng, rng]

    first, second = ag.to_graph(used)(3)
    assert first is second
    assert first.random() == used(3)[0].random()


def test_a_given_one_is_returned():
    rng = np.random.default_rng(0)
    assert ag.to_graph(lambda x, rng: {"rng": rng, "x": x})(1.0, rng)["rng"] is rng


def test_made_without_a_seed():
    draw = ag.to_graph(lambda x: np.random.default_rng().random() + x)
    assert draw(0.0) != draw(0.0)
