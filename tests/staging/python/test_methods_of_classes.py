"""Methods of built-in classes, called through the class, and what reads the memory of lists."""

import array
import collections
import dataclasses
import operator

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import check

LIST = [0.5, 2.0, 3.5, 2.0]
METHODS = {
    "length": lambda items: list.__len__(items),
    "element": lambda items: list.__getitem__(items, 1),
    "count": lambda items: list.count(items, 2.0),
    "index": lambda items: list.index(items, 2.0),
    "member": lambda items: list.__contains__(items, 2.0),
    "iterator": lambda items: [x + 1 for x in list.__iter__(items)],
    "equal": lambda items: list.__eq__(items, [1.0]),
    "sum": lambda items: list.__add__(items, [1.0]),
    "reversed": lambda items: list(list.__reversed__(items)),
    "reversed, bound": lambda items: list(items.__reversed__()),
    "copy": lambda items: list.copy(items),
    "append": lambda items: list.append(items, 7.0),
    "sort": lambda items: list.sort(items),
    "text": lambda items: list.__repr__(items),
    "text, bound": lambda items: items.__repr__(),
    "hint of a length": lambda items: operator.length_hint(items),
    "of texts": lambda items: str.join(",", [str(x) for x in items]),
    "of floats": lambda items: list(map(float.__neg__, items)),
    "of two floats": lambda items: float.__add__(items[0], items[1]),
    "of a dict": lambda items: dict.get(dict(zip(items, items)), 2.0),
}


@pytest.mark.parametrize("length", [4, 20])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_called_through_its_class(name, length):
    method = METHODS[name]
    compiled = ag.to_graph(method)
    for times in (length // 4, 1 + length // 4):
        items, expected = LIST * times, LIST * times
        found, result = compiled(items), method(expected)
        assert repr(found) == repr(result)
        assert items == expected


def test_methods_of_texts():
    def titles(words, flag):
        return [str.upper(word) for word in words] + list(
            map(str.title, ["a b" if flag else "c d"])
        )

    assert ag.to_graph(titles)(["x", "yz"], True) == titles(["x", "yz"], True)


class Doubling(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, 2 * value)


def test_a_class_that_calls_the_method_that_it_overrides():
    def filled(x):
        table = Doubling()
        table["a"] = x
        return table["a"]

    assert ag.to_graph(filled)(1.5) == 3.0


def test_what_reads_the_memory_of_a_list_is_refused():
    with pytest.raises(AutographError):
        ag.to_graph(lambda items: array.array("d", items))([0.5] * 30)


class Kept:
    def __init__(self, items):
        self.items = items


class KeptInSlot:
    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items


class Anew:
    def __new__(cls, items):
        made = object.__new__(cls)
        made.items = items
        return made


@dataclasses.dataclass
class Record:
    items: list


class Fields(collections.namedtuple("Fields", ["items", "count"], defaults=[1])):
    pass


@pytest.mark.parametrize("kind", [Kept, KeptInSlot, Anew, Record, Fields])
def test_objects_are_made_of_lists_of_any_length(kind):
    def made_of(x):
        items = []
        for v in x:
            if v > 0.5:
                items.append(v)
        made = kind(items)
        return len(made.items), kind(made.items * 2).items[-1], kind(made.items[1:]).items

    check(made_of, np.linspace(0.0, 1.0, 300))
