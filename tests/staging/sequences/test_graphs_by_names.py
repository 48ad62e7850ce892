"""Dicts of dicts, and of lists, by a name that only the run knows: graphs as people write them."""

import heapq
import random
from collections import OrderedDict

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs, check

programs = Programs()

GRAPH = {"A": {"B": 1.5}, "B": {"C": 2.0, "A": 1.0}, "C": {"A": 0.5, "B": 1.0, "D": 2.5}, "D": {}}
LISTS = {name: list(near.items()) for name, near in GRAPH.items()}


def chosen(x):
    return "A" if x > 1 else "B" if x > 0 else "C"


def shortest(graph, start):
    dist = {name: float("inf") for name in graph}
    dist[start] = 0
    before = {}
    heap = [(0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            if d + w < dist[v]:
                dist[v] = d + w
                before[v] = u
                heapq.heappush(heap, (d + w, v))
    return dist, before


def way(graph, start, goal):
    dist, before, visited, heap = {start: 0}, {}, set(), [(0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if u in visited:
            continue
        visited.add(u)
        if u == goal:
            break
        for v, w in graph[u]:
            if v not in dist or d + w < dist[v]:
                dist[v] = d + w
                before[v] = u
                heapq.heappush(heap, (d + w, v))
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    return dist[goal], path[::-1]


def test_the_shortest_ways_by_names():
    check(shortest, GRAPH, "A")
    check(shortest, {name: {v: 2 for v in near} for name, near in GRAPH.items()}, "A")
    check(way, LISTS, "A", "D")


def test_of_more_names_than_texts_have_ways():
    draw = random.Random(3)
    names = [f"n{i}" for i in range(20)]
    graph = {a: {b: draw.uniform(1, 9) for b in draw.sample(names, 3)} for a in names}
    check(shortest, graph, "n0")


def test_another_graph_of_the_same_names_is_not_recorded_again():
    compiled = ag.to_graph(shortest)
    compiled(GRAPH, "A")
    forms = len(compiled.compiled_forms())
    other = {name: {v: 3.0 * w for v, w in near.items()} for name, near in GRAPH.items()}
    assert compiled(other, "A") == shortest(other, "A")
    assert len(compiled.compiled_forms()) == forms


@programs(GRAPH, 0.5, 5)
@programs(GRAPH, 2.0, 3)
def gone_through(graph, x, steps):
    total, u = 0.0, chosen(x)
    for _ in range(steps):
        last = "A"
        for v, w in graph[u].items():
            total = total + w * x
            last = v
        u = last
    return total, u


@programs(GRAPH, 2.0)
@programs(GRAPH, 0.5)
@programs(GRAPH, -1.0)
def asked(graph, x):
    near = graph[chosen(x)]
    keys = [k for k in near]
    return keys, list(near.values()), len(near), near.get("A", 7.0), "B" in near, max(near.values())


@programs(GRAPH, 0.5)
@programs(GRAPH, -1.0)
def copied(graph, x):
    near = graph[chosen(x)]
    return dict(near), {**near, "Q": x}, OrderedDict(near), near


@programs(LISTS, 2.0)
@programs(LISTS, 0.5)
def of_lists(graph, x):
    near = graph[chosen(x)]
    return near[0], near[1:], len(near), [w for v, w in near if v != "A"], [*near, ("Q", x)]


@programs(GRAPH, 0.5)
@programs(GRAPH, -0.5)
def with_a_name_that_is_missing(graph, x):
    return len(graph["A" if x > 0 else "nowhere"])


@programs(0.5)
@programs(-0.5)
@programs(-2.0)
def with_no_name(x):
    table = {"a": {"z": 1.0}, "b": {"y": 2.0, "z": 3.0}}
    return table["a" if x > 0 else "b" if x > -1 else None]["z"] * x


@programs(0.5)
@programs(-0.5)
def of_numbers_by_no_name(x):
    return {"a": 1.0, "b": 2.0}["a" if x > 0 else None] * x


@programs(1.5)
@programs(0.5)
def by_numbers(x):
    graph = {0: {1: 1.0}, 1: {2: 2.0, 0: 4.0}, 2: {}}
    total = 0.0
    for v, w in graph[int(x)].items():
        total += v * w
    return total


@programs(0.5)
@programs(2.0)
def changed_before(x):
    graph = {name: dict(near) for name, near in GRAPH.items()}
    graph["B"]["Z"] = x
    return graph[chosen(x)]


@programs(2.0, 0.5)
@programs(0.5, 0.5)
@programs(-1.0, 2.0)
def compared(x, y):
    a, b = chosen(x), chosen(y)
    return a < b, a <= b, a == b, a != b, a > b, a >= b, "B" < a


@programs(2.0)
@programs(-1.0)
def lists_of_its_own_grow(x):
    rows = {"A": [1.0], "B": [2.0, 3.0], "C": []}
    rows[chosen(x)].append(x)
    return rows


@programs.test
def test_one_of_several(call):
    call.run()


def put_into_it(graph, x):
    graph[chosen(x)]["Q"] = x
    return graph


def put_into_one_of_them(graph, x):
    near = graph[chosen(x)]
    graph["B"]["Q"] = x
    return near


def put_into_a_list(graph, x):
    graph[chosen(x)].append(("Q", x))
    return graph


def compared_as_objects(graph, x):
    return graph[chosen(x)] is graph["B"]


@pytest.mark.parametrize(
    "function, graph, id",
    [
        (put_into_it, GRAPH, "AG0320"),
        (put_into_one_of_them, GRAPH, "AG0320"),
        (put_into_a_list, LISTS, "AG0320"),
        (compared_as_objects, GRAPH, "AG0310"),
        (compared_as_objects, LISTS, "AG0310"),
    ],
)
def test_what_would_tell_a_copy_is_refused(function, graph, id):
    with pytest.raises(AutographError) as refused:
        ag.to_graph(function)(graph, 0.5)
    assert refused.value.id == id


def put_into_a_dict(graph, x):
    found = {"Q": 2.0}
    found.update(graph[chosen(x)])
    return found


def test_what_c_code_says_of_it_is_no_exception_of_python():
    with pytest.raises(AutographError):
        ag.to_graph(put_into_a_dict)(GRAPH, 0.5)


def weighed(w, x):
    graph = {"A": {"B": w[0]}, "B": {"C": w[1], "A": w[2]}, "C": {"A": w[3], "B": w[4]}}
    total, u = 0.0, chosen(x)
    for i in range(4):
        for v, q in graph[u].items():
            total = total + q * q * (i + 1)
        u = v
    return total


@pytest.mark.filterwarnings("ignore:'weighed' is computed for one lane")
@pytest.mark.parametrize("x", [2.0, 0.5, -1.0])
def test_derivatives_and_lanes(x):
    w = 0.3 * np.arange(5) + 0.2
    ag.check_grads(lambda w: weighed(w, x), (w,), order=2)
    rows, places = np.stack([w, 2.0 * w]), np.array([x, 0.5])
    found = ag.vmap(weighed)(rows, places)
    np.testing.assert_allclose(found, [weighed(v, p) for v, p in zip(rows, places)])
