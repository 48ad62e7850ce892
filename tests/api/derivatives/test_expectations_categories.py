"""Derivatives of expectations where categories are drawn from sums of their probabilities."""

import numpy as np
import pytest

import autograph as ag
import ops
from tests.api.derivatives.test_expectations import (
    curvature,
    drawn,
    expected,
    forwards_and_in_lanes,
    is_near,
    slope,
)


def weights(p):
    """Probabilities that are 1 together."""
    w = np.array([p, 0.2, p * p, 0.5 - p / 3.0])
    return w / np.sum(w)


def searched(p, us):
    k = np.searchsorted(np.cumsum(weights(p)), drawn(us[0]))
    return (1.0 + k) ** 2 * p


def searched_from_the_right(p, us):
    k = np.searchsorted(np.cumsum(weights(p)), drawn(us[0]), side="right")
    return np.array([1.0, p, 5.0, 2.0, 7.0])[k]


def without_the_last(p, us):
    """What is not below any sum is one more category."""
    return np.searchsorted(np.cumsum(weights(p))[:-1], drawn(us[0])) ** 2


def not_normalized(p, us):
    c = np.cumsum(np.array([p, 0.2, p * p, 0.5 - p / 3.0]))
    return np.searchsorted(c, drawn(us[0]) * c[-1]) ** 2


def the_other_way(p, us):
    return np.searchsorted(np.cumsum(weights(p)), 1.0 - drawn(us[0])) ** 2


def several(p, us):
    k = np.searchsorted(np.cumsum(weights(p)), drawn(us))
    return np.prod(1.0 + k)


def argmax(p, us):
    return np.argmax(drawn(us[0]) < np.cumsum(weights(p))) ** 2


def counted(p, us):
    return np.sum(drawn(us[0]) > np.cumsum(weights(p))) ** 2


def again(p, us):
    """What is known from the search counts where the number is compared again."""
    u = drawn(us[0])
    k = np.searchsorted(np.cumsum(weights(p)), u)
    return (1.0 + k) * (3.0 if u < p else p)


def walk(p, us):
    """A Markov chain, with a row of its matrix for each state."""
    rows = np.array([[1.0 - p, p, 0.0], [p * p, 0.5, 0.5 - p * p], [p, 0.0, 1.0 - p]])
    state = total = 0
    for i in range(2):
        state = np.searchsorted(np.cumsum(rows[state]), drawn(us[i]))
        total += (1 + state) ** 2
    return total


def carried(p, us):
    u, k, n = drawn(us[0]), 0, 0
    while k < 2 and n < 2:
        k = np.searchsorted(np.cumsum(weights(p)), u)
        n += 1
        u = drawn(us[n])
    return k**2 + n


def recursive(p, us, n):
    if n == 2:
        return 1.0
    k = np.searchsorted(np.cumsum(weights(p)), drawn(us[n]))
    return 1.0 + p * k if k > 2 else (1.0 + k) * recursive(p, us, n + 1)


def called(p, us):
    return recursive(p, us, 0)


P = 0.3


def sums(p):
    return np.cumsum(weights(p))[:-1]


def rows(p):
    return [[1 - p], [p * p, p * p + 0.5, p, 1 - p]]


CUTS = {
    searched: lambda p: [sums(p)],
    searched_from_the_right: lambda p: [sums(p)],
    without_the_last: lambda p: [sums(p)],
    not_normalized: lambda p: [sums(p)],
    the_other_way: lambda p: [1.0 - sums(p)[::-1]],
    several: lambda p: [sums(p)] * 2,
    argmax: lambda p: [sums(p)],
    counted: lambda p: [sums(p)],
    again: lambda p: [np.sort([*sums(p), p])],
    walk: lambda p: [np.sort(cuts) for cuts in rows(p)],
    carried: lambda p: [sums(p)] * 3,
    called: lambda p: [sums(p)] * 2,
}
programs = pytest.mark.parametrize("f", CUTS, ids=lambda f: f.__name__)


def mean_of(f):
    """The expectation as Python computes it."""
    return lambda p: float(expected(f, CUTS[f](p), p))


@programs
def test_the_mean_of_all_estimates_is_the_derivative(f):
    found = expected(ag.score_gradient(f), CUTS[f](P), P)
    assert found == pytest.approx(slope(mean_of(f), P), rel=1e-7)


@programs
def test_so_is_that_of_second_derivatives(f):
    found = expected(ag.grad(ag.score_gradient(f)), CUTS[f](P), P)
    assert found == pytest.approx(curvature(mean_of(f), P, 3e-4), rel=1e-5)


@pytest.mark.costly
@programs
def test_so_is_that_of_forward_mode_and_of_lanes(f):
    assert expected(forwards_and_in_lanes(f), CUTS[f](P), P) == pytest.approx(
        slope(mean_of(f), P), rel=1e-7
    )


def test_probabilities_that_are_parameters():
    """Of each the derivative: the softmax of what is given."""

    def value(logits, key):
        p = np.exp(logits) / np.sum(np.exp(logits))
        return np.array([1.0, 5.0, 2.0])[np.searchsorted(np.cumsum(p), ops.random.uniform(key))]

    logits = np.array([0.1, -0.3, 0.5])
    p = np.exp(logits) / np.sum(np.exp(logits))
    wanted = p * (np.array([1.0, 5.0, 2.0]) - p @ [1.0, 5.0, 2.0])
    keys = ops.random.split(ops.random.key(0), 50_000)
    found = ag.vmap(ag.score_gradient(value), (None, 0))(logits, keys)
    assert all(is_near(found[:, i], wanted[i]) for i in range(3))


def test_numpys_generators():
    def value(p, rng):
        return np.searchsorted(np.cumsum(weights(p)), rng.random()) ** 2

    rng, estimate = np.random.default_rng(0), ag.score_gradient(value)
    mean = lambda p: weights(p) @ np.arange(4) ** 2
    assert is_near([estimate(P, rng) for _ in range(4_000)], slope(mean, P))
