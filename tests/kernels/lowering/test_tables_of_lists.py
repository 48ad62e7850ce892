"""Tables as lists of lists, of which how many rows there are is known only at run time: rows that
are known when the function is recorded are added, and elements read, in the kernel."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from tests.kernels.kernel_check import check

X = np.arange(12.0).reshape(4, 3)


def egg_drop(eggs, floors):
    """The least number of throws, in the worst case."""
    least = [[0] * (floors + 1) for _ in range(eggs + 1)]
    for f in range(1, floors + 1):
        least[1][f] = f
    for e in range(2, eggs + 1):
        for f in range(1, floors + 1):
            best = f
            for x in range(1, f + 1):
                best = min(best, 1 + max(least[e - 1][x - 1], least[e][f - x]))
            least[e][f] = best
    return least[eggs][floors]


def paths(m, n):
    ways = [[1.0] * n for _ in range(m)]
    for i in range(1, m):
        for j in range(1, n):
            ways[i][j] = 0.5 * ways[i - 1][j] + ways[i][j - 1]
    return ways[m - 1][n - 1], len(ways)


def least_in_place(m, n):
    """Two elements of one row, with a branch between them, and a change in another branch."""
    table = [[0 for _ in range(n)] for _ in range(m)]
    for j in range(n):
        table[0][j] = (7 * j) % n
    for i in range(1, m):
        for j in range(n):
            table[i][j] = 1000
            for k in range(j + 1):
                found = 1 + max(table[i - 1][k], table[i][j - k] % 5)
                if found < table[i][j]:
                    table[i][j] = found
    return table[m - 1][n - 1], table[m - 1][0]


def rows_of_an_array(m):
    """The row is a constant, and is written to in the list, not where it comes from."""
    row = np.array([1.0, 2.0, 3.0])
    rows = [row.copy() for _ in range(m)]
    for i in range(m):
        rows[i][1] += i
    return rows[0][1] + rows[m - 1][1], row


def swapped(m):
    """Elements are read before others are written over them."""
    rows = [[1, 2, 3] for _ in range(m)]
    for i in range(1, m):
        rows[i][0], rows[i - 1][2] = rows[i - 1][2] + i, rows[i][0] * 2
    return rows[0][0], rows[0][2], rows[m - 1][0], rows[m - 1][2]


def read_after_a_change(x):
    """A copy of a row, which is changed before the elements of the copy are read."""
    kept = x[x[:, 0] > 1.0]
    total = 0.0
    for i in range(len(kept)):
        row = kept[i].copy()
        kept[i, 1] = -row[0]
        kept[0, 0] += 1.0
        total += row[1] * 2 + row[0] + kept[i][1]
    return total, kept


def read_after_an_end(x):
    """The row of a list that grows, and moves, before the elements are read."""
    rows, total = [], 0.0
    for i in range(len(x)):
        rows.append(x[i] * 1.5)
        first = rows[0].copy()
        rows.append(first + 1.0)
        rows[0] = rows[0] + first[1]
        total += first[0] - first[2]
    return total, len(rows)


def in_a_branch(m, n):
    rows = [[2] * n for _ in range(m)]
    for i in range(1, m):
        last = rows[i - 1]
        if last[0] % 3 != 0:
            rows[i][0] = last[0] + last[n - 1]
        else:
            rows[i][0] = last[1]
    return rows[m - 1][0]


@pytest.mark.parametrize("eggs, floors", [(1, 5), (3, 20), (2, 1)])
def test_egg_drop(eggs, floors):
    check(egg_drop, eggs, floors, kernels=1)


@pytest.mark.parametrize("m, n", [(1, 4), (5, 3), (2, 2)])
def test_paths(m, n):
    check(paths, m, n, kernels=1)


def test_least_in_place():
    check(least_in_place, 4, 6, kernels=1)


@pytest.mark.parametrize("function", [rows_of_an_array, swapped])
def test_rows_that_are_known(function):
    for m in (1, 2, 5):
        check(function, m, kernels=1)


def test_elements_read_after_a_change():
    check(read_after_a_change, X)
    check(read_after_an_end, X)


def test_rows_in_branches():
    check(in_a_branch, 6, 4, kernels=1)


def test_no_such_row():
    """As Python says it."""
    check(egg_drop, 0, 5, kernels=None)
    check(paths, 0, 3, kernels=None)
