"""What classes of many kinds have, changed between two calls."""

import collections
import dataclasses
import decimal
import enum

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError

SCALE = 3.0


def same(function, *args):
    def check():
        np.testing.assert_array_equal(compiled(*args), function(*args))

    compiled = ag.to_graph(function)
    check()
    return check


def test_a_method_of_an_enumeration():
    class Kind(enum.Enum):
        SMALL = 1

        def weight(self):
            return self.value * 2

    check = same(lambda x: Kind.SMALL.weight() * x, 2.0)
    Kind.weight = lambda self: 100
    check()


class Pair(collections.namedtuple("Pair", "a b")):
    factor = 2.0

    def total(self):
        return (self.a + self.b) * self.factor

    def __add__(self, other):
        return self.a * other


@pytest.mark.parametrize("outside", (False, True), ids=("argument", "outside"))
def test_a_named_tuple_with_methods(outside, monkeypatch):
    pair = Pair(1.0, np.array([2.0, 3.0]))

    def use(pair, x):
        return pair.total() * x + (pair + x)

    check = same(lambda x: use(pair, x), 3.0) if outside else same(use, pair, 3.0)
    monkeypatch.setattr(Pair, "factor", 5.0)
    check()
    monkeypatch.setattr(Pair, "total", lambda self: self.b)
    check()
    monkeypatch.setattr(Pair, "__add__", lambda self, other: other)
    check()


@dataclasses.dataclass
class Settings:
    scale: list = dataclasses.field(default_factory=lambda: [SCALE, np.float64(SCALE)])


def test_what_the_factory_of_a_field_reads(monkeypatch):
    check = same(lambda x: Settings().scale[0] * x + Settings().scale[1], 2.0)
    monkeypatch.setitem(globals(), "SCALE", 7.0)
    check()


def test_attributes_of_a_metaclass():
    class Meta(type):
        @property
        def size(cls):
            return 6.0

        def __getattr__(cls, name):
            return 4.0

        def grow(cls, x):
            return x + 1.0

    class Box(metaclass=Meta):
        pass

    check = same(lambda x: Box.size * x + Box.other + Box.grow(x), 2.0)
    Meta.__getattr__ = lambda cls, name: 40.0
    check()
    Meta.grow = lambda cls, x: x * 3.0
    check()
    Meta.size = 60.0
    check()
    Box.other = 1.0
    check()


@pytest.mark.parametrize("read", (lambda: decimal.getcontext().prec, lambda: len(np.geterr())))
def test_settings_of_libraries_are_not_read(read):
    with pytest.raises(UnsupportedFunctionError, match="AG0405"):
        ag.to_graph(lambda x: x * read())(2.0)


class Looked:
    first = 1.0
    second = 2.0


name = "first"


def named(x):
    return getattr(Looked, name) * x


def several(x):
    return [getattr(Looked, name) * x for name in ("first", "second")]


def of_vars(x):
    return vars(Looked)["first"] * x + getattr(Looked(), name)


def perhaps(x):
    return x, hasattr(Looked, "third"), getattr(Looked, "third", 0.0), hasattr(Looked(), "third")


@pytest.mark.parametrize("function", (named, several, of_vars, perhaps))
def test_attributes_looked_up_by_name(function, monkeypatch):
    compiled = ag.to_graph(function)
    assert compiled(2.0) == function(2.0)
    for attribute, value in (("first", 5.0), ("second", 6), ("third", 7.0), ("first", 8.5)):
        monkeypatch.setattr(Looked, attribute, value, raising=False)
        assert compiled(2.0) == function(2.0)
    monkeypatch.setitem(globals(), "name", "third")
    assert compiled(2.0) == function(2.0)
    monkeypatch.setitem(globals(), "name", "first")
    monkeypatch.delattr(Looked, "third")
    assert compiled(2.0) == function(2.0)


def test_what_the_class_of_an_argument_holds():
    class Box:
        table, items = np.array([1.0]), [1.0]

        def read(self):
            return self.table[0] + self.items[0]

    box = Box()
    check = same(lambda box, x: box.table * x + box.read() + box.items[0], box, 2.0)
    Box.table[0] = 5.0
    check()
    Box.items[0] = 50.0
    check()
    Box.read = lambda self: 7.0
    check()
