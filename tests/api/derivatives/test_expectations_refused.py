"""Gradients by reparametrisation, and what expectations refuse."""

import warnings

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import NonDifferentiableError, OptionError, ZeroGradientWarning
from tests.api.derivatives.test_expectations import is_near, money
from tests.support.refusals import nothing_more_known

KEY = ops.random.key(0)


# -- by reparametrisation --------------------------------------------------------------------------


def test_pathwise_gradients():
    def cost(m, key):
        first, second = ops.random.split(key)
        x = m + 0.5 * ops.random.normal(first) * m
        return x**2 + np.log(ops.random.gamma(second, m)) if m > 0 else x

    from scipy.special import polygamma

    keys = ops.random.split(KEY, 20_000)
    found = ag.vmap(ag.pathwise(cost), (None, 0))(1.5, keys)
    assert is_near(found, 2 * 1.5 * 1.25 + polygamma(1, 1.5))
    mean = ag.pathwise(cost, samples=20_000)(1.5, KEY)
    assert mean == pytest.approx(2 * 1.5 * 1.25 + polygamma(1, 1.5), rel=0.02)


def test_pathwise_and_scores_agree_where_there_is_nothing_to_score():
    def f(m, key):
        return np.sin(m * ops.random.exponential(key))

    found = ag.score_gradient(f, samples=10)(0.7, KEY)
    assert found == ag.pathwise(f, samples=10)(0.7, KEY)


def deciding(m, key):
    x = m + ops.random.normal(key)
    if x > 0.0:
        x = x * 2.0
    return x


def drawing(p, key):
    return p * ops.random.poisson(key, p)


def recursion(m, x, key):
    if x > 1.0:
        return x
    first, second = ops.random.split(key)
    return recursion(m, x + m + ops.random.normal(first), second)


@pytest.mark.parametrize(
    ("f", "line"),
    [
        (deciding, "if x > 0.0"),
        (drawing, "ops.random.poisson(key, p)"),
        (money, "if ops.random.bernoulli"),
        (lambda m, key: np.floor(m + ops.random.normal(key)), "np.floor"),
        (lambda m, key: recursion(m, 0.0, key), "if x > 1.0"),
    ],
)
def test_pathwise_gradients_are_refused_where_draws_decide(f, line):
    with pytest.raises(NonDifferentiableError, match="AG0557") as error:
        ag.pathwise(f)(0.5, KEY)
    assert line in str(error.value)


def test_decisions_that_do_not_depend_on_draws_and_parameters_are_not():
    def f(m, bound, key):
        z = ops.random.normal(key)
        x = m * z if z > bound else m * 2.0
        return x if m > 0.2 else 3.0 * x

    assert ag.pathwise(f)(0.5, 10.0, KEY) == 2.0
    assert ag.score_gradient(f)(0.5, 10.0, KEY) == 2.0
    with pytest.raises(NonDifferentiableError, match="AG0557"):
        ag.pathwise(f, argnums=(0, 1))(0.5, 10.0, KEY)


# -- what is refused -------------------------------------------------------------------------------


def used_twice(p, key):
    u = ops.random.uniform(key)
    return u if u < p else 0.0


def test_a_number_that_is_compared_and_used_otherwise_is_refused():
    with pytest.raises(NonDifferentiableError, match="AG0554") as error:
        ag.score_gradient(used_twice)(0.3, KEY)
    message = str(error.value)
    assert "return u if u < p" in message and "u = ops.random.uniform(key)" in message
    with pytest.raises(NonDifferentiableError, match="AG0554"):
        ag.grad(ag.expectation(used_twice))(0.3, KEY)
    assert ag.expectation(used_twice)(0.3, KEY) == used_twice(0.3, KEY)


@pytest.mark.parametrize(
    "f",
    [
        lambda p, key: np.floor(3.0 * p * ops.random.uniform(key)),
        lambda p, key: (p * ops.random.uniform(key)) % 0.25,
        lambda p, key: 1.0 if abs(ops.random.uniform(key) - 0.5) < p else 0.0,
        lambda p, key: 1.0 * np.argmax(p * ops.random.uniform(key, (3,)) + np.arange(3.0)),
    ],
)
def test_jumps_without_a_likelihood_are_refused(f):
    with pytest.raises(NonDifferentiableError, match="AG0554"):
        ag.score_gradient(f)(0.3, KEY)


def draw(key, i):
    return ops.random.uniform(ops.random.fold_in(key, i))


def summed(p, key):
    u, n, total = draw(key, 0), 0, 0.0
    while u < p:
        n, total = n + 1, total + u
        u = draw(key, n)
    return total


def returned(p, key):
    u, n = draw(key, 0), 0
    while u < p:
        n += 1
        u = draw(key, n)
    return u


def largest(p, key):
    u, n = draw(key, 0), 0
    while u < p:
        n += 1
        u = np.maximum(u, draw(key, n))
    return n


def remembered(p, key):
    first = draw(key, 0)
    u, n = first, 0
    while u < p:
        n += 1
        u = draw(key, n)
    return n if first < 0.5 * p else 0.0


def taken_in_each_trip(p, key):
    first, n = draw(key, 0), 0
    for _ in range(3):
        u = first
        while u < p:
            n += 1
            u = draw(key, n)
    return n


def duplicated(p, key):
    u, v, n = draw(key, 0), draw(key, 1), 0
    for _ in range(3):
        if u < p:
            n += 1
        if v < p * p:
            n += 3
        v = u
    return n


def of_two_distributions(p, key):
    u, n = draw(key, 0), 0
    while u < p:
        n += 1
        u = ops.random.normal(ops.random.fold_in(key, n))
    return n


def with_each_other(p, key):
    u, last, n = draw(key, 0), 1.0, 0
    while u < p * last:
        n += 1
        last, u = u, draw(key, n)
    return n


def tree(p, u, n):
    if n == 3:
        return 1.0
    return 2.0 if u < p * n else tree(p, u, n + 1) + tree(p, u, n + 2)


def multiple(p, u, n):
    return p * multiple(p, u, n - 1) if n > 0 else u


def order(p, u, v, n):
    if n == 0:
        return p
    return 2.0 * order(p, v, u, n - 1) if u < v else p + order(p, u, v, n - 1)


def compared_before(p, key):
    u = draw(key, 0)
    return (1.0 if u < p else 2.0) * order(p, u, draw(key, 1), 2)


@pytest.mark.parametrize(
    ("f", "lines"),
    [
        (summed, ["while u < p", "ops.random.uniform"]),
        (returned, ["while u < p", "ops.random.uniform"]),
        (largest, ["while u < p", "it is used", "u = np.maximum(u, draw(key, n))"]),
        (remembered, ["while u < p", "it is used again", "if first < 0.5 * p", "one name"]),
        (taken_in_each_trip, ["while u < p", "that two variables may hold", "one name"]),
        (duplicated, ["if u < p", "that two variables may hold", "one name"]),
        (of_two_distributions, ["while u < p", "differently distributed", "in the same way"]),
        (with_each_other, ["while u < p * last"]),
        (lambda p, key: tree(p, draw(key, 0), 1), ["u < p * n", "tree(p, u, n + 2)"]),
        (
            lambda p, key: multiple(p, u, 2) if (u := draw(key, 0)) < p else 1.0,
            ["(u := draw(key, 0)) < p", "ops.random.uniform"],
        ),
        (compared_before, ["if u < p", "ops.random.uniform"]),
    ],
)
def test_draws_that_are_carried_and_not_only_compared_once_are_refused(f, lines):
    with nothing_more_known(), pytest.raises(NonDifferentiableError, match="AG0554") as error:
        ag.score_gradient(f)(0.3, KEY)
    assert all(line in str(error.value) for line in lines)


def test_draws_are_not_carried_by_loops_that_run_as_python():
    keys = ops.random.split(KEY, 20_000)
    found = ag.vmap(ag.score_gradient(duplicated), (None, 0))(0.3, keys)
    assert is_near(found, 3 + 18 * 0.3)  # of 3 p + 9 p**2


def test_carried_draws_that_meet_no_parameters_are_not():
    assert ag.score_gradient(lambda p, key: order(p, draw(key, 0), draw(key, 1), 2))(0.3, KEY) > 0
    kept = lambda p, key: p * returned(0.5, key)
    assert ag.score_gradient(kept)(0.3, KEY) == returned(0.5, KEY)


def test_draws_under_a_derivative_of_their_own_are_refused():
    @ag.custom_vjp
    def own(p, key):
        return 1.0 * ops.random.bernoulli(key, p)

    own.defvjp(lambda p, key: (own(p, key), None), lambda _, ct: (ct, None))
    with pytest.raises(NonDifferentiableError, match="AG0554"):
        ag.score_gradient(lambda p, key: own(p, key))(0.3, KEY)


def test_scores_of_scores_are_refused():
    with pytest.raises(NonDifferentiableError, match="AG0555"):
        ag.score_gradient(ag.score_gradient(money))(0.3, KEY)


def test_options():
    f = lambda p, k: money(p, k)
    for wrong in ({"samples": 0}, {"samples": 2.0}, {"baseline": "mean"}, {"key": "k"}):
        with pytest.raises(OptionError, match="AG0556"):
            ag.score_gradient(f, **wrong)
    with pytest.raises(OptionError, match="no argument is called 'key'"):
        ag.score_gradient(f, samples=2)(0.3, KEY)
    with pytest.raises(OptionError, match="key names argument 4"):
        ag.score_gradient(f, samples=2, key=4)(0.3, KEY)
    with pytest.raises(OptionError, match="the key is a Generator"):
        ag.score_gradient(f, samples=2, key=1)(0.3, np.random.default_rng(0))
    assert ag.score_gradient(f, samples=2, key=1)(0.3, KEY) == ag.score_gradient(money, samples=2)(
        0.3, KEY
    )


def test_the_warning_of_a_derivative_that_is_zero_offers_scores():
    def drawn_alone(p, key):
        return 1.0 if ops.random.uniform(key) < p else 0.0

    with pytest.warns(ZeroGradientWarning, match=r"ag\.score_gradient"):
        assert ag.grad(drawn_alone)(0.3, KEY) == 0.0

    def poisson_alone(p, key):
        return 1.0 * ops.random.poisson(key, p)

    with pytest.warns(ZeroGradientWarning, match=r"ag\.score_gradient"):
        assert ag.grad(poisson_alone)(0.3, KEY) == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.score_gradient(drawn_alone)(0.3, KEY)
