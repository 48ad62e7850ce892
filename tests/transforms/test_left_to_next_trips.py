"""What a trip of a loop leaves and the next one enters with is kept once for the backward pass."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check_grad
from tests.transforms.test_residuals import packed

RNG = np.random.default_rng(3)
X, W = RNG.normal(size=4), RNG.normal(size=(4, 4)) / 2


def recurrent(x, w):
    for _ in range(5):
        x = np.tanh(w @ x)
    return np.sum(x * x)


def never(x, w):
    for _ in range(0):
        x = np.tanh(w @ x)
    return np.sum(x * x)


def until_small(x, w):
    while np.sum(x * x) > 0.01:
        x = np.tanh(w @ x) * 0.4
    return np.sum(x) * x[0]


def left_early(x, w):
    for i in range(9):
        x = np.tanh(w @ x)
        if np.sum(x) > i:
            break
    return np.sum(x * x)


def exchanged(x, w):
    y = w[0]
    for _ in range(5):
        x, y = y, np.tanh(w @ x) * y * x
    return np.sum(x * y)


def three_in_a_row(x, w):
    y, z = w[0], w[1]
    for _ in range(6):
        x, y, z = y, z, np.tanh(w @ (x * y) + z * z * x)
    return np.sum(x * y * z)


def turned_round(x, w):
    y = np.sin(x)
    total = 0.0
    for _ in range(5):
        total = total + np.sum(x * y * y)
        x, y = y, x
    return total


def one_in_the_other(x, w):
    for i in range(3):
        for _ in range(i):
            x = np.tanh(w @ x)
        x = np.sin(w @ x)
    return np.sum(x * x)


def numbers(x, w):
    h = w[0, 0]
    for a in x:
        h = np.tanh(h * a)
    return h


PROGRAMS = [
    recurrent,
    never,
    until_small,
    left_early,
    exchanged,
    three_in_a_row,
    turned_round,
    one_in_the_other,
    numbers,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(function):
    check_grad(function, X, W, argnums=(0, 1))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_of_lanes(function):
    xs = RNG.normal(size=(3, 4))
    found = ag.vmap(ag.grad(function, argnums=(0, 1)), (0, None))(xs, W)
    for of_lane, x in zip(zip(*found), xs):
        for f, expected in zip(of_lane, ag.grad(function, argnums=(0, 1))(x, W)):
            np.testing.assert_allclose(f, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_with_checkpoints(function):
    expected = ag.grad(function, argnums=(0, 1))(X, W)
    found = ag.grad(ag.checkpoint(function), argnums=(0, 1))(X, W)
    for f, e in zip(found, expected):
        np.testing.assert_allclose(f, e, rtol=1e-9, atol=1e-12)


def test_kept_of_a_trip():
    assert packed(recurrent, X, W) == [["f64[4]"]]


def test_a_state_that_was_the_next_one_is_kept_once():
    """x was y, and y was z, in the trip before."""
    large = RNG.normal(size=20_000)

    def three(x):
        y, z = np.sin(x), np.cos(x)
        for _ in range(6):
            x, y, z = y, z, np.cumsum(x * y * z)
        return np.sum(x * y * z)

    assert packed(three, large) == [["f64[20000]"]]


def exchanged_in_branches(x):
    y, z = x * 0.5, x * 0.7
    for _ in range(7):
        if np.sum(x) > 0.3:
            z, x = (x - y) ** 4 * 0.1, z
        else:
            x = np.sin(z)
        x, y, z = y, z, x
        x, y, z = z, y, x
    return np.sum(x + 1.3 * z)


def test_arrays_of_packs_that_may_be_nothing_are_left_to_the_next_trip():
    """They are no records that a trip of the backward pass has made."""
    gradient, step = ag.grad(exchanged_in_branches), 1e-5
    expected = (gradient(X + step) - gradient(X - step)) / (2 * step)
    found = ag.jvp(gradient, (X,), (np.ones(4),))[1]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
