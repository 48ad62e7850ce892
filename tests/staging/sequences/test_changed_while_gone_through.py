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


def put_and_left(n):
    table = {5: 1, 6: 2}
    for key in table:
        table[n] = key
        if n > 0:
            break
    return table


def put_and_returned(n):
    table = {5: 1}
    for key, value in table.items():
        table[n] = 2
        if n > 2:
            return value
        table.pop(n, None)
        if key == n:
            break
    return table


def member_put_and_left(n):
    found = {5, 6}
    for member in found:
        found.add(n + member)
        if n > 0:
            break
    return len(found)


@pytest.mark.parametrize("program", [put_and_left, put_and_returned, member_put_and_left])
def test_a_loop_that_is_left_asks_for_no_key_after_a_change(program):
    for n in (4, -4, 5, 0):
        check(program, n)
