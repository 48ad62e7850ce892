"""Calls that NumPy's own tests of ``numpy.lib`` and ``numpy.linalg`` make, compiled."""

import itertools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

X = np.arange(6.0)
M = np.arange(12.0).reshape(3, 4)
WHICH = np.array([True, False, True, True, False, False])


# -- delete and insert -----------------------------------------------------------------------------

PLACES = {
    "integers": np.array([0, 2]),
    "negative": np.array([-1, 0, 0]),
    "a matrix": np.array([[0, 2], [1, -1]]),
    "booleans": WHICH,
    "one integer": np.array([2]),
    "no axes": np.array(-2),
    "a number": 4,
    "a list": [0, 3],
    "out of range": np.array([1, 6]),
    "one out of range": np.array(-7),
    "floats": np.array([1.0, 2.0]),
    "no floats": np.zeros(0),
    "none": np.zeros(0, int),
    "booleans of another length": np.array([True, True]),
    "an empty list": [],
}


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_delete_at_places_that_only_the_run_knows(places):
    check(lambda x, places: np.delete(x, places), X, places)


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("values", [7.0, [1, 2], np.array([5.0]), np.array([[8.0]])], ids=str)
def test_insert_at_places_that_only_the_run_knows(places, values):
    check(lambda x, places, values: np.insert(x, places, values), X, places, values)


def test_insert_at_as_many_places_as_there_are_values():
    check(lambda x, where: np.insert(x, where, [1.0, 2.0, 3.0]), X, WHICH)


def test_insert_as_many_values_as_there_are_not_places():
    check(lambda x, where: np.insert(x, where, [1.0, 2.0]), X, WHICH)


@pytest.mark.parametrize("axis", [0, 1, -2, None])
@pytest.mark.parametrize("places", [np.array([0, 2]), np.array([1]), np.array(1)], ids=str)
def test_delete_and_insert_along_an_axis(axis, places):
    check(lambda x, places: np.delete(x, places, axis), M, places)
    for values in (
        1.0,
        np.arange(4.0),
        np.arange(3.0),
        np.arange(3.0)[:, None],
        np.ones((1, 1, 2)),
    ):
        check(lambda x, places, v: np.insert(x, places, v, axis), M, places, values)


def test_gradients_of_delete_and_insert():
    def inserted(x, places, values):
        return np.sum(np.insert(x, places, values) ** 2 * np.arange(8.0))

    check_grad(inserted, X, np.array([1, 3]), np.array([0.3, 0.4]), argnums=(0, 2))
    check_grad(lambda x, places: np.sum(np.delete(x, places) ** 3), X, np.array([1, 3]))
    check_grad(lambda x, where: np.sum(np.delete(x, where) ** 3), X, WHICH)


# -- weighted quantiles ----------------------------------------------------------------------------

QUANTILES = [np.quantile, np.percentile, np.nanquantile, np.nanpercentile]


def _weighted(function, x, q, weights, axis=None, keepdims=False):
    options = {"axis": axis, "keepdims": keepdims, "method": "inverted_cdf"}
    scale = 100 if "percent" in function.__name__ else 1
    check(lambda x, q, w: function(x, q, weights=w, **options), x, q * scale, weights)


@pytest.mark.costly
@pytest.mark.parametrize("function", QUANTILES)
@pytest.mark.parametrize(
    "x", [M, M.astype(np.float32), M.astype(int), np.where(M == 5, np.nan, M)], ids=repr
)
def test_weighted_quantiles(function, x):
    rng = np.random.default_rng(0)
    weights = [rng.random(x.shape), rng.integers(0, 3, x.shape), rng.random(x.shape, np.float32)]
    for w, axis in itertools.product(weights, [0, 1, (0, 1)]):
        for q in (0.5, 1, np.array([0.0, 0.3, 1.0]), np.array([[0.2, 0.9]])):
            if not (axis == (0, 1) and np.isnan(x).any()):  # NaN alone are scalars in NumPy
                _weighted(function, x, q, w, axis)
        _weighted(function, x, 0.5, w, axis, keepdims=True)


@pytest.mark.parametrize("function", [np.quantile, np.percentile])  # the others fail in NumPy
def test_weights_along_the_axis(function):
    _weighted(function, M, 0.5, np.arange(4.0), axis=1)
    _weighted(function, M, np.array([0.1, 0.8]), np.arange(3.0), axis=0)
    _weighted(function, M, 0.5, np.arange(3.0), axis=1)  # too few
    _weighted(function, M, 0.5, np.arange(4.0))  # no axis


@pytest.mark.parametrize("weights", [-np.ones(6), np.zeros(6), np.full(6, np.nan)], ids=str)
def test_weights_that_are_none(weights):
    _weighted(np.quantile, X, 0.5, weights)


def test_weights_for_another_method():
    check(lambda x, w: np.quantile(x, 0.5, weights=w), X, np.ones(6))


def test_gradient_of_weighted_quantiles():
    def f(x, w):
        q = np.array([0.2, 0.7])
        return np.sum(np.quantile(x, q, weights=w, method="inverted_cdf", axis=0) ** 2)

    check_grad(f, np.random.default_rng(0).random((3, 4)), np.array([1.0, 2.0, 3.0]))


# -- polynomials -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "zeros",
    [
        [1, -1],
        np.array([1, 2, 3]),
        np.array([1, 2], np.float32),
        np.array([1, 2], np.float16),
        [[1, 2, 3], [4, 5, 6], [7, 8, 0]],
        np.array([[0.0, 1.0], [-1.0, 0.0]]),
        np.array([[0.0, 1.0], [-1.0, 0.0]], np.float32),
        np.ones((2, 3)),
        np.array(2.0),
    ],
    ids=repr,
)
def test_poly(zeros):
    check(lambda zeros: np.poly(zeros), zeros)


def test_gradient_of_a_characteristic_polynomial():
    matrix = np.random.default_rng(0).random((3, 3))
    check_grad(lambda a: np.sum(np.poly(a) * np.arange(4)), matrix)


@pytest.mark.parametrize("cov", [True, "unscaled"])
@pytest.mark.parametrize("columns", [(), (2,)])
def test_polyfit_gives_the_covariance(cov, columns):
    rng = np.random.default_rng(0)
    x, y, w = rng.random(7), rng.random((7, *columns)), rng.random(7)
    check(lambda x, y: np.polyfit(x, y, 2, cov=cov), x, y)
    check(lambda x, y, w: np.polyfit(x, y, 2, cov=cov, w=w), x, y, w)


def test_polyfit_of_too_few_points_for_a_covariance():
    check(lambda x, y: np.polyfit(x, y, 2, cov=True), X[:3], X[:3])


@pytest.mark.parametrize(
    ("u", "v"),
    [
        ([1.0, 3, 2], [1.0, 1]),
        ([1, 3, 2], [2, 1]),
        ([1.0, 1], [1.0, 2, 3]),
        ([5.0], [2.0]),
        ([1 + 1j, 2.0], [1.0, 3]),
        ([1.0, 5, 6, 7, 8], [1.0, 2, 0.5]),
        ([0.0, 1, 2], [1.0, 1]),
        ([4.0, 2], [0.0, 1]),
    ],
)
def test_polydiv(u, v):
    check(lambda u, v: np.polydiv(u, v), u, v)
    check(lambda u, v: np.polydiv(u, v), np.array(u), np.array(v))


def test_gradient_of_polydiv():
    def f(u, v):
        quotient, rest = np.polydiv(u, v)
        return np.sum(quotient**2) + np.sum(rest)

    check_grad(f, np.array([1.0, 5, 6, 7, 8]), np.array([1.0, 2, 0.5]), argnums=(0, 1))


# -- bits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["big", "little", "middle"])
@pytest.mark.parametrize("axis", [None, 0, -1, 5])
@pytest.mark.parametrize("shape", [(3,), (2, 9), (3, 8, 2), (0,)])
def test_packbits(shape, axis, order):
    a = np.random.default_rng(0).integers(0, 2, shape)
    for dtype in (bool, np.uint8, int):
        check(lambda a: np.packbits(a, axis, order), a.astype(dtype) * dtype(3))


@pytest.mark.parametrize("order", ["big", "little", "middle"])
@pytest.mark.parametrize("count", [None, 0, 3, 30, -2, -100])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_unpackbits(axis, count, order):
    a = np.random.default_rng(0).integers(0, 256, (2, 3)).astype(np.uint8)
    check(lambda a: np.unpackbits(a, axis, count, order), a)


def test_bits_of_other_numbers():
    check(lambda a: np.packbits(a), X)
    check(lambda a: np.unpackbits(a), np.arange(3))


# -- single functions ------------------------------------------------------------------------------


def test_kaiser_window_of_any_shape():
    for points in (0, 1, 2, 5):
        check(lambda beta, points=points: np.kaiser(points, beta), 3.0)
    for beta in (3.0, 2, np.float32(0.3), np.array(1.5)):
        check(lambda points, beta: np.kaiser(points, beta), 5, beta)
    check_grad(lambda beta: np.sum(np.kaiser(5, beta) ** 2), 3.0)


@pytest.mark.parametrize("window", [np.bartlett, np.blackman, np.hamming, np.hanning])
def test_windows_can_be_written(window):
    def f(x):
        points = window(3)
        points[0] = x[1]
        return points * x

    check(f, np.arange(3.0))


@pytest.mark.parametrize("a", [X, [1, 2], [1.0, np.nan], np.array([np.inf]), np.arange(3)], ids=str)
def test_asarray_chkfinite(a):
    check(lambda a: np.asarray_chkfinite(a), a)
    check(lambda a: np.asarray_chkfinite(a, np.float32), a)


def test_i0_of_a_number_is_an_array():
    for x in (0.5, np.float64(0.5), np.array(0.5)):
        check(lambda x: np.i0(x), x)


@pytest.mark.parametrize("a", [[], [1, 2], [True], [1.5, 2.0], np.array([1.5])], ids=str)
def test_bincount_of_lists(a):
    check(lambda a: np.bincount(a, minlength=3), a)


def test_angle_of_a_list():
    check(lambda z: np.angle(z), [1 + 2j, 1, -1j])


@pytest.mark.parametrize("mask", [np.zeros(3, bool), np.array([False, True, False])], ids=str)
def test_place_without_values(mask):
    check(lambda a, mask: np.place(a, mask, []), np.arange(3.0), mask)


def test_ix_of_an_empty_array_keeps_its_dtype():
    check(lambda a: np.ix_(a), np.zeros(0, np.float32))
    check(lambda a: np.ix_(a, []), [1])


def test_indices_into_arrays_without_elements():
    check(lambda i: np.ravel_multi_index(i, (2, 1, 0), mode="clip"), np.zeros((3, 1), int))
    check(lambda i: np.ravel_multi_index(i, (2, 1, 0)), np.zeros((3, 0), int))
    check(lambda i: np.ravel_multi_index(i, (2**62, 2)), ([0], [0]))
    check(lambda i: np.unravel_index(i, ()), [0])
    check(lambda i: np.unravel_index(i, ()), 0)


def test_lists_of_empty_lists():
    check(lambda i: np.ravel_multi_index(i, (10, 3)), ([], []))
    check(lambda sample: np.histogramdd(sample, bins=2), [[], [], []])


@pytest.mark.parametrize("mode", ["maximum", "minimum"])
def test_statistics_of_nothing(mode):
    check(lambda x: np.pad(x, 0, mode, stat_length=0), [1.0, 2.0])


@pytest.mark.parametrize("number", [0.99, -1, 1.5])
def test_histogram_of_a_number_of_bins_that_is_none(number):
    bins = [1, number, 1, 1]
    check(lambda sample: np.histogramdd(sample, bins=bins), np.arange(8).reshape(2, 4))


# -- what is not supported -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "says"),
    [
        (lambda x: np.roots(x), "depends on the data"),
        (lambda x: np.emath.sqrt(x), "np.sqrt of real numbers"),
        (lambda x: np.array2string(x), "f-string"),
        (lambda x: np.savetxt("x.txt", x), "outside of the function"),
        (lambda x: np.shares_memory(x, x[1:]), "lie in memory"),
        (lambda x: np.trim_zeros([x[0], 0.0]), "np.array"),
        (lambda x: np.roots([x[0], 1.0]), "depends on the data"),
        (lambda x: np.poly1d(x)(2.0), "np.polyval"),
        (lambda x: np.asmatrix(x), "two axes"),
        (lambda x: np.frombuffer(x), "memory"),
        (lambda x: np.broadcast(x, x).shape, "memory"),
        (lambda x: np.lib.stride_tricks.as_strided(x, (2,)), "sliding_window_view"),
        (lambda x: np.format_float_positional(x[0]), "f-string"),
        (lambda x: np.linalg.cond(x.reshape(2, 3)[:, :2], x[0]), "a norm of an order"),
        (lambda x: np.pad(x, x[:2].astype(int)), "a tuple of integers"),
    ],
)
def test_a_refusal_says_why_or_what_to_do(f, says):
    with pytest.raises(NotImplementedError, match=says):
        ag.to_graph(f)(X)
