"""Loops, branches and changes in place in kernels do what Python does, results that are arguments
or each other included."""

import numpy as np
import pytest

from tests.kernels.kernel_check import SOME, check

pytest.importorskip("llvmlite")

X = np.array([0.5, -1.5, 2.0, 0.25, -0.75])
M = np.arange(12.0).reshape(3, 4) / 7 - 0.6


# -- results that are arguments, or each other -----------------------------------------------------


def halved(x, n):
    while n > 0:
        x = x * 0.5
        n -= 1
    return x


def chosen(x, n):
    y = x * 2.0 + 1.0
    if n > 1:
        y = x
    return y


def nested(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = y + x
    return y


def reversed_or_new(x, n):
    y = np.tanh(x) * 2.0
    if n > 1:
        y = x[::-1]
    return y


def swapped(x, n):
    y = x * 2.0
    for _ in range(n):
        x, y = y, x
    return x


@pytest.mark.parametrize("function", [halved, chosen, nested, reversed_or_new, swapped])
def test_a_result_may_be_an_argument(function):
    for n in range(4):
        check(function, X, n)
        check(function, np.repeat(X, 2)[::2], n)


def test_two_arguments():
    def function(x, y, n):
        for i in range(n):
            x, y = y, x * 0.5
        return x, y

    for n in range(4):
        check(function, X, X + 1.0, n)
        check(function, X, X, n)


def test_a_result_may_be_a_view_of_an_argument():
    def function(m, x):
        a, b = m.T, m.reshape(4, 3)
        if np.max(x * 2.0) > 0.5:
            a, b = b, a
        return a, b, x[::-1]

    for x in (X, X - 10.0):
        check(function, M, x, kernels=SOME)


def same_on_a_path(x, n):
    a, b = x * 2.0, x * 3.0
    if n > 0:
        b = a
    return a, b


def same_after_a_loop(x, n):
    a, b = x * 2.0, x * 3.0
    for _ in range(n):
        b = a
    return a, b


def same_in_each_trip(x, n):
    a, b = x * 2.0, x * 3.0
    while n > 0:
        n -= 1
        a = a * 0.5
        b = a
    return a, b


def same_before_the_loop(x, n):
    a = x * 2.0
    b = a
    for _ in range(n):
        a = a * 0.5
    return a, b


def view_on_a_path(x, n):
    a, b = x * 2.0, x * 3.0
    if n > 0:
        b = a[1:4] if n > 1 else a[:3]
    else:
        b = a[2:] * 2.0
    return a, b


def both_the_third(x, n):
    a = x * 2.0
    if n > 0:
        b, c = a, a
    else:
        b, c = a, x + 1.0
    return b, c


def same_in_an_inner_loop(x, n):
    a, b, c = x * 2.0, x * 3.0, x * 4.0
    for i in range(n):
        for _ in range(i):
            b = c
        c = a + i
        a, c = c, a
    return a, b, c


@pytest.mark.parametrize(
    "function",
    [
        *(same_on_a_path, same_after_a_loop, same_in_each_trip, same_before_the_loop),
        *(view_on_a_path, both_the_third, same_in_an_inner_loop),
    ],
)
def test_results_may_be_one_array(function):
    # Only the control flow that joins the arrays is no kernel.
    for n in range(5):
        check(function, X, n, kernels=SOME)


def never_the_same(x, n):
    a, b = x * 2.0, x * 3.0
    for _ in range(n):
        a, b = b, a + 1.0
    if n > 2:
        c = a * 2.0
    else:
        c = b * 3.0
    return a, b, c


def test_results_that_never_are_one_array():
    for n in range(4):
        check(never_the_same, X, n)


# -- branches --------------------------------------------------------------------------------------


def test_branches_of_scalars_and_arrays():
    def function(x, s):
        if s > 0.5:
            y, t = np.exp(x), s * 2
            if s > 2.0:
                t = t + float(np.sum(y))
        elif np.any(x > 1.9):
            y, t = x * s, s
        else:
            y, t = x.copy(), 1.0
        return y, t, y * t

    for s in (0.0, 0.6, 3.0, np.nan):
        check(function, X, s)
        check(function, X * 0.5, s)


def test_short_circuits():
    def function(x, i):
        found = np.float64(0.0)
        if 0 <= i < 5 and x[i] > 0.0:
            found = x[i] * 2.0
        elif i < -5 or x[i % 5] < -1.0:
            found = np.float64(-1.0)
        return found, x * found

    for i in (-7, -1, 0, 1, 4, 5, 9):
        check(function, X, i)


# -- changes in place ------------------------------------------------------------------------------


def cumulated(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return y


def argument_changed(x):
    for i in range(1, len(x)):
        x[i] = x[i] * 0.5 + x[i - 1]
    return np.sum(x)


def elements_swapped(x):
    y = x.copy()
    for i in range(len(y) // 2):
        y[i], y[-1 - i] = y[-1 - i], y[i]
    return y


def sorted_by_bubbles(x):
    y = x.copy()
    for i in range(len(y)):
        for j in range(len(y) - 1 - i):
            if y[j] > y[j + 1]:
                t = y[j]
                y[j] = y[j + 1]
                y[j + 1] = t
    return y


def overlapping(x):
    y = x.copy()
    y[1:] += y[:-1]
    y[:-1] = y[1:] * 2.0
    y[::-1] += y
    return y


def stencil(x):
    u = x.copy()
    for _ in range(7):
        v = u.copy()
        v[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
        u = v
    return u


def two_arrays(x):
    a, b = x.copy(), x * 2.0
    for i in range(len(x)):
        a[i] = b[-1 - i]
        b[i] = a[i] + b[i]
    return a, b


def sieve(x):
    flags = np.ones(40, dtype=bool)
    flags[:2] = False
    for i in range(2, 7):
        if flags[i]:
            for j in range(i * i, 40, i):
                flags[j] = False
    return np.sum(flags), flags


def histogram(x):
    counts = np.zeros(4, dtype=np.int64)
    for i in range(len(x)):
        counts[int(abs(x[i]) * 2.0) % 4] += 1
    return counts


def fibonacci(x):
    a = np.zeros(10)
    a[0], a[1] = x[0], x[1]
    for i in range(2, 10):
        a[i] = a[i - 1] + a[i - 2]
    return a


def changed_in_branches(x):
    y = x * 1.0
    for i in range(len(x)):
        if y[i] < 0.0:
            y[i] = 0.0
        elif i % 2:
            y[i] *= 3.0
        else:
            y[:i] += 1.0
    return y


def old_and_new(x):
    y = x * 2.0
    z = y.copy()
    y[0] = 100.0
    z[1] = y[0] + z[0]
    return y, z


def gathered_and_scattered(x):
    y = np.zeros(5)
    index = np.array([3, 3, 0, -1, 1])
    y[index] += x * 2.0
    y[index[1:]] = y[index[:-1]] + 1.0
    return y, x[index] * 2.0


def written_to_itself(x):
    y = np.sin(x)
    y[::-1] = y
    return y


CHANGES = [
    *(cumulated, argument_changed, elements_swapped, sorted_by_bubbles, overlapping, stencil),
    *(two_arrays, sieve, histogram, fibonacci, changed_in_branches, old_and_new),
    *(gathered_and_scattered, written_to_itself),
]


@pytest.mark.parametrize("function", CHANGES)
def test_changes_in_place(function):
    for x in (X, X[::-1], X.astype(np.float32), np.repeat(X, 2)[::2]):
        check(function, x, ulps=4, scale=1.0, kernels=SOME)


def test_changes_in_place_are_kernels():
    plain = (cumulated, sorted_by_bubbles, stencil, fibonacci, elements_swapped)
    for function in (*plain, written_to_itself):
        check(function, X, ulps=4, scale=1.0)


def test_changes_in_place_of_matrices():
    def function(a, n):
        b = a.copy()
        for i in range(n):
            b[i % 3] = b[(i + 1) % 3] * 0.5 + a[0]
            b[:, i % 4] += np.sum(b, axis=1)
            b[i % 3, 1:] *= b[i % 3, :-1]
        return b, np.max(b, axis=0)

    for n in range(5):
        check(function, M, n, ulps=20, scale=1.0)
        check(function, np.asfortranarray(M), n, ulps=20, scale=1.0)


def test_elimination():
    def solve(a, b):
        a, b = a.copy(), b.copy()
        n = len(b)
        for k in range(n):
            p = k
            for i in range(k + 1, n):
                if abs(a[i, k]) > abs(a[p, k]):
                    p = i
            if p != k:
                row = a[k].copy()
                a[k] = a[p]
                a[p] = row
                b[k], b[p] = b[p], b[k]
            for i in range(k + 1, n):
                factor = a[i, k] / a[k, k]
                a[i, k:] -= factor * a[k, k:]
                b[i] -= factor * b[k]
        x = np.zeros(n)
        for i in range(n - 1, -1, -1):
            x[i] = (
                (b[i] - np.sum(a[i, i + 1 :] * x[i + 1 :])) / a[i, i]
                if i < n - 1
                else b[i] / a[i, i]
            )
        return x

    random = np.random.default_rng(0)
    check(solve, random.normal(size=(5, 5)), random.normal(size=5), ulps=2000, kernels=SOME)


# -- captured arrays -------------------------------------------------------------------------------

TABLE = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def with_table(x):
    y = x * TABLE
    return y + np.sum(TABLE), y[::-1] * TABLE[0]


def test_captured_arrays():
    table = X * 3.0

    def function(x):
        y = x * table
        for i in range(3):
            y = np.tanh(y) + table
        return y

    compiled = check(function, X, kernels=SOME)
    table[:] = -1.0
    np.testing.assert_allclose(compiled(X), function(X), rtol=1e-15)
    compiled = check(with_table, X, kernels=SOME)
    TABLE[1] = 50.0
    for found, expected in zip(compiled(X), with_table(X)):
        np.testing.assert_allclose(found, expected, rtol=1e-15)
