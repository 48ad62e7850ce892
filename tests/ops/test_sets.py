"""Sets of numbers, counts and histograms: as NumPy, and their derivatives."""

import numpy as np
import pytest

import autograph as ag
from ops.core.numpy_table import FUNCTIONS
from tests.ops.expressions import arrays, table
from tests.support.oracle import check

SETS = table(
    lambda x: np.unique(x),
    lambda x: np.unique(x, return_index=True),
    lambda x: np.unique(x, return_inverse=True),
    lambda x: np.unique(x, return_counts=True),
    lambda x: np.unique(x, return_index=True, return_inverse=True, return_counts=True),
    lambda x: np.unique(x, axis=0),
    lambda x: np.unique(x, True, True, True, axis=-1),
    lambda x: np.unique(x, axis=2),
    lambda x: np.unique(x, equal_nan=False),
    lambda x: np.sort(np.unique_values(x)),
    lambda x: np.unique_all(x),
    lambda x: np.unique_counts(x),
    lambda x: np.unique_inverse(x),
    lambda x: np.isin(x, [1, 2, 0]),
    lambda x: np.isin(x, x[:1], invert=True),
    lambda x: np.isin([1, 2], x),
    lambda x: np.isin(1, x),
    lambda x: np.isin(x, []),
    lambda x: np.isin(x, 1, kind="bogus"),
    lambda x: np.intersect1d(x, [1, 2, 3, 0]),
    lambda x: np.intersect1d(x, [2, 1, 7, 0], return_indices=True),
    lambda x: np.intersect1d([3, 1, 2], [0, 2, 1], assume_unique=True, return_indices=bool(x.size)),
    lambda x: np.union1d(x, [1, 2]),
    lambda x: np.setxor1d(x, [1, 2, 0]),
    lambda x: np.setxor1d(np.unique(x), [1, 2, 0], assume_unique=True),
    lambda x: np.setdiff1d(x, [1, 2]),
    lambda x: np.setdiff1d(x, [1, 0], assume_unique=True),
)


def sets():
    """Arrays in which elements occur more than once."""
    rng = np.random.default_rng(0)
    for dtype in ("float64", "int64", "bool", "complex128", "float32"):
        x = rng.integers(0, 3, (4, 3)).astype(dtype)
        yield from (x, x[:, 0].copy(), np.repeat(x[:1], 3, 0), x[0, 0].reshape(()), x[:0])
    x = rng.integers(0, 3, (4, 3)).astype(float)
    x[1, 1] = x[2] = np.nan
    yield from (x, x[:, 1].copy(), x.T.copy())


@pytest.mark.costly
@pytest.mark.parametrize("function", SETS)
def test_sets_as_numpy(function):
    for x in sets():
        check(function, x)


COUNTS = table(
    lambda x: np.bincount(x),
    lambda x: np.bincount(x, minlength=9),
    lambda x: np.bincount(x, minlength=-1),
    lambda x: np.bincount(x, weights=[1, 2]),
    lambda x: np.bincount(np.abs(x).astype(int).ravel(), weights=np.real(x).ravel()),
    lambda x: np.bincount([1, 0, 1, 2, 4], weights=x),
    lambda x: np.bincount(np.real(x).astype(int).ravel() - 5),
)

HISTOGRAMS = table(
    lambda x: np.histogram(x),
    lambda x: np.histogram(x, bins=4, range=(-2, 3)),
    lambda x: np.histogram(x, bins=[-1, 0, 0.5, 2]),
    lambda x: np.histogram(x, bins=[0, 1, 1, 2, 2]),
    lambda x: np.histogram(x, bins=5, density=True),
    lambda x: np.histogram(x, bins=5, weights=x),
    lambda x: np.histogram(x, bins=3, weights=np.ones(np.shape(x), int)),
    lambda x: np.histogram(x, bins=3, weights=1j * np.real(x)),
    lambda x: np.histogram(x, bins=[0.0, 1, 2], density=True, weights=np.abs(x).astype(float)),
    lambda x: np.histogram(x, bins=[0.0, 1, 2], weights=x > 0),
    lambda x: np.histogram(x, bins=2, range=(1, 1)),
    lambda x: np.histogram(x, bins=2, range=(x.min(), x.max() + 1)),
    lambda x: np.histogram(x, bins=np.array([x.min(), x.max()])),
    lambda x: np.histogram(x, bins=[3, 1]),
    lambda x: np.histogram(x, bins=[[1, 2]]),
    lambda x: np.histogram(x, bins=0),
    lambda x: np.histogram(x, bins=1.5),
    lambda x: np.histogram(x, range=(3, 1)),
    lambda x: np.histogram(x, range=(0, np.inf)),
    lambda x: np.histogram(x, weights=np.ones(2)),
    lambda x: np.histogram_bin_edges(x, 4),
    lambda x: np.histogram2d(x, x, bins=3),
    lambda x: np.histogram2d(x, x, bins=[2, 3], range=[[-1, 1], [0, 2]]),
    lambda x: np.histogram2d(x, -x, bins=[[0, 1, 2], [0, 2, 4]], density=True),
    lambda x: np.histogram2d(x, x * x, bins=[0, 1, 2, 3.0]),
    lambda x: np.histogram2d(x, x[1:]),
    lambda x: np.histogramdd(x, bins=3),
    lambda x: np.histogramdd(x, bins=2, weights=np.ones(len(x))),
    lambda x: np.histogramdd((x, x), bins=2),
    lambda x: np.histogramdd(x, bins=[1, 2]),
    lambda x: np.histogramdd(x, bins=[1, [2, 3]], range=[(0, 1), None]),
    lambda x: np.histogramdd(x, range=[(0, 1)] * 7),
)


@pytest.mark.parametrize("function", [*COUNTS, *HISTOGRAMS])
def test_counts_as_numpy(function):
    for x in arrays([(7,), (3, 2), (0, 2), ()], ("float64", "float32", "int64", "bool")):
        check(function, x)


def test_elements_on_the_edges():
    edges = np.linspace(-1.3, 2.9, 8)
    for x in (edges, np.nextafter(edges, 9), np.nextafter(edges, -9)):
        check(lambda x: np.histogram(x, 7, (-1.3, 2.9)), x)
        check(lambda x: np.histogram(x, 7), x)
        check(lambda x: np.histogram(x, np.linspace(-1.3, 2.9, 8)), x)


def test_nan_is_in_no_bin():
    x = np.array([0.5, np.nan, 1.0, 3.0])
    check(lambda x: np.histogram(x, 3, (0, 2)), x)
    check(lambda x: np.histogram(x, [0.0, 1.0, 2.0]), x)
    check(lambda x: np.histogram(x, 3), x)


UNKNOWN = table(
    lambda x: np.unique(x[x > 0], return_index=True, return_inverse=True, return_counts=True),
    lambda x: np.unique_all(np.unique(x[x > 0])),
    lambda x: np.isin(x, x[x > 0]),
    lambda x: np.intersect1d(x[x > 0], x + 1, return_indices=True),
    lambda x: np.setxor1d(x[x > 0], [1, 2]),
    lambda x: np.union1d(x[x > 0], x[x < 0]),
    lambda x: np.setdiff1d(x[x > 0], x[x > 1]),
    lambda x: np.bincount(x[x > 0].astype(int)),
    lambda x: np.histogram(x[x > 0], 3),
    lambda x: np.histogram(x[x > 0], [1.0, 2.0], weights=x[x > 0]),
    lambda x: np.histogram(x, np.unique(x[x != 1])),
    lambda x: np.histogram(x, np.unique(x), weights=x * x, density=True),
    lambda x: np.histogram2d(x[x > 0], x[x > 0], 2),
    lambda x: np.histogram(x, 3, weights=np.ones(x[x > 0].shape)),
)


@pytest.mark.parametrize("function", UNKNOWN)
@pytest.mark.parametrize("x", [[1.0, -2.0, 3.0, 1.0], [2.0], [-1.0]])
def test_lengths_only_the_run_knows(function, x):
    check(function, np.array(x))


def test_the_length_is_known_where_the_integers_are():
    def counts(w):
        return np.bincount([0, 2, 1, 1], weights=w) @ np.ones(3)

    check(counts, np.array([1.0, 2.0, 3.0, 4.0]))


def test_a_number_of_bins_that_only_the_run_knows():
    with pytest.raises(NotImplementedError, match="bins='auto'"):
        FUNCTIONS[np.histogram](np.ones(3), "auto")
    with pytest.raises(TypeError, match="weighted"):
        FUNCTIONS[np.histogram](np.ones(3), "auto", weights=np.ones(3))

    def counts(x, n):
        return np.histogram(x, n)[0].sum() + 0 * n

    check(counts, np.array([1.0, 2.0, 4.0]), 3)


# -- derivatives -----------------------------------------------------------------------------------

X = np.array([0.3, -1.2, 2.2, 0.9, 1.5])


@pytest.mark.parametrize(
    "function",
    table(
        lambda x: np.unique(x),
        lambda x: np.unique(x * x, return_index=True)[0],
        lambda x: np.intersect1d(x, x),
        lambda x: np.union1d(x, x + 20.0),
        lambda x: np.setdiff1d(x, [7.0]),
        lambda x: np.setxor1d(x, x[1:]),
        lambda x: np.bincount([0, 2, 1, 1, 2], weights=x),
        lambda x: np.bincount(np.argsort(x), weights=x * x),
        lambda x: np.histogram([0.5, 1.5, 0.1, 1.0, 2.0], bins=3, weights=x)[0],
        lambda x: np.histogram([0.5, 1.5, 0.1, 1, 2], bins=[0, 1, 3.0], weights=x, density=True)[0],
        lambda x: np.histogram2d(np.arange(5.0), np.ones(5), bins=2, weights=x, density=True)[0],
        lambda x: np.histogram(x, bins=3)[1],
    ),
)
def test_derivatives(function):
    ag.check_grads(function, (X,))


def test_derivatives_of_complex_numbers():
    z = X + 1j * X[::-1]
    ag.check_grads(lambda z: np.unique(z), (z,))
    ag.check_grads(lambda z: np.histogram(np.arange(5.0), bins=3, weights=z)[0], (z,))
    ag.check_grads(lambda z: np.unique(np.stack([z, z * z]), axis=0), (z,))


def test_of_equal_elements_the_first_counts():
    x = np.array([2.0, 1.0, 2.0, 1.0])
    gradient = ag.grad(lambda x: np.sum(np.unique(x) * np.array([1.0, 2.0])))
    np.testing.assert_array_equal(gradient(x), [2, 1, 0, 0])
