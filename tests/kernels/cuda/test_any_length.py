"""CUDA kernels for arrays of any lengths, on a stand-in for CuPy."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.cuda.cupy_stand_in import on_device, on_host


def standardised(x):
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def running(x):
    total = np.zeros(x.shape[1])
    for row in x:
        total = 0.9 * total + np.tanh(row)
    return total


def products(x):
    return np.tanh(x @ x.T) @ x


def reversed_in_place(x):
    y = x * 2
    for i in range(len(y) // 2):
        y[i], y[len(y) - 1 - i] = y[len(y) - 1 - i].copy(), y[i].copy()
    return y


def nearest(x):
    return np.argmin(np.sum((x[:, None] - x[None]) ** 2, -1) + 10 * np.eye(len(x)), axis=1)


def newton(x):
    return ag.vmap(root)(np.abs(x[:, 0]) + 1)


def root(a):
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


PROGRAMS = [standardised, softmax, running, products, reversed_in_place, nearest, newton]


@pytest.mark.costly
@pytest.mark.parametrize("program", PROGRAMS)
def test_one_program_for_all_lengths(gpu, program):
    f = ag.to_graph(program)
    for n in (5, 6, 7, 2, 1100, 40):
        x = np.random.default_rng(n).standard_normal((n, 3))
        before = len(gpu.launches)
        found, expected = f(on_device(x)), program(x)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_allclose(on_host(found), expected, rtol=1e-11, atol=1e-13)
        assert len(gpu.launches) > before
    assert len(f.compiled_forms()) <= 3  # of the first length, and of all, or of few and many


@pytest.mark.costly
@pytest.mark.parametrize(
    "program",
    [
        softmax,
        running,
        *(pytest.param(f, marks=pytest.mark.slow) for f in (standardised, products)),
    ],
)
def test_gradients(gpu, program):
    f = ag.grad(lambda x: np.sum(program(x) ** 2 * np.arange(3.0)))
    for n in (5, 6, 7, 2, 1100):
        x = np.random.default_rng(n).standard_normal((n, 3))
        before = len(gpu.launches)
        np.testing.assert_allclose(on_host(f(on_device(x))), f(x), rtol=1e-9, atol=1e-11)
        assert len(gpu.launches) > before


def test_two_lengths_and_what_must_agree(gpu):
    f = ag.to_graph(lambda x, y: x @ y + x.shape[0])
    for n, m in ((5, 5), (6, 6), (6, 7), (1, 6), (0, 0), (70, 90)):
        x, y = np.random.default_rng(n).random((n, m)), np.random.default_rng(m).random(m)
        np.testing.assert_allclose(on_host(f(on_device(x), on_device(y))), x @ y + n, rtol=1e-12)
    with pytest.raises(ValueError):
        f(on_device(np.ones((8, 9))), on_device(np.ones(10)))
