"""Results that kernels share with NumPy to the last bit and type, found by the suites of operators
with native code."""

import platform

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import check

pytest.importorskip("llvmlite")

ZEROS = [(-0.0, 0.0), (0.0, -0.0), (0.0, 0.0), (-0.0, -0.0)]
DTYPES = ["float32", "float64"]


def assert_same_bits(function, *args):
    found, expected = ag.to_graph(function)(*args), function(*args)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"), reason="NumPy chooses by the processor"
)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("pair", ZEROS)
def test_of_two_zeros_the_extremum_is_numpys(pair, dtype):
    def function(x, y):
        return np.minimum(x, y), np.maximum(x, y), np.minimum(x, y[0]), np.maximum(x[0], y)

    a, b = (np.full(32, zero, dtype) for zero in pair)
    assert_same_bits(function, a, b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "bounds", [(0.0, 1.0), (-0.0, 1.0), (-1.0, -0.0), (-1.0, 0.0), (np.nan, 1.0), (2.0, -3.0)]
)
def test_clipped_zeros(bounds, dtype):
    low, high = bounds

    def function(x):
        return np.clip(x, low, high), np.clip(x + x, low, high)

    assert_same_bits(function, np.array([0.0, -0.0, np.nan, 5.0, -5.0], dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_angles(dtype):
    def function(x):
        return np.rad2deg(x), np.deg2rad(x), np.degrees(x), np.radians(x)

    assert_same_bits(function, np.random.default_rng(0).normal(0, 100, 1000).astype(dtype))


def test_a_conversion_of_an_array_without_axes_is_one():
    def arrays(x):
        joined = np.concatenate([x[:1] * 2, x[:1]])[1:]
        return np.array([x[0] * 3 + 1]).reshape(()).astype("f4"), joined.reshape(()).astype("i8")

    def numbers(x):
        return (x[0] * 3).astype("f4"), np.sum(x).astype("f4"), x[1].astype("i8")

    x = np.arange(1.0, 4.0)
    check(arrays, x, kernels=None)
    check(numbers, x)


@pytest.mark.parametrize("dtype", ["bool", "int64", "float32", "float64"])
def test_small_loops_compile(dtype):
    """An assertion of LLVM's vectoriser of loops ended the process."""

    def function(x):
        few = np.array([1, 2, 0], x.dtype)
        return np.isin(x, few), np.isin(x, few[:2]), np.isin(x, few[:2], invert=True)

    check(function, np.random.default_rng(0).integers(0, 3, (4, 3)).astype(dtype), kernels=None)
