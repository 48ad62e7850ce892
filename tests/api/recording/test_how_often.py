"""How often programs are recorded until all is known that a recording needs from the start."""

import heapq
from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.support.call_counts import count_calls


def shortest_path(grid):
    h, w = grid.shape
    start, goal = (0, 0), (h - 1, w - 1)
    heap, best, came = [(0, start)], {start: 0}, {}
    while heap:
        g, cell = heapq.heappop(heap)
        if cell == goal:
            path = [cell]
            while cell in came:
                cell = came[cell]
                path.append(cell)
            return g, path[::-1]
        r, c = cell
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            n = (r + dr, c + dc)
            if 0 <= n[0] < h and 0 <= n[1] < w and grid[n] == 0:
                if n not in best or g + 1 < best[n]:
                    best[n], came[n] = g + 1, cell
                    heapq.heappush(heap, (g + 1, n))
    return -1, []


def test_tuples_are_compared_and_dicts_are_lists_in_the_second(recordings):
    grid = np.array([[0, 0, 1], [1, 0, 1], [1, 0, 0]])
    assert ag.to_graph(shortest_path)(grid) == shortest_path(grid)
    assert len(recordings) == 2


def reached(edges, n):
    adjacent = [[] for _ in range(n)]
    for u, v in edges:
        adjacent[u].append(v)
        adjacent[v].append(u)
    seen, order, queue = [False] * n, [], deque([0])
    seen[0] = True
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in adjacent[u]:
            if not seen[v]:
                seen[v] = True
                queue.append(v)
    return order


def test_lists_in_pools_stay_there_while_deques_become_lists(recordings):
    edges = np.array([[0, 2], [2, 1], [3, 1], [4, 3]])
    assert ag.to_graph(reached)(edges, 5) == reached(edges, 5)
    assert len(recordings) == 5
    assert sum("is refused otherwise" in why for why in recordings) == 2


NAMES = ("one", "two", "three")


def by_name(numbers, scale):
    found = {}
    for number in numbers:
        name = NAMES[number]
        found[name] = found.get(name, 0.0) + scale
    return found


@pytest.mark.parametrize("length, most", [(2, 3), (12, 6), (60, 8)])
def test_elements_that_are_needed_are_found_together(recordings, length, most):
    numbers = [k * k % 3 for k in range(length)]
    assert ag.to_graph(by_name)(numbers, 0.5) == by_name(numbers, 0.5)
    assert len(recordings) <= most


def sized(sizes, scale):
    return np.ones((sizes[0], sizes[1])) * scale + sizes[2]


def test_few_elements_that_are_needed_leave_the_others_as_they_are(recordings):
    """Else each call with others would be recorded."""
    compiled = ag.to_graph(sized)
    for last in (5, 6):
        expected = sized([2, 3, last], 0.5)
        np.testing.assert_array_equal(compiled([2, 3, last], 0.5), expected)
    assert len(recordings) == 3


def near(places, reach):
    found = [[] for _ in range(len(places))]
    for i in range(len(places)):
        for j in range(i + 1, len(places)):
            if abs(places[i] - places[j]) < reach:
                found[i].append(j)
    return found


def spread(places, steps, reach=1.5):
    for _ in range(steps):
        found = near(places, reach)
        forces = np.zeros_like(places)
        for i in range(len(places)):
            for j in found[i]:
                forces[i] += places[i] - places[j]
                forces[j] -= places[i] - places[j]
        places = places + 0.01 * forces
    return places


def test_loops_that_lists_of_lists_keep_from_being_loops_are_not_recorded_to_the_limit(recordings):
    """Neighbours are lists of lists in pools, which was found after 20,000 operations."""
    places = np.arange(6.0)
    compiled = ag.to_graph(spread, recording_limit=4000)
    calls = count_calls(lambda: compiled.graph(places, 12))["call"]
    np.testing.assert_allclose(compiled(places, 12), spread(places, 12))
    assert calls < 500_000
    assert len(recordings) == 2 and "lists of lists be in pools" in recordings[1]


def of_one_kind_first(x):
    rows, total = [[1.0], [2.0, 3.0], [4.0]], 0.0
    for i in range(12):
        row = rows[i % 3]
        for v in row:
            total = total + v * x
        if i == 5:
            rows[0] = (1.0, 2.0)
        elif i > 5 and i % 3 == 0:
            total = total + len(row)
        else:
            row.append(total)
    return total


def test_where_pools_do_not_help_they_are_recorded_to_the_end(recordings):
    compiled = ag.to_graph(of_one_kind_first, recording_limit=200)
    assert compiled(0.5) == of_one_kind_first(0.5)
    assert len(recordings) == 3 and "can't be in pools" in recordings[2]
