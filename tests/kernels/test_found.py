"""Programs that kernels once got wrong, or made slow."""

import unittest.mock

import numpy as np
import pytest

from tests.kernels.kernel_check import ALL, SOME, check

pytest.importorskip("llvmlite")
import autograph as ag
from autograph import optim
from autograph.kernels.codes import Codes
from autograph.log import log

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


def test_branches_in_branches_change_an_array_where_it_is():
    def knapsack(weights, values):
        best = np.zeros(301)
        for i in range(len(weights)):
            for c in range(300, -1, -1):
                if weights[i] <= c:
                    t = best[c - weights[i]] + values[i]
                    if t > best[c]:
                        best[c] = t
        return best[300]

    args = np.array([3, 70, 12, 41, 90]), np.array([0.5, 7.0, 1.5, 3.25, 8.0])
    compiled = check(knapsack, *args)
    assert "in each trip of a loop" not in str(compiled.explain(*args))


@pytest.mark.parametrize("size", [6, 400])
def test_a_branch_changes_an_array_whose_old_contents_are_read_later(size):
    def function(x, n):
        y = x * 2
        s = np.float64(0.0)
        for i in range(n):
            if x[i] > 1:
                old = y.copy()
                if x[i] > 2:
                    y[i] = 5
                    s = s + old[i + 1]
                y[i + 1] = 6
                s = s + np.sum(old[::-1] * x) + old[i]
        return y, s

    for n in (0, 1, 2, 4):
        check(function, np.arange(float(size)) / 8 + 0.9, n, ulps=16)


def test_a_row_is_assigned_another_row():
    def function(x, n):
        t = np.zeros((3, 5))
        t[1] = x
        for i in range(n):
            t[0:2] = t[1:3]
            t[2] = t[0] + 1
            t[1:] = t[:-1]
            t[:, 1:3] = t[:, 0:2]
            t[i % 3] = t[(i + 1) % 3]
        return t

    for n in (0, 1, 2, 4):
        check(function, X, n)


def test_rows_are_swapped_and_eliminated_where_they_are():
    def eliminated(a):
        a = a.copy()
        for k in range(24):
            row = a[k].copy()
            a[k] = a[23 - k]
            a[23 - k] = row
            for i in range(k + 1, 24):
                a[i] = a[i] - a[i, k] / a[k, k] * a[k]
        return a

    a = np.random.default_rng(0).normal(size=(24, 24)) + 9 * np.eye(24)
    compiled = check(eliminated, a, ulps=64, scale=10.0)
    assert "576 trips, in each" not in str(compiled.explain(a))


@pytest.mark.parametrize("shift", [0, 3, -3, 5, -5, 12, -13, 2**40])
def test_roll(shift):
    def function(x, y):
        return np.roll(x, shift) * 2, np.roll(y, (shift, 1), (0, 1)) * 2, np.roll(y, shift) * 2

    check(function, X, np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 5), (70, 90), (300, 70), (2, 40, 66)])
def test_a_reduction_of_all_elements_of_windows(shape, dtype):
    def function(x):
        y = x[..., 2:] + 2 * x[..., 1:-1] - x[..., :-2]
        return y / np.max(y), np.sum(y[..., 1:, :] - y[..., :1, :]), np.mean(y)

    check(function, np.random.default_rng(0).random(shape).astype(dtype), ulps=16, scale=50.0)


def test_a_reduction_of_rows_and_columns_combined():
    def function(x, y):
        k = np.exp(-np.abs(x[:, None] - y[None, :]))
        return k.sum(), (k * k[::-1]).max(), np.argmax(k)

    rng = np.random.default_rng(1)
    check(function, rng.random(90), rng.random(120), ulps=64, kernels=SOME)


# -- results that may share memory -----------------------------------------------------------------


def merged(xs):
    """Sorted, by halves; in the end the rest of one of the halves is left."""
    if len(xs) <= 1:
        return xs
    m = len(xs) // 2
    a, b = merged(xs[:m]), merged(xs[m:])
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


def partitioned(xs):
    if len(xs) <= 1:
        return xs
    p = xs[len(xs) // 2]
    left = [x for x in xs if x < p]
    middle = [x for x in xs if x == p]
    right = [x for x in xs if x > p]
    return partitioned(left) + middle + partitioned(right)


def test_a_view_of_what_was_computed_before_the_part():
    x = np.array([3, 1, 2, 5, 4, 2])
    assert ag.to_graph(lambda x: merged([int(v) for v in x]))(x) == sorted(x.tolist())


@pytest.mark.slow
def test_results_of_a_recursion_of_many_levels():
    x = np.random.default_rng(0).normal(size=100)
    found = ag.to_graph(lambda x: partitioned(list(x)))(x)
    np.testing.assert_array_equal(found, np.sort(x))


def refused(*args):
    raise AssertionError("the kernel does not take its arguments")


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "bool", "int64"])
def test_a_number_in_an_array_without_axes(dtype):
    """The count of steps of an optimiser is one: all of training ran without kernels."""

    def step(count, x):
        return np.tanh(x) * count

    args = np.ones((), dtype), X
    compiled = check(step, *args, kernels=ALL)
    (kernel,) = compiled.kernels(*args).values()
    loaded = kernel.load(refused, Codes())
    np.testing.assert_array_equal(loaded(*args), step(*args))
    np.testing.assert_array_equal(loaded(args[0][()], X), step(*args))


def test_steps_of_an_optimiser_are_kernels():
    rule, x = optim.adam(0.1), np.ones(5)

    @ag.to_graph
    def step(x, state):
        slope = ag.grad(lambda x: np.sum(np.sin(x)))(x)
        updates, state = rule.update(slope, state, x)
        return optim.apply_updates(x, updates), state

    state = rule.init(x)
    with unittest.mock.patch.object(log, "debug") as told:
        for _ in range(3):
            x, state = step(x, state)
    assert step.kernels(x, state)
    assert not [call for call in told.call_args_list if "kernel refuses" in call.args[0]]


def test_integers_beyond_64_bits_go_to_python_without_detours():
    """Each trip calls kernels that refuse them."""

    def xorshift(s, n):
        out = np.zeros(n, dtype=np.uint64)
        for i in range(n):
            s ^= (s << 13) & 0xFFFFFFFFFFFFFFFF
            s ^= s >> 7
            s ^= (s << 17) & 0xFFFFFFFFFFFFFFFF
            out[i] = s
        return out

    compiled, seed = ag.to_graph(xorshift), 88172645463325252
    np.testing.assert_array_equal(compiled(seed, 20), xorshift(seed, 20))
    with unittest.mock.patch.object(np, "errstate", side_effect=AssertionError):
        compiled(seed, 20)
