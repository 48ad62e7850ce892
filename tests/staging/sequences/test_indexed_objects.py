"""Objects that Python goes through by their ``__getitem__`` alone."""

import pytest

import autograph as ag
from tests.support.oracle import Programs
from tests.support.refusals import refused

programs = Programs()


@programs.test
def test_program(call):
    call.run()


class Stack:
    def __init__(self):
        self.items = []

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


class Squares:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * i


class Members(Squares):
    def __contains__(self, item):
        return item == -1


class Failing:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i == 2:
            raise KeyError("two")
        if i >= self.n:
            raise IndexError
        return i * self.n


@programs([1.0, 2.0], 2.0)
@programs([1.0, 2.0, 3.0, 4.0], 2.0)
@programs([], 2.0)
def over_a_list(xs, k):
    s = Stack()
    for x in xs:
        s.items.append(x * k)
    total = 0.0
    for v in s:
        total += v
    return total, [v for v in s if v > 2], list(s), len(s), 4.0 in s, sum(s), max(s, default=-1)


@programs(3)
@programs(0)
@programs(4.5)
@programs(-1.0)
def counted(n):
    return list(Squares(n)), sum(Squares(n)), [a for a in Squares(n)], 4 in Squares(n)


@programs(3.0)
@programs(9.5)
@programs(0.0)
def left_early(x):
    total = 0
    for v in Squares(x):
        if v > 10:
            break
        total += v
    else:
        total = -total
    return total


@programs(3.0)
@programs(1.5)
def another_exception(n):
    total = 0.0
    for v in Failing(n):
        total += v
    return total


@programs(3.0)
@programs(1.5)
def by_iter_and_next(n):
    it = iter(Squares(n))
    first = next(it)
    a, b, c = Squares(3)
    return first, next(it, None), a + b + c, list(zip(Squares(2), Squares(3)))


@programs(3.0)
def asked_for_members(x):
    return -1 in Members(x), 1 in Members(3)


def test_an_iterator_that_is_returned_is_refused():
    def function(x):
        return iter(Squares(x))

    message = refused(ag.errors.AutographError, function, 3.0)
    assert "iterator" in message


def test_gradient():
    def function(x):
        s = Stack()
        for i in range(3):
            s.items.append(x**i)
        return sum(v for v in s)

    assert ag.grad(function)(2.0) == pytest.approx(5.0)
