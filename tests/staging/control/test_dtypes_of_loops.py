"""A variable whose dtype a loop changes: after a trip it has the dtype that the trip leaves."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled

programs = Programs()
X = np.array([1.0, 0.3], np.float32)


@programs(np.float32(1.1), 3)
def number_with_break(x, n):
    s = np.float64(0.0)
    while True:
        s = x * np.float32(1.3)
        n -= 1
        if n < 0:
            break
    return s, s * s


@programs(X)
def array_with_break(x):
    s = np.zeros(2)
    while True:
        s = x * np.float32(2)
        if s[0] > 2:
            break
        x = s
    return s * s


@programs(X)
@programs(X * 50)
def counted_with_break(x):
    s = np.zeros(2)
    for i in range(5):
        s = (s * 2).astype(np.float32) / 3 + x
        if s[0] > 2:
            break
    return s


@programs(X)
def counted(x):
    s = np.zeros(2)
    for _ in range(5):
        s = (s * 2).astype(np.float32) / 3 + x
    return s


@programs(np.ones((3, 2), np.float32))
def over_rows(x):
    row = np.zeros(2)
    for row in x:
        row = row / 3
    return row


@programs(X)
def one_trip(x):
    s = np.zeros(2)
    for _ in range(1):
        s = x / 3
    return s


@programs(1)
@programs(7)
def an_int_in_the_end(n):
    s = 0.5
    while True:
        s = n
        n = n * 2
        if n > 10:
            break
    return s


@programs(X)
def one_after_the_other(x):
    a = b = c = np.zeros(2)
    for i in range(7):
        a, b, c = b, c, x * i
    return a, b, c


@programs(X)
def nested(x):
    s = np.zeros(2)
    for _ in range(3):
        t = np.ones(2)
        for _ in range(3):
            t = (t + s).astype(np.float32) / 3
        s = t + x
    return s


class State:
    def __init__(self):
        self.x = np.zeros(2)

    def step(self, x):
        self.x = (self.x / 3).astype(np.float32) + x


@programs(X)
def attribute(x):
    state = State()
    for _ in range(4):
        state.step(x)
    return state.x


def _last(x):
    s = np.zeros(2)
    while True:
        s = s.astype(np.float32) / 3 + x
        if np.sum(s) > 1:
            return s


@programs(X)
def in_a_callee(x):
    return _last(x) * x


@programs.test
def test_dtype_after_a_trip(call):
    call.run()


def test_no_trip_is_recorded_apart_where_the_types_agree():
    def total(x):
        s = 0
        for i in range(4):
            s = s + x[i]
        return s

    x = np.arange(4.0)
    check(total, x)
    assert str(compiled(total).program(x)).count("for ") == 1


def test_derivatives_go_through_the_first_trip():
    def f(x):
        s = np.zeros(2)
        for _ in range(4):
            s = (s * 0.5).astype(np.float32) + x * x
        return np.sum(s)

    x = X.astype(np.float32)
    gradient = ag.grad(f)(x)
    assert gradient.dtype == np.float32
    assert gradient == pytest.approx(2 * x * 1.875)
    _, tangent = ag.jvp(f, (x,), (np.ones(2, np.float32),))
    assert tangent == pytest.approx(np.sum(gradient))
    lanes = ag.vmap(f)(np.stack([x, 2 * x]))
    assert lanes.dtype == np.float32
    assert lanes == pytest.approx([f(x), f(2 * x)])
