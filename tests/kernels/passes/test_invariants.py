"""Dear functions of what no trip changes stand before loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

X = np.random.default_rng(0).normal(size=60)


def density(x, h):
    """In a branch of the innermost of two loops."""
    total = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(x)):
            apart = abs(x[i] - x[j])
            if apart < h:
                total[i] += np.exp(-h * 0.5) * (h - apart)
    return total


def halved(x, h):
    """In a loop with a test."""
    y = x[0]
    while abs(y) > 1e-3:
        y = y * np.tanh(h)
    return y


def of_rows(x, h):
    """What a row gives stays in it."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        scale = h * i
        for j in range(30):
            out[i] = out[i] * 0.5 + np.sin(scale) * j
    return out


def of_trips(x, h):
    """What trips change stays where it is."""
    total = h
    for i in range(len(x)):
        total = np.exp(-total * total) + x[i]
    return total


def wrapping(x, h):
    """What may give up does so where it did."""
    k = 3
    for i in range(len(x)):
        if x[i] > 100.0:
            k = k + int(np.exp(h) * 2.0**62)
    return k


FUNCTIONS = [density, halved, of_rows, of_trips, wrapping]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_python(function):
    check(function, X, 0.4, ulps=100, scale=1.0)
    check(function, X[:1], 0.4, kernels=None, ulps=100, scale=1.0)


def _depths(function, name):
    """In how many loops each application of a function is."""

    def found(statements, depth):
        for s in statements:
            if getattr(s, "function", "") == name:
                yield depth
            is_loop = isinstance(s, ir.For | ir.While | ir.Each)
            for block in ir.blocks(s):
                yield from found(block, depth + is_loop)

    return set(found(_body(function), 0))


def _body(function):
    inside = list(host_statements(function, X, 0.4))
    nested = {id(s) for x in inside for block in ir.blocks(x) for s in block}
    return [s for s in inside if id(s) not in nested]


@pytest.mark.parametrize("function, name", [(density, "exp"), (halved, "tanh")])
def test_it_is_computed_once(function, name):
    assert _depths(function, name) == {0}


@pytest.mark.parametrize("function, name", [(of_rows, "sin"), (of_trips, "exp")])
def test_what_changes_is_not(function, name):
    assert 0 not in _depths(function, name)
