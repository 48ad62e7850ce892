"""What attributes of objects among the arguments are, from call to call, and where they are."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import object_forms


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(monkeypatch):
    monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)


class Numbered:
    def __init__(self, x):
        self.x = x


def test_numbers_are_of_the_types_of_the_call_whatever_these_were_in_other_calls():
    def doubled(items):
        for item in items:
            item.x = item.x + item.x
        return items[0].x

    numbers = [True, np.int64(2), np.uint64(3), 0.5, np.float64(4.0), np.bool_(True), 1]
    compiled = ag.to_graph(doubled)
    for number in numbers * 2:
        given, own = ([Numbered(number) for _ in range(3)] for _ in range(2))
        assert type(compiled(given)) is type(doubled(own))
        found, expected = ([(type(one.x), one.x) for one in items] for items in (given, own))
        assert found == expected


class Slotted:
    __slots__ = ("next", "x")


class Open(Slotted):
    def __init__(self, x, next=None):
        self.x = x
        self.next = next


def test_what_a_dict_has_under_the_name_of_a_slot_is_no_attribute():
    def doubled(item):
        item.x = 2 * item.x
        return item.x

    def of_all(item):
        total = 0.0
        while item is not None:
            item.x = 2 * item.x
            total += item.x
            item = item.next
        return total

    for function, count in ((doubled, 1), (of_all, 3)):
        compiled = ag.to_graph(function)
        for has_more in (True, False, True):
            given, own = Open(0.5), Open(0.5)
            for first in (given, own):
                for _ in range(1, count):
                    first.next = Open(1.5, first.next)
                if has_more:
                    vars(first)["x"] = 4
            assert compiled(given) == function(own)
            assert given.x == own.x and vars(given) == vars(own)
