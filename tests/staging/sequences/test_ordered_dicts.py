"""``OrderedDict`` whose keys are known only at run time."""

from collections import OrderedDict

import numpy as np
import pytest

from tests.support.oracle import check

KEYS = np.array([3, 1, 3, 2, 1, 3, 3])
VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


class LeastRecentlyUsed:
    def __init__(self, capacity):
        self.capacity = capacity
        self.kept = OrderedDict()

    def get(self, key):
        if key not in self.kept:
            return -1
        self.kept.move_to_end(key)
        return self.kept[key]

    def put(self, key, value):
        if key in self.kept:
            self.kept.move_to_end(key)
        self.kept[key] = value
        if len(self.kept) > self.capacity:
            self.kept.popitem(last=False)


def least_recently_used(keys, values):
    cache, found = LeastRecentlyUsed(2), []
    for k, v in zip(keys, values):
        found.append(cache.get(int(k)))
        cache.put(int(k), int(v))
    return found, cache.kept


def made(keys, values):
    table = OrderedDict()
    for k, v in zip(keys, values):
        table[int(k)] = v
    return table


def moved(keys, values):
    table = made(keys, values)
    table.move_to_end(int(keys[0]), last=False)
    return table.copy(), list(table), table.popitem(), table.popitem(last=False), table


def compared(keys, values):
    table, other = made(keys, values * 0.0), made(keys[::-1], values * 0.0)
    same = table == other, dict(table) == dict(other), table == dict(other), table == table.copy()
    return same, next(iter(table)), next(reversed(table))


def emptied(keys, values):
    table, total = made(keys, values), 0
    while True:
        total += table.popitem(last=False)[0]
        if total > 100:
            return total


def moved_without_a_place(keys, values):
    made(keys, values).move_to_end(int(values[-1]) + 50)


def of_lists(keys, values):
    table = OrderedDict()
    for k, v in zip(keys, values):
        table.setdefault(int(k), []).append(v)
    table.move_to_end(3)
    return table.popitem(last=False), table


PROGRAMS = [
    *(least_recently_used, made, moved, compared, emptied, moved_without_a_place, of_lists),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    check(program, KEYS, VALUES)
    check(program, np.array([3, 3, 1, 1, 1, 2]), VALUES[:6])
    check(program, KEYS[:4], VALUES[:4])
