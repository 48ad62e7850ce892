"""Exceptions known only at run time whose handlers are refused."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.oracle import check
from tests.support.refusals import nothing_more_known, refused_or_same


def tuple_as(x):
    try:
        return int(x)
    except (ValueError, OverflowError) as e:
        print("no:", e)
        return -1


def shape_err_as(a, n):
    try:
        return a + np.ones(3)
    except ValueError as e:
        print(e)
        return a


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


ARGUMENTS = {shape_err_as: (np.ones(2), 0)}


@pytest.mark.parametrize(
    "function, id",
    [
        (shape_err_as, "AG0357"),
        (recursion, "AG0334"),
        (grad_inside, "AG0334"),
    ],
)
def test_what_is_refused(function, id):
    given = ARGUMENTS.get(function, (2.0,))
    with nothing_more_known(), pytest.raises(UnsupportedConstructError) as caught:
        ag.to_graph(function)(*given)
    assert caught.value.id == id
    refused_or_same(function, *given)


@pytest.mark.parametrize(
    "function",
    [tuple_as, m_around, fails_before_it_raises, fails_before_it_raises_inside_another],
)
@pytest.mark.parametrize("x", [2.0, 0.25, 0.0, -4.0])
def test_what_is_not(function, x):
    check(function, x)
