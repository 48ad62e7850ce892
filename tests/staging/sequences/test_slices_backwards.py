"""Slices whose bounds are a known number apart, the stop before the start."""

import numpy as np
import pytest

import autograph as ag

X = np.arange(1.0, 10.0)


def add_up(x, n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + np.sum(x[i : i - 7])
    return total


def change(x, n):
    x = x.copy()
    for i in range(n):
        x[i : i - 6] += 0.5
        x[i:i] = 7.0
    return x


def nothing(x, n):
    total = 1.0
    for i in range(n):
        total = total + np.sum(x[i - 7 : i - 7]) + np.sum(x[i + 20 : i + 20])
    return total


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("function", [add_up, change, nothing])
def test_they_are_as_in_python(function, native, monkeypatch):
    if not native:
        monkeypatch.setattr("autograph.api.machine.available", lambda: False)
    compiled = ag.to_graph(function)
    for n in (0, 1, 3, 8, 15):
        np.testing.assert_array_equal(compiled(X, n), function(X, n))
