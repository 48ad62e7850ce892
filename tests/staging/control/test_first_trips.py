"""Loops that change an array in place and rebind its variable: the array from before the loop has
what the first trip made of it."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, check_grad

programs = Programs()


def start(n=4):
    return np.linspace(0.5, 2.0, n)


@programs(start(), 0.5)
@programs(start(), np.ones(4))
def counted(a, k):
    for _ in range(5):
        a += k
        a = a * 2
    return a


@programs(start(), 0.5)
def until_large(a, k):
    while np.sum(a) < 100:
        a += k
        a = a * 2
    return np.sum(a)


@programs(start(), 3)
@programs(start(), 1)
@programs(start(), 0)
def symbolic_count(a, n):
    for i in range(n):
        a += i
        a = a * 2
    return np.sum(a)


@programs(start(), 4.0)
@programs(start(), 1000.0)
def left_early(a, most):
    for i in range(6):
        a += i
        a = a * 2
        if np.sum(a) > most:
            break
    return np.sum(a)


@programs(start())
def other_name(x):
    a = x * 3
    before = a
    for _ in range(4):
        a -= 1
        a = a / 2
    return before, a


@programs(start(6))
def view(x):
    row = x[1:4]
    for _ in range(4):
        row *= 2
        row = row + x[0]
    return row


@programs(start())
def history(x):
    seen = []
    for _ in range(4):
        x += 1
        seen.append(x.copy())
        x = x * 2
    return seen


@programs(start(), start())
def two_trips(a, b):
    for _ in range(5):
        a += 1
        a, b = b, a + b
    return a, b


@programs(start())
def nested(x):
    total = 0.0
    for i in range(3):
        y = x
        for _ in range(2):
            y += i
            y = y * 0.5
        total += np.sum(y)
    return total


@programs(start(), True)
@programs(start(), False)
def in_a_branch(x, go):
    if go and x[0] < 1:
        for _ in range(3):
            x += 1
            x = x * 2
    return np.sum(x)


def _step(a, k):
    a += k
    return a * 2


@programs(start(), 0.5)
def called(a, k):
    for _ in range(4):
        a = _step(a, k)
    return a


class Decay:
    def __init__(self, x):
        self.x = x

    def run(self, n):
        for _ in range(n):
            self.x += 1
            self.x = self.x * 0.5
        return np.sum(self.x)


@programs(start(), 3)
def method(x, n):
    return Decay(x).run(n)


@programs(start())
def through_rows(x):
    for k in np.arange(12.0).reshape(3, 4):
        x += k
        x = x * 2
    return x


@programs.test
def test_first_trips(call):
    call.run()


def _on_a_copy(x):
    y = x * 1.0
    before = y
    while np.sum(y) < 60:
        y += x
        y = y * 2
    return np.sum(y * before)


def test_derivatives():
    check_grad(_on_a_copy, start())
    primals = (start(),)
    out, tangent = ag.jvp(_on_a_copy, primals, (np.ones(4),))
    assert out == pytest.approx(_on_a_copy(start()))
    assert tangent == pytest.approx(np.sum(ag.grad(_on_a_copy)(start())))


def test_lanes():
    xs = np.stack([start(), 3 * start(), 20 * start()])
    expected = [_on_a_copy(x) for x in xs]
    np.testing.assert_allclose(ag.vmap(_on_a_copy)(xs), expected, rtol=1e-12)


def test_once_only_if_needed():
    """Where nobody uses the array again, the body stands in the program once."""

    def on_new(x):
        y = x * 1.0
        for _ in range(5):
            y += 1
            y = np.sqrt(y)
        return y

    def on_argument(x):
        for _ in range(5):
            x += 1
            x = np.sqrt(x)
        return x

    counts = [str(ag.to_graph(f).graph(start())).count("sqrt") for f in (on_new, on_argument)]
    assert counts == [1, 2]


def test_swapped_any_number_of_times():
    """Trips apart do not help; the error comes, and soon."""

    def swapped(u):
        v = np.zeros_like(u)
        while np.sum(u) > 0.01:
            v[:] = u / 2
            u, v = v, u
        return u

    with pytest.raises(ag.errors.MutationError, match="AG0325"):
        ag.to_graph(swapped)(start())
    check(lambda u: swapped(u.copy()), start())
