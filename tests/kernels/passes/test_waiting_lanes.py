"""Trips in which loops end when they end, as lanes of a vector: each gives what it gives alone."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

VALUES = np.random.default_rng(0).uniform(0.1, 9.0, 37)


def roots(c):
    out = np.empty_like(c)
    for i in range(len(c)):
        low, high = c.dtype.type(0), c.dtype.type(10)
        while high - low > 1e-3:
            middle = (low + high) / 2
            if middle * middle > c[i]:
                high = middle
            else:
                low = middle
        out[i] = (low + high) / 2
    return out


def escapes(c):
    counts = np.zeros((len(c), len(c)), dtype=np.int32)
    for j in range(len(c)):
        for i in range(len(c)):
            x, y, n = 0.0, 0.0, 0
            while x * x + y * y < 4.0 and n < 50:
                x, y = x * x - y * y + c[i] / 9 - 1.0, 2 * x * y + c[j] / 9
                n += 1
            counts[j, i] = n
    return counts


def searched(c):
    """Some trips make none, one leaves in the middle, and what is read stands two apart."""
    pairs = np.zeros((len(c), 2))
    for i in range(len(c)):
        total = 0.0
        if c[i] > 2.0:
            for k in range(40):
                if total > c[i]:
                    break
                total += 0.3 * (k + 1) * c[i]
                pairs[i, 1] += 1.0
        pairs[i, 0] = total
    return pairs


def nested(c):
    out = np.zeros_like(c)
    for i in range(len(c)):
        x = c[i]
        while x > 0.5:
            y = x
            while y > 1.0:
                y = y * 0.75
            x = x - y
        out[i] = x
    return out


def halved(c):
    counts = np.zeros(len(c), dtype=np.int64)
    numbers = (c * 1000).astype(np.int64)
    for i in range(len(c)):
        k = numbers[i]
        while k > 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            counts[i] += 1
    return counts


def with_error(c):
    out = np.zeros_like(c)
    for i in range(len(c)):
        x, k = c[i], 0
        while x > 0.5:
            x = x / 2
            k += 1
            assert k < 4, "too many"
        out[i] = x
    return out


def in_steps_of_neighbours(c):
    """A trip reads what the one before has written: these are no lanes."""
    out = c.copy()
    for i in range(1, len(c)):
        x = out[i]
        while x > out[i - 1]:
            x = x * 0.9
        out[i] = x
    return out


def loops(block):
    return [s for s in ir.walk(block) if isinstance(s, ir.Each) and s.mode == "vector"]


def are_lanes(function, *args):
    return any(
        isinstance(s, ir.While)
        for kernel in ag.to_graph(function).kernels(*args).values()
        for loop in loops(for_host(kernel.kernel).body)
        for s in ir.walk(loop.body)
    )


@pytest.mark.parametrize("length", [37, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", [roots, escapes, searched, nested, halved])
def test_each_lane_ends_by_itself(function, dtype, length):
    values = VALUES[:length].astype(dtype)
    found, expected = ag.to_graph(function)(values), function(values)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", [roots, escapes, nested, halved])
def test_trips_are_lanes(function):
    assert are_lanes(function, VALUES)


def test_trips_that_read_others_results_are_no_lanes():
    assert not are_lanes(in_steps_of_neighbours, VALUES)
    found = ag.to_graph(in_steps_of_neighbours)(VALUES)
    np.testing.assert_array_equal(found, in_steps_of_neighbours(VALUES))


def test_what_lanes_check_is_an_error_of_python():
    few = VALUES / 10
    compiled = ag.to_graph(with_error)
    np.testing.assert_array_equal(compiled(few), with_error(few))
    with pytest.raises(AssertionError, match="too many"):
        with_error(VALUES)
    with pytest.raises(AssertionError, match="too many"):
        compiled(VALUES)


def test_gradients_of_lanes():
    def cost(c):
        return np.sum(nested(c) * c)

    step = 1e-6 * np.random.default_rng(1).normal(size=VALUES.shape)
    slope = np.sum(ag.grad(cost)(VALUES) * step)
    difference = (cost(VALUES + step) - cost(VALUES - step)) / 2
    np.testing.assert_allclose(slope, difference, rtol=1e-5)
