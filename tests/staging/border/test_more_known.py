"""What is refused is recorded once more with integers known, and with loops run as Python."""

import fractions
import logging

import numpy as np
import pytest

import autograph as ag
from autograph.errors import LoopStateError, UnrollLimitError
from tests.support.oracle import Programs, check
from tests.support.refusals import nothing_more_known

programs = Programs()


@programs(4)
@programs(0)
@programs(np.int64(3))
def rows_of_different_lengths(n):
    return [[i * j for j in range(i) if j % 2] for i in range(n)]


@programs(5)
def sum_of_fractions(n):
    total = fractions.Fraction(0)
    for i in range(1, n):
        total += fractions.Fraction(1, i)
    return total, float(total)


@programs([1, 2, 3, 7, 8])
@programs([])
def what_is_left_of_an_iterator(xs):
    found = []
    it = iter(xs)
    while (a := next(it, None)) is not None and a * 2 < 10:
        found.append(a)
    return found, list(it)


@programs(1203)
def sum_of_digits(n):
    return sum(int(digit) for digit in str(n)), n


def label(n):
    found = []
    for i in range(n):
        if i == 3:
            break
        found.append(i)
    found.append("end")
    return found


@programs(np.arange(3.0), 2)
@programs(np.arange(3.0), 6)
def called(x, n):
    return x * len(label(n)), label(n)


@programs(2.0)
def without_integers(x):
    return x, label(5)


class Ladder:
    def __init__(self, steps):
        self.steps = steps

    def climb(self, x):
        names = label(self.steps)
        names.insert(0, "begin")
        return x + len(names), names


@programs(Ladder(4), 1.5)
def of_an_object(ladder, x):
    return ladder.climb(x)


@programs(3, np.ones(2))
def of_a_recursion(n, x):
    if n == 0:
        return [x]
    return [n, *of_a_recursion(n - 1, x * 2), "up"]


@programs.smooth(np.array([1.0, 2.0]), 5)
def smooth(x, n):
    total = 0.0
    for name in label(n):
        if name == "end":
            total = total * np.sum(x**2)
        else:
            total = total + np.sum(np.sin(x) * name)
    return total


@programs(3)
@programs(-1)
def raised(n):
    label(n)
    if n < 0:
        raise LookupError(n)
    return label(n)


@programs.test
def test_programs(call):
    call.run()


def test_they_are_refused_otherwise():
    with nothing_more_known():
        with pytest.raises(LoopStateError, match="AG0316"):
            ag.to_graph(called)(np.arange(3.0), 6)


def test_what_is_left_of_an_iterator_need_not_be_known():
    with nothing_more_known():
        check(what_is_left_of_an_iterator, [1, 2])


def test_lanes_share_what_is_known():
    xs = np.arange(6.0).reshape(3, 2)
    lanes = ag.vmap(smooth, in_axes=(0, None))(xs, 4)
    np.testing.assert_allclose(lanes, [smooth(x, 4) for x in xs], rtol=1e-14)


def test_each_value_is_compiled(caplog):
    f = ag.to_graph(label)
    caplog.set_level(logging.INFO, "autograph")
    for n in (2, 7, 2, 7, 2):
        assert f(n) == label(n)
    compiled = [r.getMessage() for r in caplog.records if "compiled for" in r.getMessage()]
    assert len(compiled) == 2 and "n: 2" in compiled[0] and "n: 7" in compiled[1]


def test_the_reason_is_told():
    f = ag.to_graph(label)
    f(2)
    assert "different types" in str(f.explain(2))


def test_the_first_refusal_is_raised():
    def never(x, n):
        found = []
        while np.sum(x) < n:
            found.append(x)
            x = x + 1
        found.append("end")
        return found

    with pytest.raises(LoopStateError, match=r"AG0316.*f64"):
        ag.to_graph(never)(np.zeros(2), 3)


def test_a_program_at_its_limit_is_not_tried_again(caplog):
    def long(x, n):
        for i in range(n):
            x = x + hash(x)
        return x

    caplog.set_level(logging.DEBUG, "autograph")
    with pytest.raises((UnrollLimitError, ag.errors.UnsupportedFunctionError)):
        ag.to_graph(long)(2.0, 10**9)
    assert sum("recording again" in r.getMessage() for r in caplog.records) <= 2


def test_arrays_are_no_integers():
    with pytest.raises(LoopStateError, match="AG0316"):
        ag.to_graph(label)(np.array(3))
    check(label, 3)
