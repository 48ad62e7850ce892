"""Windows of an array, which arrays with another axis read: they are no memory of their own."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import uses
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import ALL, check
from tests.support.oracle import check_grad

R = np.random.default_rng(0)


def convolved(images, weights, first):
    """A convolution by slices; ``first`` is where the windows begin."""
    n, h, w = images.shape[0], images.shape[1] - 2, images.shape[2] - 2
    x = np.zeros((n, h, w, weights.shape[-1]), images.dtype)
    for i in range(3):
        for j in range(3):
            x += images[:, first + i : first + i + h, j : j + w, None] * weights[i, j]
    return x


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("features", [1, 3, 7, 8, 9, 16])
def test_convolutions_by_slices(features, dtype):
    images = R.normal(size=(3, 9, 11)).astype(dtype)
    weights = R.normal(size=(3, 3, features)).astype(dtype)
    f = check(lambda x, w: convolved(x, w, 0), images, weights, kernels=ALL)
    (kernel,) = f.kernels(images, weights).values()
    assert not uses.temporaries(for_host(kernel.kernel))


def test_windows_that_do_not_fit():
    """They are empty or short in Python, and the sum fails."""
    images, weights = R.normal(size=(2, 6, 7)), R.normal(size=(3, 3, 8))
    f = check(convolved, images, weights, 0, kernels=None)
    for first in (1, -1, 9):
        for function in (convolved, f):
            with pytest.raises(ValueError, match="broadcast"):
                function(images, weights, first)


def test_gradients_of_convolutions_by_slices():
    images, weights = R.normal(size=(2, 5, 6)), R.normal(size=(3, 3, 8))
    check_grad(lambda x, w: np.sum(convolved(x, w, 0) ** 2), images, weights, argnums=(0, 1))


def rows(x, b):
    y = np.zeros((2, *x.shape), x.dtype)
    y[1] = x * b + x[:, :1]
    return np.maximum(x * 2 + b, 0), x[:, 0][:, None] * b, y, np.sum(x * b, axis=1)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "complex128"])
@pytest.mark.parametrize("length", [4, 7, 8, 9])
def test_short_rows(length, dtype):
    rng = np.random.default_rng(0)
    x, b = (10 * rng.normal(size=shape) for shape in ((100, length), length))
    if dtype == "complex128":
        check(lambda x, b: (x * b + x[:, :1], x[:, 0][:, None] * b), x + 1j, b, ulps=64)
    else:
        check(rows, x.astype(dtype), b.astype(dtype), kernels=ALL, ulps=64, scale=100.0)


def test_a_row_that_fills_a_vector_is_one():
    x, b = R.normal(size=(4000, 8)), R.normal(size=8)
    (kernel,) = ag.to_graph(lambda x, b: x[:, 0][:, None] * b).kernels(x, b).values()
    assert "fmul <8 x double>" in str(kernel) or "fmul <4 x double>" in str(kernel)
