"""Parts of arrays whose lengths are known only at run time, in native loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import check, copied, run, same_outcome

R = np.random.default_rng(0)
M = R.normal(size=(12, 12))
SPD = M @ M.T + 12 * np.eye(12)
V = R.normal(size=40)
WHOLE = R.integers(-9, 9, 40)


def solved_from_below(u, b):
    n = b.size
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - u[i, i + 1 :] @ x[i + 1 :]) / u[i, i]
    return x


def cholesky(a):
    n = a.shape[0]
    low = np.zeros_like(a)
    for j in range(n):
        low[j, j] = np.sqrt(a[j, j] - np.sum(low[j, :j] ** 2))
        for i in range(j + 1, n):
            low[i, j] = (a[i, j] - np.dot(low[i, :j], low[j, :j])) / low[j, j]
    return low


def eliminated(a):
    a = a.copy()
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def windows(x):
    out = np.zeros_like(x)
    for i in range(x.size):
        out[i] = np.sum(x[max(0, i - 3) : i + 1]) / min(i + 1, 4)
    return out


def one_number_for_many(x):
    out, y = np.zeros_like(x), x[:1]
    for i in range(x.size):
        out[:i] = y
        y = y * 0.5 + x[0]
    return out, y


def extremes(x):
    out = np.zeros_like(x)
    for i in range(1, x.size):
        out[i] = np.max(x[:i]) - np.min(x[i:])
    return out


def shifted(x):
    x = x * 1
    for i in range(1, x.size):
        x[1:i] = x[: i - 1]
        x[0] = x[i]
    return x


def shifted_down(x):
    x = x * 1
    for i in range(2, x.size):
        x[: i - 1] = x[1:i] * 2 - x[: i - 1]
    return x


def read_before_a_change(x):
    y, s = x * 1, x[0] * 0
    for i in range(1, x.size):
        part = y[:i]
        rest = part * 2
        y[0] = y[i]
        y[i - 1] = s
        s = np.sum(part) + np.max(rest) - s
    return y, s


def read_in_a_loop(x):
    s = x[0] * 0
    y = x * 1
    for i in range(1, x.size):
        part = y[i:]
        for j in range(3):
            y[x.size - 1] = s + j
            s += np.sum(part) + part[0]
    return s, y


def read_in_a_branch(x):
    s = x[0] * 0
    for i in range(1, x.size):
        part = x[:i] + i
        if x[i] > 0:
            s += np.sum(part)
        else:
            s -= np.sum(part[::2])
    return s


def crossed_off(x):
    flags = np.ones(x.size, dtype=bool)
    flags[:2] = False
    for i in range(2, x.size):
        if flags[i]:
            flags[i * i :: i] = False
    return flags, np.sum(flags)


def counted_from_the_end(x):
    s = x[0] * 0
    for i in range(-x.size - 3, x.size + 3):
        s += np.sum(x[i:]) - np.sum(x[:i]) * 2 + np.sum(x[i : i + 5 : 2]) + np.sum(x[-5:i])
    return s


def parts_of_rows(m):
    s, n = 0.0, 0
    for i in range(m.shape[0]):
        for j in range(1, m.shape[1]):
            s += m[i, :j] @ m[:j, i]
            part = m[i, :j] > 0.1
            n += np.sum(part) + len(part)
    return s, n


def pivoted(a):
    a = a.copy()
    for k in range(a.shape[0] - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        t = a[k].copy()
        a[k] = a[p]
        a[p] = t
        for i in range(k + 1, a.shape[0]):
            a[i, k:] -= a[i, k] / a[k, k] * a[k, k:]
    return a


def reflected(a):
    a = a.copy()
    for k in range(a.shape[0] - 1):
        v = a[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v)
        v = v / np.linalg.norm(v)
        a[k:, k:] -= 2 * np.outer(v, v @ a[k:, k:])
    return a


def orthogonal(a):
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = a[:, j] - q[:, :j] @ (q[:, :j].T @ a[:, j])
        q[:, j] = v / np.sqrt(v @ v)
    return q


def correlations(x):
    m = x.reshape(4, 10)
    rows, columns = np.zeros_like(m), np.zeros_like(m[0])
    for k in range(10):
        rows[:, k] = np.sum(m[:, : 10 - k] * m[:, k:], axis=1)
        columns[: 10 - k] += np.sum(m[:, : 10 - k] * m[:, k:], axis=0)
    return rows, columns


def places(x):
    out = np.zeros((x.size, 2), dtype=int)
    for i in range(x.size):
        out[i] = np.argmax(x[i:]), np.argmin(x[: i + 1])
    return out


def a_part_changed(x):
    s = x[0] * 0
    for i in range(1, x.size):
        part = x[:i] * 2
        rest = part
        part[0] = s
        part[i // 2 :] = 1
        s = (np.sum(part) + np.sum(rest)) * 0.01 + x[0]
    return s


def lengths(x):
    n = 0
    for i in range(x.size):
        n += len(x[i:]) * 3 + x[:i].shape[0] + x[i : 2 * i].size
    return n


PROGRAMS = [
    (solved_from_below, (SPD, M[0])),
    (cholesky, (SPD,)),
    (eliminated, (SPD,)),
    (windows, (V,)),
    (one_number_for_many, (V,)),
    (extremes, (V,)),
    (shifted, (V,)),
    (shifted_down, (V,)),
    (read_before_a_change, (V,)),
    (read_in_a_loop, (V,)),
    (read_in_a_branch, (V,)),
    (counted_from_the_end, (V,)),
    (parts_of_rows, (M,)),
    (lengths, (V,)),
    (pivoted, (M,)),
    (reflected, (M,)),
    (orthogonal, (M,)),
    (correlations, (V,)),
    (places, (V,)),
    (places, (np.where(V > 1, np.nan, V),)),
    (places, (np.round(V),)),
    (a_part_changed, (V,)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_parts_of_unknown_length(function, args):
    check(function, *args, scale=100.0)
    check(function, *(a.astype(np.float32) for a in args), kernels=None, scale=300.0)


def every_kth(x):
    s = x[0] * 0
    for k in range(1, x.size):
        s += np.sum(x[::k]) - np.sum(x[k::k])
        x[k :: 2 * k] = s
    return s


def step_of_zero(x):
    s = x[0] * 0
    for k in range(3):
        s += np.sum(x[::k])
    return s


def step_back(x):
    s = x[0] * 0
    for k in range(3):
        s = s * 3 + np.sum(x[5 :: 2 * k - 5])
    return s


def test_steps_that_only_the_run_knows():
    check(crossed_off, V)
    check(every_kth, V * 0.1, scale=1e6)
    check(step_of_zero, V, kernels=None)
    check(step_back, V, kernels=None)


@pytest.mark.parametrize(
    "function",
    [extremes, shifted, shifted_down, read_before_a_change, read_in_a_branch, counted_from_the_end],
)
def test_integers(function):
    with np.errstate(all="ignore"):
        check(function, WHOLE, kernels=None)
        check(function, WHOLE.astype(np.int16), kernels=None)


@pytest.mark.parametrize(
    "function", [windows, shifted, read_before_a_change, read_in_a_loop, crossed_off]
)
def test_lanes(function):
    x = R.normal(size=(9, 40))
    found = ag.vmap(function)(x)
    expected = [function(row) for row in x]
    if isinstance(found, tuple):
        expected = tuple(map(np.array, zip(*expected)))
        assert all(np.allclose(a, b) for a, b in zip(found, expected))
    else:
        assert np.allclose(found, expected)


def test_gradients():
    ag.check_grads(lambda a: np.sum(cholesky(a)), (SPD,), order=1)
    ag.check_grads(lambda a, b: np.sum(solved_from_below(a, b) ** 2), (SPD, M[0]), order=1)
    ag.check_grads(lambda x: np.sum(windows(x) ** 2), (V,), order=1)


def different_lengths(x, k):
    s = 0.0
    for i in range(3):
        s += np.sum(x[: k + i] * x[k:])
    return s


def value_of_another_length(x, k):
    x = x * 1
    for i in range(2):
        x[i:k] = x[: k - 2]
    return x


def greatest_of_none(x, k):
    s = 0.0
    for i in range(3):
        s += np.max(x[k + i :])
    return s


@pytest.mark.parametrize("k", [1, 2, 3, 18, 20, 39, 40, 41])
@pytest.mark.parametrize("function", [different_lengths, value_of_another_length, greatest_of_none])
def test_what_numpy_refuses(function, k):
    """Lengths that do not fit raise; a length of 1 is broadcast."""
    compiled, args = ag.to_graph(function), (V, k)
    expected, found = run(function, copied(args)), run(compiled, copied(args))
    if expected.error is not None:
        assert isinstance(found.error, type(expected.error)), (found.error, expected.error)
    else:
        same_outcome(found, expected, 4, 100.0)


def test_parts_that_leave_the_function_are_computed_by_numpy():
    def function(x, k):
        return x[k:] * 2, np.sort(x[:k]), x[:k]

    check(function, V, 7, kernels=None)
    check(function, V, -7, kernels=None)
