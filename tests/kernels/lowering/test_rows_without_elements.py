"""Arrays whose rows have no elements before a loop, which makes them longer: each has an address of
its own, by which a loop tells whether a trip has left one where it was."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag


def columns(x, n):
    h = np.zeros((3, 0))
    i = 0
    while x[0] + i < n:
        for _ in range(1):
            h = np.concatenate((h, x[:, None] + i), 1)
        i += 1
    return h


def scaled(x, n):
    h = np.zeros((3, 0))
    i = 0
    while x[0] + i < n:
        h = np.hstack((h, x[:, None] + i))
        for _ in range(int(x[1])):
            h = h * 2.0
        i += 1
    return h


@pytest.mark.parametrize("function", [columns, scaled])
def test_columns_that_are_joined(function):
    compiled = ag.to_graph(function)
    for times in (0.0, 1.0, 2.0):
        for n in (5, 1, 0):
            x = np.array([0.5, times, 7.0])
            np.testing.assert_array_equal(compiled(x, n), function(x, n))
