"""Ints of more than 64 bits that lists hold: they are refused where the list is kept in columns."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, ListIntegerError
from tests.support.oracle import check

LARGE = 10**30


def held_before(n):
    xs = [LARGE, 1]
    for i in range(n):
        xs.append(i)
    return xs


def appended(n):
    xs = [1]
    for _ in range(n):
        xs.append(LARGE)
    return xs


def assigned(n):
    xs = [1] * n
    for i in range(n):
        xs[i] = LARGE
    return xs


@pytest.mark.parametrize("program", [held_before, appended, assigned])
def test_where_only_the_run_knows_the_length(program):
    def through(counts):
        return program(int(counts[0]))

    with pytest.raises(AutographError) as caught:
        ag.to_graph(through)(np.array([3, 1]))
    assert caught.value.id in ("AG0315", "AG0316")
    assert caught.value.location is not None


def test_where_only_the_run_knows_the_number():
    def program(n):
        found, product = [], 1
        for _ in range(int(n[0])):
            product *= 10**12
            found.append(product)
        return found

    compiled = ag.to_graph(program)
    assert compiled(np.array([1])) == [10**12]
    with pytest.raises(ListIntegerError, match=r"found.append\(product\)") as caught:
        compiled(np.array([3]))
    assert isinstance(caught.value, OverflowError) and caught.value.id == "AG0589"


def test_arrays_of_the_users_raise_as_numpy_does():
    def program(n):
        a, product = np.zeros(3, int), 1
        for _ in range(int(n[0])):
            product *= 10**12
        a[0] = product
        return a

    with pytest.raises(OverflowError) as caught:
        ag.to_graph(program)(np.array([3]))
    assert type(caught.value) is OverflowError


def test_where_the_length_is_known():
    def picked(n, x):
        xs = [LARGE, 1, x]
        return xs[n], xs[0]

    compiled = ag.to_graph(picked)
    for n in range(3):
        assert repr(compiled(n, 0.5)) == repr(picked(n, 0.5))


@functools.cache
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


def test_what_a_function_remembers():
    function = ag.to_graph(lambda n, k: binomial(n, k))
    assert function(10, 3) == 120
    with pytest.raises(ListIntegerError, match="AG0589"):
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
