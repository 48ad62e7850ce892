"""Generator expressions over what only the run knows: several ``for``, and conditions."""

import functools
import itertools
from collections import Counter, deque

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad

KEYS = np.array([3, 1, 3, 2, 1, 3, 3])
VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


def chosen(values):
    return [v for v in values if v > 1.0]


def rows(keys):
    return [[int(k)] * int(k) for k in keys]


def products(keys, values):
    xs = chosen(values)
    return sum(v * w for v in xs for w in xs), sum(x for row in rows(keys) for x in row)


def questions(keys, values):
    found = any(x == 2 for row in rows(keys) for x in row)
    return found, all(x > 2 for row in rows(keys) for x in row)


def extremes(keys, values):
    smallest = min((x for row in rows(keys) for x in row if x > 5), default=0)
    return max(x * 2 for row in rows(keys) for x in row if x < 3), smallest


def collected(keys, values):
    doubled = sorted(x * 2 for row in rows(keys) for x in row)
    members = {x for row in rows(keys) for x in row}
    return doubled, list(x for row in rows(keys) for x in row), len(members)


def counted(keys, values):
    return Counter(x for row in rows(keys) for x in row), dict((int(v), v) for v in values if v > 3)


def inversions(keys, values):
    xs = chosen(values)
    return sum(1 for i in range(len(xs)) for j in range(i) if xs[i] > xs[j])


def first_pair(keys, values):
    xs = chosen(values)
    places = range(len(xs))
    pair = next((i, j) for i in places for j in range(i + 1, len(xs)) if xs[i] + xs[j] > 8)
    return pair, next((x for x in xs if x > 100.0), -1.0)


def left(keys, values):
    items, total = (x for row in rows(keys) for x in row), 0
    for x in items:
        if x > 2:
            break
        total += x
    return total


def of_a_range(keys, values):
    some = sum(values[i] for i in range(len(values)) if values[i] > 2 and keys[i] > 1)
    return some, max((values[i], i) for i in range(len(values)) if keys[i] == 3)


def in_a_queue(keys, values):
    waiting, total = deque(i for i in range(5) if values[i % len(values)] > 2), 0
    while waiting:
        total = total * 2 + waiting.popleft()
    return total


def printed(keys, values):
    def shown(x):
        print(x)
        return x

    return any(shown(x) > 2 for row in rows(keys) for x in row)


def one_by_one(keys, values):
    xs = chosen(values)
    joined = list(itertools.chain(xs, xs[:1])), list(itertools.chain.from_iterable(rows(keys)))
    some = sum(itertools.islice(xs, 2)), list(itertools.takewhile(lambda x: x < 5, xs))
    return joined, some, list(itertools.accumulate(xs))


def multiplied(keys, values):
    return functools.reduce(lambda a, b: a * b, (v for v in values if v > 0.5), 1.0)


def of_lists_by_keys(keys, values):
    return {int(k): [int(v) for v in values if v > k] for k in keys}


PROGRAMS = [
    *(products, questions, extremes, collected, counted, inversions, first_pair, left, of_a_range),
    *(in_a_queue, printed, one_by_one, multiplied, of_lists_by_keys),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program):
    check(program, KEYS, VALUES)
    check(program, KEYS[::-1].copy(), VALUES * 2.0)
    check(program, KEYS[:5], VALUES[:5])


def spread(values):
    xs = chosen(values)
    return sum((x - y) ** 2 * x for x in xs for y in xs if x < y)


def test_derivatives():
    check_grad(spread, VALUES * 1.1)


def given_to_a_library(keys, values):
    return ",".join(str(v) for v in values if v > 2.0)


def test_texts_that_the_run_decides_are_joined():
    found = ag.to_graph(given_to_a_library)(KEYS, VALUES)
    assert found == given_to_a_library(KEYS, VALUES)
