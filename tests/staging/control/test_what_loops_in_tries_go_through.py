"""Loops in a ``try``: what computes the items that they go through may fail as their bodies may."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.oracle import check

GONE_THROUGH = {
    "generator expression": lambda xs: (1 / x for x in xs.tolist()),
    "generator expression with an if": lambda xs: (1 / x for x in xs.tolist() if x != 4.0),
    "generator expression of an array": lambda xs: (1 // int(x) for x in xs),
    "map": lambda xs: map(lambda x: 1 / x, xs.tolist()),
    "map of two": lambda xs: map(lambda x, y: y / x, xs.tolist(), xs.tolist()),
    "sorted": lambda xs: sorted(xs.tolist(), key=lambda x: 1 / x),
    "filter": lambda xs: filter(lambda x: x > 1, xs.tolist()),
}
INPUTS = [[1.0, 2.0], [1.0, 0.0, 2.0], [], [4.0, 5.0, 0.0], [1.0] * 20]


@pytest.mark.parametrize("name", GONE_THROUGH)
def test_items_that_fail(name):
    of = GONE_THROUGH[name]

    def f(xs):
        total, error = 0.0, ""
        try:
            for item in of(xs):
                total += item
        except ZeroDivisionError as found:
            error = str(found)
        return total, error

    for xs in INPUTS:
        check(f, np.array(xs))


def test_items_of_several():
    def f(xs):
        total = 0.0
        try:
            for i, (x, y) in enumerate(zip(xs.tolist(), (1 / x for x in xs.tolist()))):
                total += i * x + y
        except ZeroDivisionError:
            total = -total
        return total

    def g(xs):
        total = 0.0
        try:
            for i, y in enumerate(1 / x for x in xs.tolist()):
                total += i * y
        except ZeroDivisionError:
            total = -total
        return total

    for xs in INPUTS:
        check(g, np.array(xs))
    with pytest.raises(UnsupportedConstructError):
        ag.to_graph(f)(np.array([1.0, 0.0]))


def quotients(x, y):
    for i in range(3):
        yield x / (y - i)


class Quotients:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n == 2:
            raise ValueError("two")
        if self.n < 0:
            raise StopIteration
        return 6 / (self.n - 1)


@pytest.mark.parametrize(
    "make",
    [quotients, lambda x, y: Quotients(y), lambda x, y: filter(lambda i: x / (y - i) > 0, [1, 2])],
)
def test_iterators_that_fail_are_handled_or_refused(make):
    def f(x, y):
        total = 0.0
        try:
            for item in make(x, y):
                total += item
        except (ZeroDivisionError, ValueError):
            total = -100.0
        return total

    for y in (0, 1, 2, 7):
        try:
            found = ag.to_graph(f)(1.0, y)
        except UnsupportedConstructError:
            continue
        assert found == f(1.0, y)
