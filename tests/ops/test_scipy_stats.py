"""Densities and distribution functions of ``scipy.stats`` in compiled functions."""

import warnings

import numpy as np
import pytest
import scipy.stats as st

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from tests.ops.derivatives import check_derivatives

X = np.array([-1.5, 0.0, 0.3, 0.7, 1.0, 2.5, np.nan, np.inf])
K = np.array([-1.0, 0.0, 1.0, 2.0, 3.0, 1.5, 7.0])

# Shape parameters, some of them without a meaning.
CONTINUOUS = {
    "norm": [()],
    "expon": [()],
    "uniform": [()],
    "laplace": [()],
    "cauchy": [()],
    "logistic": [()],
    "gamma": [(2.5,), (1.0,), (0.5,), (-1.0,)],
    "chi2": [(3.0,), (2.0,)],
    "beta": [(2.0, 3.0), (0.5, 1.0), (1.0, -1.0)],
    "t": [(4.0,), (np.inf,)],
    "lognorm": [(0.7,)],
}
DISCRETE = {
    "poisson": [(2.5,), (0.0,), (-1.0,)],
    "binom": [(3.0, 0.3), (3.0, 0.0)],
    "bernoulli": [(0.3,)],
    "geom": [(0.3,), (0.0,)],
}


def same(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found, expected = ag.to_graph(function)(*args), function(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-13)
    assert type(found) is type(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)


@pytest.mark.parametrize("method", ["logpdf", "pdf", "cdf", "sf", "logcdf", "logsf"])
@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous(name, method):
    function = getattr(getattr(st, name), method)
    for shapes in CONTINUOUS[name]:
        for where in ((), (0.2, 1.7), (0.2, -1.0)):
            same(lambda x, *args: function(x, *args), X, *shapes, *where)


@pytest.mark.parametrize("method", ["logpmf", "pmf", "cdf", "sf", "logcdf"])
@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name, method):
    function = getattr(getattr(st, name), method)
    for shapes in DISCRETE[name]:
        for where in ((), (1.0,)):
            same(lambda k, *args: function(k, *args), K, *shapes, *where)


SMOOTH = {
    "norm": (lambda x, m, s: st.norm.logpdf(x, m, s), 0.3, -0.2, 1.4),
    "norm, cdf": (lambda x, m, s: st.norm.logcdf(x, loc=m, scale=s), 0.3, -0.2, 1.4),
    "expon": (lambda x, s: st.expon.logpdf(x, scale=s), 0.3, 1.4),
    "laplace": (lambda x, m, s: st.laplace.logpdf(x, m, s), 0.3, -0.2, 1.4),
    "cauchy": (lambda x, m, s: st.cauchy.logpdf(x, m, s), 0.3, -0.2, 1.4),
    "logistic": (lambda x, m, s: st.logistic.logcdf(x, m, s), 0.3, -0.2, 1.4),
    "gamma": (lambda x, a, s: st.gamma.logpdf(x, a, scale=s), 0.7, 2.5, 1.4),
    "chi2": (lambda x, df: st.chi2.logpdf(x, df), 0.7, 3.5),
    "beta": (lambda x, a, b: st.beta.logpdf(x, a, b), 0.3, 2.5, 1.7),
    "t": (lambda x, df, m, s: st.t.logpdf(x, df, m, s), 0.3, 4.5, -0.2, 1.4),
    "lognorm": (lambda x, s, m: st.lognorm.logpdf(x, s, m), 0.7, 0.6, -0.2),
    "poisson": (lambda mu: st.poisson.logpmf(np.arange(4.0), mu), 2.5),
    "binom": (lambda p: st.binom.logpmf(np.arange(4.0), 5, p), 0.3),
    "bernoulli": (lambda p: st.bernoulli.logpmf(np.array([0.0, 1.0]), p), 0.3),
    "geom": (lambda p: st.geom.logpmf(np.array([1.0, 4.0]), p), 0.3),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives(name):
    function, *args = SMOOTH[name]
    check_derivatives(function, *args)


def test_outside_of_the_support_the_derivative_is_zero():
    density = lambda x: np.sum(st.gamma.pdf(x, 2.5))
    found = ag.grad(density)(np.array([-1.0, 2.0]))
    assert found[0] == 0.0 and np.isfinite(found[1]) and found[1] != 0.0


S = np.array([[2.0, 0.5], [0.5, 1.0]])
POINTS = np.array([[1.0, 2.0], [0.0, 1.0], [0.3, -0.4]])


def test_several_variables():
    same(lambda x, m, c: st.multivariate_normal.logpdf(x, m, c), POINTS, POINTS[0], S)
    same(lambda x, m, c: st.multivariate_normal.pdf(x, m, cov=c), POINTS[1], POINTS[0], S)
    same(lambda x, m, v: st.multivariate_normal.logpdf(x, m, v), POINTS, POINTS[0], S[0])
    symmetric = lambda x, m, c: st.multivariate_normal.logpdf(x, m, c + c.T)
    check_derivatives(symmetric, POINTS, POINTS[0], S)
    with pytest.raises(np.linalg.LinAlgError):
        ag.to_graph(lambda x, c: st.multivariate_normal.logpdf(x, cov=c))(POINTS, -S)


@pytest.mark.parametrize("shape", [(2,), (1, 2), (3, 1, 2), (1, 1, 2), (0, 2), (3, 4, 2), (3, 1)])
def test_shapes_of_several_variables(shape):
    """SciPy leaves out axes of length 1."""
    normal, x = st.multivariate_normal, np.linspace(-1.0, 1.0, np.prod(shape)).reshape(shape)
    same(lambda x: normal.logpdf(x, cov=S), x)
    same(lambda x: normal.pdf(x, S[0], 2.0), x)
    same(lambda x: normal(S[0], S).logpdf(x), x)


def test_one_variable():
    normal = st.multivariate_normal
    for x in (0.3, np.array([0.3]), np.array([0.3, 0.5, 2.0]), np.array([[0.3], [0.5]])):
        same(lambda x: normal.logpdf(x), x)
        same(lambda x, m, v: normal.pdf(x, m, v), x, 0.2, 2.0)
        same(lambda x, m, v: normal.logpdf(x, m, v), x, np.array([0.2]), np.array([[2.0]]))
    ag.check_grads(lambda x, m, v: normal.logpdf(x, m, v), (0.3, 0.2, 2.0), order=2)


def test_several_variables_that_are_refused():
    normal = st.multivariate_normal
    singular = normal(cov=np.ones((2, 2)), allow_singular=True)
    for f, says in {
        lambda x: normal.logpdf(x[x[:, 0] > 0], cov=S): "known only at run time",
        lambda x: normal.logpdf(x, cov=np.ones((2, 2)), allow_singular=True): "singular",
        lambda x: singular.logpdf(x): "singular",
    }.items():
        with pytest.raises(UnsupportedFunctionError, match=says):
            ag.to_graph(f)(POINTS)
    with pytest.raises(ValueError):
        ag.to_graph(lambda x: normal.logpdf(x, cov=S))(np.ones(4))


def test_numbers():
    same(lambda x: st.norm.logpdf(x), 0.3)
    same(lambda k, mu: st.poisson.cdf(k, mu), 3, 2)
    same(lambda x: st.multivariate_normal.logpdf(x, cov=S), POINTS[0])


def test_frozen():
    frozen = st.norm(1.0, 2.0)
    same(lambda x: frozen.logpdf(x), np.float64(3.0))
    same(lambda x: st.gamma(2.5, scale=2.0).cdf(x), X)
    for at in (0.3, X):  # what is traced are the parameters alone
        same(lambda m, s: st.norm(m, scale=s).logpdf(at), 1.0, 2.0)
    same(lambda mu: st.poisson(mu).pmf(3), 2.5)


def test_frozen_of_several_variables():
    outside = st.multivariate_normal(S[0], S)
    same(lambda x: outside.logpdf(x), POINTS)
    same(lambda m, c: st.multivariate_normal(m, cov=c).pdf(POINTS), S[0], S)
    same(lambda v: st.multivariate_normal(cov=v).logpdf(0.3), 2.0)

    def likelihood(m, c):
        density = st.multivariate_normal(m, c @ c.T)
        total = 0.0
        for point in POINTS:
            total += density.logpdf(point)
        return total

    same(likelihood, S[0], S)
    ag.check_grads(likelihood, (S[0], S))
    lanes = ag.vmap(likelihood, (0, None))(S, S)
    np.testing.assert_allclose(lanes, [likelihood(m, S) for m in S], rtol=1e-12)


def test_in_loops_and_lanes():
    def loss(params, data):
        total = 0.0
        for x in data:
            if x > 0.0:
                total = total + st.gamma.logpdf(x, params["a"], scale=params["scale"])
            else:
                total = total + st.norm.logsf(x, scale=params["scale"])
        return total

    params, data = {"a": 2.0, "scale": 1.5}, np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(ag.to_graph(loss)(params, data), loss(params, data), rtol=1e-12)
    ag.check_grads(loss, (params, data))
    lanes = ag.vmap(loss, in_axes=(None, 0))(params, np.stack([data, -data]))
    np.testing.assert_allclose(lanes, [loss(params, data), loss(params, -data)], rtol=1e-12)


def test_what_is_not_supported():
    with pytest.raises((UnsupportedFunctionError, ag.errors.ConcreteValueError)):
        ag.to_graph(lambda x: st.norm.ppf(x))(0.3)
