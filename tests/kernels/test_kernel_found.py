"""Programs that kernels once got wrong, or made slow."""

import numpy as np
import pytest
from kernel_check import SOME, check

pytest.importorskip("llvmlite")

X = np.array([0.3, 1.3, 2.3, 3.3, 4.3])


def test_a_branch_changes_the_state_that_the_next_is_computed_from():
    def function(x, n):
        y = x * 2
        for i in range(n):
            if x[i] > 1:
                y[0] += x[i]
            y = y + y[::-1]
        return y

    for n in (0, 1, 4):
        check(function, X, n, kernels=SOME)


def test_a_loop_changes_the_state_that_the_next_is_computed_from():
    def function(x, n):
        y = x * 2
        for i in range(n):
            for j in range(n):
                y[j] += x[i]
            w = y.copy()
            for j in range(n):
                w[j] += y[n - 1 - j]
            y = w
        return y

    for n in (0, 1, 2, 4):
        check(function, X, n, kernels=SOME)


def test_loops_change_two_arrays_in_turn():
    def function(x, n):
        y, z = x * 2, x * 3
        for i in range(n):
            for j in range(n):
                y[j] += z[i]
                z[i] += y[j]
                y, z = z, y
            w = y.copy()
            for j in range(n):
                w[j] += y[n - 1 - j]
            z = z + w
            y = w
        return y, z

    for n in (0, 1, 2, 4):
        check(function, X, n, kernels=SOME)


def test_loops_in_loops_change_a_table_where_it_is():
    def distance(a, b):
        table = np.zeros((41, 44), np.int64)
        table[:, 0] = np.arange(41)
        table[0, :] = np.arange(44)
        for i in range(1, 41):
            for j in range(1, 44):
                cost = 0 if a[i - 1] == b[j - 1] else 1
                table[i, j] = min(table[i - 1, j] + 1, table[i - 1, j - 1] + cost)
        return table[40, 43]

    rng = np.random.default_rng(0)
    args = rng.integers(0, 4, 40), rng.integers(0, 4, 43)
    compiled = check(distance, *args, kernels=SOME)
    report = str(compiled.explain(*args))
    assert "in each trip of a loop" not in report  # a copy of the table


@pytest.mark.parametrize("shift", [0, 3, -3, 5, -5, 12, -13, 2**40])
def test_roll(shift):
    def function(x, y):
        return np.roll(x, shift) * 2, np.roll(y, (shift, 1), (0, 1)) * 2, np.roll(y, shift) * 2

    check(function, X, np.arange(12.0).reshape(3, 4))
