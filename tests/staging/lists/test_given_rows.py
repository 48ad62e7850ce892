"""Lists of lists among the arguments, whose rows have any lengths; see
`autograph.staging.lists.given_rows`."""

import copy

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import given_lists
from autograph.errors import AutographError
from autograph.staging.lists.given_rows import GivenRows

ADJACENT = [[[1, 2], [3], [3], [4], []], [[1], [2, 0], [0], []], [[]], [[0, 0, 0]]]
WEIGHTED = [[[(1, 2.5), (2, 1.0)], [(2, 1.5)], []], [[(0, 1.0)], [(1, 2.0), (0, 0.5)]]]
JAGGED = [[[1.0, 2.0, 3.0], [4.0], [], [5.0, 6.0]], [[0.5], [1.5, 2.5]], [[7.0, -1.0]]]


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(request, monkeypatch):
    if "later" not in request.node.name:
        monkeypatch.setattr(given_lists, "_RAGGED", 1)
        monkeypatch.setattr(given_lists, "_RECTANGLES", 1)


def lists_in(value):
    """The lists in something, each once, in the order in which they are met."""
    found = []

    def visit(item):
        if isinstance(item, list) and any(item is other for other in found):
            return
        if isinstance(item, list):
            found.append(item)
        if isinstance(item, (list, tuple)):
            for inner in item:
                visit(inner)

    visit(value)
    return found


def described(value, known):
    """What something is: its values, their types, and which of some lists are in it."""
    if isinstance(value, list):
        place = next((i for i, other in enumerate(known) if other is value), "new")
        return place, [described(item, known) for item in value]
    if isinstance(value, tuple):
        return tuple(described(item, known) for item in value)
    return type(value), value


def ending(function, args):
    args = copy.deepcopy(args)
    known = lists_in(args)
    try:
        result = function(*args)
    except (IndexError, ValueError) as error:
        return type(error)
    return described((result, args), [*known, *lists_in(result)])


def agree(function, calls):
    """Calls of the function compiled give, and change, what Python does: the compiled function."""
    compiled = ag.to_graph(function)
    for args in calls:
        assert ending(compiled, args) == ending(function, args), args
    return compiled


def recordings(function):
    return len(function.compiled_forms())


def test_all_rows_share_a_recording():
    def distances(adjacent, start):
        found = [-1] * len(adjacent)
        found[start] = 0
        waiting = [start]
        while waiting:
            u = waiting.pop(0)
            for v in adjacent[u]:
                if found[v] < 0:
                    found[v] = found[u] + 1
                    waiting.append(v)
        return found

    rings = [[[(i + 1) % n, *([0] * (i % 3))] for i in range(n)] for n in (1, 2, 3, 7, 20)]
    compiled = agree(distances, [(rows, 0) for rows in (*ADJACENT[:2], *rings)])
    assert recordings(compiled) == 1


def test_rows_are_recorded_for_their_elements_at_first_and_in_heaps_later():
    def total(rows):
        t = 0.0
        for row in rows:
            for x in row:
                t += x
        return t

    jagged = [[[1.0] * (i % n) for i in range(1, 3 * n)] for n in range(2, 9)]
    assert recordings(agree(total, [(rows,) for rows in jagged])) == 3

    def trace(rows):
        t = 0.0
        for i in range(len(rows)):
            t += rows[i][i]
        return t

    squares = [[[1.0] * n for _ in range(n)] for n in range(1, 6)]
    assert recordings(agree(trace, [(rows,) for rows in squares])) == 5


def test_what_is_refused_of_elements_may_go_with_rows_later():
    def put(rows, places):
        rows[places[0]][0] = 9
        rows.append([5, 5])

    agree(put, [([[0, 0], [1, 1]], np.array([1])), ([[0], [1, 1], [2]], np.array([2]))])


def grow(rows, x):
    rows[0].append(x)
    rows.append([x])
    rows[-1].append(x)
    return rows[0]


def exchange(rows, x):
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[0].append(x)
    return rows, rows[-1]


def one_list_twice(rows, x):
    rows.append(rows[0])
    rows[0].append(x)
    return [rows[-1], rows[0]]


def shorten(rows, x):
    first = rows.pop(0)
    first.append(x)
    while rows:
        row = rows.pop()
        while row:
            row.pop()
    return first


def rearrange(rows, x):
    rows.reverse()
    for row in rows:
        row.sort()
        row.insert(0, x)
    rows.sort(key=len)
    return max(rows, key=len)


def copies(rows, x):
    slices, lists = [row[:] for row in rows], [list(row) for row in rows]
    slices[0].append(x)
    lists[-1] += [x, x]
    return slices, lists, sum(rows, [])  # noqa: RUF017, as people write it


@pytest.mark.parametrize(
    "function",
    [grow, exchange, one_list_twice, shorten, rearrange, copies],
    ids=lambda function: function.__name__,
)
def test_lists_stay_what_they_are(function):
    compiled = agree(function, [(rows, 8.5) for rows in JAGGED])
    agree(function, [(rows, 8) for rows in ADJACENT])
    assert recordings(compiled) == 1


def test_rows_that_are_unpacked():
    def joined(intervals):
        found = []
        for start, end in sorted(intervals, key=lambda pair: pair[0]):
            if found and start <= found[-1][1]:
                found[-1][1] = max(found[-1][1], end)
            else:
                found.append([start, end])
        first, *_ = found
        return found, first

    calls = [
        [[1, 3], [2, 6], [8, 10]],
        [[4, 5], [1, 4]],
        [[5, 6]],
        [[1]],
        [[1, 2, 3]],
        [[1, 2], []],
    ]
    assert recordings(agree(joined, [(rows,) for rows in calls])) == 1

    def exchange(rows):
        a, b = rows
        a.append(b[0])
        return b

    agree(exchange, [(rows,) for rows in (*JAGGED, *ADJACENT, [[1, 2], [3, 4]])])


def test_rows_of_tuples():
    def lightest(rows, x):
        found = []
        for u, row in enumerate(rows):
            for v, w in row:
                found.append((w, u, v))
        found.sort()
        rows[0].append((len(found), x))
        return found, rows[0][-1]

    agree(lightest, [(rows, 3.5) for rows in WEIGHTED])


def test_lists_of_lists_of_lists():
    def change(deep):
        deep[0][0].append(5.0)
        deep[-1].append([7.0])
        deep.append([[1.0], []])
        return deep[0], deep[0][0], deep[-1]

    deep = [[[1.0, 2.0], [3.0]], [[]]], [[[1.0]], [[2.0], [3.0, 4.0]]], [[[0.5], []], []]
    agree(change, [(lists,) for lists in deep])


def test_types_of_items():
    def first(rows):
        rows[0].append(rows[-1][0])
        return rows[0][0], rows[0][-1]

    items = [1, 2, 3], [1.0, 2.0, 3.0], [True, False, True], list(np.arange(3)), list(np.ones(3))
    for a, b, c in items:
        agree(first, [([[a, b], [c]],), ([[a], [b, c]],), ([[a], [b], [c, a]],)])


def test_items_do_not_become_others():
    def put(rows, x):
        rows[0].append(x)
        rows[-1].append(0.5)
        return rows

    agree(put, [([[1, 2], [3]], 4), ([[1], [2, 3]], 4), ([[1.0], [2.0, 3.0]], 4)])


def test_rows_that_are_nothing_but_elements():
    def count(rows):
        return sum(len(row) for row in rows)

    jagged = [["a", "b"], ["c"]], [["a"], ["b", "c"]], [[1, 2.5], [3]], [[10**20], [1, 2]]
    agree(count, [(rows,) for rows in jagged])


def test_a_row_that_is_given_as_well():
    def put(rows, row):
        row.append(9)
        rows[0].append(row[0])
        return row is rows[1]

    compiled = ag.to_graph(put)
    for rows in ([[1, 2], [3]], [[1], [2, 3]], [[1, 1], [2, 2]]):
        expected = copy.deepcopy(rows)
        put(expected, expected[1])
        compiled(rows, rows[1])
        assert rows == expected


def test_a_list_that_becomes_a_row():
    def put(rows, row):
        rows.append(row)
        row.append(9)
        rows[-1].append(8)
        return rows[-1]

    agree(put, [([[1, 2], [3]], [5]), ([[1], [2, 3]], [5, 6]), ([[1], [2], [3, 4]], [])])


def test_two_lists_with_the_same_rows():
    def put(a, b):
        a[0].append(b[-1][0])
        b.append(a[0])
        return a[0] is b[0]

    compiled = ag.to_graph(put)
    for rows in ([[1, 2], [3]], [[1], [2, 3]], [[1, 1], [2, 2]]):
        a, b, c, d = rows, rows[:], copy.deepcopy(rows), None
        d = c[:]
        put(c, d)
        compiled(a, b)
        assert (a, b) == (c, d)
        assert b[-1] is a[0]


def test_lists_in_dicts_and_objects():
    class Tree:
        def __init__(self, children):
            self.children = children

    def total(tree, options):
        t = 0
        for row in tree.children:
            for x in row:
                t += x * options["times"]
        options["rows"][0].append(t)
        return t

    compiled = ag.to_graph(total)
    for rows in ADJACENT:
        options, expected = ({"times": 2, "rows": copy.deepcopy(rows)} for _ in range(2))
        assert compiled(Tree(rows), options) == total(Tree(rows), expected)
        assert options == expected


def test_an_exception_leaves_the_rows():
    def change(rows, limit):
        for row in rows:
            row.append(1.0)
            if len(row) > limit:
                raise ValueError("too long")

    compiled = agree(change, [(rows, 9) for rows in JAGGED])
    with pytest.raises(ValueError, match="too long"):
        compiled([[1.0], [2.0, 3.0]], 1)
    with pytest.raises(IndexError):
        ag.to_graph(lambda rows, i: rows[i])(JAGGED[0], 9)


def test_gradients_have_the_rows_of_their_arguments():
    def loss(rows):
        t = 0.0
        for k, row in enumerate(rows):
            for x in row:
                t += x * x * (k + 1)
        return t

    slope = ag.grad(loss)
    for rows in JAGGED:
        wanted = [[2.0 * x * (k + 1) for x in row] for k, row in enumerate(rows)]
        assert slope(rows) == wanted


def test_what_no_heap_does_is_refused_as_before():
    def put(rows, i):
        rows[i[0]][0] = 5
        rows.append([2, 2])
        return np.array(rows)

    with pytest.raises(AutographError, match="AG0356"):
        ag.to_graph(put)([[0, 0], [1, 1]], np.array([1]))


def test_which_lists_are_rows():
    row = [1, 2]
    given = GivenRows((([row, [3]], row, [4.0]), {}))
    assert given.found == 1
    assert given.stand_in(row) is not None
    assert given.stand_in([4.0]) is None
    assert not GivenRows((([[1, 2.0]], [["a"]], [1, 2], [[1, [2]]]), {})).found
    assert not GivenRows((([[10**20]],), {})).found


def test_what_changes_outside():
    factor = [2.0]

    def total(rows):
        t = 0.0
        for row in rows:
            for x in row:
                t += x * factor[0]
        return t

    compiled = ag.to_graph(total)
    for rows in JAGGED:
        assert compiled(rows) == total(rows)
        factor[0] += 1.0
        assert compiled(rows) == total(rows)


def test_an_array_that_is_given_twice():
    def put(rows, x, y):
        for row in rows:
            x[len(row)] += y[0]
            row.append(x[1])

    compiled = ag.to_graph(put)
    for rows in JAGGED:
        x, rows_, x_ = np.arange(9.0), copy.deepcopy(rows), np.arange(9.0)
        rows = copy.deepcopy(rows)
        for _ in range(2):
            compiled(rows, x, x)
            put(rows_, x_, x_)
        assert rows == rows_
        assert list(x) == list(x_)


def test_arrays_of_other_lengths_beside_rows():
    def product(rows, x, n):
        found = np.zeros(n)
        for i in range(len(rows)):
            for j, w in rows[i]:
                found[i] += w * x[j]
        return found

    compiled = ag.to_graph(product)
    for rows in WEIGHTED:
        for length in (3, 4, 7):
            x = np.arange(float(length))
            assert compiled(rows, x, len(rows)).tolist() == product(rows, x, len(rows)).tolist()
    assert recordings(compiled) <= 4


def test_many_items_are_in_heaps_from_the_first_call_on_not_later():
    def weighed(rows):
        total = 0
        for i in range(len(rows)):
            for j in range(len(rows[i])):
                total += rows[i][j] * (i - j)
        return total

    table = lambda n: [[i * j % 7 for j in range(n + 1)] for i in range(n)]
    assert recordings(agree(weighed, [(table(n),) for n in (20, 30, 15, 2, 40)])) == 1

    def as_array(rows):  # which heaps can't be
        return float(np.sum(np.array(rows) * 0.5)), len(rows)

    agree(as_array, [(table(n),) for n in (15, 16, 3)])
