"""Loops whose arrays have other lengths in each trip are kernels: transforms by stages, scans by
doubling, pyramids."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, SOME, check

RNG = np.random.default_rng(0)


def haar(x):
    out, n = x.copy(), len(x)
    while n > 1:
        h = n // 2
        pairs = out[:n].reshape(h, 2)
        low, high = pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]
        out[:n] = np.concatenate((low, high)) * 0.5
        n = h
    return out


def scan(x):
    y, step = x.copy(), 1
    while step < len(x):
        y = np.concatenate((y[:step], y[step:] + y[:-step]))
        step *= 2
    return y


def walsh(x):
    y, h = x.copy(), 1
    while h < len(y):
        z = y.reshape(len(x) // (2 * h), 2, h)
        y = np.stack([z[:, 0, :] + z[:, 1, :], z[:, 0, :] - z[:, 1, :]], axis=1).reshape(len(x))
        h *= 2
    return y


def turned(x):
    y, h = x * 1.0, 1
    while h < len(x):
        z = y.reshape(h, len(x) // h).T * np.arange(len(x) // h)[:, None]
        y = z.reshape(len(x)) - y
        h *= 2
    return y


def three(x):
    y, k = x.copy(), 1
    while k < len(x):
        y = np.concatenate([y[k:] * 0.5, y[:1], y[1:k] * 2.0])
        k += 3
    return y


def pyramid(x):
    total, y, n = np.zeros(len(x)), x.copy(), len(x)
    while n > 1:
        n //= 2
        y[:n] = y[: 2 * n].reshape(n, 2).sum(axis=1)
        total[:n] += np.abs(y[:n])
    return total


class Stages:
    def __init__(self, sign):
        self.sign = sign

    def stage(self, y, half):
        turns = np.exp(self.sign * 2j * np.pi * np.arange(half) / (2 * half))
        pairs = y.reshape(len(y) // (2 * half), 2, half)
        even, odd = pairs[:, 0], pairs[:, 1] * turns
        return np.concatenate((even + odd, even - odd), axis=1).reshape(len(y))


def transform(x):
    stages, y, half = Stages(-1.0), x.astype(np.complex128), 1
    while half < len(x):
        y = stages.stage(y, half)
        half *= 2
    return y


FUNCTIONS = [haar, scan, walsh, turned, three, pyramid, transform]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_whole_functions_are_kernels(function, dtype):
    x = (10.0 * RNG.normal(size=64) + (1j if dtype is np.complex128 else 0)).astype(dtype)
    check(function, x, kernels=SOME if function in (walsh, transform) else ALL, ulps=100, scale=1e3)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [1, 2, 8])
def test_short_arrays(function, n):
    check(function, RNG.normal(size=n), kernels=None, ulps=100, scale=1.0)


@pytest.mark.parametrize("n", [6, 12])
def test_lengths_that_do_not_fit_are_errors(n):
    with pytest.raises(ValueError):
        walsh(np.ones(n))
    check(walsh, np.ones(n), kernels=None)
    check(haar, np.ones(n), kernels=None)


def test_what_is_read_later_is_not_written_over():
    def shifted(x):
        y, k = x.copy(), 1
        while k < len(x):
            z = y.reshape(len(x) // k, k)
            y = np.concatenate((z[1:], z[:1])).reshape(len(x))
            y = y + z.reshape(len(x)) * 0.5
            k *= 2
        return y

    check(shifted, RNG.normal(size=32), ulps=10, scale=1.0)


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives(function):
    loss = lambda x: np.sum(np.abs(function(x)) ** 2 * np.cos(np.arange(len(x))))
    x = RNG.normal(size=8)
    ag.check_grads(loss, (x,), order=2)
    rows = np.stack([x, 2.0 * x, -x])
    lanes = ag.vmap(ag.grad(loss))(rows)
    for row, lane in zip(rows, lanes):
        np.testing.assert_allclose(lane, ag.grad(loss)(row), rtol=1e-10, atol=1e-10)
