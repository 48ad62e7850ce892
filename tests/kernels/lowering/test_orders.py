"""Sorting in kernels: as NumPy does it, with its order of places."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.lowering.networks import exchanges
from autograph.kernels.native import sorts
from tests.kernels.cuda.compare import check as check_cuda
from tests.kernels.kernel_check import ALL, check
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)


def array(shape, dtype, different):
    """Elements of which few are different, or many."""
    dtype = np.dtype(dtype)
    made = RNG.integers(-2 if dtype.kind in "if" else 0, different, shape).astype(dtype)
    if dtype.kind == "f":
        made[RNG.random(shape) < 0.1] = np.nan
        made[made == 0] = 0.0 if different > 3 else -0.0
    return made


def is_as_numpy(function, *args):
    """Check that a function is one kernel that gives what NumPy does, places among it."""
    compiled = check(function, *args, kernels=ALL)
    for found, expected in zip(compiled(*args), function(*args)):
        np.testing.assert_array_equal(found, expected)
    return compiled


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("dtype", ["?", "int8", "int64", "uint32", "f4", "f8"])
@pytest.mark.parametrize("kind", [None, "stable", "heapsort"])
def test_lengths_and_axes(dtype, kind):
    def of_each(x, axis):
        values, places = np.zeros(x.shape, x.dtype), np.zeros(x.shape, np.int64)
        for i in range(x.shape[0]):
            values[i] = np.sort(x[i], axis=axis, kind=kind)
            if kind != "heapsort":
                places[i] = np.argsort(x[i], axis=axis, kind=kind)
        return values, places

    for shape in ((7,), (16,), (40,), (3, 8), (3, 20)):
        for different in (3, 100):
            is_as_numpy(of_each, array((2, *shape), dtype, different), len(shape) - 1)
    for count in (5, 20):
        is_as_numpy(of_each, array((2, count, 2, 3), dtype, 100), 0)


def test_zeros_of_both_signs_stay_in_their_order():
    def in_order(x):
        return [np.sort(x[:k], kind="stable") + 0.5 * x[0] for k in (7, 30)]

    x = np.where(RNG.random(30) < 0.5, -0.0, 0.0)
    for found, expected in zip(ag.to_graph(in_order)(x), in_order(x)):
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize("count", range(1, 17))
def test_networks(count):
    """What puts all zeros and ones in order puts everything in order."""
    for in_order in (False, True):
        rows = (np.arange(2 ** min(count, 12))[:, None] >> np.arange(count)) & 1
        for i, j in exchanges(count, in_order):
            assert i < j
            rows[:, [i, j]] = np.sort(rows[:, [i, j]], axis=1)
        assert (np.diff(rows, axis=1) >= 0).all()


def moving_median(x, width):
    out = np.zeros(x.size - width + 1, x.dtype)
    for i in range(out.size):
        out[i] = np.median(x[i : i + width])
    return out


def statistics(x):
    total = 0.0
    for i in range(x.shape[0]):
        row = x[i].copy()
        row.sort()
        total += row[2] * np.percentile(x[i], 30.0) - np.quantile(x[i], 0.9)
        total += np.partition(x[i], 4)[4] + np.partition(x[i], -2)[-2]
    return total


def nearest(points, x, k):
    """The sum of the values of the k nearest points."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        order = np.argsort((points - x[i]) ** 2)
        out[i] = np.sum(points[order[:k]])
    return out


@pytest.mark.parametrize("width", [4, 7, 100])
def test_moving_medians(width):
    check(moving_median, RNG.normal(size=120), width, kernels=1)
    check(moving_median, array(120, "float32", 30), width, kernels=1)


@pytest.mark.parametrize("width", [7, 20, 90])
def test_statistics_of_rows(width):
    check(statistics, RNG.normal(size=(5, width)), kernels=1)


@pytest.mark.parametrize("count", [10, 50])
def test_nearest_points(count):
    check(nearest, RNG.normal(size=count), RNG.normal(size=8), 3, kernels=ALL)


@pytest.mark.costly
@pytest.mark.parametrize("width", [5, 20])
def test_gradients_in_loops(width):
    def loss(x):
        total = 0.0
        for i in range(3):
            y = np.sort(x * np.cos(i * x))
            total += np.sum(y * np.arange(y.size)) + np.median(x[i:]) * y[0]
        return total

    x = RNG.normal(size=width)
    check_grad(loss, x)
    assert len(ag.grad(loss).kernels(x)) == 1


@pytest.mark.parametrize("width", [5, 20])
def test_lanes(width):
    def of_one(x):
        y = x
        for _ in range(3):
            y = np.sort(y * np.cos(y))
        return y[1] + np.median(y), np.argsort(y, kind="stable")

    x = RNG.normal(size=(6, width))
    for found, expected in zip(ag.vmap(of_one)(x), zip(*map(of_one, x))):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_lengths_that_the_run_knows():
    def of_parts(x):
        total = 0.0
        for i in range(1, len(x)):
            total += np.sort(x[:i])[-1] * np.argsort(x[:i], kind="stable")[0]
            total += np.sum(np.argsort(x[:i]) * x[:i])
        return total

    numbers = np.random.default_rng(0)  # sums are rounded, whatever other tests have drawn
    for count in (20, 30, 31, 32):
        check(of_parts, numbers.normal(size=count), kernels=ALL, scale=100.0)
    check(of_parts, array(40, "int32", 5), kernels=ALL, scale=100.0)


def test_arrays_of_any_length():
    f = ag.to_graph(lambda x: (np.sort(x) * 2, np.argsort(x, axis=0), np.sort(x, axis=0)))
    for rows in range(2, 7):
        x = RNG.integers(0, 5, size=(rows, 30))
        expected = (np.sort(x) * 2, np.argsort(x, axis=0), np.sort(x, axis=0))
        for found, other in zip(f(x), expected):
            np.testing.assert_array_equal(found, other)


def test_descending_orders():
    import ops

    def turned(x):
        values = [ops.sort(x[i], descending=True) for i in range(2)]
        places = [ops.argsort(x[i], descending=True, stable=s) for i in range(2) for s in (0, 1)]
        return *values, *places

    for shape in ((2, 6), (2, 30), (2, 20, 3), (2, 3, 3)):
        is_as_numpy(turned, array(shape, "float64", 4))


@pytest.mark.parametrize("shape", [(5,), (30,), (30, 2)])
def test_the_interpreter_of_kernels(shape):
    def both(x):
        return np.sort(x * 2, axis=0), np.argsort(x * 2, axis=0)

    x = array(shape, "float64", 20)
    (native,) = ag.to_graph(both).kernels(x).values()
    outputs = [np.empty(x.shape), np.empty(x.shape, np.int64)]
    interpret(native.kernel, [x], outputs)
    for made, expected in zip(outputs, both(x)):
        np.testing.assert_array_equal(made.reshape(x.shape), expected)


def test_on_the_device():
    def of_rows(x):
        return np.sort(x, axis=1), np.argsort(x, axis=1, kind="stable")

    x = array((33, 5), "float64", 20)
    (native,) = ag.to_graph(of_rows).kernels(x).values()
    check_cuda(native.kernel, x)


def test_functions_of_c():
    """They put few elements in order, but do not call NumPy."""
    f = ag.to_graph(lambda x: np.sort(x * 2))
    assert "sort_of" not in str(ag.export.c(f, np.zeros(6)))
    with pytest.raises(
        ag.errors.UnsupportedFunctionError, match="no native form of the operator 'sort'"
    ):
        ag.export.c(f, np.zeros(60))


def test_where_numpy_has_no_such_function(monkeypatch):
    monkeypatch.setattr(sorts, "_function", lambda *names: 0)
    f = check(lambda x: np.sort(x) * 2, array(50, "float64", 9), kernels=None)
    assert "sort_of" not in str(f.kernels(array(50, "float64", 9)))


def test_no_elements():
    check(lambda x: np.sort(x, axis=0) * 2, np.zeros((0, 3)), kernels=None)
    check(lambda x: np.argsort(x, axis=1) * 2, np.zeros((3, 0)), kernels=None)
