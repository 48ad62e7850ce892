"""Arrays and totals whose last axis does not fill a vector: rows of their own, rather than vectors
over several rows that read one element at a time."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.native import available
from tests.kernels.kernel_check import check, host_statements

if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

R = np.random.default_rng(3)


def divides(function, *args):
    """Whether a vector has elements of several rows, for which it takes their numbers apart."""
    vectors = (s for s in host_statements(function, *args) if isinstance(s, ir.Each))
    inside = (t for s in vectors if s.mode == "vector" for t in ir.walk(s.body))
    return any(isinstance(t, ir.Compute) and t.function in ("quotient", "rest") for t in inside)


def of_windows(x, kernels):
    out = np.zeros((x.shape[0], 4, 4, kernels.shape[-1]))
    for i in range(4):
        for j in range(4):
            window = x[:, i : i + 5, j : j + 5]
            out[:, i, j, :] = np.sum(window[..., None] * kernels, axis=(1, 2))
    return out


def squared(x, kernels):
    return np.sum(of_windows(x, kernels) ** 2)


@pytest.mark.parametrize("channels", [2, 3, 6, 7, 8, 9])
def test_sums_over_axes_between(channels):
    """Vectors over images and channels read the window and the kernels element by element."""
    x, kernels = R.normal(size=(12, 8, 8)), R.normal(size=(5, 5, channels))
    check(of_windows, x, kernels, ulps=100, scale=1.0)
    assert not divides(of_windows, x, kernels)
    compiled = ag.grad(squared, argnums=(0, 1))
    assert not divides(compiled, x, kernels)
    ag.check_grads(squared, (x, kernels), order=1)


def of_rows(x, y):
    total = np.zeros((y.shape[1], x.shape[2]))
    for i in range(3):
        total = total + np.sum(x[i][:, None, :] * y[:, :, None], axis=0)
    return total


@pytest.mark.parametrize("last", [2, 5, 8])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_sums_over_leading_axes(last, dtype):
    x, y = (10 * R.normal(size=(3, 20, last))).astype(dtype), np.arange(500).reshape(20, 25)
    y = (y % 7).astype(dtype)
    check(of_rows, x, y, ulps=100, scale=1.0)
    assert not divides(of_rows, x, y)


def windows(x):
    total = np.zeros((8, 20, 5))
    for i in range(3):
        total = total + 1.5 * x[:, i : i + 20, i : i + 5]
    return total


def test_a_part_of_rows_that_are_longer():
    """A lane had the five elements of a row, which lie as far apart as the longer rows."""
    x = R.normal(size=(8, 30, 40))
    check(windows, x)
    loops = [s for s in host_statements(windows, x) if isinstance(s, ir.Each)]
    loops = [s for s in loops if not any(isinstance(t, ir.Each | ir.For) for t in s.body)]
    assert all(sum(isinstance(t, ir.Store) for t in s.body) <= 1 for s in loops)


def shifted(x, y):
    return x * 2.0 + y


def test_rows_that_lie_in_a_row_fill_vectors():
    """There a lane has a row, whose elements are exchanged with those of its neighbours."""
    x, y = R.normal(size=(300, 6)), R.normal(size=6)
    check(shifted, x, y)
    (loop,) = [s for s in host_statements(shifted, x, y) if isinstance(s, ir.Each)]
    assert sum(isinstance(s, ir.Store) for s in loop.body) == 6


def long_totals(x, y):
    out = np.zeros(6)
    for i in range(6):
        total = 0.0
        for j in range(len(x)):
            total += x[j] * y[j, i]
        out[i] = total
    return out


def test_few_trips_with_loops_of_their_own_are_lanes():
    x, y = R.normal(size=40), R.normal(size=(40, 6))
    check(long_totals, x, y, ulps=100, scale=1.0)
    text = "".join(k.llvm for k in ag.to_graph(long_totals).kernels(x, y).values())
    assert "fadd <8 x double>" in text or "fadd <4 x double>" in text


def scaled_by_nan(x):
    total = np.zeros((8, 20, 5))
    for i in range(3):
        total = total + x[:, i : i + 20, i : i + 5] * x[0, 0, 0] * np.nan
    return total


def test_a_constant_that_is_no_place():
    """The factor was taken for one of a place."""
    check(scaled_by_nan, R.normal(size=(8, 30, 40)))
