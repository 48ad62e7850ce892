"""Attributes of the caller's objects that are tuples with objects in them, or lists of such; see
`autograph.staging.lists.given_tuples`."""

import heapq

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import object_forms
from autograph.errors import AutographError
from tests.support.objects_of_callers import agree


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(monkeypatch):
    monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)


class Node:
    def __init__(self, number, level):
        self.number = number
        self.level = level
        self.edges = []
        self.pair = None
        self.step = None

    def heaviest(self):
        found, most = self, 0.0
        for other, weight in self.edges:
            if weight > most:
                found, most = other, weight
        return found


class Spring:
    def __init__(self, ends, strength):
        self.ends = ends
        self.strength = strength


class Mass:
    def __init__(self, x):
        self.x = x
        self.force = 0.0


class Wall(Mass):
    def __init__(self, x):
        super().__init__(x)
        self.hits = 0


def graph(count, seed=0):
    rng = np.random.default_rng(seed)
    nodes = [Node(i, float(rng.normal())) for i in range(count)]
    for i, node in enumerate(nodes):
        others = [nodes[(i + 1) % count], *(nodes[j] for j in rng.integers(0, count, 2))]
        node.edges = [(other, float(w)) for other, w in zip(others, rng.uniform(1, 3, 3))]
        node.pair = nodes[i - 1], nodes[(i + 2) % count]
        node.step = nodes[(i + 1) % count], float(rng.uniform(1, 2))
    return nodes


def graphs():
    return [(graph(count, seed), t) for count, seed, t in ((4, 0, 2.5), (6, 1, 7.5), (2, 2, 0.5))]


# -- what is read ----------------------------------------------------------------------------------


def shortest(nodes, far):
    distance = [far * 1e9] * len(nodes)
    distance[0] = 0.0
    for _ in range(len(nodes)):
        for node in nodes:
            for other, weight in node.edges:
                if distance[node.number] + weight < distance[other.number]:
                    distance[other.number] = distance[node.number] + weight
    return distance


def shortest_by_a_queue(nodes, far):
    distance = [far * 1e9] * len(nodes)
    distance[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        d, i = heapq.heappop(queue)
        if d > distance[i]:
            continue
        for other, weight in nodes[i].edges:
            if d + weight < distance[other.number]:
                distance[other.number] = d + weight
                heapq.heappush(queue, (d + weight, other.number))
    return distance


def heaviest_way(nodes, far):
    node, gone = nodes[0], 0.0
    while gone < far:
        node = node.heaviest()
        gone += 1.0 + abs(node.level)
    return node.number, gone


def by_steps(nodes, far):
    node, gone = nodes[0], 0.0
    while gone < far:
        node, length = node.step
        gone += length
    return node, gone


def by_pairs(nodes, far):
    node = nodes[0]
    for _ in range(7):
        left, right = node.pair
        node = left if left.level * far > right.level else right
    return node.number


def reached(nodes, far):
    seen, stack = [False] * len(nodes), [nodes[0]]
    order = []
    while stack:
        node = stack.pop()
        if seen[node.number]:
            continue
        seen[node.number] = True
        order.append(node.level)
        for other, weight in node.edges:
            if weight < far:
                stack.append(other)
    return order


def of_the_last_edge(nodes, far):
    node, total = nodes[0], 0.0
    for i in range(5):
        other, weight = node.edges[i % len(node.edges)]
        total += weight * len(node.edges) + node.edges[-1][1]
        node = other
    return total


def in_several_ways(nodes, far):
    total = 0.0
    for node in nodes:
        for _, weight in node.edges[1:]:
            total += weight
        for other, weight in reversed(node.edges):
            total = total * far + weight * other.level
        for other, weight in sorted(node.edges, key=lambda edge: -edge[1]):
            total = total / 2 + weight * other.level
        total += max(node.edges, key=lambda edge: edge[1])[1] + sum(w for _, w in node.edges)
    return total, {node.number: [w for _, w in node.edges] for node in nodes}


def the_edge_itself(nodes, far):
    node, count = nodes[0], 0
    while count < far:
        edge = node.edges[0]
        node = edge[0]
        count += 1
        if edge[0] is nodes[0]:
            count += 2
    return edge, node


def looked_for(nodes, far):
    node = nodes[0]
    for _ in range(4):
        node = next((o for o, w in node.edges if w < far), nodes[-1])
    return node


@pytest.mark.parametrize(
    "function",
    [
        *(shortest, shortest_by_a_queue, heaviest_way, by_steps, by_pairs, reached),
        *(of_the_last_edge, looked_for, in_several_ways, the_edge_itself),
    ],
)
def test_edges_and_pairs_are_read(function):
    agree(function, graphs(), recordings=1)


def test_there_may_be_no_edges():
    def no_edges(nodes, far):
        nodes[1].edges = []
        return nodes, far

    agree(reached, [*graphs(), no_edges(*graphs()[0])])
    agree(reached, [([Node(0, 1.0), Node(1, 2.0)], 1.0), *graphs()])


# -- what is changed -------------------------------------------------------------------------------


def adds(nodes, far):
    for node in nodes:
        if node.level < far:
            node.edges.append((nodes[0], node.level))


def takes(nodes, far):
    for node in nodes:
        if node.level * far < 0.5:
            node.edges.pop()
    return [len(node.edges) for node in nodes]


def weighs(nodes, far):
    for node in nodes:
        for i in range(len(node.edges)):
            other, weight = node.edges[i]
            node.edges[i] = (other, weight * far)


def forgets(nodes, far):
    for node in nodes:
        if node.level < far:
            node.edges = []
    nodes[0].edges.append((nodes[1], far))


def keeps(nodes, far):
    for node in nodes:
        node.edges = [(o, w) for o, w in node.edges if w < far]


def exchanges(nodes, far):
    first, last = nodes[0], nodes[-1]
    for node in nodes:
        if node.level < far:
            first.edges, node.edges = node.edges, first.edges
    first.edges.append((last, far))


def turns(nodes, far):
    for node in nodes:
        left, right = node.pair
        if left.level > right.level:
            node.pair = right, left
        node.step = node, far


def goes_on(nodes, far):
    for node in nodes:
        if node.level < far:
            node.step = node.step[0].step


def extends(nodes, far):
    for node in nodes:
        if node.level < far:
            node.edges.extend(nodes[0].edges)
            node.edges.insert(0, (node, far))
            del node.edges[1]
            node.edges += [(node, 1.0)]


def sorts(nodes, far):
    for node in nodes:
        if node.level < far:
            node.edges.sort(key=lambda edge: edge[1])


def clears(nodes, far):
    shared = nodes[0].edges
    for node in nodes:
        if node.level < far:
            node.edges.clear()
            node.edges = shared
    shared.append((nodes[0], far))


def gives_edges(nodes, far):
    node = nodes[0]
    for other in nodes:
        if other.level * far > node.level:
            node = other
    node.edges.append((node, far))
    return node.edges


@pytest.mark.parametrize(
    "function",
    [
        *(adds, takes, weighs, forgets, keeps, exchanges, turns, goes_on, gives_edges),
        *(extends, sorts, clears),
    ],
)
def test_edges_and_pairs_are_changed(function):
    agree(function, graphs())


def test_numbers_keep_their_types():
    def whole(nodes, far):
        for node in nodes:
            if node.level < far:
                node.step = node.step[0], 2

    agree(whole, graphs())

    def whole_edges(nodes, far):
        for node in nodes:
            if node.level < far:
                node.edges.append((node, 2))

    with pytest.raises(AutographError, match=r"AG0355.*of type float .* becomes one of type int"):
        ag.to_graph(whole_edges)(*graphs()[0])


def test_a_list_of_edges_is_the_one_that_it_is():
    def f(nodes, edges, far):
        for node in nodes:
            if node.level < far:
                node.edges.append((nodes[-1], far))
        return edges, len(edges)

    calls = []
    for nodes, far in graphs():
        nodes[1].edges = nodes[0].edges
        calls.append((nodes, nodes[0].edges, far))
    agree(f, calls)


def test_what_was_before_an_exception_stays():
    def f(nodes, far):
        node = nodes[0]
        while node.level < 1e9:
            node.level += far
            node = node.edges[5][0] if node.level > far else node.edges[0][0]

    agree(f, [(nodes, -9.0) for nodes, _ in graphs()])


# -- beside other classes --------------------------------------------------------------------------


def springs(count, with_wall=False):
    rng = np.random.default_rng(count)
    masses = [Mass(float(rng.normal())) for _ in range(count)]
    first = Wall(-5.0) if with_wall else masses[0]
    ends = [(first, masses[0]), *zip(masses, masses[1:])]
    return [Spring(pair, float(rng.uniform())) for pair in ends]


def pull(springs, dt):
    for spring in springs:
        a, b = spring.ends
        force = spring.strength * (b.x - a.x)
        a.force += force * dt
        b.force -= force * dt
    return springs[-1].ends[1].force


def strongest(springs, dt):
    found = springs[0]
    for spring in springs:
        if spring.strength * dt > found.strength:
            found = spring
    found.ends[0].x += dt
    return found.ends[1], found


@pytest.mark.parametrize("function", [pull, strongest])
@pytest.mark.parametrize("with_wall", [False, True])
def test_ends_of_springs(function, with_wall):
    agree(function, [(springs(count, with_wall), dt) for count, dt in ((3, 0.5), (5, 1.5))])


def test_calls_with_and_without_another_class():
    agree(strongest, [(springs(3, wall), 0.5) for wall in (False, True, False)])


def test_derivatives_and_lanes_beside_edges():
    def f(x, nodes):
        node, total = nodes[0], 0.0
        for _ in range(4):
            for other, weight in node.edges:
                total += x * weight * other.level
                if x * other.level > node.level:
                    node = other
        return total * x

    nodes, x = graph(5), 0.7
    step = 1e-6
    slope = (f(x + step, nodes) - f(x - step, nodes)) / (2 * step)
    assert np.allclose(ag.grad(f)(x, nodes), slope)
    assert np.allclose(ag.grad(ag.grad(f))(x, nodes), 2 * f(x, nodes) / x**2)
    xs = np.array([0.3, -0.5, 1.1])
    assert np.allclose(ag.vmap(f, in_axes=(0, None))(xs, nodes), [f(x, nodes) for x in xs])


def weight_of_all(nodes):
    total = 0.0
    for node in nodes:
        for _, weight in node.edges:
            total += weight
    return total


def weight_at(nodes):
    total = 0.0
    for other, weight in nodes[int(nodes[0].level)].edges:
        total += weight * other.level
    return total


def first_that_weighs(nodes):
    for node in nodes:
        for other, weight in node.edges:
            if weight > 0.75:
                return other.level + weight
    return -1.0


@pytest.mark.parametrize("program", [weight_of_all, weight_at, first_that_weighs])
def test_no_object_has_an_edge(program):
    compiled = ag.to_graph(program)
    for count, has_edges in ((3, True), (4, True), (5, True), (2, False), (3, False), (4, True)):
        nodes = [Node(i, float(i % 2)) for i in range(count)]
        if has_edges:
            nodes[0].edges = [(nodes[1], 0.5), (nodes[2], 1.5)]
        assert compiled(nodes) == program(nodes)


def test_calls_are_as_before_after_one_that_is_refused():
    compiled = ag.to_graph(weight_at)
    nodes = [Node(i, 1.0) for i in range(4)]
    nodes[1].edges = [(nodes[2], 0.5), (nodes[3], 1.5)]
    for _ in range(3):
        assert compiled(nodes) == weight_at(nodes) == 2.0
    nodes[1].edges, nodes[2].edges = [nodes[2]], [(nodes[3], 2.0)]
    for _ in range(2):
        with pytest.raises((AutographError, TypeError)):
            compiled(nodes)
    nodes[1].edges = [(nodes[3], 2.0)]
    assert compiled(nodes) == weight_at(nodes) == 2.0
    nodes.append(Node(4, 3.0))
    nodes[1].edges += [(nodes[4], 1.0)]
    assert compiled(nodes) == weight_at(nodes) == 5.0
