"""What generators call as methods of objects, and by variables: it is recorded like what functions
call, so what it finds outside is compared at each call, and what it prints is printed each time."""

import contextlib
import random

import pytest

import autograph as ag
from tests.support.oracle import check

RATE = 2.0
SETTINGS = {"gain": 3.0}


class Part:
    __hidden = 3.0

    def __init__(self, v):
        self.v = v
        self.rule = lambda x: x * self.v

    def scaled(self, x):
        return x * RATE + SETTINGS["gain"]

    def tell(self):
        print("part", self.v)

    def positive(self, x):
        return x if x > 0 else -x

    def draw(self):
        return random.random()

    def __secret(self, x):
        return x + self.__hidden

    def items(self, x, f):
        rule = self.rule
        yield self.scaled(x)
        yield self.__secret(x)
        yield f(x) + rule(x)
        yield from self.more(x)

    def more(self, x):
        yield x

    @contextlib.contextmanager
    def held(self, x):
        self.tell()
        yield self.scaled(self.positive(x))
        self.tell()

    @contextlib.contextmanager
    def changed(self, x):
        self.v += x
        try:
            yield self.v
        finally:
            self.put_back(x)

    def put_back(self, x):
        self.v -= x


class Other(Part):
    def more(self, x):
        yield from super().more(2 * x)
        yield self.positive(x)


def looped(x):
    part, found = Other(1.5), []
    for item in part.items(x, lambda x: x + RATE):
        part.tell()
        found.append(item)
    return found


def managed(x):
    with Part(2.0).held(x) as v:
        return v * 2


def drawn(x):
    random.seed(1)
    part = Part(x)

    def pair():
        yield part.draw()
        yield part.draw()

    return [x * v for v in pair()]


@pytest.mark.parametrize("program", [looped, managed, drawn])
def test_what_is_called(program):
    check(program, 2.0)
    check(program, -2.0)


@pytest.mark.parametrize("program", [looped, managed])
def test_what_methods_find_outside_may_change(program, monkeypatch):
    compiled = ag.to_graph(program)
    assert compiled(2.0) == program(2.0)
    monkeypatch.setitem(globals(), "RATE", 5.0)
    assert compiled(2.0) == program(2.0)
    monkeypatch.setitem(SETTINGS, "gain", 7.0)
    assert compiled(2.0) == program(2.0)
    monkeypatch.setattr(Part, "scaled", lambda self, x: x + 100.0)
    assert compiled(2.0) == program(2.0)


def around_what_may_fail(x):
    part = Part(1.0)
    total = 0.0
    while total < 20:
        with part.changed(x) as v:
            total += 10 / x + v
    return total, part.v


@pytest.mark.parametrize("x", [2.0, 0.0])
def test_a_finally_that_prints_nothing_may_be_around_what_fails(x):
    check(around_what_may_fail, x)


def printing(x):
    @contextlib.contextmanager
    def told():
        part = Part(x)
        try:
            yield part
        finally:
            part.tell()

    with told():
        return 1 / x


def test_a_finally_that_prints_is_refused():
    with pytest.raises(ag.errors.UnsupportedConstructError, match="AG0334"):
        ag.to_graph(printing)(2.0)
