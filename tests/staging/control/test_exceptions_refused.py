"""Exceptions that only the run knows whose handlers are refused."""

import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.refusals import nothing_more_known, refused_or_same

SINGULAR, REGULAR = np.ones((2, 2)), np.array([[2.0, 1.0], [0.5, 3.0]])


def tuple_as(x):
    try:
        return int(x)
    except (ValueError, OverflowError) as e:
        print("no:", e)
        return -1


def own_raise_as(x):
    try:
        if x < 0:
            raise ValueError(f"negative {x}")
        y = math.sqrt(x)
    except ValueError as e:
        print(e)
        y = 0.0
    return y


class MyErr(Exception):
    def __init__(self, v):
        super().__init__(v)
        self.v = v


def custom_err(x):
    try:
        if x < 0:
            raise MyErr(x)
        y = x
    except MyErr as e:
        y = e.v * 10
    return y


def arr_index2(a, i, j):
    try:
        v = a[i, j]
    except IndexError as e:
        print(e)
        v = a[-1, -1]
    return v


def deep2(x):
    for i in range(3):
        if x == i:
            raise KeyError(i)
    return x


def deep(x):
    return deep2(x) + 1


def key_in_loop_as(x):
    try:
        return deep(x)
    except KeyError as e:
        print(e)
        return -1


def shape_err_as(a, n):
    try:
        return a + np.ones(3)
    except ValueError as e:
        print(e)
        return a


class Box:
    def __init__(self):
        self.n = 0
        self.v = 0.0

    def step(self, x):
        self.n += 1
        self.v = 1 / x
        self.n += 10
        return self.v


def method_mutates(x):
    b = Box()
    try:
        b.step(x)
    except ZeroDivisionError:
        b.n += 100
    return (b.n, b.v)


def mutate_then_raise(items, x):
    if x < 0:
        items.append(99.0)
        raise ValueError("neg")
    items.append(x)


def callee_mutates_raises(x):
    items = []
    try:
        mutate_then_raise(items, x)
    except ValueError:
        items.append(-1.0)
    return items


def arr_then_raise(a, x):
    a[0] = x
    if x < 0:
        a[1] = 99.0
        raise ValueError("neg")
    a[2] = 5.0


def callee_arr_raises(x):
    a = np.zeros(3)
    try:
        arr_then_raise(a, x)
    except ValueError:
        a = a * 2
    return a


def closure_state(x):
    n = 0

    def f(v):
        nonlocal n
        n += 1
        r = 1 / v
        n += 10
        return r

    try:
        r = f(x)
    except ZeroDivisionError:
        r = 0.0
    return (r, n)


def writes_global_list(acc, x):
    acc.append(x)
    acc.append(1 / x)
    return acc


def acc_pass(x):
    acc = []
    try:
        writes_global_list(acc, x)
    except ZeroDivisionError:
        acc.append(-3.0)
    return acc


def rec(n):
    if n == 0:
        raise ValueError("bottom")
    if n == 1:
        return 1
    return n * rec(n - 2)


def recursion(n):
    try:
        return rec(n)
    except ValueError:
        return -1


def return_finally(x):
    t = 0.0
    try:
        try:
            return 1 / x
        finally:
            t = t + 1.0
    except ZeroDivisionError:
        return t


class M:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        print("exit", a[0] is None)
        return False


def m_around(x):
    try:
        with M():
            y = 1 / x
    except ZeroDivisionError:
        y = 5.0
    return y


def fails_before_it_raises(x):
    with M():
        if x > 0.5:
            raise IndexError("large")
        raise ValueError("small")


def fails_before_it_raises_inside_another(x):
    with M():
        try:
            y = np.array([1.0, 2.0])[int(x) + 5]
            raise ValueError("small")
        finally:
            y = x
    return y


def grad_inside(x):

    def h(t):
        return 1 / t

    try:
        return ag.grad(h)(x)
    except ZeroDivisionError:
        return 0.0


ARGUMENTS = {arr_index2: (np.ones((2, 3)), 1, 2), shape_err_as: (np.ones(2), 0)}


@pytest.mark.parametrize(
    "function, id",
    [
        (tuple_as, "AG0357"),
        (own_raise_as, "AG0357"),
        (custom_err, "AG0357"),
        (arr_index2, "AG0357"),
        (key_in_loop_as, "AG0357"),
        (shape_err_as, "AG0357"),
        (method_mutates, "AG0363"),
        (callee_mutates_raises, "AG0363"),
        (callee_arr_raises, "AG0363"),
        (closure_state, "AG0363"),
        (acc_pass, "AG0363"),
        (recursion, "AG0334"),
        (return_finally, "AG0334"),
        (m_around, "AG0334"),
        (fails_before_it_raises, "AG0334"),
        (fails_before_it_raises_inside_another, "AG0334"),
        (grad_inside, "AG0334"),
    ],
)
def test_what_is_refused(function, id):
    given = ARGUMENTS.get(function, (2.0,))
    with nothing_more_known(), pytest.raises(UnsupportedConstructError) as caught:
        ag.to_graph(function)(*given)
    assert caught.value.id == id
    refused_or_same(function, *given)
