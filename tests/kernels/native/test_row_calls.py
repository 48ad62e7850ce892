"""Calls with lists of lists that are rows in heaps: how they become arrays, and which are alike."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import number_lists
from tests.support.oracle import check

FLOAT, INT = np.dtype(float), np.dtype(int)


def test_arrays_of_lists_of_numbers():
    lengths, (items,) = number_lists.rows([[1.5], [], [2.5, 3.5]], (float,), (FLOAT,), False)
    assert lengths.tolist() == [1, 0, 2]
    assert items.tolist() == [1.5, 2.5, 3.5]
    lengths, (a, b) = number_lists.rows([[(1, 0.5)], [(2, 1.5)]], (int, float), (INT, FLOAT), True)
    assert (lengths.tolist(), a.tolist(), b.tolist()) == ([1, 1], [1, 2], [0.5, 1.5])


@pytest.mark.parametrize(
    "lists",
    [
        [[1.5], [2]],
        [[1.5], [True]],
        [[1.5], [np.float64(2.5)]],
        [[1.5], (2.5,)],
        [[1.5], None],
        [[1.5], [(2.5,)]],
    ],
    ids=repr,
)
def test_lists_of_other_things_are_no_arrays(lists):
    assert number_lists.rows(lists, (float,), (FLOAT,), False) is None


def test_a_list_that_is_there_twice_is_no_array():
    rows = [[float(k)] for k in range(1000)]
    assert number_lists.rows(rows, (float,), (FLOAT,), False) is not None
    assert number_lists.rows([*rows, rows[500]], (float,), (FLOAT,), False) is None
    assert number_lists.rows([[2**62], [2**64]], (int,), (INT,), False) is None


def total(rows, scale, more):
    result = 0
    for row in rows:
        for x in row:
            result += x * scale
    return result + len(rows) + len(more)


def ones(*lengths, kind=float):
    return [[kind(k + 1) for k in range(n)] for n in lengths]


CALLS = [
    (ones(1, 2, 3), 2.0, "ab"),
    (ones(2, 2), 3.0, "ab"),
    (ones(5, 0, 1), 3.0, "ab"),
    (ones(3, 1, 4, 1), 3.0, "ab"),
    (ones(3, 1, 4, 1, 5), 0.5, "ab"),
    (ones(3, 1, 4), 2, "ab"),  # another type of number
    (ones(3, 1, 4), 2.0, "abc"),  # another text
    (ones(3, 1, 4, kind=int), 2.0, "abc"),
    (ones(3, 1, 4, kind=np.float64), 2.0, "abc"),
    (ones(3, 1, 4), 2.0, [1.0, 2.0]),
    (ones(3, 1, 4), 2.0, ones(1, 2)),
    (ones(0, 0), 2.0, "ab"),
    ([], 2.0, "ab"),
    ([[1.0, 2], [3.0]], 2.0, "ab"),
    (ones(3, 1, 4), np.float64(2.0), "ab"),
    (ones(7, 1, 4), 2.0, "ab"),
]


def test_calls_in_any_order_give_what_python_gives():
    compiled = ag.to_graph(total)
    for call in (*CALLS, *reversed(CALLS), *CALLS[::3]):
        for _ in range(2):
            result, wanted = compiled(*call), total(*call)
            assert (result, type(result)) == (wanted, type(wanted))


def doubled(rows, others):
    for row in rows:
        for k in range(len(row)):
            row[k] = row[k] * 2
    return len(others), sum([x for row in others for x in row])


def test_the_same_list_twice_and_rows_in_both_lists():
    compiled = ag.to_graph(doubled)
    for n in (2, 3, 4, 5, 6, 7):
        for share in range(3):
            calls = []
            for _ in range(2):
                rows = ones(*range(1, n + 1))
                others = rows if share == 1 else ones(*range(n))
                others = [rows[-1], *others] if share == 2 else others
                calls.append((rows, others))
            (ours, theirs) = calls
            assert compiled(*ours) == doubled(*theirs)
            assert ours == theirs
            assert [ours[1][0] is row for row in ours[0]] == [
                theirs[1][0] is row for row in theirs[0]
            ]


def test_what_is_outside_counts_at_each_call():
    scale = [2.0]

    def scaled(rows):
        return sum([x * scale[0] for row in rows for x in row])

    compiled = ag.to_graph(scaled)
    for n in range(2, 9):
        assert compiled(ones(*range(n))) == scaled(ones(*range(n)))
    scale[0] = 3.0
    for n in range(2, 6):
        assert compiled(ones(*range(n))) == scaled(ones(*range(n)))


def test_errors_are_those_of_python():
    def at(rows, k):
        return rows[k][k]

    compiled = ag.to_graph(at)
    for n in (3, 4, 5, 6, 7, 8):
        assert compiled(ones(*range(1, n + 1)), 1) == 2.0
    for k in (2, 9, -9, 2):
        rows = ones(3, 3, 1)
        with pytest.raises(IndexError, match="list index out of range"):
            at(rows, k)
        with pytest.raises(IndexError):
            compiled(rows, k)


def test_fewer_rows_than_those_that_the_function_adds_to():
    def grown(rows, x):
        for k, row in enumerate(rows):
            if k % 2 == 0:
                row.append(x)
        rows.append([x])
        return len(rows)

    for n in (3, 20, 5, 30, 0, 1, 2):
        check(grown, ones(*(k % 3 + 1 for k in range(n))), 2.5)
    compiled = ag.to_graph(grown)
    for n in (3, 20, 5, 30, 0, 1, 2):
        ours, theirs = (ones(*(k % 3 + 1 for k in range(n))) for _ in range(2))
        assert compiled(ours, 2.5) == grown(theirs, 2.5)
        assert ours == theirs


def test_items_are_written_into_rows_that_keep_their_lengths():
    rows, items = [[0.5], [], [1.5, 2.5]], [3.0, 4.0, 5.0, 6.0]
    kept = list(rows)
    assert number_lists.write_rows(rows, np.array([1, 0, 2]), items)
    assert rows == [[3.0], [], [4.0, 5.0]]
    assert all(a is b for a, b in zip(rows, kept))
    for lengths in ([1, 0], [1, 0, 3], [1, 1, 2], [9, 0, 2]):
        assert not number_lists.write_rows(rows, np.array(lengths), items)
    assert not number_lists.write_rows(rows, np.array([1, 0, 2]), [3.0, 4.0])


def changed(rows, k):
    for row in rows:
        for i, item in enumerate(row):
            row[i] = item + item if i % 2 else item
    rows[0].append(rows[-1][-1])
    rows[1], rows[2] = rows[2], rows[1]
    if k > 1:
        rows.pop()
    return len(rows)


def negated(rows, k):
    for row in rows:
        for i, (a, b) in enumerate(row):
            row[i] = (b, k - a)
    return len(rows)


@pytest.mark.parametrize("kind", [int, float, np.float64])
def test_rows_hold_what_python_puts_into_them(kind):
    compiled, in_pairs = ag.to_graph(changed), ag.to_graph(negated)
    for n in (3, 4, 9, 5, 30, 8):
        for k in (1, 2):
            ours, theirs = (ones(*(1 + j * 5 % 4 for j in range(n)), kind=kind) for _ in range(2))
            assert compiled(ours, k) == changed(theirs, k)
            assert ours == theirs
            assert [type(x) for row in ours for x in row] == [kind for row in ours for _ in row]
            ours, theirs = ([[(x, 2 * x) for x in row] for row in ours] for _ in range(2))
            assert in_pairs(ours, kind(k)) == negated(theirs, kind(k))
            assert ours == theirs


def test_transforms_are_given_lists_once_calls_are_matched_in_machine_code():
    def total(items, rate):
        found = 0.0
        for x in items:
            found += rate**2 * x
        return found

    compiled = ag.to_graph(lambda x: x + 1.0)
    for _ in range(400):  # by then they are
        assert compiled(1.5) == 2.5
    assert ag.hvp(total, argnums=1)([0.5] * 300, 2.0, 1.0) == 300.0
