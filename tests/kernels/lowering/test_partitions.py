"""`np.partition` and `np.argpartition` in kernels: what NumPy leaves on this machine."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import partitions
from tests.kernels.kernel_check import ALL, check
from tests.kernels.lowering.test_orders import array

RNG = np.random.default_rng(0)
X = RNG.normal(size=30)


def is_as_numpy(function, *args):
    """Check that a function is one kernel that gives what NumPy does, bit by bit."""
    compiled = check(function, *args, kernels=ALL)
    for found, expected in zip(compiled(*args), function(*args)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["?", "int8", "uint16", "int64", "f4", "f8"])
@pytest.mark.parametrize("count", [1, 9, 40, 700])
@pytest.mark.parametrize("kth", [0, -1, (0, -1)])
def test_vectors(dtype, count, kth):
    def parted(x):
        values, places = np.zeros(count, x.dtype), np.zeros(count, np.int64)
        for i in range(2):
            values = np.partition(x[i], kth)
            places = np.argpartition(x[i], kth)
        return values, places

    for different in (3, 100):
        is_as_numpy(parted, array((2, count), dtype, different))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_axes(axis):
    def parted(x):
        values, places = x * 0, np.zeros(x.shape, np.int64)
        for i in range(3):
            values = values + np.partition(x * i, (2, -3), axis=axis)
            places = places + np.argpartition(x * i, 4, axis=axis)
        return values, places

    is_as_numpy(parted, RNG.normal(size=(30, 40)))


def nearest(points, n):
    found = np.zeros(len(points), np.int64)
    for i in range(len(points)):
        d = np.sum((points - points[i]) ** 2, axis=1)
        found[i] = np.sort(np.argpartition(d, n)[:n])[-1]
    return found


@pytest.mark.parametrize("n", [1, 3])
def test_nearest_neighbours(n):
    @ag.to_graph
    def found(points):
        return nearest(points, n)

    for count in (50, 20, 33):
        points = RNG.normal(size=(count, 3))
        np.testing.assert_array_equal(found(points), nearest(points, n))
        assert list(found.kernels(points)) == ["found"]


def test_lengths_that_only_the_run_knows():
    def parted(x):
        total, place = 0.0, 0
        for k in range(7, len(x)):
            total += np.partition(x[:k], 5)[3] + np.partition(x[::-1][:k], (1, 6))[0]
            place += np.argpartition(x[:k], 2)[0]
        return total, place

    is_as_numpy(parted, X)


@pytest.mark.parametrize("k", [3, 6])
def test_errors(k):
    """There are too few elements in some trip, or in none."""

    def parted(x, first):
        total = 0.0
        for k in range(first, len(x)):
            total += np.partition(x[:k], 4)[0]
        return total

    check(parted, X, k)


def test_lanes_and_gradients():
    def smallest(x):
        total = 0.0
        for k in range(1, 4):
            total = total + np.sum(np.partition(np.sin(k * x), 3)[:3] ** 2)
        return total

    ag.check_grads(smallest, (X[:9],), order=2)
    rows = X.reshape(3, 10)
    np.testing.assert_allclose(ag.vmap(smallest)(rows), [smallest(row) for row in rows])


def test_names_of_kinds():
    for kth in ((3,), (0, -1), (12, -7, 5)):
        assert partitions.places_of(partitions.kind_of(kth)).tolist() == list(kth)
