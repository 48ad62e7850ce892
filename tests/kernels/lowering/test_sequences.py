"""`np.convolve` and `np.correlate` in native code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, check

RNG = np.random.default_rng(0)
LENGTHS = [(1, 1), (5, 3), (3, 5), (7, 7), (1, 9), (9, 2), (100, 33), (5000, 7), (3, 2100)]
DTYPES = ["float64", "float32", "int64", "int8", "uint8", "bool", "complex128"]


def some(length, dtype):
    x = RNG.normal(size=length) * 5
    return (x + 1j * RNG.normal(size=length) if dtype == "complex128" else x).astype(dtype)


def convolved(x, y):
    full, same, valid = x[:0], x[:0], x[:0]
    for k in range(2):
        full = np.convolve(x, y)
        same = np.convolve(x[::-1], y, "same")
        valid = np.convolve(x, y[::-1], "valid")
    return full, same, valid


def correlated(x, y):
    valid, same, full = x[:0], x[:0], x[:0]
    for k in range(2):
        valid = np.correlate(x, y)
        same = np.correlate(x, y, "same")
        full = np.correlate(x, y, "full")
    return valid, same, full


@pytest.mark.parametrize("function", [convolved, correlated])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("m, n", LENGTHS)
def test_convolutions(function, dtype, m, n):
    scale = float(min(m, n)) * 1000
    check(function, some(m, dtype), some(n, dtype), kernels=None, ulps=8, scale=scale)


def total(x, y):
    found = 0.0
    for k in range(3):
        found = found + np.convolve(x * k, y, "same")[1] + np.correlate(x, y + k).sum()
    return found


@pytest.mark.parametrize("m, n", [(9, 4), (4, 9), (6, 6), (3000, 40)])
def test_a_loop_is_one_kernel(m, n):
    check(total, some(m, "float64"), some(n, "float64"), kernels=ALL, scale=1e5)


def test_two_dtypes():
    def function(x, y):
        found = np.convolve(x, y)
        for k in range(3):
            found = found + np.convolve(x, y) * k
        return found

    check(function, some(9, "float32"), some(4, "int16"), kernels=None, scale=100.0)
    check(function, some(9, "complex64"), some(4, "float64"), kernels=None, scale=100.0)


def test_numbers_that_are_not_finite():
    """Zeros around a vector would be multiplied by them."""

    def function(x, y):
        found = np.zeros(len(x) + len(y) - 1)
        for k in range(2):
            found = found + np.convolve(x, y)
        return found

    z, v = np.array([1.0, np.inf, 2.0, np.nan, 3.0]), np.array([1.0, -np.inf, 0.5])
    check(function, z, v)
    check(function, v, z)
    check(function, v, np.full(9, np.inf))


def test_lengths():
    """One kernel serves all."""
    compiled = ag.to_graph(total)
    for m, n in LENGTHS[1:]:
        x, y = some(m, "float64"), some(n, "float64")
        if min(m, n) > 1:
            np.testing.assert_allclose(compiled(x, y), total(x, y), rtol=1e-9, atol=1e-9)


def test_lanes():
    def each(x, y):
        found, k = 0.0, 0
        while found < 40.0 and k < 5:
            found += np.abs(np.convolve(x * (k + 1), y)).sum()
            k += 1
        return found

    xs, ys = RNG.normal(size=(50, 6)), RNG.normal(size=(50, 3))
    lanes = ag.vmap(each)
    wanted = [each(x, y) for x, y in zip(xs, ys)]
    np.testing.assert_allclose(lanes(xs, ys), wanted, rtol=1e-12)
    assert len(lanes.kernels(xs, ys)) == 1


def test_gradients():
    def loss(x, y):
        found = 0.0
        for _ in range(4):
            x = np.convolve(x, y, "same")
            found = found + np.sin(x).sum()
        return found

    given = RNG.normal(size=6), RNG.normal(size=3)
    ag.check_grads(loss, given, order=2)
    gradient = ag.grad(loss, (0, 1))
    gradient(*given)
    assert len(gradient.kernels(*given)) == 1
