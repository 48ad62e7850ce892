"""Kernels that are short are made quickly as they were lowered, and have the same bits once passes
have changed them and they are optimised."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels import making
from autograph.kernels.native import tiers
from tests.kernels.native.test_brief_loops import both, wholes
from tests.kernels.native.test_tiers import soon, the_tiers, tier, wait

__all__ = ["soon", "tier", "wholes"]  # fixtures


@pytest.fixture
def asked(monkeypatch):
    """Whether kernels are short, of all that are made from now on."""
    found, plain = [], making.is_short
    monkeypatch.setattr(making, "is_short", lambda k: found.append(plain(k)) or found[-1])
    return found


def products(x, y):
    """Loops in order, which passes change, and sums beside them."""
    z = np.zeros((x.shape[0], y.shape[1]))
    for i in range(x.shape[0]):
        for k in range(x.shape[1]):
            for j in range(y.shape[1]):
                z[i, j] += x[i, k] * y[k, j]
    for i in range(1, z.shape[0]):
        z[i] = z[i] + 0.5 * z[i - 1]
    return z, np.sum(np.tanh(z) * z), np.max(z, axis=0)


X, Y = np.random.default_rng(3).normal(size=(2, 6, 6))


def test_the_text_that_is_optimised_later_is_the_one_that_would_be_at_once(tier, asked, wholes):
    quick, optimised = both(tier, products, X, Y)
    assert quick == optimised
    assert asked == [True] and wholes == [True]


def test_passes_change_it_once_it_is_optimised(tier, soon, asked, monkeypatch):
    tier(tiers.AUTOMATIC)
    changed, plain = [], making._passes().improved
    monkeypatch.setattr(making._passes(), "improved", lambda k: changed.append(k) or plain(k))
    f = ag.to_graph(lambda x, y: products(x, y))
    made, first = the_tiers(f, X, Y), f(X, Y)
    assert asked == [True] and not changed
    end = 100_000
    while not made._is_asked and end:
        end -= 1
        f(X, Y)
    wait()
    assert made._code is not None and len(changed) == 1
    assert all(np.array_equal(a, b) for a, b in zip(f(X, Y), first))


def test_sums_in_loops_in_order_are_left_to_passes(tier, asked):
    def rows(x):
        totals = np.zeros(x.shape[0])
        for _ in range(3):
            for i in range(x.shape[0]):
                totals[i] += np.sum(np.tanh(x[i]) * x[i])
        return totals

    quick, optimised = both(tier, rows, np.linspace(-1.0, 1.0, 4000).reshape(8, 500))
    assert quick == optimised and asked == [False]


def test_what_may_run_for_long_is_left_to_passes(tier, asked):
    def steps(x):
        for _ in range(10_000):
            x = 0.5 * x + 0.1 * x[::-1]
        return x

    quick, optimised = both(tier, steps, np.linspace(-1.0, 1.0, 50))
    assert quick == optimised and asked == [False]


def test_loops_with_a_test_are_made_as_they_were_lowered_and_their_sums_stay(tier, asked, wholes):
    def until(x):
        total = 0.0
        while np.sum(x * x) > 1e-3:
            x = 0.5 * np.tanh(x)
            total = total + np.sum(x * x[::-1])
        return x, total

    def descent(x):
        size = 0.0
        for i in range(40):
            x = x - 0.1 * np.sin(x * (i + 1))
            size = np.sqrt(np.sum(x * x))
            if size < 0.5:
                break
        return x, size

    def few_rows(x):
        total = 0.0
        for row in np.stack([x, x + 1.0, x * 2.0]):
            total = total + np.sum(np.tanh(row) * row)
        return total

    for function in (until, descent, few_rows):
        quick, optimised = both(tier, function, np.linspace(-1.0, 1.5, 50))
        assert quick == optimised
    assert asked == [True] * 3 and wholes == [True] * 3


def test_long_sums_in_loops_with_a_test_are_left_to_passes(tier, asked):
    def until(x):
        while np.sum(np.tanh(x) * x) > 1e-3:
            x = 0.5 * x
        return x

    quick, optimised = both(tier, until, np.linspace(-1.0, 1.0, 5000))
    assert quick == optimised and asked == [False]


def test_counted_loops_in_one_with_a_test_are_left_to_passes_with_their_sums(tier, asked):
    def until(x, a):
        totals = np.zeros(len(a))
        while np.max(x) > 1e-3:
            for i in range(len(a)):
                totals[i] += np.sum(a[i] * x)
            x = 0.5 * x
        return totals

    args = np.linspace(0.0, 1.0, 50), np.linspace(-1.0, 1.0, 400).reshape(8, 50)
    quick, optimised = both(tier, until, *args)
    assert quick == optimised and asked == [False]


def test_loops_that_load_what_they_store_add_up_as_others_do(tier, asked):
    """Passes may leave a loop that stores no more what it loads, or the other way round."""

    def f(x, y):
        a, b = np.outer(np.arange(4.0), x) * 0.1, np.zeros(4)
        a[1] = np.sin(a[0]) * np.roll(y, 1)
        s = 0.05 + np.prod(1.0 + 0.01 * np.where(y > x[::-1], y, 0.5 * x[::-1]))
        p, q = np.tanh(a[0]), np.sin(x[::-1]) * x[::-1]
        b[0] = np.linalg.norm(np.where(p > q, p, 0.5 * q))
        return s, a, b

    quick, optimised = both(tier, f, *np.random.default_rng(91).normal(size=(2, 50)))
    assert quick == optimised and asked == [True]


def test_a_long_sum_that_no_loop_can_be_joined_with_stays(tier, asked):
    def f(x, y):
        for i in range(1, len(y)):
            y[i] = y[i] + 0.5 * y[i - 1]
        return np.sum(np.tanh(x) * np.exp(-x * x)), y

    quick, optimised = both(tier, f, np.linspace(-2.0, 2.0, 9001), np.ones(6))
    assert asked == [True] and quick[0] == optimised[0]


def test_a_long_sum_beside_a_loop_of_as_many_trips_is_left_to_passes(tier, asked):
    def f(x):
        y = np.zeros(len(x))
        for i in range(len(x)):
            y[i] = x[i] * x[i] + 1.0
        return np.sum(np.tanh(y) * np.exp(-y * x)), y

    quick, optimised = both(tier, f, np.linspace(-2.0, 2.0, 9001))
    assert quick == optimised and asked == [False]
