"""Functions of NumPy's that are given tuples and lists of Python's own, in which it does not look
for what only the run knows."""

import copy
import statistics

import numpy as np

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()


@programs.smooth(1.5)
def tuple_in_a_variable(x):
    v = (x, 2.0, x * x)
    return np.sum(v) * np.mean(v) + np.dot(v, v) + np.linalg.norm(v)


@programs(1.5)
def several_functions(x):
    v = (x, 2.0)
    return np.max(v), np.ptp(v), np.exp(v), np.diff(v), np.cumsum(v), np.add.reduce(v), np.any(v)


@programs.smooth((1.5, 2.0))
def of_an_argument(v):
    return np.prod(v) + np.sum(v[::-1])


@programs(1.5)
def lists_that_functions_made(x):
    v = [x, 2.0, 3.5]
    return np.sum(v[:2]), np.sum(copy.copy(v)), np.sum(statistics.quantiles(v))


class Point:
    def __init__(self, x, y):
        self.place = (x, y)

    def length(self):
        return np.sqrt(np.sum(np.square(self.place)))


@programs.smooth(1.5)
def in_an_attribute_of_a_method(x):
    return Point(x, 2.0).length()


@programs.test
def test_tuples_of_numpy_functions(call):
    call.run()


def test_ints_in_tuples_stay_of_the_run():
    @ag.to_graph
    def f(n):
        v = (n, 2)
        return np.sum(v)

    assert [f(n) for n in range(5)] == [2, 3, 4, 5, 6]
    assert len(f.compiled_forms()) == 1


def test_numbers_of_another_type_on_each_path():
    def f(x, n):
        v = (x, n) if x > 0 else (n, n)
        return np.max(v)

    for x in (1.5, -1.5):
        check(f, x, 2)
