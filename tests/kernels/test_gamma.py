"""Python's gamma function and its logarithm in kernels."""

import math

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import calls_python, check

X = np.concatenate(
    [
        np.random.default_rng(0).uniform(0.0, 50.0, 100),
        np.random.default_rng(1).uniform(-20.0, 0.0, 100),
        [math.inf, math.nan, 1e-300, 0.5, 170.5],
    ]
)


def gammas(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = math.gamma(x[i])
    return out


def logarithms(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = math.lgamma(x[i])
    return out


@pytest.mark.parametrize("function", [gammas, logarithms])
def test_gammas(function):
    compiled = ag.to_graph(function)
    np.testing.assert_allclose(compiled(X), function(X), rtol=1e-12, atol=2e-15)
    assert not calls_python(compiled, X)


def test_factorials_are_exact():
    x = np.arange(1.0, 24.0)
    assert np.array_equal(ag.to_graph(gammas)(x), gammas(x))
    assert np.array_equal(ag.to_graph(logarithms)(x[:2]), [0.0, 0.0])


@pytest.mark.parametrize("x", [0.0, -0.0, -1.0, -math.inf, 172.0, 1e306])
@pytest.mark.parametrize("function", [gammas, logarithms])
def test_what_raises(function, x):
    check(function, np.array([1.5, x]), kernels=None, ulps=8, scale=1.0)
