"""The methods of lists whose length is known only at run time, and heaps."""

import heapq

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.errors import AutographError, LoopStateError
from tests.support.oracle import Programs, check, check_grad
from tests.support.refusals import refused

programs = Programs()


def halves(n):
    xs = []
    i = 0
    while i < n:
        xs.append((i * 7 % 5) * 0.5)
        i += 1
    return xs


@programs(5)
def searched(n):
    xs = halves(n)
    return xs.index(1.0), xs.index(1.0, 1), xs.count(0.5), 1.0 in xs, 9.0 not in xs


@programs(2)
def searched_in_vain(n):
    return halves(n).index(9.0)


@programs(4)
def removed(n):
    xs = halves(n)
    xs.remove(1.0)
    return xs


@programs(4, 2)
@programs(4, -1)
@programs(4, -9)
@programs(4, 99)
def inserted(n, k):
    xs = halves(n)
    xs.insert(k, 7.0)
    return xs


@programs(5, 2)
@programs(5, -2)
@programs(5, 0)
@programs(5, 4)
@programs(5, 7)
@programs(5, -6)
def popped_anywhere(n, k):
    xs = halves(n)
    value = xs.pop(k)
    return value, xs


@programs(5)
def slices_assigned(n):
    xs, ys, zs = halves(n), halves(n), halves(n)
    same = xs
    xs[1:3] = [9.0, 8.0, 7.0, 6.0]
    ys[::2] = [9.0, 8.0, 7.0]
    zs[n - 2 :] = halves(2)
    return same, ys, zs


@programs(5)
def slices_deleted(n):
    xs, ys = halves(n), halves(n)
    del xs[1:3], ys[::2]
    return xs, ys, xs[1 : n - 2], ys[::-1]


@programs(5)
@programs(0)
def sorted_lists(n):
    xs = halves(n)
    xs.sort(key=lambda v: (v - 1) ** 2)
    return xs, sorted(halves(n)), sorted(halves(n), reverse=True)


@programs(5)
def sorted_pairs(n):
    pairs = []
    i = 0
    while i < n:
        pairs.append((i * 3 % 2, i))
        i += 1
    return sorted(pairs), sorted(pairs, key=lambda p: p[0], reverse=True)


@programs(3, 2)
@programs(3, -1)
def repeated_and_compared(n, k):
    xs = halves(n)
    return xs * k, 2 * xs, xs == halves(n), xs != xs[:-1], xs == [0.0, 1.0], [0.0, 1.0, 2.0] == xs


@programs(3, np.array(2))
@programs(3, np.int64(2))
def multiplied_by_an_array(n, k):
    """An array without axes multiplies the elements, a scalar repeats them."""
    xs = halves(n)
    ys = halves(n)
    ys *= k
    return xs * k, k * xs, ys


@programs(3, np.int64(2))
@programs(3, np.uint8(2))
@programs(3, 2)
def multiplied_by_a_known_number(n, k):
    """A scalar of NumPy's to the left repeats a list; its ufuncs multiply the elements."""
    ones = [1.0] * k  # makes `k` known
    ys = halves(n)
    return k * ones, k * ys, np.multiply(k, ones), np.multiply(k, ys), np.add(k, ones)


@programs(5)
def gone_through(n):
    xs = halves(n)
    both = list(zip(xs, reversed(xs)))
    more = halves(2)
    more.extend(v * 2 for v in xs)
    return both, list(map(lambda v: v + 1, xs)), more, list(enumerate(xs)), list(xs) is xs


@programs(np.array([1.0, 2.0]), 3)
def sum_of_arrays(x, n):
    xs = []
    i = 0
    while i < n:
        xs.append(x * i)
        i += 1
    return sum(xs)


@programs.smooth(2.3)
def gradient_through_list_methods(x):
    xs = []
    while x > 0.1:
        xs.insert(len(xs) // 2, np.sin(x * 3))
        x = x * 0.6
    v = xs.pop(2)
    xs[1:2] = [v, v * v]
    del xs[0]
    xs.sort()
    total = 0.0
    for i, v in enumerate(xs * 2):
        total += i * v * v
    return total


@programs(np.array([3, 1, 2, 5, 1]))
def insertion_sort(values):
    out, distinct = [], []
    for v in values:
        i = 0
        while i < len(out) and out[i] < v:
            i += 1
        out.insert(i, v)
        if v not in distinct:
            distinct.append(v)
    return out, distinct


GRAPH = np.array([[0.0, 4.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 5.0], [0.0] * 4])


@programs(GRAPH)
def breadth_first(graph):
    order, queue, seen = [], [0], [0]
    while queue:
        u = queue.pop(0)
        order.append(u)
        for v in range(4):
            if graph[u, v] > 0 and v not in seen:
                seen.append(v)
                queue.append(v)
    return order


@programs(GRAPH)
def dijkstra(graph):
    distance = np.full(4, np.inf)
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v in range(4):
            if graph[u, v] > 0 and d + graph[u, v] < distance[v]:
                distance[v] = d + graph[u, v]
                heapq.heappush(heap, (distance[v], v))
    return distance


@programs(6)
def heaps_lie_as_in_python(n):
    xs = halves(n)
    heapq.heapify(xs)
    heapq.heappush(xs, 0.7)
    first = heapq.heappop(xs), heapq.heappushpop(xs, 0.1), heapq.heapreplace(xs, 0.3)
    return xs, first, heapq.nsmallest(2, xs), heapq.nlargest(2, xs)


class Particles:
    def __init__(self):
        self.energies = []
        self.count = 0


@programs(2.0, 5)
def list_of_an_object_in_a_branch_of_a_loop(x, n):
    particles = Particles()
    for i in range(n):
        if i % 2 == 0:
            particles.energies.append(x * i)
            particles.count += 1
    return particles.energies, particles.count


@programs.test
def test_list_methods(call):
    call.run()


def test_elements_of_two_structures():
    def f(n):
        xs, pairs = halves(n), []
        i = 0
        while i < n:
            pairs.append((i, 2.0))
            i += 1
        xs.extend(pairs)
        return xs

    assert "structure" in refused(LoopStateError, f, 3)


def test_lists_of_numbers_are_ordered():
    def compared(n, m):
        a, b = halves(n), halves(m)
        return a < b, a <= b, a > b, a >= b, a < a, a >= a, a < [100.0], a[:1] < a

    for n, m in ((3, 4), (4, 3), (8, 9), (5, 5), (1, 7)):
        check(compared, n, m)


def test_lists_of_tuples_are_not_ordered():
    def compared(n):
        a = [(v, v) for v in halves(n)]
        return a < a[1:]

    assert "ordering" in refused(AutographError, compared, 3)


def leaves_of_a_list(x):
    parts = [x, 2 * x]
    if x > 1:
        parts.append(3 * x)
    else:
        parts.append(x)
    return sum(optree.tree_leaves({"parts": parts, "x": x}))


def test_a_library_that_looks_at_classes_gets_pythons_lists():
    check(leaves_of_a_list, 2.0)
    check_grad(leaves_of_a_list, 2.0)


def leaves_of_a_growing_list(x):
    parts = []
    while x > 0.5:
        parts.append(x * x)
        x = x / 2
    return sum(optree.tree_leaves(parts))


def test_such_a_library_and_a_list_of_unknown_length():
    with pytest.raises(ag.errors.ConcreteValueError, match="whose length is known only"):
        ag.to_graph(leaves_of_a_growing_list)(5.0)


# -- numbers of different types --------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, -1])
def test_an_element_of_a_list_of_ints_and_floats(index):
    def weighted(x, places):
        weights = [0, 0.5, 1]
        total = 0.0
        for i in places:
            total = total + weights[i] * x
        return total, weights[places[0]] * x

    check(weighted, 3.0, np.array([index, 1, 2]))


def test_an_element_of_a_list_of_tuples_of_ints_and_floats():
    def moved(x, places):
        steps = [(0, 1.0), (1, 0), (0.5, -1)]
        a, b = steps[places[0]]
        return x + a * 2.0 + b

    check(moved, 3.0, np.array([1, 2]))


def test_an_element_of_a_mixed_list_where_the_loop_can_be_unrolled():
    """There each element is of its own type."""

    def listed(x):
        weights = [0, 0.5, x]
        return [weights[i] for i in range(3)], [weights[2 - i] for i in range(3)]

    check(listed, 3.0)
    check(listed, 3)


def test_a_list_of_numbers_and_flags():
    check(lambda places: [True, 2][places[0]], np.array([0]))
    check(lambda places: [True, 2][places[0]], np.array([1]))
