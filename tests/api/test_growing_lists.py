"""Lists that loops append to, pop from and read, with known and unknown numbers of trips."""

import heapq

import numpy as np
import pytest
from oracle import Programs

import autograph as ag
from autograph.errors import AutographError, LoopStateError, MutationError

programs = Programs()

H = np.array([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])


# -- appending -------------------------------------------------------------------------------------


@programs.smooth(np.array([0.3, -0.2, 0.7]))
def stacked(xs):
    ys = []
    for x in xs:
        ys.append(np.sin(x) * x)
    return np.sum(np.stack(ys) ** 2)


@programs(5.0)
@programs(0.1)
def unknown_length(x):
    ys = []
    while x > 0.5:
        ys.append(x)
        x = x / 2
    return np.array(ys), len(ys)


@programs.smooth(5.0)
def gradient_through_an_unknown_length(x):
    ys = []
    v = x
    while v > 0.5:
        ys.append(v * v)
        v = v / 2
    return np.sum(np.array(ys) * x)


@programs.smooth(np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([0.5, 0.6]))
def recurrent_net(w, h):
    hs = [h]
    for _ in range(5):
        hs.append(np.tanh(w @ hs[-1]))
    return np.sum(np.stack(hs))


@programs(H, 4)
def states_of_a_loop(h, n):
    hs = []
    for t in range(n):
        h = np.tanh(h + t)
        hs.append(h)
    return np.stack(hs), hs[0], hs[-1], len(hs), hs[1:3]


@programs.smooth(np.array([0.3, -0.2, 0.7]))
@programs.smooth(np.array([-0.3, -0.2, -0.7]))
def those_that_pass(xs):
    ys = []
    for x in xs:
        if x > 0:
            ys.append(x * x)
    return sum(ys) + 0.0 * xs[0]


@programs(np.arange(4.0))
def sorted_into_two(xs):
    low, high = [], []
    for x in xs:
        if x > 1.5:
            high.append(x)
        else:
            low.append(-x)
    return low, high


@programs(3.0)
def reads_its_last_elements(x):
    ys = [x, x]
    for _ in range(5):
        ys.append(ys[-1] + ys[-2])
    return ys


@programs(np.arange(4.0))
def pairs(xs):
    out = []
    for i, x in enumerate(xs):
        out.append((i, x))
    total = 0.0
    for i, x in out:
        total += i * x
    return total, out


@programs(np.arange(4.0))
def more_trips_than_python_would_unroll(xs):
    history = []
    x = xs.copy()
    for _ in range(300):
        x = x * 0.9
        history.append(np.sum(x))
    return np.array(history)[-1], history[10]


@programs(np.array([1.0, 2.0]))
def extended(xs):
    ys = [xs[0]]
    for x in xs:
        ys.extend([x, x * 2])
        ys += [x]
    return ys


@programs(4.0)
def leaves_with_the_list(x):
    seen = []
    while True:
        seen.append(x)
        if x < 1:
            return seen, x
        x -= 1


@programs(4)
def list_in_an_inner_loop(n):
    total = 0
    for i in range(n):
        row = []
        for j in range(3):
            row.append(i * j)
        total += sum(row)
    return total


@programs([1.0, 2.0], 3)
def concatenated(xs, n):
    ys = []
    i = 0
    while i < n:
        ys = ys + [float(i)]
        i += 1
    return xs + ys


# -- popping ---------------------------------------------------------------------------------------


@programs(6)
def stack_machine(n):
    stack = [n]
    total = 0
    while stack:
        k = stack.pop()
        total += k
        if k > 1:
            stack.append(k - 1)
            stack.append(k // 2)
    return total


@programs.smooth(2.0)
def differentiable_stack(x):
    stack = [x]
    total = 0.0
    while stack:
        v = stack.pop()
        total += v * v
        if v > 0.6:
            stack.append(v / 2)
            stack.append(v / 3)
    return total


@programs(5)
def queue(n):
    waiting = [n]
    seen = 0
    while len(waiting) > 0 and seen < 20:
        k = waiting.pop(0)
        seen += 1
        if k > 0:
            waiting.append(k - 1)
            waiting.append(k - 2)
    return seen, len(waiting)


@programs(2)
@programs(5)
def pops_too_often(n):
    xs = [1.0]
    i = 0
    while i < 3:
        xs.append(2.0)
        i += 1
    while i < n + 3:
        xs.pop()
        i += 1
    return len(xs)


@programs(3)
@programs(-9)
def index_out_of_range(k):
    xs = []
    i = 0
    while i < 3:
        xs.append(float(i))
        i += 1
    return xs[k]


@programs(np.array([1, 2, 0, 3, 0, 4, 5]))
def tokens(codes):
    out = []
    current = []
    for c in codes:
        if c == 0:
            out.append(sum(current))
            current = []
        else:
            current.append(c)
    return out, current


@programs(np.array([3.0, 1.0, 2.0, 5.0, 4.0]))
def monotone_stack(xs):
    stack = []
    out = 0.0
    for v in xs:
        while stack and stack[-1] > v:
            out += stack.pop()
        stack.append(v)
    return out, len(stack)


@programs(np.array([3, 4, -1, 2, -1]))
def reverse_polish(codes):
    stack = []
    for c in codes:
        if c == -1:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
        else:
            stack.append(c)
    return stack[-1]


@programs(3)
def truth_of_a_list_in_an_operand(n):
    stack = []
    i = 0
    while i < 3:
        stack.append(2.0)
        i += 1
    while n < 8 and stack:
        stack.pop()
        n += 1
    return n, len(stack)


# -- elements --------------------------------------------------------------------------------------


@programs(np.array([3.0, 1.0, 2.0]))
def bubble_sort(xs):
    ys = list(xs)
    n = len(ys)
    for i in range(n):
        for j in range(n - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys


@programs(10)
def sieve(n):
    flags = [True] * 11
    primes = []
    for i in range(2, n + 1):
        if flags[i]:
            primes.append(i)
            for j in range(i * i, 11, i):
                flags[j] = False
    return primes


@programs(4)
def elements_replaced(n):
    xs = []
    for i in range(n):
        xs.append(i * 1.0)
    i = 0
    while i < n:
        xs[i] = xs[i] * xs[-1]
        i += 1
    return xs


@programs(np.arange(5.0))
def comprehension_over_an_array(xs):
    squares = [x * x for x in xs if x > 1]
    table = [[x * y for y in xs[:2]] for x in xs[:3]]
    return squares, table, sum(x for x in xs)


@programs(np.arange(3.0))
def copies_of_an_array_that_changes(x):
    ys = []
    for _ in range(3):
        x += 1
        ys.append(x.copy())
    return np.array(ys)


@programs(np.arange(3.0), True)
@programs(np.arange(3.0), False)
def joined_by_numpy(x, wide):
    rows = []
    for i in range(3):
        rows.append(x * i)
    if wide:
        return np.hstack(rows), np.column_stack(rows), np.stack(rows, axis=1)
    return np.vstack(rows), np.concatenate(rows), np.mean(rows), np.max(rows, axis=0)


# -- what lists of unknown length can do -----------------------------------------------------------


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


# -- lists of lists --------------------------------------------------------------------------------


@programs.smooth(np.array([0.3, -0.2]), 3)
def rows_of_a_loop(x, n):
    rows = []
    for i in range(n):
        row = []
        for v in x:
            row.append(v * i)
        rows.append(row)
    return np.sum(np.array(rows) ** 2) + rows[1][0] * rows[-1][1] + len(rows[0])


@programs(3, 4)
def table(n, m):
    rows = [[i * j + 0.5 for j in range(m)] for i in range(n)]
    total = 0.0
    for row in rows:
        for v in row:
            total += v
    return rows, np.array(rows), total, len(rows[0]), [sum(row) for row in rows]


@programs(np.array([[1.0, 2.0], [3.0, 4.0]]))
def three_dimensions(m):
    cube = [[[a * b for a in row] for b in row] for row in m]
    return cube, np.array(cube), cube[1][0][1], [[row[j] for row in m] for j in range(2)]


@programs(4)
def edges(n):
    found = []
    for i in range(n):
        for j in range(i):
            if (i + j) % 2 == 1:
                found.append([i, j, i * 0.5])
    total = 0.0
    for a, b, weight in found:
        total += a * b * weight
    return total, found


@programs(3)
def dicts_and_tuples_of_lists(n):
    records, mixed = [], []
    i = 0
    while i < n:
        records.append({"a": i * 0.5, "b": i})
        mixed.append(([i, i * 2], i * 0.5))
        i += 1
    return records, records[-1]["a"], mixed, mixed[1][0][1]


class Point:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def energy(self):
        return self.x * self.v


@programs.smooth(1.5, 3)
def list_of_objects(x, n):
    points = []
    for i in range(n):
        points.append(Point(i * x, x))
    total = 0.0
    for point in points:
        total += point.energy()
    return total


@programs(3)
def copies_of_a_list_that_changes(n):
    rows, row = [], [0, 0]
    i = 0
    while i < n:
        row[0] = i
        rows.append(list(row))
        i += 1
    return rows


# -- iterators -------------------------------------------------------------------------------------


@programs(3)
@programs(5)
def next_in_a_loop(n):
    it = iter([1.0, 2.0, 3.0, 4.0])
    total = 0.0
    i = 0
    while i < n:
        total += next(it, -1.0)
        i += 1
    return total


@programs(5.0)
@programs(0.5)
def iterator_left_in_the_middle(x):
    it = iter(np.arange(5.0) * x)
    total = next(it)
    for v in it:
        total += v
        if total > 10:
            break
    return total, next(it, np.float64(-1.0))


@programs(2.0)
@programs(-2.0)
def next_in_a_branch(x):
    it = iter([1.0, 2.0])
    if x > 0:
        next(it)
    return next(it)


def multiples(n, x):
    for i in range(n):
        print("multiple", i)
        yield i * x


@programs(3.0)
def generator_of_the_users(x):
    total = 0.0
    for v in multiples(3, x):
        total += v
    return total, sum(multiples(4, x)), list(multiples(2, x))


@programs.test
def test_growing_lists(call):
    call.run()


def test_the_graph_does_not_grow_with_the_trips():
    @ag.to_graph
    def history(x, n):
        xs = []
        for _ in range(n):
            x = x * 0.5
            xs.append(x)
        return np.stack(xs)

    def size(n):
        return len(str(history.graph(1.0, n)))

    assert size(2000) < size(20) + 20
    assert history(1.0, 2000).shape == (2000,)


# -- what is refused -------------------------------------------------------------------------------


def refused(error, function, *args):
    with pytest.raises(error, match="Fix: ") as caught:
        ag.to_graph(function)(*args)
    assert isinstance(caught.value, AutographError)
    return str(caught.value)


def test_an_array_that_changes_is_appended():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            x += 1
            ys.append(x)
            i += 1
        return ys

    assert "xs.append(x.copy())" in refused(MutationError, f, np.arange(3.0), 3)


def test_an_element_is_changed_in_place():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            ys.append(x * i)
            i += 1
        ys[0][0] = 5.0
        return ys

    assert "in place" in refused(MutationError, f, np.arange(3.0), 3)


def test_elements_of_two_shapes():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            if i > 1:
                ys.append(x[0])
            else:
                ys.append(x)
            i += 1
        return ys

    refused(AutographError, f, np.arange(3.0), 3)


def test_an_iterator_advanced_in_a_branch():
    def f(x):
        z = zip([1, 2], [3, 4])
        a = 0
        if x > 0:
            a, _ = next(z)
        return a

    assert "zip" in refused(MutationError, f, 1.0)


def test_an_iterator_from_outside():
    numbers = (k for k in range(3))
    assert "generator" in refused(MutationError, lambda x: x + next(numbers), 1.0)


def test_a_list_of_texts_grows():
    def f(n):
        names = []
        i = 0
        while i < n:
            names.append("a")
            i += 1
        return names

    refused(LoopStateError, f, 3)


# A list that holds a copy of something must not be used after that has changed, or differ from it.


def first_element_changed(x, n):
    x = x.copy()
    xs = [x]
    for i in range(n):
        xs.append(x * i)
    x[0] = 99.0
    return xs


def element_of_a_branch_changed(x, n):
    x = x.copy()
    xs = []
    if n > 2:
        xs.append(x)
    x[0] = 99.0
    return xs


def row_changed_after_the_loop(x, n):
    row, rows = [0, 0], []
    i = 0
    while i < n:
        rows.append(row)
        i += 1
    row[0] = 5
    return rows


def row_changed_in_the_loop(x, n):
    row, rows = [0, 0], []
    i = 0
    while i < n:
        row[0] = i
        rows.append(row)
        i += 1
    return rows


def last_row_changed(x, n):
    rows = []
    i = 0
    while i < n:
        row = [i, i]
        rows.append(row)
        i += 1
    row[0] = 100
    return rows


def row_of_a_branch_changed(x, n):
    row, other, rows = [1, 2], [3, 4], []
    if n > 2:
        rows.append(row)
        chosen = row
    else:
        chosen = other
    chosen[0] = 9
    return rows


def row_changed_where_it_is(x, n):
    rows = []
    i = 0
    while i < n:
        rows.append([i, 0])
        i += 1
    rows[0][1] = 5
    return rows


def dict_changed_where_it_is(x, n):
    rows = []
    i = 0
    while i < n:
        rows.append({"a": i})
        i += 1
    rows[0]["a"] = 5
    return rows


@pytest.mark.parametrize(
    "function",
    [
        first_element_changed,
        element_of_a_branch_changed,
        row_changed_after_the_loop,
        row_changed_in_the_loop,
        last_row_changed,
        row_of_a_branch_changed,
        row_changed_where_it_is,
        dict_changed_where_it_is,
    ],
)
def test_an_element_is_changed_of_which_rows_hold_a_copy(function):
    assert "AG0320" in refused(MutationError, function, np.arange(3.0), 3)


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


def test_lists_are_not_ordered():
    assert "ordering" in refused(AutographError, lambda n: halves(n) < halves(n + 1), 3)


def test_lists_of_different_lengths_in_a_list():
    f = lambda n: [[i * j for j in range(i)] for i in range(n)]
    assert "list of lists" in refused(LoopStateError, f, 3)


def test_whether_an_element_is_the_same():
    def f(n):
        rows, row = [], [0, 0]
        i = 0
        while i < n:
            rows.append(row)
            i += 1
        return rows[0] is row

    assert "AG0310" in refused(AutographError, f, 3)
