"""Lists of lists whose elements are changed where they are, at places that the run decides."""

import copy

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs, check
from tests.support.refusals import nothing_more_known, refused_or_same

programs = Programs()
PLACES = np.array([1, 2, 0, 1])


# -- textbook programs -----------------------------------------------------------------------------


@programs(np.array([1, 2, 3, 1, 2]), np.array([2, 1, 3, 2]))
def longest_common_subsequence(s, t):
    n, m = len(s), len(t)
    dp = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if s[i - 1] == t[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    return dp[n][m], dp


@programs(np.array([1, 2, 3, 1, 2]), np.array([2, 1, 3, 2]))
def edit_distance(s, t):
    n, m = len(s), len(t)
    dp = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        dp[i][0] = i
    for j in range(m + 1):
        dp[0][j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            dp[i][j] = min(dp[i - 1][j] + 1, dp[i][j - 1] + 1, dp[i - 1][j - 1] + cost)
    return dp[n][m]


@programs(3, 4)
@programs(1, 1)
def lattice_paths(n, m):
    dp = [[1] * m for _ in range(n)]
    i = 1
    while i < n:
        j = 1
        while j < m:
            dp[i][j] = dp[i - 1][j] + dp[i][j - 1]
            j += 1
        i += 1
    return dp[n - 1][m - 1]


def spread(grid, r, c, old, new):
    if r < 0 or r >= len(grid) or c < 0 or c >= len(grid[0]):
        return
    if grid[r][c] != old:
        return
    grid[r][c] = new
    spread(grid, r + 1, c, old, new)
    spread(grid, r - 1, c, old, new)
    spread(grid, r, c + 1, old, new)
    spread(grid, r, c - 1, old, new)


@programs([[1, 1, 0], [1, 0, 0], [1, 0, 1]], 0, 0, 2)
def flood_fill(grid, r, c, color):
    if grid[r][c] != color:
        spread(grid, r, c, grid[r][c], color)
    return grid


@programs(8)
def partitions(m):
    memo = [[0 for _ in range(m)] for _ in range(m + 1)]
    for i in range(m + 1):
        memo[i][0] = 1
    for n in range(m + 1):
        for k in range(1, m):
            memo[n][k] += memo[n][k - 1]
            if n - k > 0:
                memo[n][k] += memo[n - k - 1][k]
    return memo[m][m - 1]


@programs.smooth(np.array([0.3, 0.7, -0.2]))
def recurrence(x):
    d = [[x[0] * 0.0, x[1]], [x[2], x[0]]]
    k = 0
    while k < 2:
        d[k][1 - k] = d[1 - k][k] * x[k] + 1.0
        k += 1
    return d[0][1] * d[1][0] + d[0][0]


# -- rows that have a name -------------------------------------------------------------------------


@programs(3)
@programs(0)
def row_of_a_trip(n):
    d = [[0, 0, 0], [1, 1, 1], [2, 2, 2]]
    k = 0
    while k < n:
        row = d[k]
        for j in range(3):
            row[j] += k + j
        row[-1] = 7
        k += 1
    return d


@programs(PLACES, 2)
def row_from_before_the_loop(places, n):
    d = [[0, 0, 0], [1, 1, 1], [2, 2, 2]]
    row = d[places[0]]
    row[2] = 8
    k = 0
    while k < n:
        row[k] = 4
        d[1][k] += row[0] + 1
        k += 1
    return d, row


@programs(PLACES)
def two_names(places):
    d = [[0, 0], [1, 1], [2, 2]]
    x = d[places[0]]
    y = d[places[3]]
    x[0] = 9
    y[1] = 8
    return x[0] + 10 * y[0] + 100 * x[1], x, y[0], d


@programs(PLACES, 2)
def changed_in_a_branch(places, n):
    d = [[0, 0], [1, 1], [2, 2]]
    row = d[places[0]]
    if places[1] > n:
        row[0] = 3
    else:
        row[1] = 4
    return d, row[0]


@programs(PLACES, 2)
def changed_by_a_closure(places, n):
    d = [[0, 0], [1, 1], [2, 2]]
    row = d[places[0]]

    def put(k, v):
        row[k] = v

    put(0, 4)
    k = 0
    while k < n:
        put(k, k)
        k += 1
    return d, row[1]


@programs(PLACES)
def loops_over_rows(places):
    d = [[0, 0, 0], [1, 1, 1], [2, 2, 2]]
    d[places[0]][0] = 7
    for row in d:
        row[1] += 1
    for k, row in enumerate(d):
        row[2] = k
    return d


@programs(PLACES)
def known_and_unknown_places(places):
    d = [[0, 0], [1, 1], [2, 2]]
    d[0][0] = 1
    d[places[0]][0] = d[0][0] + 1
    d[0][1] = 4
    d[places[2]][1] += 1
    d[1][1] = 7
    return d, d[0], len(d), len(d[0]), sum(d[1]), 7 in d[places[0]], d == [[1, 5], [2, 7], [2, 2]]


@programs(PLACES)
def three_dimensions(places):
    d = [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[4, 4], [5, 5]]]
    d[places[0]][0][places[2]] = 9
    d[places[1]][places[0]][0] += 1
    plane = d[places[0]]
    row = plane[places[2]]
    row[1] = 8
    plane[1][1] = 7
    return d, row[0]


@programs(PLACES)
def made_by_a_loop(places):
    d = [[0, 0] for _ in places]
    d[places[0]][0] = 1
    for k in places:
        d[k][1] += 2
    return d


@programs(PLACES)
def deep_copies(places):
    d = [[0, 0], [1, 1], [2, 2]]
    d[places[1]][0] = 7
    e = [row[:] for row in d]
    d[places[2]][0] = 5
    e[places[2]][1] = 6
    return e, d


@programs(PLACES)
def rows_put_aside(places):
    d = [[0, 0], [1, 1], [2, 2]]
    out = []
    k = 0
    while k < 3:
        d[places[k]][1] += 7
        out.append(list(d[places[k]]))
        k += 1
    return out, d


class Grid:
    def __init__(self):
        self.cells = [[False] * 2 for _ in range(3)]

    def mark(self, i, j):
        self.cells[i][j] = True


@programs(PLACES)
def in_an_object(places):
    grid = Grid()
    for k in places:
        grid.mark(k, 0)
    return grid.cells


# -- lists of the caller ---------------------------------------------------------------------------


@programs([[0, 0], [1, 1], [2, 2]], PLACES)
def given(d, places):
    d[places[0]][0] = 9
    return d[1], sum(d[places[0]])


@programs([[[0, 0], [1, 1]], [[2, 2], [3, 3]]], PLACES)
def given_of_three_dimensions(d, places):
    d[places[0]][places[2]][1] = 9


@programs.test
def test_inner_lists(call):
    call.run()


def test_the_lists_of_the_caller_stay_the_same_objects():
    def put(d, k):
        d[k[0]][0] = 9

    rows = [[0], [1]]
    d = list(rows)
    ag.to_graph(put)(d, np.array([1]))
    assert rows == [[0], [9]]
    assert all(a is b for a, b in zip(d, rows))


def test_a_place_that_does_not_exist():
    def put(d, k):
        d[k[0]][k[1]] = 9
        return d

    f = ag.to_graph(put)
    assert f([[0, 0], [1, 1]], np.array([-1, -2])) == [[0, 0], [9, 1]]
    for places in ([2, 0], [0, 2], [-3, 0]):
        with pytest.raises(IndexError):
            f([[0, 0], [1, 1]], np.array(places))


def test_a_table_becomes_one_array():
    f = ag.to_graph(longest_common_subsequence)
    text = str(f.graph(np.arange(60) % 7, np.arange(50) % 5))
    assert len(text.splitlines()) < 120


# -- what is refused: nothing may be different without a word --------------------------------------


def one_row_in_all_places(places):
    d = [[0] * 2] * 3
    d[places[0]][0] = 1
    return d


def element_with_a_name(places):
    r = [0, 0]
    d = [r, [1, 1]]
    d[places[2]][0] = 5
    return r[0]


def element_with_a_name_returned(places):
    r = [0, 0]
    d = [r, [1, 1]]
    d[places[2]][0] = 5
    return d, r


def element_with_a_name_changed(places):
    r = [0, 0]
    d = [r, [1, 1]]
    d[places[2]][0] = 5
    r[1] = 6
    return d


def row_in_two_lists(places):
    r = [0, 0]
    d, e = [r, [1, 1]], [r, [3, 3]]
    d[places[2]][0] = 5
    return e[places[2]][0]


def row_in_two_lists_read_before(places):
    r = [0, 0]
    d, e = [r, [1, 1]], [r, [3, 3]]
    x = e[places[2]][0]
    d[places[2]][0] = 5
    return e[places[2]][0] + x


def row_in_two_lists_of_rows(places):
    r = [0, 0]
    d, e = [r, [1, 1]], [r]
    for k in places:
        e.append([k, k])
    d[places[2]][0] = 5
    return e, d


def shallow_copy(places):
    d = [[0, 0], [1, 1]]
    e = d[:]
    d[places[2]][0] = 5
    return e


def shallow_copy_after_a_change(places):
    d = [[0, 0], [1, 1]]
    d[places[0]][0] = 7
    e = list(d)
    d[places[2]][0] = 5
    return e


def joined_copy(places):
    d = [[0, 0], [1, 1]]
    d[places[0]][0] = 7
    e = d + [[1, 1]]
    e[places[2]][0] = 5
    return d


def collected_copy(places):
    d = [[0, 0], [1, 1]]
    d[places[0]][0] = 7
    e = [row for row in d]
    d[places[2]][0] = 5
    return e


def copied_copy(places):
    d = [[0, 0], [1, 1]]
    d[places[0]][0] = 7
    e = copy.copy(d)
    d[places[2]][0] = 5
    return e


def row_that_was_replaced(places):
    d = [[0, 0], [1, 1]]
    d[places[0]][0] = 3
    row = d[places[0]]
    d[places[0]] = [4, 4]
    d[places[0]][0] = 9
    return row[0]


def row_of_a_list_that_was_reversed(places):
    d = [[0, 0], [1, 1], [2, 2]]
    row = d[places[0]]
    d.reverse()
    row[1] = 5
    return d


def one_row_assigned_to_two_places(places):
    d = [[0, 0], [1, 1], [2, 2]]
    d[places[0]] = d[places[1]]
    d[places[0]][1] = 5
    return d


def row_of_an_earlier_trip(places):
    d = [[0, 0], [1, 1], [2, 2]]
    row = d[places[0]]
    total = 0
    for k in places:
        d[k][0] += 1
        total += row[0]
        if k == 2:
            row = d[k]
    return total


def row_put_into_another_list(places):
    d = [[0, 0], [1, 1], [2, 2]]
    out = []
    k = 0
    while k < 3:
        d[places[k]][1] += 7
        out.append(d[places[k]])
        k += 1
    return out


def changed_in_one_branch(places):
    d = [[0, 0], [1, 1], [2, 2]]
    row = d[1]
    if places[0] > 0:
        d[places[0]][0] = 4
    return row[0]


def one_row_from_a_comprehension(places):
    row = [0, 0]
    d = [row for _ in places]
    d[places[0]][0] = 1
    return d


def emptied(places):
    d = [[0, 0], [1, 1]]
    row = d[0]
    d[places[2]][0] = 7
    d.clear()
    d.append(row)
    return d


@pytest.mark.parametrize(
    "function",
    [
        one_row_in_all_places,
        element_with_a_name,
        element_with_a_name_returned,
        element_with_a_name_changed,
        row_in_two_lists,
        row_in_two_lists_read_before,
        row_in_two_lists_of_rows,
        shallow_copy,
        shallow_copy_after_a_change,
        joined_copy,
        collected_copy,
        copied_copy,
        row_that_was_replaced,
        row_of_a_list_that_was_reversed,
        one_row_assigned_to_two_places,
        row_of_an_earlier_trip,
        row_put_into_another_list,
        changed_in_one_branch,
        one_row_from_a_comprehension,
        emptied,
    ],
)
def test_what_may_be_a_row_of_a_changed_list_is_not_used(function):
    with nothing_more_known(), pytest.raises(AutographError, match="Fix: ") as raised:
        ag.to_graph(function)(PLACES)
    assert raised.value.id in ("AG0320", "AG0348", "AG0355")
    refused_or_same(function, PLACES)


def test_an_element_of_another_type():
    def put(d, x):
        k = 0
        while x[k] < 1.0:
            d[k][0] = "x"
            k += 1
        return d

    with pytest.raises(AutographError, match="AG0355"):
        ag.to_graph(put)([[0, 0], [0, 0]], np.array([0.5, 1.5]))


def test_numbers_of_other_types_in_rows_of_the_caller():
    def put(d, x):
        k = 0
        while x[k] < 1.0:
            d[k][0], d[k][1], d[k][2] = x[k], 0.5, None
            k += 1
        return d

    check(put, [[0, 0, 0], [0, 0, 0]], np.array([0.5, 1.5]))


def test_a_list_of_the_caller_that_grows():
    def put(d, places):
        d[places[0]][0] = 9
        d.append([5, 5])
        return np.array(d)

    with pytest.raises(AutographError, match="AG0356"):
        ag.to_graph(put)([[0, 0], [1, 1]], PLACES)


class Robot:
    """Its attributes have names that the compiler's own lists use."""

    def __init__(self, x):
        self.home, self.holders, self.lend, self.is_stale = [x, 0.0], 3.0, True, True


def test_objects_with_attributes_of_such_names():
    def moved(x, n):
        robots = [Robot(x), Robot(x + 1.0)]
        for i in range(n):
            robots[0].holders += x
            robots[1].home[0] += i
        if x > 0:
            robots[0].lend = x
        return [(r.home, r.holders, r.lend) for r in robots]

    for x in (2.0, -2.0):
        check(moved, x, 3)
