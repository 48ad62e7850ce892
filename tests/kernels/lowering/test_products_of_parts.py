"""Products of matrices that are parts of arrays, whose lengths the run knows."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import ALL, assert_kernels, check

RNG = np.random.default_rng(0)
N = 45
A, B = RNG.random((N, N)), RNG.random((N, N))


def blocks(a, b):
    c, size = np.zeros_like(a), 16
    for i in range(0, len(a), size):
        for j in range(0, len(a), size):
            for k in range(0, len(a), size):
                part = a[i : i + size, k : k + size] @ b[k : k + size, j : j + size]
                c[i : i + size, j : j + size] += part
    return c


def growing_inside(a, b):
    c = np.zeros_like(a)
    for i in range(len(a)):
        c += a[:, :i] @ b[:i]
    return c


def growing_rows(a, b):
    c = np.zeros_like(a)
    for i in range(len(a)):
        c[:i] += a[:i] @ b
    return c


def growing_squares(a, b):
    c = np.zeros_like(a)
    for i in range(len(a)):
        c[:i, :i] += a[:i, :i] @ b[:i, :i]
    return c


def of_transposes(a, b):
    total = np.zeros((len(a), len(a)), a.dtype)
    for i in range(1, len(a)):
        total += a[:i].T @ b[:i]
    return total


def few_inside(a, b):
    c = np.zeros_like(a)
    for i in range(len(a)):
        c[i:, i:] += a[i:, :3] @ b[:3, i:]
    return c


PROGRAMS = [blocks, growing_inside, growing_rows, growing_squares, of_transposes, few_inside]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_loop_of_them_is_one_kernel(program):
    check(program, A, B, kernels=None, ulps=64)  # sums of 45 numbers or more, 45 times
    assert_kernels(ag.to_graph(program), (A, B), 1)


@pytest.mark.parametrize("dtype", ["f4", "i8", "u1"])
def test_dtypes(dtype):
    a, b = (RNG.integers(0, 9, (12, 12)).astype(dtype) for _ in range(2))
    check(growing_squares, a, b, kernels=ALL)


def test_of_two_dtypes():
    def f(a, b):
        c = np.zeros(a.shape)
        for i in range(len(a)):
            c[:i] += a[:i] @ b
        return c

    check(f, A[:12, :12], np.arange(144).reshape(12, 12), kernels=ALL)


def test_without_elements():
    def f(a, n, k):
        c = np.zeros((4, 4))
        for i in range(3):
            c[: n + i] += a[: n + i, :k] @ a[:k]
        return c

    for n, k in ((0, 0), (0, 2), (1, 0), (2, 3)):
        check(f, A[:4, :4], n, k, kernels=None)


def test_lengths_that_do_not_agree():
    def f(a, n):
        c = np.zeros((4, 4))
        for i in range(3):
            c += a[:, :i] @ a[:n]
        return c

    with pytest.raises(ValueError):
        ag.to_graph(f)(A[:4, :4], 2)


@pytest.mark.parametrize("program", [growing_inside, of_transposes])
def test_gradients(program):
    a, b = A[:6, :6], B[:6, :6]
    loss = lambda a: np.sum(np.sin(program(a, b)))
    slope = ag.grad(loss)(a)
    for place in ((0, 0), (2, 3), (5, 5)):
        step = np.zeros_like(a)
        step[place] = 1e-6
        wanted = (loss(a + step) - loss(a - step)) / 2e-6
        np.testing.assert_allclose(slope[place], wanted, rtol=1e-6, atol=1e-8)


def test_in_lanes():
    def f(a):
        c, i = np.zeros((4, 4)), 0
        while c[0, 0] < 2:
            i += 1
            c += a[:, :i] @ a[:i]
        return c

    a = A.reshape(-1)[:80].reshape(5, 4, 4) + 0.2
    np.testing.assert_allclose(ag.vmap(f)(a), [f(x) for x in a], rtol=1e-12)
