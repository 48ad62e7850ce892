"""Operands of expressions in ``try`` statements, which are evaluated in Python's order, where calls
that come later change what variables and attributes hold."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import check


class Counter:
    def __init__(self):
        self.x = 0.0

    def next(self, r):
        self.x += 1 / r
        return self.x

    def plus(self, v):
        return self.x + v


class Pair:
    def __init__(self):
        self.now, self.other = Counter(), Counter()

    def swap(self, r):
        self.now, self.other = self.other, self.now
        self.now.x = 1 / r
        return 1.0


class Grid:
    def __init__(self):
        self.z = [0.0, 0.0]

    def add(self, i, j, v, factor=1.0):
        self.z[i] += v
        self.z[j] += factor / v


def both(a, b):
    return a * 10 + b


def attributes(r):
    c = Counter()
    try:
        v = both(c.x, c.next(r))
        pair = c.x, c.next(r), c.x
        w = c.x - c.next(r)
        is_less = c.x < c.next(r)
        by_name = both(b=c.x, a=c.next(r))
        c.x += c.next(r)
    except ZeroDivisionError:
        return -1.0, (0.0, 0.0, 0.0), 0.0, False, 0.0, c
    return v, pair, w, is_less, by_name, c


def variables(r):
    x = 1.0

    def next():
        nonlocal x
        x = x + 1 / r
        return x

    try:
        x += next()
        y = x + next()
        z = x, next(), x
    except ZeroDivisionError:
        return x, 0.0, (0.0, 0.0, 0.0)
    return x, y, z


def owners(r):
    p = Pair()
    try:
        v = p.now.plus(p.swap(r))
        p.now.x += p.swap(r)
    except ZeroDivisionError:
        return 0.0, p.now.x
    return v, p.now.x


def starred(r):
    g, places, options = Grid(), (0, 1), {"factor": 2.0}
    try:
        g.add(*places, 1 / r)
        g.add(v=2 / r, **dict(i=0, j=1))
        g.add(*places, 3 / r, **options)
        g.add(0, 1, **{"v": 2 / r, **options})
    except ZeroDivisionError:
        g.z[0] = -1.0
    return g.z


def spread_before(r):
    xs = []

    def grow():
        xs.append(1 / r)
        return 3.0

    def items():
        xs.append(7.0)
        yield 1.0
        yield 2.0

    try:
        v = sum((*items(), grow()))
    except ZeroDivisionError:
        v = -1.0
    return v, len(xs)


@pytest.mark.parametrize("r", [0.0, 2.0])
@pytest.mark.parametrize("program", [attributes, variables, owners, starred, spread_before])
def test_operands(program, r):
    check(program, r)


def exchanged(r):
    xs = [1.0]

    def grow():
        nonlocal xs
        xs = [*xs, 1 / r]
        return 1.0

    try:
        xs[0] = xs[0] + 1.0
        xs[0] += grow()
    except ZeroDivisionError:
        xs = [0.0]
    return xs


def test_a_list_that_is_changed_after_its_name_means_another_is_refused():
    with pytest.raises(MutationError):
        ag.to_graph(exchanged)(2.0)


def bind_anew(x):
    """What is called is found before its arguments."""

    def g(v, k=1):
        return v + k

    def change(v):
        nonlocal g
        if v > 0.5:
            g = lambda w, k=1: w * 100
        if v > 2:
            raise ValueError("large")
        return v

    try:
        r = g(np.sqrt(change(x)), k=change(x))
    except ValueError:
        r = g(0.5)
    return r, g(x)


class Holder:
    def __init__(self):
        self.h = lambda v: v + 1
        self.table = {"a": lambda v: v + 1}

    def change(self, v):
        self.h = lambda w: w * 100
        self.table["a"] = self.h
        if v > 2:
            raise ValueError("large")
        return v


def bind_attributes_anew(x):
    one, two = Holder(), Holder()
    try:
        r = one.h(one.change(x)) + two.table["a"](two.change(x))
    except ValueError:
        r = one.h(0.5)
    return r


@pytest.mark.parametrize("program", [bind_anew, bind_attributes_anew])
@pytest.mark.parametrize("x", [0.25, 1.5, 3.0])
def test_what_is_called_is_bound_anew(program, x):
    check(program, x)
