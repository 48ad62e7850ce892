"""An integer that was made of a float without a fraction is that float where a float is wanted."""

import math

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check

X = np.concatenate(
    [np.random.default_rng(0).normal(size=60) * 10, [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0**52 + 1]]
)


def fractions(x):
    out, total = np.zeros(len(x)), 0
    for i in range(len(x)):
        whole = math.floor(x[i])
        out[i] = x[i] - whole
        total += whole
    return out, total


def upwards(x):
    """Of -0.5 that is 0, not -0."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        whole = int(np.ceil(x[i]))
        out[i] = math.copysign(1.0, float(whole)) + whole
    return out


def nearest(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * round(x[i]) - int(np.trunc(x[i]))
    return out


def of_numpy(x):
    """What is too large becomes the least integer, without an error."""
    return x - np.floor(x).astype(np.int64)


@pytest.mark.parametrize("function", [fractions, upwards, nearest, of_numpy])
def test_fractions(function):
    check(function, X)


@pytest.mark.parametrize("large", [2.0**63, -(2.0**63), 1e300, -1e300])
def test_what_64_bits_do_not_hold(large):
    x = np.append(X, large)
    with np.errstate(invalid="ignore"):
        check(of_numpy, x)
    f = ag.to_graph(fractions)
    f(X)
    out, _ = f(x)
    np.testing.assert_array_equal(out, fractions(x)[0])


def test_it_is_not_converted_back():
    assert conversions(fractions) == 0
    assert conversions(upwards) == 0
    assert conversions(of_numpy) == 1


def conversions(function):
    """How many integers a kernel converts to floats."""
    (kernel,) = ag.to_graph(function).kernels(X).values()
    found = [s for s in ir.walk(kernel.kernel.body) if isinstance(s, ir.Compute)]
    return sum(s.function == "cast" and s.out.dtype == float for s in found)
