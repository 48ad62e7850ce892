"""Changes at several places come after what does not need them, and change what they did."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.errors import AutographError
from tests.kernels.kernel_check import check

R = np.random.default_rng(0)
START, END = R.integers(0, 300, size=(2, 500))
X, Y, K = R.normal(size=300), R.normal(size=300), R.uniform(1.0, 2.0, size=500)


def springs(x, y, k, start, end):
    """Forces on both ends, along two axes."""
    dx, dy = x[end] - x[start], y[end] - y[start]
    size = k * (1.0 - 1.0 / np.sqrt(dx * dx + dy * dy + 1.0))
    fx, fy = np.zeros_like(x), np.zeros_like(y)
    np.add.at(fx, start, size * dx)
    np.add.at(fy, start, size * dy)
    np.add.at(fx, end, -size * dx)
    np.add.at(fy, end, -size * dy)
    return fx, fy


def one_after_the_other(x, y, k, start, end):
    """What is added later depends on what was added before."""
    a, b = np.zeros_like(x), x * 2.0
    np.add.at(a, start, k * x[start])
    before = a * 1.0
    np.add.at(b, end, a[start] + y[end])
    b[start] = k
    np.add.at(a, end, b[start] * y[start])
    return before, a, b


def read_between(x, y, k, start, end):
    a = y * 1.0
    first = np.sum(a)
    np.add.at(a, start, k)
    second = np.sum(a * x)
    a[end] = x[end]
    return a, first + second + np.sum(a)


def argument_changed(x, y, k, start, end):
    np.add.at(x, start, k * y[start])
    np.add.at(y, end, k * x[end])
    return x - y


@pytest.mark.costly
@pytest.mark.parametrize("function", [springs, one_after_the_other, read_between, argument_changed])
def test_changes_do_what_they_did(function):
    args = X.copy(), Y.copy(), K, START, END
    check(function, *args, kernels=None, ulps=64, scale=10.0)
    total = lambda *args: sum(np.sum(np.sin(part)) for part in function(*args))
    if function is not argument_changed:
        ag.check_grads(lambda x, y, k: total(x, y, k, START, END), (X, Y, K))


@pytest.mark.parametrize(("limit", "values"), [(1 << 25, 1), (0, 4)])
def test_what_several_changes_share_is_computed_in_one_pass(limit, values, monkeypatch):
    """If there is memory for all that is added."""
    monkeypatch.setattr("autograph.kernels.lowering.analysis.order._MOST_BYTES", limit)
    compiled = ag.to_graph(springs)
    lines = str(compiled.explain(X, Y, K, START, END)).splitlines()
    passes = [line for line in lines if "loop of 500 trips" in line]
    assert len(passes) == values + 4  # what is added, and four changes


def test_a_place_that_is_not_there_is_an_error_as_before():
    start = START.copy()
    start[7] = 300
    for function in (springs, one_after_the_other):
        with pytest.raises(IndexError) as expected:
            function(X, Y, K, start, END)
        with pytest.raises(IndexError) as found:
            ag.to_graph(function)(X, Y, K, start, END)
        assert str(found.value) == str(expected.value)
        assert not isinstance(found.value, AutographError)
