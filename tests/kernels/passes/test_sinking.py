"""The same function at the end of both sides of a branch is applied once, with the same result."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check

X = np.random.default_rng(0).normal(size=150)


def slopes(x):
    """Upwind differences: a root in either side."""
    y = x.copy()
    for i in range(1, len(x) - 1):
        left, right = x[i] - x[i - 1], x[i + 1] - x[i]
        if x[i] > 0.0:
            g = np.sqrt(max(left, 0.0) ** 2 + min(right, 0.0) ** 2)
        else:
            g = np.sqrt(min(left, 0.0) ** 2 + max(right, 0.0) ** 2)
        y[i] = x[i] - 0.1 * g
    return y


def shares(x):
    """Of the same number, and in sides of sides."""
    total = 0.0
    for i in range(len(x)):
        size = abs(x[i]) + 1.0
        if x[i] > 1.0:
            share = size / (total + 2.0)
        elif x[i] > 0.0:
            share = x[i] / (total + 2.0)
        else:
            share = (size - x[i]) / (total + 2.0)
        total = 0.5 * total + share
    return total


def read_before(x):
    """The root is needed in one of the sides, too."""
    total, last = 0.0, 0.0
    for i in range(len(x)):
        if x[i] > last:
            root = np.sqrt(x[i] - last + 1.0)
            total += root
        else:
            root = np.sqrt(last - x[i] + 2.0)
        last = 0.5 * last + 0.1 * root
    return total, last


def exponents(x):
    """Powers to numbers that are known are products, of the number in each side."""
    total = 0.0
    for i in range(len(x)):
        size = abs(x[i]) + 0.1 * total
        if x[i] > 0.0:
            power = size**4
        else:
            power = size**-3
        total = 0.5 * total + 1.0 / (1.0 + power)
    return total


def applied(function, name):
    """How often a kernel applies a function."""
    (kernel,) = ag.to_graph(function).kernels(X.copy()).values()
    found = ir.walk(for_host(kernel.kernel).body)
    return sum(isinstance(s, ir.Compute) and s.function == name for s in found)


@pytest.mark.parametrize("function", [slopes, shares, read_before, exponents])
def test_functions_behind_branches(function):
    check(function, X)


def test_how_often_they_are_applied():
    assert applied(slopes, "sqrt") == 1
    assert applied(shares, "/") == 1
    assert applied(read_before, "sqrt") == 2
    assert applied(exponents, "pow") == 2
