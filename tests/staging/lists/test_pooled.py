"""Lists of lists, and of arrays, of any lengths."""

import heapq
from collections import deque

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


# -- what they are for -----------------------------------------------------------------------------


def distances(us, vs, n):
    adj = linked(us, vs, n)
    found = [-1] * n
    found[0] = 0
    waiting = deque([0])
    while waiting:
        u = waiting.popleft()
        for v in adj[u]:
            if found[v] < 0:
                found[v] = found[u] + 1
                waiting.append(v)
    return found


def shortest(us, vs, ws, n):
    adj = [[] for _ in range(n)]
    for i in range(len(us)):
        adj[us[i]].append((int(vs[i]), float(ws[i])))
    found = [1e9] * n
    found[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > found[u]:
            continue
        for v, w in adj[u]:
            if d + w < found[v]:
                found[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return found


def levels(us, vs, n):
    adj = linked(us, vs, n)
    seen = [False] * n
    seen[0] = True
    found = [[0]]
    while found[-1]:
        following = []
        for u in found[-1]:
            for v in adj[u]:
                if not seen[v]:
                    seen[v] = True
                    following.append(v)
        found.append(following)
    return found


def sorted_by_buckets(x):
    buckets = [[] for _ in range(10)]
    for v in x:
        buckets[int(v * 10)].append(v)
    return [v for row in buckets for v in sorted(row)]


def chained(keys, m):
    table = [[] for _ in range(m)]
    count = 0
    for k in keys:
        row = table[k % m]
        if k not in row:
            row.append(k)
            count += 1
    return count, max([len(row) for row in table]), sum(map(len, table))


def rising(x):
    runs = []
    for v in x:
        if len(runs) == 0 or runs[-1][-1] > v:
            runs.append([v])
        else:
            runs[-1].append(v)
    return runs, max(runs, key=len), [len(run) for run in runs]


def encoded(x):
    found = []
    for v in x:
        if found and found[-1][0] == int(v):
            found[-1][1] += 1
        else:
            found.append([int(v), 1])
    return found


def queens(n):
    found = []
    board = [-1] * n
    r = 0
    while r >= 0:
        board[r] += 1
        if board[r] >= n:
            board[r] = -1
            r -= 1
            continue
        free = True
        for k in range(r):
            if board[k] == board[r] or abs(board[k] - board[r]) == r - k:
                free = False
                break
        if free:
            if r == n - 1:
                found.append(list(board))
            else:
                r += 1
    return found


def united(us, vs, n):
    members = [[i] for i in range(n)]
    root = list(range(n))
    for u, v in zip(us, vs):
        a, b = root[u], root[v]
        if a != b:
            for m in members[b]:
                root[m] = a
                members[a].append(m)
            members[b] = []
    return max([len(m) for m in members]), root


def stacks(x, n):
    piles = [[] for _ in range(n)]
    taken = 0
    for v in x:
        k = v % n
        if v % 3 == 0 and len(piles[k]) > 0:
            taken += piles[k].pop()
        else:
            piles[k].append(v)
    return taken, piles


class Table:
    def __init__(self, m):
        self.buckets = [[] for _ in range(m)]
        self.count = 0

    def put(self, k, v):
        row = self.buckets[k % len(self.buckets)]
        for i in range(len(row)):
            if row[i][0] == k:
                row[i] = (k, v)
                return
        row.append((k, v))
        self.count += 1

    def get(self, k):
        for other, v in self.buckets[k % len(self.buckets)]:
            if other == k:
                return v
        return -1


def table(keys, m):
    found = Table(m)
    for i in range(len(keys)):
        found.put(int(keys[i]), i)
    total = 0
    for k in keys:
        total += found.get(int(k))
    return total, found.count


@pytest.mark.costly
@pytest.mark.parametrize(
    "function, args",
    [
        (linked, (U, V, N)),
        (distances, (U, V, N)),
        (shortest, (U, V, W, N)),
        (levels, (U, V, N)),
        (sorted_by_buckets, (X,)),
        (chained, (U, 13)),
        (rising, (X,)),
        (encoded, (U % 2,)),
        (queens, (6,)),
        (united, (U, V, N)),
        (stacks, (U, 5)),
        (table, (U, 7)),
    ],
)
def test_programs(function, args):
    check(function, *args)


@pytest.mark.parametrize("function", [sorted_by_buckets, rising, encoded])
def test_nothing(function):
    check(function, X[:0])


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


def test_no_element_of_the_callers_has_another_type():
    def put(rows, x):
        k = 0
        while x[k] < 1.0:
            rows[k][0] = x[k]
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


def test_any_number_of_them():
    found = ag.to_graph(rising)
    for n in (3, 17, 40):
        check(rising, X[:n])
        assert found(X[:n]) == rising(X[:n])


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
