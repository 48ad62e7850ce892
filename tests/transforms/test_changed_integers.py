"""Functions that are differentiated in others, and change what has no derivative: the states of
generators of random numbers that those others make, and arrays of integers."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import assert_near, check

X = np.arange(1.0, 4.0)


def differences(loss, x, h=1e-6):
    return np.array([(loss(x + e) - loss(x - e)) / (2 * h) for e in h * np.eye(len(x))])


class Noise:
    def __init__(self, generator):
        self.generator = generator

    def drop(self, x):
        return x * (self.generator.random(x.shape) > 0.3)


def drawn(x, seed):
    generator = np.random.default_rng(seed)
    gradient = ag.grad(lambda x: np.sum(x**2 * generator.normal(size=3)))(x)
    return gradient, generator.normal()


def given(x, seed):
    generator = np.random.default_rng(seed)

    def loss(x, generator):
        return np.sum(x**2 * generator.normal(size=3))

    return ag.value_and_grad(loss)(x, generator), generator.normal()


def trained(x, seed):
    noise, value, steps = Noise(np.random.default_rng(seed)), 1.0, 0
    while value > 0.5:
        value, gradient = ag.value_and_grad(lambda x: np.sum(noise.drop(x) ** 2))(x)
        x = x - 0.1 * gradient
        steps += 1
    return x, steps


def pushed(x, seed):
    generator = np.random.default_rng(seed)
    loss = lambda x: np.sum(x**2 * generator.normal(size=3))
    return ag.jvp(loss, (x,), (np.ones(3),)), generator.normal()


@pytest.mark.parametrize("program", [drawn, given, trained, pushed])
def test_generators_go_on(program):
    check(program, X, 3)


def test_by_differences():
    weights = np.random.default_rng(3).normal(size=3)
    found, after = ag.to_graph(drawn)(X, 3)
    assert_near(found, differences(lambda x: np.sum(x**2 * weights), X), 1e-6)
    generator = np.random.default_rng(3)
    generator.normal(size=3)
    assert after == generator.normal()


def counted(x, places):
    counts = np.zeros(3, int)

    def loss(x):
        for place in places:
            counts[place] += 1
        return np.sum(x * counts) * x[0]

    return ag.grad(loss)(x), counts


def test_integers():
    places = np.array([0, 2, 2])
    gradient, counts = ag.to_graph(counted)(X, places)
    assert list(counts) == [1, 0, 2]
    expected = differences(lambda x: np.sum(x * np.array([1, 0, 2])) * x[0], X)
    assert_near(gradient, expected, 1e-6)


def test_floats_are_refused():
    @ag.to_graph
    def outer(x):
        kept = np.zeros(3)

        def loss(x):
            kept[0] = x[0]
            return np.sum(x * kept)

        return ag.grad(loss)(x)

    with pytest.raises(MutationError, match="AG0322"):
        outer(X)
