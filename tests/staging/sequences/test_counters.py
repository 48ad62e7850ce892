"""Counters whose keys only the run knows, displays that spread dicts, and texts of dicts."""

from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

from tests.support.oracle import check

XS = np.array([3, 1, 2, 3, 2, 5, 3])


def counted(xs):
    return Counter([int(x) for x in xs]), Counter([int(x) // 2 for x in xs])


def arithmetic(xs):
    a, b = counted(xs)
    return a + b, a - b, b - a, a | b, a & b, +a, -(a - b)


def comparisons(xs):
    a, b = counted(xs)
    return a == b, a != b, a <= b, a >= a, a < a + b, a > b, a == Counter(dict(a))


def in_place(xs):
    a, b = counted(xs)
    c = a
    c += b
    first = dict(c)
    c -= a & b
    c |= Counter([100])
    second = dict(a)
    c &= Counter([2, 2, 100])
    return first, second, a, c is a


def below_none(xs):
    a, _ = counted(xs)
    a.subtract([3, 3, 3, 3, 7])
    return a, +a, -a, a + Counter(), a.total()


def spread(xs):
    a = {int(x): i for i, x in enumerate(xs)}
    b = {int(x) + 1: -i for i, x in enumerate(xs)}
    return {**a, **b}, {**b, 0: 3}, {0: 7, **a}, {**a}, a


def spread_while_it_changes(xs):
    a = {int(x): i for i, x in enumerate(xs)}
    return {**a, 100: a.pop(int(xs[0]))}, a


def spread_texts(xs):
    a = {"x": xs[0], "y": 2}
    return {**a, "z": a.pop("y")}, a, {**{}, **a}, {"x": 1, **a, "p": 2}


def shown(xs):
    found, more = {}, defaultdict(int)
    for x in xs:
        found[int(x)] = found.get(int(x), 0) + 1
        more[int(x)] += 1
    print(found)
    print("found", found, len(found), f"{found}")
    print(more)
    return str(found)


def from_keys(xs):
    xs = [int(x) for x in xs]
    return list(dict.fromkeys(xs)), OrderedDict.fromkeys(xs), OrderedDict.fromkeys(xs, 2)


PROGRAMS = [
    *(arithmetic, comparisons, in_place, below_none, spread, spread_while_it_changes),
    *(spread_texts, shown, from_keys),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    for xs in (XS, np.array([4, 0]), XS[XS > 9]):
        if len(xs) or program not in (spread_while_it_changes, spread_texts):
            check(program, xs)


def test_what_is_no_mapping():
    def f(xs):
        return {**[1, 2], 0: xs[0]}

    check(f, XS)
