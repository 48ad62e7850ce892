"""Gradients, pullbacks and batches of functions, as kernels: loops whose residuals are stacks,
loops in loops, changes in place."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import assert_same
from tests.support.oracle import check_grad

pytest.importorskip("llvmlite")

X = np.array([0.5, -1.5, 2.0, 0.25, -0.75])
M = np.arange(12.0).reshape(3, 4) / 7 - 0.6


def assert_kernels(function, *args):
    assert list(function.kernels(*args)), "no part is a kernel"


# -- scalars ---------------------------------------------------------------------------------------


def root(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = 0.5 * (x + a / x)
    return x


def powers(a):
    total, term, n = 0.0, 1.0, 0
    while abs(term) > 1e-9:
        total += term
        n += 1
        term = term * a / n
    return total


def loops_in_loops(a):
    s = a
    for i in range(4):
        t = s
        for j in range(i):
            if t > 0.3 * j:
                t = t * a + 0.1
            else:
                t = np.sin(t) - a
            k = 0
            while k < j and t < 2.0:
                t = t + 0.1 * a * k
                k += 1
        s = s + 0.3 * t
    return s


def early_exit(a):
    s = 0.0
    for i in range(10):
        if s > 2.0:
            break
        if i % 3 == 1:
            continue
        s = s + a * a
    return s * a


def integrated(a):
    x, v = a, 0.0
    for _ in range(20):
        v = v - 0.1 * np.sin(x)
        x = x + 0.1 * v
    return x * v


SCALARS = [root, powers, loops_in_loops, early_exit, integrated]


@pytest.mark.costly
@pytest.mark.parametrize("function", SCALARS)
def test_scalars(function):
    for a in (0.7, 1.9):
        check_grad(function, a)
    gradient = ag.grad(function)
    assert list(gradient.kernels(0.7)) and len(gradient.kernels(0.7)) == 1
    assert_kernels(ag.grad(ag.grad(function)), 0.7)


@pytest.mark.costly
@pytest.mark.parametrize("function", SCALARS)
def test_lanes(function):
    a = np.array([0.3, 0.7, 1.1, 1.9, 2.5])
    for transformed in (function, ag.grad(function), ag.grad(ag.grad(function))):
        mapped = ag.vmap(transformed)
        single = ag.to_graph(transformed) if transformed is function else transformed
        expected = np.array([single(x) for x in a])
        assert_same(mapped(a), expected, ulps=400, scale=1.0)
    assert_kernels(ag.vmap(ag.grad(function)), a)
    outer = ag.grad(lambda a: np.sum(ag.vmap(function)(a) ** 2))
    inner = np.array([2 * function(x) * ag.grad(function)(x) for x in a])
    np.testing.assert_allclose(outer(a), inner, rtol=1e-9)


# -- arrays ----------------------------------------------------------------------------------------


def recurrent(x):
    h = np.zeros(5)
    for i in range(4):
        h = np.tanh(0.5 * h + x[i] * x)
        if np.sum(h) > 1.0:
            h = h * 0.5
    return np.sum(h * h)


def running(x):
    y = x * 1.0
    for i in range(1, len(y)):
        y[i] += y[i - 1] * y[i]
    return np.sum(np.sin(y))


def filled(x):
    y = np.zeros(5)
    for i in range(5):
        for j in range(i + 1):
            y[i] += x[j] * x[i - j]
    return np.sum(y * np.arange(5.0))


def swapping(x):
    a, b = x * 2.0, np.sin(x)
    n = 0
    while np.sum(a) < 20.0 and n < 6:
        a, b = b + a, a * 0.5
        n += 1
    return np.sum(a * b)


def normalised(x):
    e = np.exp(x - np.max(x))
    p = e / np.sum(e)
    q = (x - np.mean(x)) / np.sqrt(np.var(x) + 0.1)
    return np.sum(p * q) + np.log(np.sum(e))


def changed_or_not(x):
    y = x * x
    if x[0] > 0:
        y[1:3] = x[0] * x[1:3]
        y[::2] *= 2.0
    else:
        y = y + x[::-1]
    return np.sum(y**2)


def elements_in_order(x):
    y = x.copy()
    for i in range(5):
        for j in range(4 - i):
            if y[j] > y[j + 1]:
                t = y[j]
                y[j] = y[j + 1]
                y[j + 1] = t
    return np.sum(y * np.arange(5.0) ** 2)


def with_products(x):
    w = x[:, None] * np.cos(x)
    h = x
    for _ in range(3):
        h = np.tanh(w @ h)
    return np.sum(h) + h @ w @ x


def small_state(x):
    p, v = x[:2].copy(), x[2:4].copy()
    for _ in range(5):
        r = np.sqrt(np.sum(p * p) + 0.1)
        v = v - 0.1 * p / r**3
        p = p + 0.1 * v
    return np.sum(p * v)


def correlated(x):
    """Two loops that only add up, one in the other, in loops that keep something."""
    total = 0.0
    for i in range(2):
        for j in range(len(x) - 2):
            response = 0.0
            for a in range(2):
                for b in range(2):
                    response += x[a + b] * (1.5 + i * a - b)
            total += response * x[j] if response > 0 else np.sin(response)
    return total


ARRAYS = [
    correlated,
    *(recurrent, running, filled, swapping, normalised, changed_or_not, elements_in_order),
    *(with_products, small_state),
]


@pytest.mark.costly
@pytest.mark.parametrize("function", ARRAYS)
def test_arrays(function):
    check_grad(function, X)
    check_grad(function, -X[::-1], order=1)
    assert_kernels(ag.grad(function), X)
    if function not in (elements_in_order, with_products, small_state):
        assert_kernels(ag.grad(lambda x: np.sum(np.sin(ag.grad(function)(x)))), X)


@pytest.mark.parametrize("function", ARRAYS)
def test_arrays_in_lanes(function):
    x = np.stack([X, -X, X[::-1] * 0.5])
    for transformed in (function, ag.grad(function)):
        found = ag.vmap(transformed)(x)
        single = ag.to_graph(transformed) if transformed is function else transformed
        assert_same(found, np.stack([single(row) for row in x]), ulps=200, scale=1.0)


def statistics(m):
    mean = np.mean(m, axis=0)
    spread = np.std(m, axis=0) + 1.0
    z = (m - mean) / spread
    r = np.max(z, axis=1, keepdims=True)
    s = np.sum(np.exp(z - r), axis=1)
    return np.sum(np.log(s)) + np.sum(z[::-1] * m[:, ::-1]) + np.prod(np.cos(m[0]))


def joined(m):
    y = np.concatenate([m, m[::-1] * 2.0], axis=1)
    z = np.stack([y[:, 1:5], y[:, ::2]])
    w = np.pad(z.transpose(1, 0, 2), ((0, 0), (1, 0), (0, 1)))
    return np.sum(np.sin(w) * w) + np.sum(y[[0, 2, 2]] * y[:, [1, 1, 3]][:, :1])


def broadcast(m):
    a, b = m[:, :1], m[0]
    return np.sum(np.tanh(a * b + m) * a) + np.sum(np.maximum(a, b) * np.where(m > 0, b, a))


@pytest.mark.costly
@pytest.mark.parametrize("function", [statistics, joined, broadcast])
def test_matrices(function):
    m = M + 0.05 * np.sin(np.arange(12.0)).reshape(3, 4)
    check_grad(function, m)
    check_grad(function, np.asfortranarray(m), order=1)
    assert_kernels(ag.grad(function), m)


def test_many_rows():
    def function(m):
        e = np.exp(m - np.max(m, axis=1, keepdims=True))
        p = e / np.sum(e, axis=1, keepdims=True)
        return np.sum(p * np.sin(m)) + np.sum(np.mean(m, axis=0) ** 2)

    m = np.random.default_rng(0).normal(size=(700, 30))
    gradient = ag.grad(function)(m)
    direction = np.cos(np.arange(m.size)).reshape(m.shape)
    step = 1e-6
    slope = (function(m + step * direction) - function(m - step * direction)) / (2 * step)
    np.testing.assert_allclose(np.sum(gradient * direction), slope, rtol=1e-6, atol=1e-6)


# -- pullbacks -------------------------------------------------------------------------------------


def test_pullbacks_with_several_results():
    def function(x, n):
        y = x * 2.0
        for i in range(n):
            y = np.sin(y) + x
        return y, np.sum(y * x), x

    for n in range(3):
        out, pull = ag.vjp(lambda x: function(x, n), X)
        assert_same(out, function(X, n), ulps=4)
        cotangents = (np.cos(X), np.float64(0.5), X * X)
        (found,) = pull(cotangents)

        def weighted(x):
            y, s, z = function(x, n)
            return np.sum(y * cotangents[0]) + s * 0.5 + np.sum(z * cotangents[2])

        np.testing.assert_allclose(found, ag.grad(weighted)(X), rtol=1e-12)


def test_dtypes_of_gradients():
    def function(x, y):
        z = np.tanh(x * y)
        return np.sum(z * z)

    x, y = X.astype(np.float32), X
    for given in ((x, y), (y, x), (x, x), (x, np.float32(2.0)), (x, 2.0)):
        found = ag.grad(function, argnums=(0, 1))(*given)
        for gradient, value in zip(found, given):
            assert type(gradient) is type(value)
            assert np.asarray(gradient).dtype == np.asarray(value).dtype
