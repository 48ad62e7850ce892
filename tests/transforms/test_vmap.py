"""Batched functions do in each lane what Python does: every construct, with its derivatives.

Which lanes run what is tested in `test_vmap_control_flow`; axes and names in `test_vmap_axes`.
"""

from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from tests.transforms.lanes import assert_same, by_lane, check_vmap

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=4)
ROWS = RNG.normal(size=(4, 3))
MATRIX = RNG.normal(size=(3, 3))
COUNTS = np.array([0, 1, 4, 3])
CASES = []


def case(*args, **options):
    """A decorator: compare the function on these arguments, with options of `check_vmap`."""

    def add(function):
        CASES.append(pytest.param(function, args, options, id=function.__name__))
        return function

    return add


@pytest.mark.costly
@pytest.mark.parametrize(("function", "args", "options"), CASES)
def test_lanes(function, args, options):
    check_vmap(function, *args, **options)


# -- no control flow -------------------------------------------------------------------------------


@case(ROWS)
def elementwise(x):
    return np.sin(x) * x.sum()


@case(ROWS, MATRIX, in_axes=(0, None))
def product(x, w):
    return np.tanh(w @ x)


@case(ROWS)
def tuple_and_dict(x):
    first, *others = x
    return {"first": first, "others": (others[0] * others[1], -x)}


@case(ROWS)
def number_of_the_function(x):
    return x * 2.5, 3, 1.5, True


@case(ROWS)
def list_of_known_length(x):
    out = []
    for i in range(3):
        out.append(x[i] * i)
    out[1] += out.pop()
    return np.array(out)


@case(ROWS)
def writes_into_an_array(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] ** 2
    y[0] += x[1]
    y[1:] *= x[2]
    return y


@case(ROWS, np.array([2, 0, 1, 0]))
def index_of_each_lane(x, i):
    y = x.copy()
    y[i] = y[i - 1] * 2
    return y, x[i]


class Ball:
    def __init__(self, position):
        self.position = position

    def moved(self, step):
        return Ball(self.position + step * self.position)


@case(NUMBERS)
def objects(x):
    ball = Ball(x)
    for i in range(3):
        ball = ball.moved(i * 0.5)
        if ball.position > 1:
            ball.position = np.sin(ball.position)
    return ball.position


class Pair(NamedTuple):
    left: object
    right: object


@case(NUMBERS)
def named_tuples(x):
    pair = Pair(x, 2.0)
    if x > 0:
        pair = Pair(x * x, x)
    return pair


@case(NUMBERS)
def closures(x):
    count = 0

    def twice(t):
        nonlocal count
        count += 1
        return t * 2 * count

    return twice(x) + twice(twice(x)), count


# -- branches --------------------------------------------------------------------------------------


@case(NUMBERS)
def cheap_branch(x):
    return x * 2 if x > 0 else -x


@case(ROWS)
def expensive_branch(x):
    if x[0] > 0:
        y = np.exp(x)
    else:
        y = x * x
    return y


@case(ROWS)
def branch_for_all(x):
    if x.shape[0] > 2:
        return x[:2]
    return x


@case(ROWS)
def one_sided(x):
    y = np.ones(3)
    if x[0] > 0:
        y = np.exp(x) * y
        if x[1] > 0:
            y = y * np.cos(x)
    return y


@case(ROWS)
def branch_on_what_is_the_same(x, limit=0.5):
    total = 0.0
    for i in range(3):
        if i * limit > 0.7:
            total = total + np.sin(x[i])
    return total


@case(NUMBERS)
def several(x):
    if x > 1:
        return np.log(x)
    elif x > 0:
        return x * x
    elif x > -0.5:
        return np.exp(x)
    else:
        return np.sin(x)


@case(NUMBERS)
def both_and_either(x):
    if (x > 0 and np.log(x + 2) > 0.5) or x < -0.5:
        return np.sqrt(1 + x * x)
    return x


# -- loops -----------------------------------------------------------------------------------------


@case(NUMBERS)
def countdown(x):
    i = 0
    while i < x:
        x = x - 0.5
        i += 1
    return x * i


@case(np.abs(NUMBERS) * 3)
def branch_in_a_loop(x):
    n = 0
    while x > 0.1:
        if x > 1:
            x = x / 3
        else:
            x = x * 0.7
        n += 1
    return x, n


@case(ROWS, MATRIX, in_axes=(0, None))
def recurrence(x, w):
    h = np.zeros(3)
    for _ in range(5):
        h = np.tanh(w @ h + x)
    return h


@case(ROWS, COUNTS)
def trips_of_each_lane(x, n):
    for i in range(n):
        x = np.sin(x) + i
    return x


@case(ROWS, COUNTS, in_axes=(0, 0))
def steps_of_each_lane(x, n):
    for i in range(n, 7, 2):
        x = x * 0.5 + i
    for i in range(n, -2, -1):
        x = np.sin(x) - i
    return x


@case(ROWS)
def loop_in_a_loop(x):
    s = 0.0
    for i in range(3):
        y = x[i]
        while abs(y) > 0.3:
            y = y * 0.5
            s = s + y * y
    return s


@case(ROWS)
def loop_over_an_array(x):
    for v in x:
        if v > 0.5:
            return v * 2
    return x[0]


@case(NUMBERS)
def break_and_else(x):
    s = 0.0
    for i in range(10):
        s += x * i
        if s * s > 4:
            break
    else:
        s = s * s
    return s


@case(NUMBERS * 2)
def all_exits(x):
    out = 0.0
    for i in range(4):
        if x * i > 1:
            for j in range(3):
                if j > i:
                    break
                out += x * j
            else:
                out -= 1
        elif x < -0.5:
            k = 0
            while True:
                k += 1
                if k > 3:
                    break
                if k == 2:
                    continue
                out += k * x
        else:
            continue
        out *= 0.9
    return out


@case(NUMBERS * 2)
def finally_of_every_exit(x):
    s = 0.0
    for i in range(5):
        try:
            if x * i > 2:
                break
            if x < 0:
                return s - x * i
            s += x * x
        finally:
            s *= 0.5
    else:
        s += 1
    return s


@case(NUMBERS)
def list_of_a_length_of_each_lane(x):
    parts = []
    while abs(x) > 0.1:
        parts.append(x * x)
        x = x / 2
    return np.sum(np.array(parts))


@case(NUMBERS)
def loop_that_finds_a_lane_in_a_branch(x):
    if x > 0:
        for _ in range(3):
            x = np.sin(x) * 2
    else:
        while x < -0.1:
            x = x * 0.5
    return x


# -- calls -----------------------------------------------------------------------------------------


def factorial(x, n):
    if n <= 0:
        return x
    return factorial(x * 1.1, n - 1) * x


@case(NUMBERS, COUNTS)
def recursion(x, n):
    return factorial(x, n)


def even(x, n):
    if n == 0:
        return x
    return odd(np.sin(x), n - 1)


def odd(x, n):
    if n == 0:
        return x * 2
    return even(np.cos(x), n - 1)


@case(NUMBERS, COUNTS)
def mutual_recursion(x, n):
    return even(x, n)


def tree(x, n):
    if n < 2:
        return x
    return tree(x * 0.9, n - 1) * tree(x * 1.1, n - 2)


@case(NUMBERS, COUNTS)
def recursion_twice(x, n):
    return tree(x, n)


@case(NUMBERS, COUNTS)
def recursion_in_a_loop(x, n):
    for i in range(3):
        x = factorial(x, n - i) * 0.5
    return x


@case(NUMBERS)
def recursion_the_same_in_all_lanes(x):
    return tree(x, 4) + factorial(1.5, 3)


# -- transforms inside -----------------------------------------------------------------------------


def shrunk(y):
    while abs(y) > 0.2:
        y = y * y * 0.5
    return y


@case(NUMBERS)
def gradient_inside(x):
    return ag.grad(shrunk)(x) * x


@case(NUMBERS)
def both_modes_inside(x):
    value, slope = ag.jvp(ag.grad(shrunk), (x,), (1.0,))
    return value * x + slope


@case(NUMBERS)
def pullback_inside(x):
    value, pull = ag.vjp(shrunk, x)
    return pull(value)[0] * x


@case(ROWS, np.array([0, 2, 1, 3]))
def gradient_of_recursion(x, n):
    return ag.grad(lambda x: np.sum(factorial(x, n)))(x) * x


@case(np.tanh(ROWS))
def lanes_inside(x):
    return ag.vmap(shrunk)(x) * x[0]


@case(np.tanh(ROWS))
def gradients_of_lanes_inside(x):
    return ag.vmap(ag.grad(shrunk))(x) * x


@case(np.abs(ROWS) + 0.1)
def jacobian_inside(x):
    return ag.jacrev(lambda x: np.cumsum(np.log(x) * x))(x)


def test_a_converted_function():
    check_vmap(ag.to_graph(branch_in_a_loop), np.abs(NUMBERS), derivatives=False)
    assert_same(ag.to_graph(ag.vmap(countdown))(NUMBERS), by_lane(countdown, (NUMBERS,)))


def test_third_derivatives():
    def third(x):
        return ag.grad(ag.grad(ag.grad(root)))(x)

    def root(a):
        x = a
        while abs(x * x - a) > 1e-13:
            x = 0.5 * (x + a / x)
        return x

    a = np.array([0.5, 1.5, 2.0, 30.0])
    np.testing.assert_allclose(ag.vmap(third)(a), 0.375 * a**-2.5, 1e-8)
    outside = ag.grad(lambda a: np.sum(ag.vmap(ag.grad(ag.grad(root)))(a)))(a)
    np.testing.assert_allclose(outside, 0.375 * a**-2.5, 1e-8)


def test_float32_stays_float32():
    x = NUMBERS.astype(np.float32)
    for function in (countdown, branch_in_a_loop, finally_of_every_exit, closures):
        wanted = by_lane(function, (x,))
        assert_same(ag.vmap(function)(x), wanted, rtol=1e-5, atol=1e-6)
    for function in (countdown, finally_of_every_exit, recursion_the_same_in_all_lanes):
        found = ag.vmap(ag.grad(function))(x)
        assert_same(found, by_lane(ag.grad(function), (x,)), rtol=1e-4, atol=1e-5)
        assert found.dtype == np.float32
