"""Lists of lists, and of arrays, of any lengths."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import check

RNG = np.random.default_rng(0)
N = 70  # more than what is decided by conditionals
U, V = (RNG.integers(0, N, 120) for _ in range(2))
W = RNG.uniform(size=120)
X = RNG.uniform(size=40)


def linked(us, vs, n):
    found = [[] for _ in range(n)]
    for u, v in zip(us, vs):
        found[int(u)].append(int(v))
        found[int(v)].append(int(u))
    return found


# -- elements under several names ------------------------------------------------------------------


def under_two_names(us, n):
    rows = [[] for _ in range(n)]
    for u in us:
        row = rows[u]
        row.append(int(u))
        other = rows[u]
        other.append(len(row))
        row.pop(0)
    return rows


def appended_afterwards(us):
    rows = [[0]]
    for u in us:
        row = [int(u)]
        rows.append(row)
        row.append(len(rows))
        rows[-1].append(len(row))
    return rows, row[0]


def while_it_is_gone_through(us, n):
    rows = [[1] for _ in range(n)]
    for u in us:
        for v in rows[u]:
            if len(rows[u]) < 5:
                rows[u].append(v + 1)
    return rows


def first_used_in_a_branch(us, n):
    """No element has had an item where the branch is recorded for the first time."""
    rows = [[] for _ in range(n)]
    for u in us:
        if len(rows[u]) > 2:
            rows[u].pop()
        rows[u].extend(rows[0][:3])
        rows[u].insert(0, int(u))
    return rows


def methods(us, n):
    rows = [[i, -i] for i in range(n)]
    for u in us:
        row = rows[u]
        row.extend([3, 1])
        row.sort()
        row.reverse()
        if len(row) > 4:
            del row[1]
            row[-1] = row.pop(0)
        row[1:2] = [7, int(u)]
        rows[u] += [5]
        if 7 in row:
            row.remove(7)
        if len(row) > 9:
            row.clear()
    return rows


def of_the_list(us):
    rows = [[0], [1]]
    for u in us:
        if len(rows) > 4:
            rows.pop(0)
            rows[u % 2] = rows[u % 2] + rows[-1][:2]
        elif u % 5 == 0 and len(rows) > 1:
            del rows[1]
            rows.reverse()
        else:
            rows.append([int(u)])
            rows.extend([[1, 2], []])
    return rows, len(rows)


@pytest.mark.costly
@pytest.mark.parametrize(
    "function, args",
    [
        (under_two_names, (U, N)),
        (appended_afterwards, (U,)),
        (while_it_is_gone_through, (U, N)),
        (first_used_in_a_branch, (U, N)),
        (methods, (U, N)),
        (of_the_list, (U,)),
    ],
)
def test_changes(function, args):
    check(function, *args)


def test_elements_at_two_places():
    def chosen(us, vs, n):
        adj = linked(us, vs, n)
        adj[3] = adj[4]
        longest = sorted(adj, key=len, reverse=True)
        return adj[1], adj[3], longest[:3], [len(row) for row in adj[1:]], list(adj)

    check(chosen, U, V, N)


def swapped(us, vs, n):
    adj = linked(us, vs, n)
    for u, v in zip(us, vs):
        adj[u], adj[v] = adj[v], adj[u]
        adj[u].append(int(v))
    return adj


def sorted_in_place(us, vs, n):
    rows = linked(us, vs, n)
    for i in range(n):
        for j in range(n - 1 - i):
            if len(rows[j]) > len(rows[j + 1]):
                rows[j], rows[j + 1] = rows[j + 1], rows[j]
    return rows


def removed_and_put_back(us, vs, n):
    adj = linked(us, vs, n)
    row = adj[us[0]]
    adj.pop(vs[0])
    row.append(5)
    adj.append(row)
    row.append(6)
    adj.insert(2, row)
    return adj, row, row is adj[2], row is adj[3]


def one_at_two_places(us, vs, n):
    adj = linked(us, vs, n)
    adj[3] = adj[4]
    for u in us:
        adj[u % 5].append(1)
    return adj, adj[3] is adj[4], adj[3] is adj[5]


def one_at_all_places(us, n):
    rows = [[]] * n
    for u in us:
        rows[u].append(int(u))
    return rows


def the_longest_so_far(us, vs, n):
    adj = linked(us, vs, n)
    found = adj[0]
    for u in us:
        if len(adj[u]) > len(found):
            found = adj[u]
        found.append(1)
    return found, adj


def parts_of_the_list(us, vs, n):
    adj = linked(us, vs, n)
    few = adj[2:9]
    few[0].append(7)
    del adj[1:4]
    adj[0:2] = few[::-1]
    both = few + adj
    both[1].append(8)
    adj *= 2
    adj[0].append(9)
    return adj, few, both


class Rows:
    def __init__(self, us, vs, n):
        self.rows = linked(us, vs, n)
        self.last = self.rows[0]

    def swap(self, i, j):
        self.last = self.rows[i]
        self.rows[i], self.rows[j] = self.rows[j], self.last
        self.last.append(int(i))


def by_methods(us, vs, n):
    found = Rows(us, vs, n)
    for u, v in zip(us, vs):
        found.swap(u, v)
    return found.rows, found.last


def by_recursion(us, vs, n):
    rows = linked(us, vs, n)

    def sort(low, high):
        if low >= high:
            return
        last = low
        for k in range(low, high):
            if len(rows[k]) < len(rows[high]):
                rows[k], rows[last] = rows[last], rows[k]
                last += 1
        rows[high], rows[last] = rows[last], rows[high]
        rows[last].append(low)
        sort(low, last - 1)
        sort(last + 1, high)

    sort(0, n - 1)
    return rows


def identities(result):
    """Which of the lists in a result are the same."""
    found = {}

    def visit(item):
        if isinstance(item, list):
            if id(item) in found:
                return found[id(item)]
            found[id(item)] = len(found)
        if isinstance(item, (list, tuple)):
            return [visit(part) for part in item]
        return None

    return visit(result)


@pytest.mark.parametrize(
    "function, args",
    [
        (swapped, (U, V, N)),
        (sorted_in_place, (U, V, N)),
        (removed_and_put_back, (U, V, N)),
        (one_at_two_places, (U, V, N)),
        (one_at_all_places, (U, N)),
        (the_longest_so_far, (U, V, N)),
        (parts_of_the_list, (U, V, N)),
        (by_methods, (U, V, N)),
        (by_recursion, (U, V, N)),
    ],
)
def test_one_list_at_several_places(function, args):
    check(function, *args)
    assert identities(ag.to_graph(function)(*args)) == identities(function(*args))


def refused(function, *args):
    with pytest.raises(AutographError) as caught:
        ag.to_graph(function)(*args)
    return caught.value.id


def test_elements_of_other_types():
    def put(x):
        rows = [[0, 0], [0, 0]]
        k = 0
        while x[k] < 1.0:
            rows[k][0] = x[k]
            k += 1
        return rows

    x = np.array([0.5, 1.5])
    assert repr(ag.to_graph(put)(x)) == repr(put(x))


def test_no_number_of_the_callers_becomes_a_text():
    def put(rows, x):
        k = 0
        while x[k] < 1.0:
            rows[k][0] = "x"
            k += 1
        return rows

    given = [[0, 0], [0, 0]]
    assert refused(put, given, np.array([0.5, 1.5])) == "AG0355"
    assert given == [[0, 0], [0, 0]]


def test_exceptions():
    def outside(us, n):
        rows = [[1] for _ in range(n)]
        for u in us:
            rows[u].append(1)
        return len(rows)

    check(outside, U, N)
    check(outside, U, N // 2)
    check(outside, -U, N // 2)

    def emptied(us, n):
        rows = [[1] for _ in range(n)]
        total = 0
        for u in us:
            total += rows[u].pop()
        return total

    check(emptied, U, N)


# -- lists of arrays -------------------------------------------------------------------------------


def cut(x):
    parts = []
    start = 0
    for i in range(1, len(x)):
        if x[i] < x[i - 1]:
            parts.append(x[start:i].copy())
            start = i
    parts.append(x[start:].copy())
    return parts


def summed(x):
    parts = cut(x)
    total = 0.0 * x[0]
    for part in parts:
        total += np.sum(part) * len(part)
    return np.concatenate(parts), total, len(parts), parts.pop(), parts[0][-1]


def test_arrays():
    for function in (cut, summed):
        check(function, X)
        check(function, X[:1])
    check(lambda x: cut(x)[1:], X)
    check(cut, (X * 9).astype(np.int32))


# -- transforms ------------------------------------------------------------------------------------


def of_groups(x, n):
    groups = [[] for _ in range(n)]
    for i in range(len(x)):
        groups[i * i % n].append(x[i] * x[i])
    total = 0.0
    for group in groups:
        part = 0.0
        for v in group:
            part += v
        total += part * part * part
    return total


def of_piles(x, n):
    piles = [[] for _ in range(n)]
    i = 0
    while i < len(x):
        if x[i] > 0.5 and len(piles[0]) > 0:
            piles[1].append(piles[0].pop() * x[i])
        else:
            piles[0].append(x[i])
            piles[0][-1] = piles[0][-1] * 2.0
        i += 1
    total = 0.0
    for pile in piles:
        for j, v in enumerate(pile):
            total += v * v * (j + 1)
    return total


def of_parts(x, n):
    total = 0.0
    for part in cut(x)[:n]:
        total += np.sum(part) ** 3
    return total


@pytest.mark.costly
@pytest.mark.parametrize("function", [of_groups, of_piles, of_parts])
def test_derivatives(function):
    ag.check_grads(lambda x: function(x, 70), (X[:9],), order=2)


@pytest.mark.filterwarnings("ignore::autograph.errors.PerformanceWarning")
@pytest.mark.parametrize("function", [of_groups, of_piles])
def test_lanes(function):
    lanes = np.stack([X[:9], X[9:18]])
    found = ag.vmap(lambda x: function(x, 70))(lanes)
    assert np.allclose(found, [function(x, 70) for x in lanes])
