"""Loops that change arrays in place, arguments or others, and carry arrays that are new in each
trip: the time step of a simulation."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import Programs, check

programs = Programs()
X, V = np.array([1.0, 2.0, -0.5]), np.array([0.5, 0.25, 1.0])


@programs(X, V, 3)
@programs(X, V, 0)
def acceleration_before(x, v, n):
    a = -x
    for _ in range(n):
        v += 0.05 * a
        x += 0.1 * v
        a = -x
        v += 0.05 * a
    return x, v, a


@programs(X, V, 3)
@programs(X, V, 0)
def read_after(x, v, n):
    a = np.zeros(3)
    for _ in range(n):
        new = -x
        v -= 0.05 * (a + new)
        np.add(x, 0.1 * v, out=x)
        a = new
    return a * 2


@programs(X, V, 3)
def known_count(x, v, n):
    a = -x
    for i in range(4):
        v[:] = v + 0.1 * a
        x[i % 3] += v[0]
        a = -x * n
    return a


@programs(X, V, 3)
@programs(X, V, 7)
def with_break(x, v, n):
    a = -x
    for _ in range(n):
        x += 0.1 * v
        if x[0] > 1.3:
            break
        a = -x
        v += 0.1 * a
    return a


@programs(X, V, 3)
@programs(X, V, 0)
def while_loop(x, v, n):
    a, energy = -x, np.sum(x)
    while n > 0:
        v *= 0.9
        v += a
        x += v
        a = np.sin(x)
        energy = energy + a @ a
        n -= 1
    return energy, a


@programs(X, V, 3)
def nested(x, v, n):
    a = -x
    for _ in range(n):
        for _ in range(2):
            x += 0.1 * v
            a = a * 0.5 - x
        v += a
    return a


@programs(X, V, 3)
def buffers_beside(x, v, n):
    """Two arrays are swapped, known how often; a third one is new in each trip."""
    old, new, a = x * 1.0, x * 2.0, -x
    for _ in range(3):
        new[:] = old + a
        old, new = new, old
        a = old * 0.5
    return old, new, a


@programs(X, V, 3)
def views(x, v, n):
    inner = x[1:]
    a = -inner
    for _ in range(n):
        inner += 0.1 * a
        a = -inner
    return a


@programs(X, V, 3)
def made_before(x, v, n):
    y, a = x * 2.0, np.ones(3)
    for _ in range(n):
        y += a
        a = y - x
    return y


class Body:
    def __init__(self, x, v):
        self.x, self.v, self.a = x, v, -x

    def step(self, dt):
        self.v += dt * self.a
        self.x += dt * self.v
        self.a = -self.x


@programs(X, V, 3)
@programs(X, V, 0)
def method(x, v, n):
    body = Body(x, v)
    for _ in range(n):
        body.step(0.1)
    return body.a


def _step(x, v, a, dt):
    v += dt * a
    x += dt * v
    return -x


@programs(X, V, 3)
def called(x, v, n):
    a = -x
    for _ in range(n):
        a = _step(x, v, a, 0.1)
    return a


@programs(X, V, 3)
def in_a_list(x, v, n):
    state = [x, v, -x]
    for _ in range(n):
        state[1] += 0.1 * state[2]
        state[0] += 0.1 * state[1]
        state[2] = -state[0]
    return state[2]


@programs.test
def test_time_steps(call):
    call.run()


def _energy(k, x, v):
    x, v = x * k, v + k
    a = -x
    for _ in range(4):
        v += 0.05 * a
        x += 0.1 * v
        a = -x * x
    return np.sum(x * v + a)


def test_derivatives():
    ag.check_grads(lambda k: _energy(k, X, V), (1.2,), order=2)


def test_lanes():
    k = np.array([0.5, 1.0, 2.0])
    lanes = ag.vmap(lambda k: _energy(k, X, V))(k)
    assert lanes == pytest.approx([_energy(each, X, V) for each in k])


# -- other names of what is changed ---------------------------------------------------------------


def kept_view(x, n):
    a = x[:2]
    for _ in range(n):
        x += 1.0
        a = x[1:] * 2.0
    return a, x


def kept_name(x, n):
    a = x
    for _ in range(n):
        x += 1.0
        a = x * 2.0
    return a, x


def view_of_the_last_trip(x, n):
    a = x * 1.0
    for _ in range(n):
        x += 1.0
        a = x[:]
    a[0] = 9.0
    return x


def the_same_new_array_twice(x, n):
    a, b = x * 1.0, x * 2.0
    for _ in range(n):
        x += a
        a = b = x * 0.5
    a += 1.0
    return b


def changed_then_rebound(x, n):
    """Only the first trip changes what was there before the loop."""
    a = first = x * 2.0
    for _ in range(n):
        a += 1.0
        x += a
        a = x * 0.5
    return first


@pytest.mark.parametrize(
    "program",
    [kept_view, kept_name, view_of_the_last_trip, the_same_new_array_twice, changed_then_rebound],
)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_change_never_gets_lost(program, n):
    try:
        check(program, X, n)
    except MutationError as error:
        assert error.id in ("AG0324", "AG0325", "AG0326")
