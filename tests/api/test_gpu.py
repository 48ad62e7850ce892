"""The same functions on a GPU: CuPy arrays in, CuPy arrays out, and the same numbers."""

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def cp():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(f"no CUDA device: {error}")
    if not count:
        pytest.skip("no CUDA device")
    return cupy


def branch(x):
    if np.sum(x) > 0:
        return np.sum(np.sin(x) * x)
    return np.sum(x**2)


def halving(x):
    while np.max(np.abs(x)) > 1:
        x = x * 0.5
    return np.sum(x * x)


def power_iteration(a):
    v = np.ones(a.shape[0], dtype=a.dtype)
    for _ in range(20):
        w = a @ v
        v = w / np.sqrt(np.sum(w * w))
    return v @ a @ v


def recurrence(x):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.5 * y[i - 1] + x[i] ** 2
    return np.sum(y)


def heat(u):
    u = u.copy()
    for _ in range(10):
        u[1:-1] += 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return np.sum(u**2)


def softmax_loss(w):
    z = w @ np.linspace(0.0, 1.0, 3)
    e = np.exp(z - np.max(z))
    return -np.log(e[0] / np.sum(e))


def rows(a):
    total = np.zeros(a.shape[1])
    for row in a:
        total = np.where(row > 0, total + row * row, total)
    return np.sum(total)


def solve(a):
    x = np.linalg.solve(a @ a.T + np.eye(3), np.ones(3))
    return np.sum(x * x)


def early_exit(x):
    total = 0.0
    for v in x:
        if v < 0:
            break
        total = total + v * v * v
    return total


def masked(x):
    y = x * x
    y[x < 0] = 0
    return np.sum(y * x)


def recursive(x, n=4):
    if n == 0:
        return np.sum(x * x)
    return recursive(x * 0.5 + 0.1, n - 1)


X = np.array([0.5, -1.2, 2.0, 3.0])
A = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.3], [0.1, -0.3, 3.0]])
CASES = [
    (branch, X),
    (branch, -X),
    (halving, X * 10),
    (power_iteration, A),
    (recurrence, X),
    (heat, X),
    (softmax_loss, A),
    (rows, A),
    (solve, A),
    (early_exit, X),
    (masked, X),
    (recursive, X),
]


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function, x", CASES)
def test_on_the_device(cp, function, x, dtype):
    x = x.astype(dtype)
    rtol = 1e-10 if dtype == np.float64 else 1e-3
    value, gradient = ag.value_and_grad(function)(cp.asarray(x))
    expected_value, expected_gradient = ag.value_and_grad(function)(x)
    assert isinstance(gradient, cp.ndarray)
    assert gradient.dtype == dtype
    np.testing.assert_allclose(float(value), expected_value, rtol=rtol)
    np.testing.assert_allclose(cp.asnumpy(gradient), expected_gradient, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(float(function(x)), expected_value, rtol=rtol)


@pytest.mark.gpu
def test_arguments_changed_in_place(cp):
    def fill(x, v):
        for i in range(len(x)):
            x[i] = v * i

    x = cp.zeros(4)
    ag.to_graph(fill)(x, 2.0)
    np.testing.assert_array_equal(cp.asnumpy(x), [0.0, 2.0, 4.0, 6.0])


@pytest.mark.gpu
def test_the_backend_can_be_chosen(cp):
    f = ag.to_graph(lambda x: x * 2, backend="cupy")
    result = f(np.ones(3))
    assert isinstance(result, cp.ndarray)
    np.testing.assert_array_equal(cp.asnumpy(result), [2.0, 2.0, 2.0])
