"""Attributes of the user's objects may have the names that those have which stand for them while
code is recorded; and None has none of the attributes that an array has."""

import itertools
import linecache
import operator
from collections import namedtuple
from enum import Enum

import numpy as np
import pytest

import autograph as ag

NAMES = ("content", "present", "contents", "literal", "checked", "having", "apply_priority")
OF_CHOICES = ("objects", "position", "texts", "each", "decide", "movable")


class Held:
    def __init__(self, x, name):
        self.x = x
        setattr(self, name, x * 2.0)


class Kind(Enum):
    LOW = 1
    HIGH = 2

    @property
    def position(self):
        return 10.0 * self.value

    @property
    def objects(self):
        return (self.value, 2)

    def each(self, x):
        return self.value + x


Pair = namedtuple("Pair", "content present")


_numbers = itertools.count()


def read_of(text):
    """A function of ``item`` with a source."""
    text, name = f"def read(item):\n    return {text}\n", f"<read {next(_numbers)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    namespace = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["read"]


def ending(function, args):
    try:
        return repr(function(*args))
    except (AttributeError, TypeError) as error:
        return type(error), str(error)


def agree(function, *calls):
    compiled = ag.to_graph(function)
    for args in calls:
        assert ending(compiled, args) == ending(function, args), args


@pytest.mark.parametrize("name", [*NAMES, *OF_CHOICES])
@pytest.mark.parametrize("read", [getattr, lambda item, name: operator.attrgetter(name)(item)])
def test_of_an_object_that_may_be_none(name, read):
    plain = read_of(f"item.{name}")

    def f(x):
        item = Held(x, name) if x > 1.0 else None
        return 0.0 if item is None else read(item, name) + item.x

    def in_loop(x):
        item = None
        for i in range(3):
            if x > i:
                item = Held(x + i, name)
        return read(item, name)

    agree(f, (0.5,), (2.5,))
    agree(in_loop, (2.5,), (1.5,))
    agree(lambda x: plain(Held(x, name) if x > 1.0 else None), (0.5,), (2.5,))


def test_as_the_source_has_them():
    class Card:
        def __init__(self, x):
            self.content = x
            self.present = x * 2

        def checked(self):
            return self.content + 1

    def read(x):
        card = Card(x) if x > 1.0 else None
        return card.content, card.present, card.checked()

    def stored(x):
        card = Card(x) if x > 1.0 else None
        if card is not None:
            card.content += card.present
        return 0.0 if card is None else card.content

    def of_a_tuple(x):
        pair = Pair(x, 1.0) if x > 1.0 else None
        return pair.content - pair.present

    def of_a_member(x):
        kind = Kind.HIGH if x > 1.0 else Kind.LOW
        return kind.position + x, kind.objects[0], kind.each(x)

    for function in (read, stored, of_a_tuple, of_a_member):
        agree(function, (0.5,), (2.5,))


@pytest.mark.parametrize(
    "asked", ["real", "shape", "ndim", "size", "dtype", "T", "sum()", "tolist()", "conjugate()"]
)
def test_of_an_array_that_may_be_none(asked):
    read = read_of(f"item.{asked}")

    def f(x):
        array = np.array([x, 1.0]) if x > 1.0 else None
        return read(array)

    def number(x):
        value = np.float64(x) if x > 1.0 else None
        return read(value)

    agree(f, (0.5,), (2.5,))
    agree(number, (0.5,), (2.5,))


def test_an_array_that_may_be_none_by_other_ways():
    def handled(x):
        array = np.array([x, 1.0]) if x > 1.0 else None
        try:
            return array.sum()
        except AttributeError:
            return -1.0

    def by_name(x):
        array = np.array([x, 1.0]) if x > 1.0 else None
        return [getattr(array, name) for name in ("real", "T")], hasattr(array, "real")

    def no_rows(n, x):
        array = np.arange(n) if x > 1.0 else None
        total = 0
        for item in array:
            total += item
        return total

    agree(handled, (0.5,), (2.5,))
    agree(by_name, (0.5,), (2.5,))
    compiled = ag.to_graph(no_rows)
    assert compiled(3, 2.0) == 3
    assert compiled(0, 2.0) == 0
    with pytest.raises(TypeError):
        compiled(0, 0.5)
