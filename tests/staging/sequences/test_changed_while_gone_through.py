"""Containers that a loop goes through, and changes where data decide."""

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from tests.support.oracle import check


def put(x, table, items):
    total = 0.0
    for _ in items(table):
        total += 1.0
        if x > total:
            table[0] = x
        table[1] += 1.0
    return total, list(table), table


def exchanged(x, table, items):
    total = 0.0
    for _ in items(table):
        total += 1.0
        if x > total:
            table[0], table[1] = table[1], table[0] + x
    return total, table


@pytest.mark.parametrize("program", [put, exchanged])
@pytest.mark.parametrize("items", [iter, reversed, enumerate, lambda q: zip(q, (1, 2, 3))])
@pytest.mark.parametrize("kind", [dict, OrderedDict, Counter, lambda t: defaultdict(float, t)])
def test_values_of_a_dict(program, kind, items):
    for x in (2.5, -1.0):
        check(lambda x: program(x, kind({0: 1.0, 1: 2.0, 2: 0.5}), items), x)


@pytest.mark.parametrize("program", [put, exchanged])
@pytest.mark.parametrize("items", [iter, reversed, enumerate, lambda q: zip(q, (1, 2, 3))])
def test_items_of_a_deque(program, items):
    for x in (2.5, -1.0):
        check(lambda x: program(x, deque([1.0, 2.0, 0.5]), items), x)


def test_values_of_a_dict_of_which_a_key_was_taken_out():
    def program(x):
        table = {0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}
        del table[0]
        total = 0.0
        for key in table:
            total += 1.0
            if x > total:
                table[key] = x
        return total, table

    for x in (2.5, -1.0):
        check(program, x)


def added(table, x):
    table[9] = x


def removed(table, x):
    del table[0]


@pytest.mark.parametrize("change", [added, removed])
@pytest.mark.parametrize(
    "items",
    [iter, reversed, lambda t: reversed(t.keys()), lambda t: reversed(t.items()), dict.values],
)
@pytest.mark.parametrize("kind", [dict, Counter, OrderedDict])
def test_a_dict_of_another_length(kind, items, change):
    def program(x):
        table = kind({0: 1.0, 1: 2.0})
        total = 0.0
        for _ in items(table):
            total += 1.0
            if x > total:
                change(table, x)
        return total, table

    for x in (2.5, 1.5, -1.0):
        check(program, x)


def test_a_dict_of_another_length_before_the_first_item_is_taken():
    def program(x):
        table = {0: 1.0, 1: 2.0}
        items, backwards = iter(table), reversed(table)
        table[int(x)] = x
        try:
            next(items)
        except RuntimeError as error:
            print(error)
        return next(backwards)

    for x in (2.5, 1.5):
        check(program, x)
