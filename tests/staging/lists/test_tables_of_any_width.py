"""Tables, lists of rows of one length, of a number of rows and a length that calls differ in: from
the third number on a symbol stands for it, and what is recorded is for all."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import as_found, assert_same_outcome, compiled, outcome

SHAPES = ((4, 5), (5, 6), (6, 8), (3, 9), (2, 2), (7, 3), (4, 1), (3, 0), (0, 4), (4, 12))
PROGRAMS = []


def table(*more, of=SHAPES):
    """A program, called with several shapes and the same other arguments."""

    def add(function):
        PROGRAMS.append(pytest.param(function, of, more, id=function.__name__))
        return function

    return add


# -- numbers of one type ---------------------------------------------------------------------------

WEIGHTS, VALUES = [2, 1, 3, 2], [12, 10, 20, 15]


def filled(table, rows, room, weights, values):
    for i in range(1, rows):
        for w in range(room + 1):
            if weights[i - 1] <= w:
                took = values[i - 1] + table[i - 1][w - weights[i - 1]]
                table[i][w] = max(took, table[i - 1][w])
            else:
                table[i][w] = table[i - 1][w]


@table(WEIGHTS, VALUES, of=((4, 5), (4, 6), (4, 8), (4, 9), (4, 1), (4, 0), (4, 15)))
def knapsack(n, room, weights, values):
    table = [[0] * (room + 1) for _ in range(n + 1)]
    filled(table, n + 1, room, weights, values)
    return table[n][room], table


@table()
def paths(m, n):
    ways = [[1 for _ in range(n)] for _ in range(m)]
    for i in range(1, m):
        for j in range(1, n):
            ways[i][j] = ways[i - 1][j] + ways[i][j - 1]
    return ways


@table()
def from_the_end(m, n):
    marks = [[i * j for j in range(n)] for i in range(m)]
    for i in range(m):
        for j in range(n):
            marks[i][j] = marks[i - 1][-1 - j] + marks[-1][j - 1]
    return marks


@table()
def of_booleans(m, n):
    marks, count = [[False] * n for _ in range(m)], 0
    for i in range(m):
        for j in range(n):
            marks[i][j] = (i * j) % 3 == 0 or (i > 0 and marks[i - 1][j])
            if marks[i][j]:
                count += 1
    return count, marks


@table()
def of_tuples(m, n):
    pairs = [[(0, 0.5)] * n for _ in range(m)]
    for i in range(1, m):
        for j in range(n):
            a, b = pairs[i - 1][j]
            pairs[i][j] = (a + 1, b * j)
    return pairs


@table()
def of_three_axes(m, n):
    cubes = [[[0] * n for _ in range(m)] for _ in range(3)]
    for i in range(1, 3):
        for j in range(m):
            for k in range(n):
                cubes[i][j][k] = cubes[i - 1][j][k] + j * k
    return cubes


@table()
def layers_with_names(m, n):
    cubes = [[[0] * n for _ in range(m)] for _ in range(3)]
    first = cubes[0]
    row = first[-1]
    for k in range(m):
        cubes[k % 3][k][-1] += 1
        first[0][0] = k
    return cubes, first, row


@table()
def one_layer_at_all_places(m, n):
    layer = [[0] * n for _ in range(m)]
    cubes = [layer for _ in range(3)]
    for k in range(m):
        cubes[k % 3][k][-1] += 1
    return cubes, layer


@table()
def a_layer_changed_by_its_name(m, n):
    layer = [[0] * n for _ in range(m)]
    cubes = [[[0] * n for _ in range(m)], layer]
    for k in range(m):
        cubes[k % 2][k][-1] += 1
    layer[0][0] = 100
    return cubes


@table()
def rows_exchanged(m, n):
    rows = [[i] * n for i in range(2)]
    for i in range(m):
        for j in range(1, n):
            rows[1][j] = rows[0][j - 1] + i
        rows[0], rows[1] = rows[1], rows[0]
    return rows


@table()
def rows_by_turns(m, n):
    rows = [[0] * n for _ in range(2)]
    for i in range(m):
        for j in range(1, n):
            rows[i % 2][j] = rows[1 - i % 2][j - 1] + i
    return rows


@table()
def rows_appended(m, n):
    rows = [[1] * n]
    for i in range(m):
        row = [0] * n
        for j in range(1, n):
            row[j] = rows[i][j - 1] + rows[i][j]
        rows.append(row)
    return rows, len(rows)


@table()
def rows_copied(m, n):
    rows = [[i + j for j in range(n)] for i in range(m)]
    more, less = [row[:] for row in rows], [list(row) for row in rows]
    for i in range(m):
        for j in range(n):
            more[i][j] += 1
            less[i][j] -= 1
    return rows, more, less


@table()
def rows_gone_through(m, n):
    rows, most = [[i * j % 7 for j in range(n)] for i in range(m)], 0
    for row in rows:
        total = 0
        for x in row:
            total += x
        most = max(most, total)
    return most, sum(map(sum, rows)), [len(row) for row in rows]


class Board:
    def __init__(self, m, n):
        self.rows = [[0] * n for _ in range(m)]

    def fill(self):
        for i, row in enumerate(self.rows):
            for j in range(len(row)):
                self.rows[i][j] = i + 2 * j

    def last(self):
        return self.rows[-1][-1]


@table()
def in_an_object(m, n):
    board = Board(m, n)
    board.fill()
    return board.last(), board.rows


# -- outside ---------------------------------------------------------------------------------------


@table(7, of=((4, 5), (5, 6), (6, 7), (6, 8), (6, 9), (3, 4)))
def read_outside(m, n, at):
    rows, total = [[i] * n for i in range(m)], 0
    for i in range(m):
        total += rows[i][at]
    return total


@table(7, of=((4, 5), (5, 6), (6, 7), (6, 8), (6, 9), (3, 4)))
def assigned_outside(m, n, at):
    rows = [[i] * n for i in range(m)]
    for i in range(m):
        rows[i][at] = i
    return rows


@table(of=((4, 5), (5, 6), (6, 7), (6, 8), (6, 9), (3, 4)))
def assigned_outside_and_caught(m, n):
    rows, caught = [[i] * n for i in range(m)], 0
    for i in range(m):
        for j in range(5, 8):
            try:
                rows[i][j] = j
            except IndexError as error:
                print(error)
                caught += 1
    return rows, caught


@table(of=((4, 5), (5, 6), (6, 7), (6, 8), (6, 9), (3, 4)))
def rows_outside(m, n):
    rows = [[i] * n for i in range(m)]
    for i in range(5):
        rows[i][0] = i
    return rows


# -- numbers of several types, and None ------------------------------------------------------------


@table()
def of_none_at_first(m, n):
    rows = [[None] * n for _ in range(m)]
    for i in range(m):
        for j in range(i % 3, n):
            rows[i][j] = i * j
    return rows, sum(x is None for row in rows for x in row)


@table(0.5)
def of_floats_among_ints(m, n, x):
    rows = [[0] * n for _ in range(m)]
    for i in range(1, m):
        for j in range(1, n):
            rows[i][j] = rows[i - 1][j - 1] + j * x if (i + j) % 2 else i
    return rows


@table(np.array(WEIGHTS), np.array(VALUES), of=((4, 5), (4, 6), (4, 8), (4, 9), (4, 1), (4, 15)))
def of_numpy_among_ints(n, room, weights, values):
    table = [[0] * (room + 1) for _ in range(n + 1)]
    filled(table, n + 1, room, weights, values)
    return table[n][room], table


@table(np.array(VALUES))
def of_three_axes_with_numpy(m, n, values):
    cubes = [[[0] * n for _ in range(m)] for _ in range(3)]
    for i in range(1, 3):
        for j in range(m):
            for k in range(n):
                cubes[i][j][k] = cubes[i - 1][j][k] + values[(j + k) % 4]
    return cubes


@table()
def of_booleans_and_none(m, n):
    known = [[None] * n for _ in range(m)]

    def wins(i, j):
        if known[i][j] is None:
            known[i][j] = (i + j) % 3 == 1
        return known[i][j]

    count = 0
    for i in range(m):
        for j in range(n):
            if wins(i, j) and wins(i - 1, j - 1):
                count += 1
    return count, known


@pytest.mark.parametrize(("function", "shapes", "more"), PROGRAMS)
def test_as_python(function, shapes, more):
    ours = compiled(function)
    for shape in shapes:
        expected = outcome(function, (*shape, *more))
        found = outcome(ours, (*shape, *more))
        found.result = as_found(expected.result, found.result)
        assert_same_outcome(found, expected)


@pytest.mark.parametrize(
    "function", [knapsack, paths, of_numpy_among_ints, of_none_at_first, of_floats_among_ints]
)
def test_one_recording_from_the_third_number_on(function):
    (more,) = (p.values[2] for p in PROGRAMS if p.values[0] is function)
    ours = ag.to_graph(function)
    for room in (300, 310, 320, 400, 350, 500, 290):
        ours(4, room, *more)
    assert len(ours.compiled_forms()) == 3
    assert "heap" not in str(ours.graph(4, 290, *more))


# -- derivatives and lanes -------------------------------------------------------------------------


def smooth(n, x):
    rows = [[0.5] * n for _ in range(4)]
    for i in range(1, 4):
        for j in range(1, n):
            rows[i][j] = np.sin(rows[i - 1][j]) + x * rows[i][j - 1]
    return rows[3][n - 1]


def smooth_among_ints(n, x):
    rows = [[1] * n for _ in range(4)]
    for i in range(1, 4):
        for j in range(1, n):
            rows[i][j] = rows[i - 1][j - 1] * x + rows[i][j - 1] ** 2
    return rows[3][n - 1] / 100


@pytest.mark.parametrize("function", [smooth, smooth_among_ints])
def test_derivatives(function):
    first = ag.grad(function, 1)
    lanes = ag.vmap(function, (None, 0))
    second = ag.vmap(ag.grad(ag.grad(function, 1), 1), (None, 0))
    xs, step = np.array([0.25, 0.5, -0.75]), 1e-5
    for n in (3, 4, 5, 6, 7, 4):
        differences = [(function(n, x + step) - function(n, x - step)) / (2 * step) for x in xs]
        np.testing.assert_allclose([first(n, x) for x in xs], differences, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(lanes(n, xs), [function(n, x) for x in xs], rtol=1e-12)
        slopes = [(first(n, x + step) - first(n, x - step)) / (2 * step) for x in xs]
        np.testing.assert_allclose(second(n, xs), slopes, rtol=1e-5, atol=1e-9)
