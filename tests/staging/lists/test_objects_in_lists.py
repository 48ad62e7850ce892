"""What objects in lists are told by and are equal to, and of which types their attributes are."""

import numpy as np
import pytest

from tests.support.oracle import check

N = 300  # more than what loops that run as Python do


class Part:
    def __init__(self, x):
        self.x = x
        self.mark = None


class Rest:
    """Equal to those of which the last digit is the same."""

    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return isinstance(other, Rest) and self.v % 10 == other.v % 10

    __hash__ = None


def halved(n, c):
    parts = [Part(i) for i in range(n)]
    for p in parts:
        if p.x > c:
            p.x = p.x / 2
    for p in parts:
        print(p.x)
    return parts, parts[0].x, type(parts[1].x).__name__


def balances(n, m):
    parts = [Part(0) for _ in range(n)]
    for k in range(3 * n):
        p = parts[(7 * k) % n]
        if k % 5 == 0:
            p.x += 0.5
        elif k % 5 == 1:
            p.x = m + k
    return parts, sum(p.x for p in parts), max(parts, key=lambda p: p.x).x


def large(n, m):
    parts = [Part((1 << 60) + i) for i in range(n)]
    for p in parts:
        p.x += m
    parts[0].x = 0.5
    return parts[0].x, parts[1].x, parts[n - 1]


def flags(n, m):
    parts = [Part(False) for _ in range(n)]
    for i in range(n):
        if i % 3 == 0:
            parts[i].x = True
        if i % m == 0:
            parts[i].x = 2
    return sum(1 for p in parts if p.x is True), sum(1 for p in parts if p.x), parts


def marks(n, m):
    parts = [Part(i) for i in range(n)]
    for i in range(0, n, m):
        parts[i].mark = 2 * i
    s = 0
    for p in parts:
        if p.mark is not None:
            s += p.mark
    return s


def chain(n, m):
    head = None
    for i in range(n):
        head = Linked(i, head)
        if i % m == 0:
            head.v = head.v / 2
    s, node = 0, head
    while node is not None:
        s, node = s + node.v, node.next
    return s, head


class Linked:
    def __init__(self, v, following):
        self.v = v
        self.next = following


@pytest.mark.parametrize("function", [halved, balances, large, flags, marks, chain])
@pytest.mark.parametrize("n", [5, N])
def test_attributes_are_of_their_type_in_each_object(function, n):
    check(function, n, 3)


def by_identity(n, m):
    parts = [Part(i) for i in range(n)]
    for p in parts:
        p.x += m
    a = parts[4]
    parts.remove(a)
    there = parts[3] in parts, a in parts, Part(m) in parts
    return there, parts.index(parts[2], 1), parts.count(parts[2]), [p.x for p in parts]


def among_none(n, m):
    parts = [None] * n
    for i in range(0, n, 2):
        parts[i] = Part(i)
    for p in parts:
        if p is not None:
            p.x += m
    return None in parts, parts.index(None), parts.count(None), parts.index(parts[2])


def skipped(n, m):
    parts = []
    for i in range(n):
        if i != m:
            parts.append(Part(i))
    return parts.count(Part(2))


def by_rest(n, m):
    rests = [Rest(i) for i in range(n)]
    return rests.index(Rest(m)), rests.count(Rest(m)), Rest(m) in rests


def by_rest_changed(n, m):
    rests = [Rest(i) for i in range(n)]
    for r in rests:
        r.v += m
    found = rests.index(Rest(m + 3)), Rest(m) in rests, rests.count(Rest(14))
    rests.remove(Rest(m + 3))
    return found, [r.v for r in rests]


def by_rest_skipped(n, m):
    rests = []
    for i in range(n):
        if i != m:
            rests.append(Rest(i))
    return Rest(12) in rests, rests.count(Rest(12)), rests.index(Rest(12))


def in_tuples(n, m):
    pairs = [(i, Rest(i % m)) for i in range(n)]
    return (2, Rest(12)) in pairs, (2, Rest(13)) in pairs, pairs.index((1, Rest(11)))


def distinct(n, m):
    seen = []
    for i in range(n):
        r = Rest(i * i % m)
        if r not in seen:
            seen.append(r)
    return [r.v for r in seen]


OF_OBJECTS = [by_identity, among_none, skipped, by_rest, by_rest_changed, by_rest_skipped]


@pytest.mark.parametrize("function", [*OF_OBJECTS, in_tuples, distinct])
@pytest.mark.parametrize("n, m", [(12, 3), (12, 15), (N, 7)])
def test_objects_are_found_by_what_they_are_equal_to(function, n, m):
    check(function, n, m)


def is_bool(x):
    flag = None
    for i in range(4):
        if x[i] > 0.5:
            flag = True
        if x[i] > 1.5:
            flag = False
    number = False
    for i in range(4):
        if x[i] > 0.5:
            number = 2
        if x[i] > 1.5:
            number = True
    return flag is True, flag is False, number is True, number is False


def shown(x):
    best = None
    for i in range(4):
        if x[i] > 0.5:
            best = i
        if x[i] > 1.5:
            best = i / 2
        print(best)
    print("best", best, f"{best}")
    return str(best), repr(best)


@pytest.mark.parametrize("function", [is_bool, shown])
@pytest.mark.parametrize("x", [[0.0] * 4, [0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0]])
def test_numbers_that_may_be_none_or_of_several_types(function, x):
    check(function, np.array(x))
