"""NumPy's older generators, `np.random.RandomState`, made inside, passed, and found outside."""

import numpy as np
import pytest
import scipy.stats

import autograph as ag
from autograph import errors
from tests.support.oracle import check

X = np.arange(6.0)
SHARED = np.random.RandomState(11)


def draws(rng, x):
    return (
        *(rng.rand(), rng.rand(3), rng.randn(), rng.randn(2, 2), rng.random(), rng.rand(*())),
        *(rng.random_sample((2,)), rng.standard_normal(3), rng.standard_exponential()),
        *(rng.uniform(1, 2, 3), rng.normal(0, 1, 3), rng.normal(), rng.exponential(2.0, 2)),
        *(rng.choice(5), rng.choice(5, 3, replace=False), rng.choice(3, 2, p=[0.2, 0.3, 0.5])),
        *(rng.permutation(4), rng.poisson(3, 4), rng.beta(1.0, 2.0), rng.gamma(2.0)),
        *(rng.binomial(5, 0.3, size=2), rng.dirichlet([1.0, 2.0]), rng.multinomial(5, [0.5, 0.5])),
        rng.multivariate_normal([0.0, 1.0], np.eye(2)),
    )


def integers(rng, x):
    n = x.astype(int) + 1
    return (
        *(rng.randint(5), rng.randint(0, 10, 5), rng.randint(5, dtype="int32"), rng.randint(n)),
        *(rng.randint(0, n), rng.randint(2, dtype=bool), rng.randint(2, size=3, dtype=bool)),
    )


def of_traced_parameters(rng, x):
    return (
        *(rng.normal(x[0], x[1]), rng.uniform(x, x + 1), rng.exponential(x[0] + 1), rng.gumbel(x)),
        *(rng.laplace(x), rng.logistic(x, 2.0), rng.lognormal(x[1], 1), rng.rayleigh(x + 1)),
        rng.beta(x + 1, 2.0),
    )


def orders(rng, x):
    chosen = rng.choice(x), rng.choice(x, 3), rng.choice(x, 2, False), rng.permutation(x)
    m = np.outer(x, x)
    rng.shuffle(m)
    rng.shuffle(x)
    return chosen, m, rng.permutation(m), rng.permutation(x)


@pytest.mark.parametrize("function", (draws, integers, of_traced_parameters, orders))
def test_draws(function):
    check(lambda x: function(np.random.RandomState(3), x), X.copy())
    given = lambda: np.random.RandomState(5)
    compiled, ours, plain = ag.to_graph(function), given(), given()
    for _ in range(2):
        found, expected = compiled(ours, X.copy()), function(plain, X.copy())
        assert repr(found) == repr(expected)
        assert ours.rand() == plain.rand()


def test_made_with_seeds():
    check(lambda x, seed: np.random.RandomState(seed).rand(2) + x, 1.0, 3)
    check(lambda x: np.random.RandomState([1, 2]).rand(2) + x, 1.0)
    check(lambda x: np.random.RandomState(seed=int(x[2])).rand(2), X)
    fresh = ag.to_graph(lambda x: np.random.RandomState().rand() + x)
    assert fresh(1.0) != fresh(1.0)


def test_in_loops_branches_and_recursion():
    def looped(x, n):
        rng = np.random.RandomState(n)
        total = 0.0
        for i in range(n):
            total += rng.rand() * x[i]
            if rng.randint(2):
                total += rng.normal(x[0], 2.0)
        return total, rng.rand()

    def down(n, rng):
        return rng.rand() if n == 0 else rng.rand() + 2 * down(n - 1, rng)

    check(looped, X, 4)
    check(lambda n: down(n, np.random.RandomState(2)), 5)


def test_found_outside():
    def function(x):
        return SHARED.rand(3) * x[:3]

    SHARED.seed(3)
    expected = [function(X), function(X)]
    SHARED.seed(3)
    compiled = ag.to_graph(function)
    np.testing.assert_equal([compiled(X), compiled(X)], expected)


def test_returned_and_told_apart():
    def function(rng):
        made = np.random.RandomState(0)
        made.normal()
        known = isinstance(rng, np.random.RandomState), isinstance(rng, np.random.Generator)
        return rng, made, known, type(rng) is type(made) is np.random.RandomState

    rng = np.random.RandomState(1)
    given, made, *known = ag.to_graph(function)(rng)
    assert given is rng
    assert type(made) is np.random.RandomState
    assert known == [(True, False), True]
    expected = np.random.RandomState(0)
    expected.normal()
    assert made.normal() == expected.normal()


def test_gradients():
    def function(x, rng):
        return np.sum(x * rng.rand(6)) + rng.normal(x[0], x[1])

    ours, plain = np.random.RandomState(3), np.random.RandomState(3)
    found = ag.grad(function)(X, ours)
    expected = plain.rand(6) + [1.0, plain.normal(), 0, 0, 0, 0]
    np.testing.assert_allclose(found, expected)
    assert ours.rand() == plain.rand()


def test_a_library_draws_from_one():
    def function(x, rng):
        return x + rng.rand() + rng.choice(np.array([1.0, 2.0]))

    compiled = ag.to_graph(function)
    for seed in (1, 2):
        found = compiled(1.0, np.random.RandomState(seed))
        assert found == function(1.0, np.random.RandomState(seed))
    compiled(1.0, np.random.RandomState(np.random.PCG64(1)))  # compiled for another kind of bits


@pytest.mark.parametrize(
    "function",
    (
        lambda rng: rng.seed(3),
        lambda rng: rng.set_state(rng.get_state()),
        lambda rng: rng.integers(3),
        lambda rng: rng.permuted(np.ones(3)),
        lambda rng: rng.bytes(3),
        lambda rng: rng.choice(np.ones((2, 2))),
        lambda rng: np.random.RandomState(-1),
        lambda rng: np.random.rand(),
        lambda rng: scipy.stats.norm.rvs(size=2),
    ),
)
def test_refused(function):
    with pytest.raises(errors.AutographError) as caught:
        ag.to_graph(function)(np.random.RandomState(0))
    assert caught.value.id and caught.value.fix


def test_those_from_outside_are_not_saved(tmp_path):
    @ag.to_graph
    def function(x, rng):
        return x + rng.rand()

    with pytest.raises(errors.AutographError, match="RandomState"):
        function.save(tmp_path / "f.agm", 1.0, np.random.RandomState(0))


def test_those_made_inside_are_saved(tmp_path):
    @ag.to_graph
    def function(x):
        return x + np.random.RandomState(3).rand(2)

    function.save(tmp_path / "f.agm", 1.0)
    np.testing.assert_array_equal(ag.load(tmp_path / "f.agm")(1.0), function(1.0))
