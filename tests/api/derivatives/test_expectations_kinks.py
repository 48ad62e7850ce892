"""Second derivatives of expectations where a first one jumps at a place that is random."""

import numpy as np
import pytest
from scipy import special, stats

import autograph as ag
import ops
from autograph.errors import NonDifferentiableError
from tests.api.derivatives.test_expectations import curvature, is_near, slope

KEY = ops.random.key(0)
KEYS = ops.random.split(KEY, 50_000)


def draw(key, i):
    return ops.random.uniform(ops.random.fold_in(key, i))


def normal(key):
    return ops.random.normal(ops.random.fold_in(key, 9))


def first_and_second(f, p):
    first = ag.score_gradient(f)
    return (ag.vmap(g, (None, 0))(p, KEYS) for g in (first, ag.grad(first)))


def below_another(p, key):  # p**2 / 2
    return 1.0 if draw(key, 0) < p - draw(key, 1) else 0.0


def sum_of_several(p, key):  # exp(p) - 1
    x, n = draw(key, 0), 0
    while x < p:
        n += 1
        x = x + draw(key, n)
    return n


def larger(p, key):  # p**2 / 2
    return np.maximum(p - draw(key, 0), 0.0)


def between_two(p, key):
    x = ops.random.normal(key)
    limits = draw(key, 1), draw(key, 2) - p
    return 1.0 if x > limits[0] and x < limits[1] else 0.0


def laplace(p, key):
    x = p + ops.random.laplace(key)
    return 1.0 + x if x > 0.5 else 0.0


def recursive(p, key, n):
    if n == 0:
        return abs(p - draw(key, 0))
    return p * recursive(p, ops.random.fold_in(key, n), n - 1)


@pytest.mark.parametrize(
    ("f", "first", "line"),
    [
        (below_another, lambda p: p, "draw(key, 0) < p - draw"),
        (sum_of_several, np.exp, "x = x + draw(key, n)"),
        (larger, lambda p: p, "np.maximum"),
        (between_two, None, "x > limits[0]"),
        (laplace, None, "if x > 0.5"),
        (lambda p, key: recursive(p, key, 2), None, "abs(p - draw"),
    ],
)
def test_first_derivatives_are_right_and_second_ones_refused(f, first, line):
    estimates = ag.vmap(ag.score_gradient(f), (None, 0))(0.4, KEYS)
    if first is not None:
        assert is_near(estimates, first(0.4))
    with pytest.raises(NonDifferentiableError, match="AG0554") as error:
        ag.grad(ag.score_gradient(f))(0.4, KEY)
    assert line in str(error.value)
    with pytest.raises(NonDifferentiableError, match="AG0554"):
        ag.hessian(ag.expectation(f))(0.4, KEY)


def test_second_derivatives_by_reparametrisation_are_refused_there():
    assert is_near(ag.vmap(ag.pathwise(larger), (None, 0))(0.4, KEYS), 0.4)
    with pytest.raises(NonDifferentiableError, match="AG0557"):
        ag.grad(ag.pathwise(larger))(0.4, KEY)


def test_a_kink_of_a_number_that_is_moved_is_none_where_it_is_held():
    f = lambda m, key: np.maximum(m + ops.random.normal(key), 0.0)
    first, second = first_and_second(f, 0.4)
    assert is_near(first, stats.norm.cdf(0.4)) and is_near(second, stats.norm.pdf(0.4))


POINTS, WEIGHTS = np.polynomial.hermite_e.hermegauss(60)


def mean(f):
    """Over normal numbers."""
    return lambda p: WEIGHTS @ f(p, POINTS) / np.sum(WEIGHTS)


@pytest.mark.costly
@pytest.mark.parametrize(
    ("f", "exact"),
    [
        (
            lambda p, key: 3.0 * ops.random.bernoulli(key, special.expit(p * normal(key))) ** 2,
            lambda p, z: 3.0 * special.expit(p * z),
        ),
        (
            lambda p, key: 1.0 if draw(key, 0) < 1.0 / (1.0 + np.exp(-p * normal(key))) else p,
            lambda p, z: p + (1.0 - p) * special.expit(p * z),
        ),
        (
            lambda p, key: 1.0 if ops.random.normal(key) < p * p * normal(key) else p,
            lambda p, z: p + (1.0 - p) * special.ndtr(p * p * z),
        ),
    ],
)
def test_random_probabilities_without_a_kink(f, exact):
    first, second = first_and_second(f, 0.7)
    assert is_near(first, slope(mean(exact), 0.7)) and is_near(second, curvature(mean(exact), 0.7))
