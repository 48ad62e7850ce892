"""Tuples and lists in variables that are compared, whose elements are known only at run time."""

import heapq

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
KEYS = np.array([3, 1, 2, 1])


@programs(np.array([0, 1, 0]), np.int64(1))
@programs(np.array([0, 1, 0]), np.int64(0))
@programs(np.array([0, 1, 1]), np.int64(1))
def equal(x, k):
    a, b = (x[0], x[1]), (x[2], k)
    return a == b, a != b, b == (0, 1), (a, 1) == (b, 1), a == (0, 1, 2)


@programs(np.array([0, 1, 0]), 1)
@programs(np.array([0, 1, 0]), 5)
def steps_to_a_goal(x, k):
    goal, place, n = (3 + x[1], 3 + x[1]), (x[0] + k, x[2] + k), 0
    while place != goal and n < 9:
        place = (place[0] + 1, place[1] + 1)
        n += 1
    return n


@programs(KEYS)
@programs(np.array([0.5, 0.25, 0.25]))
def smallest_by_hand(x):
    best = (x[0] + 10, -1)
    for i in range(len(x)):
        if (x[i], i) < best:
            best = (x[i], i)
    return best


@programs(KEYS, np.int64(2))
@programs(KEYS, np.int64(1))
def in_each_order(x, k):
    a, b, longer = (x[0], (x[1], 2)), (x[0], (x[1], k)), (x[0], (x[1], k), 1)
    found = 0
    for left, right in ((a, b), (b, a), (a, a), (a, longer), (longer, b)):
        found = found * 16
        if left < right:
            found += 1
        if left <= right:
            found += 2
        if left > right:
            found += 4
        if left >= right:
            found += 8
    return found


@programs(KEYS, np.int64(2))
@programs(KEYS, np.int64(4))
def lists_in_order(x, k):
    a, b = [x[0], 1], [x[0], k]
    a[1] += x[1]
    return 1 if a < b else 2 if a > b else 3, a <= b, a == b


def before(a, b):
    return a < b


class Place:
    def __init__(self, row, column):
        self.at = (row, column)

    def is_after(self, other):
        return self.at > other.at


@programs(KEYS)
@programs(KEYS[::-1].copy())
def in_callees(x):
    a, b = Place(x[0], x[1]), Place(x[2], x[3])
    return 1 if before((x[1], x[0]), (x[3], x[2])) else 2, 1 if a.is_after(b) else 2


@programs(np.zeros((5, 5), dtype=bool), (0, 0), (4, 3))
@programs(np.eye(5, dtype=bool), (4, 0), (3, 4))
@programs(np.eye(5, k=1, dtype=bool) | np.eye(5, dtype=bool), (4, 0), (0, 4))
def shortest_path(walls, start, goal):
    """Hart, Nilsson and Raphael, A formal basis for the heuristic determination of minimum cost
    paths (1968)."""
    queue, costs, came = [(0, 0, start)], {start: 0}, {}
    while queue:
        _, cost, place = heapq.heappop(queue)
        if place == goal:
            path = [place]
            while place in came:
                place = came[place]
                path.append(place)
            return path[::-1], cost
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = (place[0] + down, place[1] + right)
            if 0 <= other[0] < 5 and 0 <= other[1] < 5 and not walls[other]:
                if cost + 1 < costs.get(other, np.inf):
                    costs[other], came[other] = cost + 1, place
                    ahead = abs(other[0] - goal[0]) + abs(other[1] - goal[1])
                    heapq.heappush(queue, (cost + 1 + ahead, cost + 1, other))
    return None, -1


@programs.test
def test_as_python(call):
    call.run()


def test_what_is_compared_does_not_become_static():
    walls = np.eye(5, k=1, dtype=bool)
    calls = [((0, 0), (4, 3)), ((4, 0), (3, 4)), ((1, 1), (0, 4))]
    f = ag.to_graph(shortest_path)
    for start, goal in calls:
        assert f(walls, start, goal) == shortest_path(walls, start, goal)
    assert len(f.compiled_forms()) == 1


def test_the_source_stays_as_it_is_where_numbers_are_compared():
    def f(x, k):
        return 1 if x < k else 2

    def g(x, k):
        a = (x, k)
        return 1 if a < (k, x) else 2

    for function in (f, g):
        compiled = ag.to_graph(function)
        assert compiled(np.array(1.0), np.array(2.0)) == 1
        assert ("ops.lt_" in compiled.converted) == (function is g)


def test_derivatives():
    def smallest(x):
        best = (x[0], x[0] * x[1])
        for i in range(1, 3):
            candidate = (x[i], x[i] * x[0])
            if candidate < best:
                best = candidate
        return best[1] ** 2

    ag.check_grads(smallest, (np.array([0.5, 0.3, 0.7]),), order=2, modes=("fwd", "rev"))
    lanes = np.array([[0.5, 0.3, 0.7], [0.1, 0.3, 0.7], [0.5, 0.3, 0.2]])
    expected = [ag.grad(smallest)(x) for x in lanes]
    np.testing.assert_allclose(ag.vmap(ag.grad(smallest))(lanes), expected)


@pytest.mark.parametrize("kind", [tuple, list])
def test_truths_of_arrays_in_tuples_are_python_errors(kind):
    def f(x):
        a, b = kind([x, 1]), kind([x + 1, 1])
        return 1 if a < b else 2

    with pytest.raises(ValueError, match="ambiguous"):
        f(np.arange(3))
    with pytest.raises(ValueError, match="ambiguous"):
        ag.to_graph(f)(np.arange(3))
