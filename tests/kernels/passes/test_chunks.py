"""What is made before a loop, and read trip by trip, is made for some trips at a time."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X = RNG.normal(size=(53, 8, 16))
W, U, B = RNG.normal(size=(16, 64)), RNG.normal(size=(16, 16)) * 0.1, RNG.normal(size=64)


def recurrent(x, w, u, b):
    """A product of all trips, of which the last chunk has fewer than the others."""
    h = np.zeros((x.shape[1], 16))
    for t in range(x.shape[0]):
        g = x[t] @ w + b
        h = np.tanh(h @ u + g[:, :16] * g[:, 16:32] - g[:, 32:48] * g[:, 48:])
    return h


def few_columns(x, w, u, b):
    """Products of short rows are loops, and no calls of a library."""
    h = np.zeros((x.shape[1], 64))
    for t in range(x.shape[0]):
        h = np.cos(0.5 * h + x[t, :, :8] @ w[:8])
    return np.sum(h, axis=0) + b


def of_vectors(x, w, u, b):
    """Each trip reads one row."""
    v = x.reshape((-1, 16))
    h = np.zeros(64)
    for t in range(v.shape[0]):
        h = np.sin(h + w.T @ v[t])
    return h + b


def two_states(x, w, u, b):
    h, n = np.zeros((8, 16)), 0.0
    for t in range(x.shape[0]):
        g = x[t] @ w
        if n > 3.0:
            h = h + g[:, :16]
        n = n + np.abs(g[0, 3]) - g[7, 63]
    return h, n


def two_products(x, w, u, b):
    h = np.zeros((8, 64))
    for t in range(x.shape[0]):
        h = np.tanh(h + x[t] @ w) * (x[t, ::-1] @ w)
    return h


SHRINK = [recurrent, few_columns, of_vectors, two_states, two_products]


def neighbours(x, w, u, b):
    """Each trip reads what the next one reads as well."""
    g = (x.reshape((-1, 16)) @ w).reshape((53, 8, 64))
    h = np.zeros((8, 64))
    for t in range(52):
        h = np.tanh(h + g[t] * g[t + 1])
    return h


def backwards(x, w, u, b):
    g = (x.reshape((-1, 16)) @ w).reshape((53, 8, 64))
    h = np.zeros((8, 64))
    for t in range(53):
        h = np.tanh(h + g[52 - t])
    return h


def changed_meanwhile(x, w, u, b):
    """What the product reads is another one later."""
    w = w.copy()
    g = (x.reshape((-1, 16)) @ w).reshape((53, 8, 64))
    h = np.zeros((8, 64))
    for t in range(53):
        h = np.tanh(h + g[t] * w[t % 16])
        w[t % 16] = h[t % 8]
    return h


STAY = [neighbours, backwards, changed_meanwhile]


def own_bytes(function):
    """The bytes of the arrays of kernels that products or loops fill."""
    found = {}
    for s in host_statements(function, X, W, U, B):
        b = s.c if isinstance(s, ir.Multiply) else getattr(s, "buffer", None)
        if b is not None and b.kind == "temporary":
            found[b] = b.nbytes
    return sum(found.values())


@pytest.mark.parametrize("function", [*SHRINK, *STAY], ids=lambda f: f.__name__)
def test_as_python(function):
    check(function, X, W, U, B, kernels=None, ulps=1024, scale=10.0)


@pytest.mark.parametrize("function", SHRINK, ids=lambda f: f.__name__)
def test_some_trips_are_kept(function):
    assert 0 < own_bytes(function) < 130_000


@pytest.mark.parametrize("function", STAY, ids=lambda f: f.__name__)
def test_what_is_read_otherwise_is_kept(function):
    assert own_bytes(function) >= 53 * 8 * 64 * 8


def test_gradients_keep_as_much_for_the_way_back():
    def loss(x, w, u, b):
        return np.sum(recurrent(x, w, u, b) ** 2)

    ag.check_grads(loss, (X[:11], W, U, B), order=1, modes=("rev",))
