"""Python's ints of more than 64 bits in lists of which only the run knows the length."""

import functools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check


def fibonacci(most):
    a, b, found = 0, 1, []
    while a < most:
        found.append(a)
        a, b = b, a + b
    return found


@functools.cache
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


def test_a_list_is_refused_them():
    function = ag.to_graph(fibonacci)
    assert function(10**9) == fibonacci(10**9)
    with pytest.raises(ag.errors.ListIntegerError, match="AG0594") as raised:
        function(10**25)
    assert isinstance(raised.value, OverflowError)
    assert raised.value.location.line == fibonacci.__code__.co_firstlineno + 3


def test_what_a_function_remembers():
    function = ag.to_graph(lambda n, k: binomial(n, k))
    assert function(10, 3) == 120
    with pytest.raises(ag.errors.ListIntegerError, match="AG0594"):
        function(70, 35)


def test_variables_hold_them():
    def function(n):
        a, b = 0, 1
        for _ in range(n):
            a, b = b, a + b
        return a

    check(function, 200)


def test_an_overflow_of_the_users_is_pythons():
    def function(x):
        n, found = 1, []
        while n < x:
            found.append(n)
            n *= 1000
        return np.int64(n), found

    check(function, 1e20)
