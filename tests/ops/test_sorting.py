"""Sorting, partitioning, searching and interpolation: as NumPy, and their derivatives."""

import numpy as np
import pytest

import autograph as ag
import ops
from tests.ops.expressions import arrays, table
from tests.support.oracle import check

SHAPES = [(3, 4), (), (0, 3), (2, 0), (5,)]

SORTING = table(
    lambda x: np.sort(x),
    lambda x: np.sort(x, axis=0),
    lambda x: np.sort(x, axis=None),
    lambda x: np.sort(x, axis=3),
    lambda x: np.sort(x, kind="stable"),
    lambda x: np.sort(x, kind="heapsort"),
    lambda x: np.sort(x, stable=True),
    lambda x: np.sort(x, stable=False),
    lambda x: np.sort(x, order="f"),
    lambda x: np.sort(x, kind="stable", stable=True),
    lambda x: np.sort(x, kind="bogus"),
    lambda x: np.argsort(x, kind="stable"),
    lambda x: np.argsort(x, axis=0, stable=True),
    lambda x: np.argsort(x, axis=None, kind="mergesort"),
    lambda x: np.argsort(x, axis=3),
    lambda x: x.argsort(kind="stable"),
    lambda x: np.sort_complex(x),
    lambda x: np.lexsort((x, np.abs(x))),
    lambda x: np.lexsort([x, np.abs(x)], axis=0),
    lambda x: np.lexsort(x),
    lambda x: np.lexsort((x, np.ones(3))),
    lambda x: np.sort(np.partition(x, 1)),
    lambda x: np.partition(x, 2, axis=None)[2],
    lambda x: np.partition(x, [1, 0], axis=-1)[..., :2],
    lambda x: np.partition(x, 1, axis=0)[1],
    lambda x: np.partition(x, 7),
    lambda x: np.partition(x, 1.5),
    lambda x: np.partition(x, 1, kind="bogus"),
    lambda x: np.take_along_axis(x, np.argpartition(x, 1, axis=-1), -1)[..., 1],
    lambda x: np.argpartition(x, 7),
    lambda x: x.argpartition(-1)[..., -1],
)

SEARCHING = table(
    lambda x: np.searchsorted(np.sort(x, axis=None), x),
    lambda x: np.searchsorted(np.sort(x, axis=None), x, side="right"),
    lambda x: np.searchsorted(x, 2.5),
    lambda x: np.searchsorted(x, [1, 2], sorter=np.argsort(x)),
    lambda x: np.searchsorted(x, 1, sorter=[0, 1]),
    lambda x: np.searchsorted(x, 1, sorter=[0.5]),
    lambda x: np.searchsorted(x, 1, side="x"),
    lambda x: np.searchsorted([1, 2, 3], x),
    lambda x: x.searchsorted(0.5),
    lambda x: np.digitize(x, [-1, 0.5, 2]),
    lambda x: np.digitize(x, [2, 0.5, -1], right=True),
    lambda x: np.digitize(np.real(x), np.sort(np.real(x), axis=None)),
    lambda x: np.digitize(np.real(x), np.sort(np.real(x), axis=None)[::-1]),
    lambda x: np.digitize(x, [1, 3, 2]),
    lambda x: np.digitize(x, [[1, 2]]),
    lambda x: np.nonzero(x),
    lambda x: x.nonzero(),
    lambda x: np.flatnonzero(x),
    lambda x: np.argwhere(x),
    lambda x: np.trim_zeros(np.round(x)) if x.ndim else 0,
    lambda x: np.trim_zeros(np.round(x), "f", axis=0),
    lambda x: np.trim_zeros(x, "b") if x.ndim else 0,
    lambda x: np.trim_zeros(x, "q"),
)

INTERPOLATION = table(
    lambda x: np.interp(x, [0, 1, 3], [1, 5, 2]),
    lambda x: np.interp(x, [0, 1, 3], [1, 5, 2], left=-1, right=7),
    lambda x: np.interp(x, [0, 1, 3], [1, 5, 2j]),
    lambda x: np.interp(np.real(x), [0, 1, 3], [1, 5, 2], period=2),
    lambda x: np.interp(np.real(x), [0, 1, 3], [1, 5, 2], period=0),
    lambda x: np.interp(x, [0], [1], left=4),
    lambda x: np.interp(x, [0, 0, 1], [1, 2, 3]),
    lambda x: np.interp(x, [0, 1, 2], [np.inf, 3, -np.inf]),
    lambda x: np.interp(x, [0, 1, 2], [np.inf, np.inf, 3]),
    lambda x: np.interp(x, [0, 1, 2], [np.inf, 3j, complex(0, np.inf)]),
    lambda x: np.interp(x, [0, 1], [1, 2j], left=1 + 1j, right=3),
    lambda x: np.interp(x, [0, 1], [1, 2], left=1j),
    lambda x: np.interp(x, [0, 1], [1]),
    lambda x: np.interp(x, [], []),
    lambda x: np.interp(1.5, [0, 3], np.ravel(x)[:2]),
)


@pytest.mark.parametrize("function", [*SORTING, *SEARCHING, *INTERPOLATION])
def test_as_numpy(function):
    for x in arrays(SHAPES):
        check(function, x)


@pytest.mark.parametrize("function", [SORTING[0], SORTING[1], SORTING[11], *INTERPOLATION[:6]])
def test_nan_comes_last(function):
    x = np.array([[2.0, np.nan, 0.5, 1.0], [np.nan, np.nan, -np.inf, np.inf]])
    check(function, x)
    check(function, x * (1 - 1j)) if function in SORTING else None


def test_equal_elements():
    for x in arrays([(20,), (6, 5)], ("int64", "float64", "complex128")):
        x = np.round(x)
        check(lambda x: np.argsort(x, axis=0, stable=True), x)
        check(lambda x: np.lexsort((np.imag(x), np.real(x))), x)
        check(lambda x: np.searchsorted(np.sort(x, axis=None), x, side="right"), x)


def sorted_in_place(x):
    y = x[1:]
    y.sort()
    x.partition(2)
    return x[2], y


def sorted_stably(x):
    x.sort(0, kind="stable")
    return x


def test_in_place():
    for x in arrays([(5,), (4, 3)], ("float64", "int64")):
        check(sorted_stably, x)
        if x.ndim == 1:
            check(lambda x: sorted_in_place(x.copy())[0], x)
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: x.sort(None))(np.ones(3))


UNKNOWN = table(
    lambda x: np.sort(x[x > 0]),
    lambda x: np.partition(x[x > 0], 1)[1],
    lambda x: np.lexsort((x[x > 0], -x[x > 0])),
    lambda x: np.searchsorted(np.sort(x[x > 0]), x[x < 0]),
    lambda x: np.digitize(x, np.sort(x[x > 0])[::-1]),
    lambda x: np.interp(x, np.sort(x[x > 0]), x[x > 0]),
    lambda x: np.interp(x, np.sort(x[x > 0]), x[x < 10], period=3),
    lambda x: np.trim_zeros(np.maximum(x, 0)[np.abs(x) > 0]),
)


@pytest.mark.parametrize("function", UNKNOWN)
@pytest.mark.parametrize("x", [[1.0, -2.0, 3.0, 0.5], [2.0], [-1.0]])
def test_lengths_only_the_run_knows(function, x):
    check(function, np.array(x))


def test_edges_that_only_the_run_knows():
    def edges(x, bins):
        return np.digitize(x, bins), np.digitize(x, bins, right=True)

    x = np.array([0.5, 1.0, 7.0])
    for bins in ([1.0, 2.0], [2.0, 1.0, 0.0], [1.0, 1.0], [1.0, 3.0, 2.0]):
        check(edges, x, np.array(bins))


def test_a_place_that_only_the_run_knows_becomes_part_of_the_signature():
    def smallest(x, k):
        return np.partition(x, k)[: k + 1].sum()

    x = np.array([3.0, 1.0, 2.0, 0.0])
    for k in (0, 2):
        check(smallest, x, k)


# -- derivatives -----------------------------------------------------------------------------------

X = np.array([[0.3, -1.2, 2.2, 0.9], [1.5, 0.4, -0.7, 3.1], [-2.0, 1.1, 0.6, -0.2]])

SMOOTH = table(
    lambda x: np.sort(x, axis=0),
    lambda x: np.sort(x, axis=None),
    lambda x: np.sort(x[np.real(x) > 0]),
    lambda x: np.sort_complex(x),
    lambda x: np.partition(x, 2),
    lambda x: np.partition(x, [0, 1], axis=0),
    lambda x: np.trim_zeros(x[0]),
    lambda x: np.take(x, np.argsort(x, axis=None)) * np.sort(x, axis=None),
)


@pytest.mark.parametrize("function", SMOOTH)
@pytest.mark.parametrize("x", [X, X + 1j * X[::-1]], ids=["real", "complex"])
def test_derivatives(function, x):
    ag.check_grads(function, (x,))


POINTS = np.array([-1.0, 0.5, 1.1, 3.0])
VALUES = np.array([1.0, 3.0, -1.0, 2.0])
AT = np.array([0.1, 0.7, 2.1, -5.0, 9.0])


@pytest.mark.costly
@pytest.mark.parametrize("values", [VALUES, VALUES * (1 + 2j)], ids=["real", "complex"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x, xp, fp: np.interp(x, xp, fp),
        lambda x, xp, fp: np.interp(x, xp, fp, left=2 * fp[1], right=fp[0]),
        lambda x, xp, fp: np.interp(x, xp, fp, period=5.3),
        lambda x, xp, fp: np.interp(x[0], xp[xp > -2], fp),
    ],
)
def test_derivatives_of_interpolation(function, values):
    ag.check_grads(function, (AT, POINTS, values))


def test_the_derivative_where_the_slope_changes():
    slope = ag.grad(lambda x: np.interp(x, [0.0, 1.0, 3.0], [0.0, 2.0, 3.0]))
    assert (slope(1.0), slope(0.0), slope(3.0), slope(4.0)) == (0.5, 2.0, 0.0, 0.0)


def test_equal_elements_count_in_their_order():
    x = np.array([2.0, 1.0, 2.0, 1.0, np.nan])
    pick = np.array([1.0, 0.0, 0.0, 2.0, 3.0])
    for function in (lambda x: np.sort(x), lambda x: np.partition(x, [0, 1, 2, 3])):
        gradient = ag.grad(lambda x, f=function: np.sum(f(x)[:4] * pick[:4]))(x)
        np.testing.assert_array_equal(gradient, [0, 1, 2, 0, 0])


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_derivatives_of_nothing(shape):
    gradient = ag.grad(lambda x: np.sum(np.sort(x, axis=0)) + np.sum(np.partition(x, 0)))
    assert gradient(np.zeros(shape)).shape == shape


def test_descending_order():
    x = np.array([[2.0, 1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.0]])
    np.testing.assert_array_equal(ops.sort(x, descending=True), -np.sort(-x))
    found = ops.argsort(x, descending=True)
    np.testing.assert_array_equal(found, np.argsort(-x, stable=True))
    np.testing.assert_array_equal(ops.argsort(x, axis=0, descending=True), np.argsort(-x, 0))
    ag.check_grads(lambda x: ops.sort(x, axis=None, descending=True), (X,))
