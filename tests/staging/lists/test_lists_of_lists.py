"""Lists whose elements are lists, dicts and objects, and that loops fill."""

import numpy as np
import pytest

from autograph.errors import AutographError, LoopStateError, MutationError
from tests.support.oracle import Programs
from tests.support.refusals import refused

programs = Programs()


@programs.smooth(np.array([0.3, -0.2]), 3)
def rows_of_a_loop(x, n):
    rows = []
    for i in range(n):
        row = []
        for v in x:
            row.append(v * i)
        rows.append(row)
    return np.sum(np.array(rows) ** 2) + rows[1][0] * rows[-1][1] + len(rows[0])


@programs(3, 4)
def table(n, m):
    rows = [[i * j + 0.5 for j in range(m)] for i in range(n)]
    total = 0.0
    for row in rows:
        for v in row:
            total += v
    return rows, np.array(rows), total, len(rows[0]), [sum(row) for row in rows]


@programs(np.array([[1.0, 2.0], [3.0, 4.0]]))
def three_dimensions(m):
    cube = [[[a * b for a in row] for b in row] for row in m]
    return cube, np.array(cube), cube[1][0][1], [[row[j] for row in m] for j in range(2)]


@programs(4)
def edges(n):
    found = []
    for i in range(n):
        for j in range(i):
            if (i + j) % 2 == 1:
                found.append([i, j, i * 0.5])
    total = 0.0
    for a, b, weight in found:
        total += a * b * weight
    return total, found


@programs(3)
def dicts_and_tuples_of_lists(n):
    records, mixed = [], []
    i = 0
    while i < n:
        records.append({"a": i * 0.5, "b": i})
        mixed.append(([i, i * 2], i * 0.5))
        i += 1
    return records, records[-1]["a"], mixed, mixed[1][0][1]


class Point:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def energy(self):
        return self.x * self.v


@programs.smooth(1.5, 3)
def list_of_objects(x, n):
    points = []
    for i in range(n):
        points.append(Point(i * x, x))
    total = 0.0
    for point in points:
        total += point.energy()
    return total


@programs(3)
def copies_of_a_list_that_changes(n):
    rows, row = [], [0, 0]
    i = 0
    while i < n:
        row[0] = i
        rows.append(list(row))
        i += 1
    return rows


@programs.test
def test_lists_of_lists(call):
    call.run()


# -- what is refused -------------------------------------------------------------------------------


# A list that holds a copy of something must not be used after that has changed, or differ from it.


def first_element_changed(x, n):
    x = x.copy()
    xs = [x]
    for i in range(n):
        xs.append(x * i)
    x[0] = 99.0
    return xs


def element_of_a_branch_changed(x, n):
    x = x.copy()
    xs = []
    if n > 2:
        xs.append(x)
    x[0] = 99.0
    return xs


def row_changed_after_the_loop(x, n):
    row, rows = [0, 0], []
    i = 0
    while i < n:
        rows.append(row)
        i += 1
    row[0] = 5
    return rows


def row_changed_in_the_loop(x, n):
    row, rows = [0, 0], []
    i = 0
    while i < n:
        row[0] = i
        rows.append(row)
        i += 1
    return rows


def last_row_changed(x, n):
    rows = []
    i = 0
    while i < n:
        row = [i, i]
        rows.append(row)
        i += 1
    row[0] = 100
    return rows


def row_of_a_branch_changed(x, n):
    row, other, rows = [1, 2], [3, 4], []
    if n > 2:
        rows.append(row)
        chosen = row
    else:
        chosen = other
    chosen[0] = 9
    return rows


def row_changed_where_it_is(x, n):
    rows = []
    i = 0
    while i < n:
        rows.append([i, 0])
        i += 1
    rows[0][1] = 5
    return rows


def dict_changed_where_it_is(x, n):
    rows = []
    i = 0
    while i < n:
        rows.append({"a": i})
        i += 1
    rows[0]["a"] = 5
    return rows


@pytest.mark.parametrize(
    "function",
    [
        first_element_changed,
        element_of_a_branch_changed,
        row_changed_after_the_loop,
        row_changed_in_the_loop,
        last_row_changed,
        row_of_a_branch_changed,
        row_changed_where_it_is,
        dict_changed_where_it_is,
    ],
)
def test_an_element_is_changed_of_which_rows_hold_a_copy(function):
    assert "AG0320" in refused(MutationError, function, np.arange(3.0), 3)


def test_lists_of_different_lengths_in_a_list():
    f = lambda n: [[i * j for j in range(i)] for i in range(n)]
    assert "list of lists" in refused(LoopStateError, f, 3)


def test_whether_an_element_is_the_same():
    def f(n):
        rows, row = [], [0, 0]
        i = 0
        while i < n:
            rows.append(row)
            i += 1
        return rows[0] is row

    assert "AG0310" in refused(AutographError, f, 3)
