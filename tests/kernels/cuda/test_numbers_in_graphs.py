"""Numbers that are others in each call of a kernel whose launches are a graph."""

import random

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda.printer import print_cuda
from tests.kernels.cuda import hand_built, random_programs
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.test_graphs import X, each_launched, heated, same, started

__all__ = ["each_launched"]  # a fixture

looks = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


@looks
def test_one_graph_serves_all_numbers(gpu):
    f, x = ag.to_graph(lambda u, rate: heated(u, rate)), on_device(X)
    for rate in (0.1, 0.2, 0.1, 0.3, -2.0, 0.1):
        same(f(x, rate), heated(X, rate))
    assert len(started(gpu)) == 5
    before = len(gpu.launches)
    f(x, 0.7)
    # One more, but no clearing of a status and of the counter of barriers.
    assert len(gpu.launches) - before == started(gpu)[0] - 1


@looks
def test_zeros_of_both_signs_are_not_one_number(gpu):
    def signs(u, zero):
        u, _ = heated(u)
        return np.copysign(u, zero), np.sum(u)

    f, x = ag.to_graph(signs), on_device(X)
    for zero in (0.0, 0.0, -0.0, -0.0, np.nan, -np.nan):
        same(f(x, zero), signs(X, zero))
    assert len(started(gpu)) == 5


@looks
def test_numbers_that_the_host_needs_are_part_of_a_graph(gpu, each_launched):
    def heated_for(u, steps, rate):
        for _ in range(steps):
            u = u.copy()
            u[1:-1] += rate * (u[:-2] - 2 * u[1:-1] + u[2:])
        return u, np.sum(u**2)

    f, x = ag.to_graph(heated_for), on_device(X)
    for steps in (2, 2, 3, 3, 2, 3):
        for rate in (0.1, 0.2):
            same(f(x, steps, rate), heated_for(X, steps, rate))
    assert len(set(started(gpu))) == 2 and len(started(gpu)) == 10


@looks
def test_integers(gpu):
    def picked(u, i, k):
        for _ in range(3):
            u = np.roll(u, 1) * 0.5 + u[i] * k
        return u, np.sum(u)

    f, x = ag.to_graph(picked), on_device(X)
    for i, k in ((0, 1), (4999, -3), (-1, 2**40), (17, 0)):
        same(f(x, i, k), picked(X, i, k))
    assert len(started(gpu)) == 3
    with pytest.raises(IndexError):
        f(x, 5000, 1)
    same(f(x, 5, 1), picked(X, 5, 1))


def until(u, eps):
    n = 0
    while np.sum(np.abs(u)) > eps:
        u = 0.5 * u + 0.25 * np.roll(u, 1)
        n += 1
    return u, np.array([n])


@looks
def test_the_device_decides_by_numbers(gpu):
    f, x = ag.to_graph(until), on_device(X)
    for eps in (1.0, 3.0, 0.5, 1e9, 2.0):
        same(f(x, eps), until(X, eps))
    assert len(started(gpu)) == 4


@looks
def test_a_training_step_with_a_rate_that_falls(gpu):
    def loss(w, x):
        return np.mean((np.tanh(x @ w) @ w.T - x) ** 2)

    def step(w, x, rate):
        return w - rate * ag.grad(loss)(w, x)

    rng = np.random.default_rng(3)
    w, x = rng.normal(0, 0.2, (30, 20)), rng.normal(size=(40, 30))
    f, given, on = ag.to_graph(step), on_device(w), on_device(x)
    for k in range(12):
        rate = 0.1 / (k + 1)
        given, w = f(given, on, rate), step(w, x, rate)
        np.testing.assert_allclose(on_host(given), w, rtol=1e-9)
    assert len(started(gpu)) >= 6


@looks
def test_the_host_may_be_far_ahead(monkeypatch):
    """Each call has the numbers that it was given, whenever the device comes to it."""
    with stand_in(monkeypatch, asynchronous=True) as gpu:
        f, x = ag.to_graph(lambda u, rate: heated(u, rate)), on_device(X)
        rates = [0.01 * k for k in range(12)]
        found = [f(x, rate) for rate in rates]
        gpu.cuda.current.synchronize()
        for each, rate in zip(found, rates):
            same(each, heated(X, rate))


def test_who_has_no_need_of_it_has_no_such_launch():
    for name in ("selu", "mean", "power_iteration", "recurrence"):
        assert print_cuda(getattr(hand_built, name)()).teller is None


MAPS = (
    "u = a * u + b",
    "u = np.roll(u, 1) * a + v",
    "u = u + b * np.sum(v) / 3000",
    "v = np.cumsum(v * b) / 100 + k",
    "u[1:-1] += a * (u[:-2] + b * u[2:])",
    "v = np.where(u > b, v, v * a)",
    "u = u + v[k]",
    "v = v * (a + k) / 8",
)
AROUND = ("for i in range(3):", "for i in range(k % 4):", "if a > b:", "if np.sum(u) > a:",
          "if k % 2 == 0:")  # fmt: skip


def random_function(seed):
    """A program of some loops, branches and maps, with two floats and an int of the caller's."""
    head = ("def f(u, v, a, b, k):", "u, v = u.copy(), v.copy()")
    end = "u, v, np.sum(u * a)"
    return random_programs.text(random.Random(seed), head, MAPS, AROUND, end)


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(8))
def test_random_programs(gpu, seed, tmp_path):
    text = random_function(seed)
    function, rng = random_programs.loaded(text, tmp_path), random.Random(seed)
    u, v = (np.random.default_rng(n).normal(size=3000) for n in (1, 2))
    f, given = ag.to_graph(function), (on_device(u), on_device(v))
    for _ in range(6):
        numbers = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.choice([0, 1, 2, 5])
        for x, y in zip(f(*given, *numbers), function(u, v, *numbers)):
            np.testing.assert_allclose(on_host(x), y, rtol=1e-9, atol=1e-9, err_msg=text)
