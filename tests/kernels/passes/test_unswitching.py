"""Loops in which something decides that no trip changes."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=500), RNG.normal(size=500)


def written(x, y, k):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * y[i] if k > 1 else x[i] - y[i]
    return out


def chosen(x, y, k):
    return np.where(k > 1, x * 2.0 + y, np.abs(x) * y)


def added_up(x, y, k):
    z = np.where(k > 1, x * 2.0 + y, np.abs(x) * y)
    return np.sum(z), np.max(np.where(k > 0, x, y)), np.sum(z > 0.5)


def two_conditions(x, y, k):
    return np.where(k > 1, np.where(k == 2, x, y) * 2.0, np.where(k == 1, x + y, x - y))


def of_each_row(x, y, k):
    out = np.zeros((3, len(x)))
    for i in range(3):
        out[i] = np.where(i == k, x * i, y - x)
    return out


FUNCTIONS = [written, chosen, added_up, two_conditions, of_each_row]


@pytest.mark.parametrize("k", [0, 1, 2, 3])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_python(function, k):
    check(function, X, Y, k, kernels=None, ulps=64)
    check(function, X[:5], Y[:5], k, kernels=None, ulps=64)


@pytest.mark.parametrize("function", [chosen, of_each_row])
def test_nothing_is_chosen_in_a_trip(function):
    loops = [s for s in host_statements(function, X, Y, 1) if isinstance(s, ir.Each)]
    selects = [s for loop in loops for s in loop.body if getattr(s, "function", "") == "select"]
    assert loops and not selects


def test_sums_have_the_same_bits_with_any_number_of_threads(monkeypatch):
    x, y = RNG.normal(size=(2, 300_000))
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("AUTOGRAPH_NUM_THREADS", threads)
        found.append(ag.to_graph(lambda x, y, k: added_up(x, y, k))(x, y, 2))
    assert found[0] == found[1]
    np.testing.assert_allclose(found[0], added_up(x, y, 2))
