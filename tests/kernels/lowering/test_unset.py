"""Arrays whose elements nobody has set, as those of np.empty: kernels do not fill them first."""

import copy

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir


def stack(a):
    s = np.empty((2 * len(a) + 500, 2), dtype=np.int64)
    s[0, 0], s[0, 1] = 0, len(a)
    n, total = 1, 0.0
    while n > 0:
        n -= 1
        low, high = s[n, 0], s[n, 1]
        if high - low == 1:
            total = total * 0.5 + a[low]
            continue
        s[n, 0], s[n, 1] = low, (low + high) // 2
        s[n + 1, 0], s[n + 1, 1] = (low + high) // 2, high
        n += 2
    return total


def first_ones(a):
    out = np.empty_like(a)
    n = 0
    for x in a:
        if x > 0.0:
            out[n] = x
            n += 1
    return out[:n], n


def both_parts(a):
    out = np.empty(len(a) + 300)
    out[: len(a)] = a * 2.0
    out[len(a) :] = a[0]
    return out


def in_each_trip(a):
    total = 0.0
    for i in range(len(a)):
        t = np.empty(300)
        for j in range(300):
            t[j] = a[i] * j
        total += t[i] + t[299]
    return total


def on_one_path(a):
    t = np.empty(400, np.float32)
    u = np.zeros(400, np.float32)
    for i in range(400):
        t[i] = a[i % len(a)]
    if a[0] > 0.0:
        u, t = t, u
    return t, u


def of_truths(a):
    t = np.empty(300, dtype=bool)
    u = np.empty(300, dtype=bool)
    for i in range(300):
        t[i] = a[i % len(a)] > 0.0
        u[i] = not t[i]
    return t, u, np.sum(t)


FUNCTIONS = [stack, first_ones, both_parts, in_each_trip, on_one_path, of_truths]
A = np.random.default_rng(0).normal(size=37)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_as_numpy(function, sign):
    compiled = ag.to_graph(function)
    expected = function(sign * A)
    for _ in range(3):
        found = compiled(sign * A)
        pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
        for x, y in pairs:
            assert np.array_equal(x, y)
            assert np.asarray(x).dtype == np.asarray(y).dtype


@pytest.mark.parametrize("function", [stack, first_ones])
def test_nothing_fills_them(function):
    (made,) = ag.to_graph(function).kernels(A).values()
    assert not any(isinstance(s, ir.Each) for s in ir.walk(made.kernel.body))


def partly(x):
    out = np.empty((len(x), 300))
    for i in range(len(x)):
        out[i, i] = x[i] * x[i]
        out[i, i + 1] = x[i]
    total = 0.0
    for i in range(len(x)):
        total += out[i, i] * out[i, i + 1]
    return total


def test_derivatives():
    x = A[:7]
    assert np.allclose(ag.grad(partly)(x), 3.0 * x**2)
    assert np.allclose(ag.jvp(partly, (x,), (x,))[1], np.sum(3.0 * x**3))
    assert np.allclose(ag.hessian(partly)(x), np.diag(6.0 * x))


def test_many():
    rows = np.stack([A[:7], -A[:7], A[7:14]])
    assert np.allclose(ag.vmap(partly)(rows), [partly(row) for row in rows])
    assert np.allclose(ag.vmap(stack)(rows), [stack(row) for row in rows])


def test_an_argument_that_is_overwritten():
    def fill(x, n):
        x[:] = np.empty(len(x))
        for i in range(n):
            x[i] = i
        return np.sum(x[:n])

    mine, theirs = copy.copy(A), copy.copy(A)
    assert ag.to_graph(fill)(mine, 30) == fill(theirs, 30)
    assert np.array_equal(mine[:30], theirs[:30])
