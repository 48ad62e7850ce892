"""Programs with lists of lists: graphs, buckets, hash tables, piles, sieves of rows."""

import heapq
from collections import deque

import pytest

import autograph as ag
from tests.staging.lists.test_pooled import N, U, V, W, X, linked
from tests.support.oracle import check


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


def test_any_number_of_them():
    found = ag.to_graph(rising)
    for n in (3, 17, 40):
        check(rising, X[:n])
        assert found(X[:n]) == rising(X[:n])
