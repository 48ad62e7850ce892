"""Tuples with lists in them, in lists, deques and heaps; lists in several lists of lists."""

import heapq
from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.staging.lists.test_pooled import U, V, W, identities, linked, refused
from tests.support.oracle import check

N = 70
TARGET = 5


# -- paths on the way ------------------------------------------------------------------------------


def cheapest_path(us, vs, ws, n):
    adj = [[] for _ in range(n)]
    for u, v, w in zip(us, vs, ws):
        adj[u].append((int(v), float(w)))
    done = [False] * n
    heap = [(0.0, 0, [0])]
    while heap:
        cost, u, path = heapq.heappop(heap)
        if done[u]:
            continue
        done[u] = True
        if u == TARGET:
            return cost, path
        for v, w in adj[u]:
            if not done[v]:
                heapq.heappush(heap, (cost + w, v, path + [v]))
    return -1.0, []


def shortest_path(us, vs, n):
    adj = linked(us, vs, n)
    seen = [False] * n
    seen[0] = True
    waiting = deque([(0, [0])])
    while waiting:
        u, path = waiting.popleft()
        if u == TARGET:
            return path
        for v in adj[u]:
            if not seen[v]:
                seen[v] = True
                waiting.append((v, path + [v]))
    return []


def shortest_path_alone(us, vs, n):
    adj = linked(us, vs, n)
    seen = [False] * n
    seen[0] = True
    waiting = deque([[0]])
    while waiting:
        path = waiting.popleft()
        if path[-1] == TARGET:
            return path
        for v in adj[path[-1]]:
            if not seen[v]:
                seen[v] = True
                waiting.append(path + [v])
    return None


def paths_in_depth(us, vs, n):
    adj = linked(us, vs, n)
    seen = [False] * n
    stack = [(0, [0])]
    found = []
    while stack:
        u, path = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        found.append(path)
        for v in adj[u]:
            if not seen[v]:
                stack.append((v, path + [v]))
    return found


def by_size(us, vs, n):
    """Of what is equal else the lists decide."""
    heap = []
    for row in linked(us, vs, n):
        heapq.heappush(heap, (len(row), row))
    found = []
    while heap:
        size, row = heapq.heappop(heap)
        row.append(size)
        found.append(row)
    return found


def pairs(us, vs):
    held = [(0, [1], [2.0])]
    for u, v in zip(us, vs):
        first = held[u % len(held)]
        first[1].append(int(v))
        held.append((int(u), [int(v)], first[2]))
        held[u % len(held)], held[0] = held[0], held[u % len(held)]
        held[0][2].append(0.5)
        if len(held) > 6:
            held.pop(0)
    return held, [len(a) for _, a, _ in held], held[1:3], held[0][2] is held[1][2]


class Search:
    def __init__(self, us, vs, n):
        self.adj = linked(us, vs, n)
        self.waiting = deque([(0, [0])])
        self.best = []

    def step(self):
        u, path = self.waiting.popleft()
        if len(path) > len(self.best):
            self.best = path
        if len(path) < 5:
            for v in self.adj[u]:
                self.waiting.append((v, path + [v]))


def by_methods(us, vs, n):
    found = Search(us[:60], vs[:60], n)
    while found.waiting:
        found.step()
    found.best.append(-1)
    return found.best


PROGRAMS = [
    (cheapest_path, (U, V, W, N)),
    (shortest_path, (U, V, N)),
    (shortest_path_alone, (U, V, N)),
    (paths_in_depth, (U, V, N)),
    (by_size, (U, V, N)),
    (pairs, (U, V)),
    (by_methods, (U, V, N)),
]


# -- lists that are in several lists of lists ------------------------------------------------------


def kept_in_two(us, vs, n):
    adj = linked(us, vs, n)
    long = []
    for row in adj:
        if len(row) > 2:
            long.append(row)
    for row in long:
        row.append(77)
    adj[0] = long[-1]
    adj[0].append(78)
    return long, adj


def exchanged(us, vs, n):
    some, others = [[0], [1]], [[2], [3]]
    for u, v in zip(us, vs):
        i, j = u % 2, v % 2
        some[i], others[j] = others[j], some[i]
        some[i].append(int(u))
    return some, others


def the_best_of(us, vs, n):
    best = []
    for row in linked(us, vs, n):
        if len(row) > len(best):
            best = row
    best.append(5)
    return best


def walked(us, vs, n):
    """Each call of a recursion begins another list, and some are put into an outer one."""
    adj = linked(us, vs, n)
    seen = [False] * n
    parts = []

    def walk(u, part):
        seen[u] = True
        part.append(u)
        for v in adj[u]:
            if not seen[v]:
                walk(v, part)

    for u in range(n):
        if not seen[u]:
            part = []
            walk(u, part)
            parts.append(part)
    return parts


def ordered(us, vs, n):
    rows = linked(us, vs, n)
    smallest = rows[0]
    count = 0
    for row in rows:
        if row < smallest:
            smallest = row
        count += (row <= rows[1]) + (row > rows[2]) + (row >= [3])
    return smallest, count


def cells(xs, ys, n):
    """Pairs of points that are near, by a grid."""
    grid = [[[] for _ in range(n)] for _ in range(n)]
    for k in range(len(xs)):
        grid[int(xs[k] * n)][int(ys[k] * n)].append(k)
    count = 0
    for i in range(n):
        for j in range(n):
            for a in range(max(i - 1, 0), min(i + 2, n)):
                for p in grid[i][j]:
                    for q in grid[a][j]:
                        count += p < q
    return count, grid


def exchanged_in_depth(us, n):
    grid = [[[] for _ in range(n)] for _ in range(n)]
    for u in us:
        grid[u % n][u // n % n].append(int(u))
        row = grid[u % n]
        row[0], row[1] = row[1], row[0]
        if u % 3 == 0:
            grid[0], grid[u % n] = grid[u % n], grid[0]
        if u % 5 == 0:
            row[2] = grid[1][0]
            grid.append(row)
    return grid, row, grid[0], grid[0] is row, grid[1] is grid[1]


def begun_on_the_way(us, vs):
    groups = []
    for u, v in zip(us, vs):
        if len(groups) == 0 or u > v:
            groups.append([[int(u)]])
        else:
            groups[-1].append([int(u), int(v)])
    return groups


def by_key(us, vs):
    found = {}
    for u, v in zip(us, vs):
        k = int(u) % 7
        if k not in found:
            found[k] = []
        found[k].append([int(v)])
        found[k][0].append(1)
    return found


SHARED = [
    (cells, (W[:60], W[60:], 5)),
    (exchanged_in_depth, (U, 4)),
    (begun_on_the_way, (U, V)),
    (by_key, (U, V)),
    (kept_in_two, (U, V, N)),
    (exchanged, (U, V, N)),
    (the_best_of, (U, V, N)),
    (walked, (U, V, N)),
    (ordered, (U, V, N)),
]


@pytest.mark.slow
@pytest.mark.parametrize("function, args", [*PROGRAMS, *SHARED])
def test_programs(function, args):
    check(function, *args)
    assert identities(ag.to_graph(function)(*args)) == identities(function(*args))


@pytest.mark.slow
def test_nothing_is_found():
    few = slice(0, 3)
    check(shortest_path, U[few], V[few], N)
    check(cheapest_path, U[few], V[few], W[few], N)
    check(the_best_of, U[:0], V[:0], N)


def test_exceptions():
    def taken(us, n):
        waiting = deque([(0, [0])])
        total = 0
        for u in us:
            k, path = waiting.popleft()
            total += len(path) + k
            if u % n:
                waiting.append((int(u), path + [k]))
        return total

    check(taken, U, 1000)
    check(taken, U, 3)


def test_tuples_of_other_lengths():
    def mixed(us):
        held = [(0, [1])]
        for u in us:
            held.append((int(u), [int(u)]))
            held[0][1].append(2)
            if len(held) > 3:
                held.append((1, 2, [3]))
        return held

    check(mixed, U)


def test_lists_of_other_types():
    """Those of one heap are of one type: an integer is no float since lists meet."""

    def met(us, n):
        rows, others = [[0] for _ in range(n)], [[0.5]]
        for u in us:
            rows[u % n].append(int(u))
            others[0].append(1.5)
            if u == 3:
                others.append(rows[0])
        return rows, others

    refused(met, U, 5)


def test_lists_of_the_caller():
    def kept(us, row):
        rows = [[1] for _ in range(3)]
        for u in us:
            rows[u % 3].append(int(u))
        rows.append(row)
        for u in us:
            rows[u % 4].append(2)
        return rows

    row = [7]
    assert refused(kept, U, row) == "AG0588"
    assert row == [7]


def of_paths(x):
    """Sums along the ways through a tree, with what is on the way."""
    stack = [(0, [x[0]])]
    total = 0.0
    while stack:
        k, path = stack.pop()
        if k >= len(x):
            product = 1.0
            for v in path:
                product *= v
            total += product * product
        else:
            stack.append((2 * k + 1, path + [x[k]]))
            stack.append((2 * k + 2, path + [x[k] * x[k]]))
    return total


def of_swaps(x):
    rows = [[v] for v in x]
    for i in range(len(x)):
        if x[i] > 0.5:
            rows[i], rows[0] = rows[0], rows[i]
        rows[i].append(x[i] * rows[0][0])
    total = 0.0
    for i, row in enumerate(rows):
        for v in row:
            total += v * v * (i + 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("function", [of_paths, of_swaps])
def test_derivatives(function):
    ag.check_grads(function, (np.random.default_rng(1).uniform(size=6),), order=2)
