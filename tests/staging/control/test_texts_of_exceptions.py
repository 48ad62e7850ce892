"""What exceptions say that Python raises of lists and numbers, to callers and to handlers."""

import functools
import math

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import outcome


def filled(n):
    xs = []
    for k in range(n):
        xs.append(k * 0.5)
    return xs


def argument(xs, i):
    return xs[i]


def short(x, i):
    xs = [x, x + 1.0]
    return xs[i]


def assigned(x, i):
    xs = [x, x + 1.0]
    xs[i] = 0.0
    return xs


def popped(x, i):
    xs = [x, x + 1.0]
    return xs.pop(i)


def deleted(x, i):
    xs = [x, x + 1.0]
    del xs[i]
    return xs


def found(x, i):
    xs = [x, x + 1.0]
    return xs.index(i)


def removed(x, i):
    xs = [x, x + 1.0]
    xs.remove(i)
    return xs


def long(n, i):
    return filled(n)[i]


def long_assigned(n, i):
    xs = filled(n)
    xs[i] = 1.0
    return xs


def long_popped(n, i):
    return filled(n).pop(i)


def long_popped_last(n, i):
    return filled(n - 2).pop() + i


def long_deleted(n, i):
    xs = filled(n)
    del xs[i]
    return xs


def long_found(n, i):
    return filled(n).index(i * 1.5)


def long_removed(n, i):
    xs = filled(n)
    xs.remove(i)
    return xs


def row(x, i):
    rows = [[x, 1.0], [2.0, 3.0]]
    return rows[i][0]


def in_row(x, i):
    rows = [[x, 1.0], [2.0, 3.0]]
    rows[0][i] = 5.0
    return rows


def called(x, i):
    return short(x, i) * 2.0


def in_a_loop(x, i):
    xs = [x, 1.0, 2.0]
    total = 0.0
    for k in range(i):
        total += xs[k]
    return total


def in_a_branch(x, i):
    xs = [x, 1.0]
    if x > 0:
        return xs[i] * 2.0
    return x


def array(x, i):
    return np.array([x, x])[i]


def floats(x, i):
    return divmod(x, i - 5)


def logarithm(x, i):
    return math.log(5.0 - i)


CASES = [
    (argument, [1.0, 2.0], 5),
    (argument, [1.0, 2.0], -3),
    *((f, 2.0, 5) for f in (short, assigned, popped, deleted, found, removed, row, in_row)),
    *((f, 2.0, 5) for f in (called, in_a_loop, in_a_branch, array, floats, logarithm)),
    *((f, 2.0, -5) for f in (short, assigned, popped, deleted, in_row, array)),
    *((f, 3, 7) for f in (long, long_assigned, long_popped, long_deleted, long_found)),
    *((f, 3, 7) for f in (long_removed,)),
    *((f, 0, 0) for f in (long, long_popped, long_popped_last, long_deleted, long_removed)),
]
IDS = [f"{case[0].__name__}-{i}" for i, case in enumerate(CASES)]


@functools.cache
def handled(function):
    def f(x, i):
        try:
            print(function(x, i))
        except (IndexError, ValueError, ZeroDivisionError) as error:
            print("caught", error)
        return 0.0

    return ag.to_graph(f), f


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_an_exception_says_what_python_says(case):
    function, *args = case
    expected = outcome(function, args).error
    error = outcome(ag.to_graph(function), args).error
    assert (type(error), error.args) == (type(expected), expected.args)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_handler_finds_what_python_says(case):
    function, *args = case
    compiled, plain = handled(function)
    try:
        found = outcome(compiled, args)
        if isinstance(found.error, ag.errors.AutographError):
            raise found.error
    except ag.errors.UnsupportedConstructError as refused:
        assert refused.id in ("AG0334", "AG0357", "AG0363")
        return
    assert found.printed == outcome(plain, args).printed
