"""Medians and quantiles, and reductions that leave NaN out: as NumPy, and their derivatives."""

import numpy as np
import pytest

import autograph as ag
from tests.ops.expressions import arrays, table, with_nan
from tests.support.oracle import check

SHAPES = [(3, 4), (), (2, 0), (5,)]
REAL = ("float64", "float32", "int64", "bool")
METHODS = [
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf"),
    *("hazen", "weibull", "linear", "median_unbiased", "normal_unbiased"),
    *("lower", "higher", "midpoint", "nearest"),
]

MEDIANS = table(
    lambda x: np.median(x),
    lambda x: np.median(x, axis=0),
    lambda x: np.median(x, axis=-1, keepdims=True),
    lambda x: np.median(x, axis=(0, 1)),
    lambda x: np.median(x, axis=2),
    lambda x: np.nanmedian(x),
    lambda x: np.nanmedian(x, axis=0),
    lambda x: np.nanmedian(x, axis=(0, 1), keepdims=True),
    lambda x: np.nanmedian(x, axis=-1),
)

QUANTILES = table(
    lambda x: np.quantile(x, 0.3),
    lambda x: np.quantile(x, [0.0, 0.25, 1.0], axis=-1),
    lambda x: np.quantile(x, [[0.1, 0.2], [0.3, 0.4]], axis=0, keepdims=True),
    lambda x: np.quantile(x, 0),
    lambda x: np.quantile(x, 1.5),
    lambda x: np.quantile(x, np.zeros((1, 1, 1))),
    lambda x: np.quantile(x, 0.5, method="unknown"),
    lambda x: np.quantile(x, np.float64(0.4), axis=(0, 1), keepdims=True),
    lambda x: np.percentile(x, 30),
    lambda x: np.percentile(x, [0, 40.0, 100], axis=0),
    lambda x: np.percentile(x, -1),
    lambda x: np.nanquantile(x, 0.3),
    lambda x: np.nanquantile(x, 0.6, axis=0, keepdims=True),
    lambda x: np.nanpercentile(x, 30, axis=-1),
)

NUMBERS = table(
    lambda x: np.nansum(x),
    lambda x: np.nansum(x, axis=0, initial=2, where=x > 0),
    lambda x: np.nansum(x, axis=(0, 1), keepdims=True),
    lambda x: np.nanprod(x, axis=-1),
    lambda x: np.nanprod(x, dtype=np.float32, initial=2),
    lambda x: np.nancumsum(x),
    lambda x: np.nancumsum(x, axis=0),
    lambda x: np.nancumprod(x, axis=-1),
    lambda x: np.nanmean(x),
    lambda x: np.nanmean(x, axis=0, where=x > 0),
    lambda x: np.nanmean(x, dtype=int),
    lambda x: np.nanmean(x, axis=-1, dtype=np.float32, keepdims=True),
    lambda x: np.nanvar(x),
    lambda x: np.nanvar(x, axis=0, ddof=1),
    lambda x: np.nanvar(x, ddof=1, correction=1),
    lambda x: np.nanvar(x, axis=-1, ddof=100, keepdims=True),
    lambda x: np.nanstd(x, axis=0, correction=1),
    lambda x: np.nanstd(x, axis=0, where=x > 0),
    lambda x: np.nanmax(x),
    lambda x: np.nanmax(x, axis=0),
    lambda x: np.nanmin(x, axis=-1, keepdims=True),
    lambda x: np.nanmin(x, axis=0, initial=1, where=x > 0),
    lambda x: np.nanmax(x, where=x > 0),
    lambda x: np.nanargmax(x),
    lambda x: np.nanargmin(x, axis=0),
    lambda x: np.nanargmin(x, axis=-1, keepdims=True),
    lambda x: np.nanargmin(x, axis=2),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [*MEDIANS, *NUMBERS])
def test_as_numpy(function):
    for x in [*arrays(SHAPES), *with_nan()]:
        check(function, x)


@pytest.mark.parametrize("function", QUANTILES)
def test_quantiles_as_numpy(function):
    for x in [*arrays(SHAPES), *with_nan(dtypes=["float64"])]:
        check(function, x)


@pytest.mark.costly
@pytest.mark.parametrize("method", METHODS)
def test_methods_as_numpy(method):
    def quantiles(x):
        return np.quantile(x, [0.0, 0.2, 0.25, 0.5, 0.77, 1.0], axis=-1, method=method)

    def one(x):
        return np.percentile(x, 43, method=method), np.nanquantile(x, 0.61, method=method)

    def limit(x):
        return np.quantile(x, 0, axis=0, method=method)

    for x in [*arrays([(3, 4), (1,), (9,)], REAL), *with_nan(dtypes=["float64"])]:
        for function in (quantiles, one, limit):
            check(function, x)


UNKNOWN = table(
    lambda x: np.median(x[x > 0]),
    lambda x: np.median(x[x > 0], keepdims=True),
    lambda x: np.nanmedian(x[x > 0]),
    lambda x: np.quantile(x[x > 0], 0.3),
    lambda x: np.nanquantile(x[x > 0], 0.3),
    lambda x: np.nanmean(x[x > 0]),
    lambda x: np.nanmax(x[x > 0]),
    lambda x: np.nanargmin(x[x > 0]),
)


@pytest.mark.parametrize("function", UNKNOWN)
@pytest.mark.parametrize("x", [[1.0, -2.0, 3.0, 0.5], [2.0], [-1.0, np.nan, 3.0, np.inf], [-1.0]])
def test_lengths_only_the_run_knows(function, x):
    check(function, np.array(x))


def test_a_traced_place():
    def quantiles(x, q):
        return np.quantile(x, q, axis=0), np.nanpercentile(x, 100 * q, method="hazen")

    (x,) = arrays([(3, 4)], ["float64"])
    for q in (0.37, np.float32(0.37), np.array([0.1, 0.9]), np.array([0.1, 0.9], "f4")):
        check(quantiles, x, q)
    check(quantiles, x, 1.5)
    check(quantiles, x, np.array([0.5, -0.1]))


# -- derivatives -----------------------------------------------------------------------------------

X = np.array([[0.3, -1.2, 2.2, 0.9], [1.5, 0.4, -0.7, 3.1], [-2.0, 1.1, 0.6, -0.2]])
Z = X + 1j * X[::-1] ** 2

SMOOTH = table(
    lambda x: np.median(x, axis=0),
    lambda x: np.median(x, axis=(0, 1), keepdims=True),
    lambda x: np.median(x[np.real(x) > 0]),
    lambda x: np.nanmedian(x, axis=1),
    lambda x: np.nansum(x, axis=0),
    lambda x: np.nanprod(x, axis=1),
    lambda x: np.nanmean(x, axis=0),
    lambda x: np.nanvar(x, axis=1),
    lambda x: np.nanstd(x, axis=1),
    lambda x: np.nanmax(x, axis=0),
    lambda x: np.nanmin(x, axis=1),
    lambda x: np.nancumsum(x, axis=1),
    lambda x: np.nancumprod(x),
)


@pytest.mark.parametrize("function", SMOOTH)
@pytest.mark.parametrize("x", [X, Z], ids=["real", "complex"])
def test_derivatives(function, x):
    ag.check_grads(function, (x,))


@pytest.mark.costly
@pytest.mark.parametrize("method", METHODS)
def test_derivatives_of_quantiles(method):
    def quantiles(x):
        return np.quantile(x, [0.17, 0.43], axis=1, method=method)

    ag.check_grads(quantiles, (X,))
    ag.check_grads(lambda x: np.nanquantile(x, 0.43, axis=0, method=method), (X,))


def test_derivative_by_the_place():
    ag.check_grads(lambda x, q: np.quantile(x, q, axis=1), (X, np.array([0.2, 0.85])))
    x = np.array([1.0, 2.0, 5.0])
    by_q = ag.grad(lambda q: np.quantile(x, q))
    assert by_q(0.5) == 6.0  # towards larger q
    assert by_q(1.0) == 0.0


@pytest.mark.parametrize("function", SMOOTH[1:])
def test_nan_has_no_share(function):
    x = X.copy()
    x[0, 1] = x[2, 3] = np.nan
    if np.isnan(function(x)).any():
        return

    def total(x):
        return np.sum(function(x) ** 2)

    first = ag.grad(total)
    second = ag.grad(lambda x: np.sum(first(x) ** 2))
    for gradient in (first(x), second(x)):
        assert np.isfinite(gradient).all()
        assert gradient[0, 1] == gradient[2, 3] == 0.0


def test_of_equal_elements_the_first_counts():
    x = np.array([1.0, 2.0, 2.0, 2.0, 0.0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.median(x))(x), [0, 1, 0, 0, 0])
    np.testing.assert_array_equal(ag.grad(lambda x: np.quantile(x, 1.0))(x), [0, 0, 0, 1, 0])


def test_float32_stays_float32():
    x = np.array([1.5, 2.0, 0.5, 3.0], np.float32)
    for function in (lambda x: np.median(x), lambda x: np.quantile(x, 0.3)):
        gradient = ag.grad(function)(x)
        assert gradient.dtype == np.float32
