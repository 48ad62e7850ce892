"""Numbers of several types in lists whose lengths only the run knows: each stays what it is."""

import heapq
from collections import deque

import numpy as np
import pytest

import autograph as ag
from autograph.staging.lists import text_elements
from tests.support.oracle import check

X = np.array([1.5, 2.0, 0.5, 3.25])


def exactly(function, *args):
    """Whether the compiled function gives the very numbers, each of its type."""
    found, expected = ag.to_graph(function)(*args), function(*args)
    return repr(found) == repr(expected)


def appended(n, x):
    xs = [0, True]
    for i in range(n):
        xs.append(i if i % 2 else x * i)
    return xs


def assigned(n, x):
    xs = [0] * n
    for i in range(n):
        if i % 3 == 1:
            xs[i] = x
    return xs


def among_mixed(n, x):
    xs = [1, 2, x]
    for i in range(n):
        xs[i % 3] = xs[(i + 1) % 3] * 2
    return xs


def of_numpy(n, x):
    xs = [0.5, 1]
    for i in range(n):
        xs.append(X[i])
    return xs, [v / 2 for v in xs]


def complex_ones(n, x):
    xs = [0]
    for i in range(n):
        xs.append(x if i % 2 else 1j)
    return xs


def operated(n, x):
    xs = [7]
    for i in range(n):
        xs.append(x)
    return [v // 2 for v in xs], [v % 2 for v in xs], [v**2 for v in xs], [-v for v in xs]


def asked(n, x):
    xs = [1]
    for i in range(n):
        xs.append(x)
    return [isinstance(v, int) for v in xs], [type(v) is float for v in xs]


def by_branches(n, x):
    if x > 1:
        xs = [i for i in range(n)]
    else:
        xs = [x * i for i in range(n)]
    xs.append(True)
    return xs, xs[0]


def joined(n, x):
    a, b = [i for i in range(n)], [x * i for i in range(n)]
    c = a + b
    a[1:2] = b[:2]
    return a, b + a, c, a * 2


def taken(n, x):
    xs = [0, 1, 2]
    for i in range(n):
        xs.insert(1, x)
    found = []
    while len(xs) > 1:
        found.append(xs.pop())
    return found, xs


def sorted_ones(n, x):
    xs = [0, 3]
    for i in range(n):
        xs.append(x + i)
    xs.sort(reverse=True)
    return xs, sorted(xs), min(xs), max(xs), sum(xs), list(reversed(xs))


def searched(n, x):
    xs = [0, 1]
    for i in range(n):
        xs.append(x)
    return xs.index(x), xs.count(1), 1.0 in xs, xs == [0, 1], xs < [0, 2]


def in_tuples(n, x):
    xs = []
    for i in range(n):
        xs.append((i, i if i % 2 else x))
    xs.sort(key=lambda pair: -pair[1])
    return xs, [b for _, b in xs]


def zipped(n, x):
    xs, ys = [0], [x]
    for i in range(n):
        xs.append(x)
        ys.append(i)
    return [(a, b) for a, b in zip(xs, ys)], [(i, a) for i, a in enumerate(xs)]


def of_lists(n, x):
    rows, pairs = [[0] * 3], [(0, [1, 2])]
    for i in range(n):
        rows.append([x] * 3)
        pairs.append((i, [x, x]))
    return rows, pairs, rows[0][1]


def of_dicts(n, x):
    rows = [{"a": 0, "b": [1, 2]}]
    for i in range(n):
        rows.append({"a": x, "b": [x, x]})
    return rows


def of_any_lengths(n, x):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i].append(i)
        rows[n - 1 - i].append(x)
    rows[0][0] = True
    return rows


def in_queues(n, x):
    waiting, heap = deque([0]), [3]
    for i in range(n):
        waiting.append(x)
        heapq.heappush(heap, x * i)
    found = []
    while waiting:
        found.append(waiting.popleft())
    while heap:
        found.append(heapq.heappop(heap))
    return found


class Cell:
    def __init__(self, held):
        self.held = held


def of_attributes(n, x):
    cells = []
    for i in range(n):
        cells.append(Cell(x if i % 2 else i))
    return [cell.held for cell in cells]


class Kept:
    def __init__(self):
        self.xs = [0]

    def add(self, x):
        self.xs.append(x)


def by_methods(n, x):
    kept = Kept()
    for i in range(n):
        kept.add(x if i % 2 else i)
    return kept.xs


def grown(xs, n, x):
    if n <= 0:
        return xs
    xs.append(x if n % 2 else n)
    return grown(xs, n - 1, x)


def by_recursion(n, x):
    return grown([0], n, x)


def by_recursion_that_sees_it(n, x):
    xs = [0]
    xs += [1 for _ in range(n)]

    def go(k):
        if k == 0:
            return 0
        xs.append(k)
        found = go(k - 1) + xs[0]
        xs[0] = x
        return found

    counts = [go(n)]
    xs.append(True)  # what a second call begins with has one more type
    counts.append(go(n - 1))
    xs.append(1j)
    counts.append(go(2))
    return xs, counts


class Halves:
    def __init__(self, size):
        self.size = size
        self.mass = 0.0
        self.parts = None

    def put(self, x, m):
        self.mass = self.mass + m
        if self.size < 0.2:
            return
        if self.parts is None:
            self.parts = [Halves(self.size / 2), Halves(self.size / 2)]
        self.parts[1 if x > self.size else 0].put(x / 2, m)

    def masses(self):
        found = [self.mass]
        if self.parts is not None:
            for part in self.parts:
                found += part.masses()
        return found


def of_objects_in_a_recursion(n, x):
    cell = Halves(1.0)
    for i in range(n):
        cell.put(x * i, np.float64(i))
    return cell.masses()


def of_a_dict(n, x):
    table = {}
    for i in range(n):
        table[i] = x if i % 2 else i
    return sorted(table.items()), list(table.values()), list(table)


def large(n, x):
    xs = [2**53 + 1, x]
    for i in range(n):
        xs.append(i)
    return xs, xs[0] + 2


def shown(n, x):
    xs = [0, 1]
    for i in range(n):
        xs.append(x)
    return str(xs), ", ".join([str(v) for v in xs]), [f"{v}!" for v in xs]


PROGRAMS = [
    appended,
    assigned,
    among_mixed,
    of_numpy,
    complex_ones,
    operated,
    asked,
    by_branches,
    joined,
    taken,
    sorted_ones,
    searched,
    in_tuples,
    zipped,
    of_lists,
    of_dicts,
    of_any_lengths,
    in_queues,
    of_attributes,
    by_methods,
    by_recursion,
    by_recursion_that_sees_it,
    of_objects_in_a_recursion,
    of_a_dict,
    large,
    shown,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_number_is_of_its_type(program):
    def through(counts, x):
        return program(int(counts[0]), x)

    assert exactly(program, 4, 0.5)
    assert exactly(through, np.array([3, 1]), 1.5)


def test_what_is_printed(capsys):
    def show(x):
        xs = [0]
        for v in x:
            xs.append(float(v))
        print(xs)
        for v in xs:
            print(v)

    show(X)
    expected = capsys.readouterr().out
    ag.to_graph(show)(X)
    assert capsys.readouterr().out == expected


def test_a_list_of_the_caller_keeps_what_it_holds():
    def add(xs, x):
        for i in range(3):
            xs.append(x)

    for length in (2, 30, 31):
        xs = [1] * length
        ag.to_graph(add)(xs, 0.5)
        assert repr(xs) == repr([1] * length + [0.5] * 3)


def test_what_numpy_makes_of_them_is_of_the_promoted_type():
    def arrays(x):
        xs = [0]
        for v in x:
            xs.append(v)
        return np.array(xs), np.sum(xs), np.mean(xs)

    check(arrays, X)


def powers(x):
    xs = [1]
    for v in x:
        xs.append(v * xs[-1])
    return xs


def total(x):
    xs = powers(x)
    return xs[-1] * xs[-1] + sum(xs)


def filled(x):
    xs = [0] * 4
    for i in range(1, 4):
        xs[i] = xs[i - 1] * x + x * x
    return xs[-1] * 1.0


def test_derivatives():
    ag.check_grads(total, (X,), order=2)
    ag.check_grads(filled, (0.5,), order=2)
    found, tangents = ag.jvp(powers, (X,), (np.ones(4),))
    assert repr(found) == repr(powers(X))
    assert tangents == ag.jvp(lambda x: np.array(powers(x)), (X,), (np.ones(4),))[1].tolist()


def test_lanes():
    lanes = np.stack([X, X + 1])
    found = ag.vmap(powers)(lanes)
    assert np.array_equal(np.array(found).T, [powers(x) for x in lanes])
    assert np.array_equal(ag.vmap(total)(lanes), [total(x) for x in lanes])
    expected = [ag.grad(total)(x) for x in lanes]
    assert np.allclose(ag.vmap(ag.grad(total))(lanes), expected)


def test_many_that_are_known_are_looked_at_once_for_each_class(monkeypatch):
    looked, as_number = [], text_elements.as_number
    monkeypatch.setattr(
        text_elements, "as_number", lambda *args: looked.append(0) or as_number(*args)
    )
    summed = lambda n, x: sum(assigned(n, x))
    assert ag.to_graph(summed)(3000, 0.5) == summed(3000, 0.5)
    assert 0 < len(looked) < 100


def test_saved(tmp_path):
    function = ag.to_graph(powers)
    function.save(tmp_path / "powers.ag", X)
    assert repr(ag.load(tmp_path / "powers.ag")(X)) == repr(powers(X))


def test_of_another_compiled_function():
    inner = ag.to_graph(powers)

    def outer(x):
        xs = inner(x)
        xs.append(2)
        return xs, xs[0]

    assert repr(ag.to_graph(outer)(X)) == repr(outer(X))
