"""Variables that are None before a loop, and are told from numbers by something else."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import OperandTypeError
from tests.support.oracle import check


def by_a_flag(a, b):
    before, is_first, c, n = None, True, a, 0
    while abs(b - a) > 1e-3 and n < 50:
        s = (a + b) / 2
        if s > 10 or (is_first and s < 0) or (not is_first and s >= abs(c - before)):
            s = s * 0.5
            is_first = True
        else:
            is_first = False
        before, c = c, b
        b = s
        n += 1
    return b, n


def by_a_number(a, b):
    before, n = None, 0
    while abs(b - a) > 1e-3 and n < 50:
        s = (a + b) / 2
        if n > 0:
            s += (b - before) * 1e-3
        before, b = b, s
        n += 1
    return b, n, before


def by_a_list(a, b):
    before, out = None, []
    while b > a:
        out.append(b - before if len(out) > 0 and b < before else b)
        before = b
        b = b * 0.5 if b > 1 else b - 0.7
    return out, before


def by_the_index(a, b):
    before, rises = None, 0
    for k in range(int(b * 3)):
        v = np.sin(a + k * b)
        if k > 0:
            rises += v > before
        before = v
    return rises, before


@pytest.mark.parametrize("function", [by_a_flag, by_a_number, by_a_list, by_the_index])
def test_what_python_would_not_compute(function):
    check(function, 0.0, 2.0)
    check(function, 0.1, 1.3)
    check(function, 1.0, 0.0 if function is by_the_index else 1.0)  # no trip


def test_gradients():
    ag.check_grads(lambda a, b: by_a_number(a, b)[0], [0.1, 1.3])
    ag.check_grads(lambda a, b: by_a_flag(a, b)[0], [0.1, 1.3])


def test_what_python_would_compute():
    def function(a, b):
        before, n = None, 0
        while abs(b - a) > 1e-3:
            b = (a + b) / 2 - before
            n += 1
        return b, n

    with pytest.raises(OperandTypeError, match="'float' and 'NoneType'"):
        ag.to_graph(function)(0.0, 2.0)


def fullest_left(xs):
    """What is kept from the best trip of a loop in a loop are lists of which only the run knows how
    long they are."""
    best, groups = 1e9, None
    for x in xs:
        for y in xs:
            left, right = [], []
            for r in xs:
                (left if r < x + y else right).append(r)
            if abs(len(left) - len(right)) < best:
                best, groups = abs(len(left) - len(right)), (left, right)
    return best, groups


def fullest_row(rows):
    best, group = 1e9, None
    for k in range(len(rows[0]) - 1):
        for row in rows:
            left = []
            for r in rows:
                if r[k] < row[k]:
                    left.append(r)
            if abs(2 * len(left) - len(rows)) < best:
                best, group = abs(2 * len(left) - len(rows)), left
    return best, group


@pytest.mark.parametrize("function", [fullest_left, fullest_row])
@pytest.mark.parametrize("is_array", [False, True])
def test_lists_of_the_best_trip(function, is_array):
    values = np.random.default_rng(3).uniform(size=(5, 3))
    given = values[:, 0] if function is fullest_left else values
    check(function, given if is_array else given.tolist())
