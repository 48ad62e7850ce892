"""``sorted`` and ``list.sort`` by ``__lt__`` of a class, and by ``functools.cmp_to_key``."""

import functools
import math

import numpy as np
import pytest

import autograph as ag
from tests.support.objects_of_callers import agree
from tests.support.oracle import Programs, check, check_grad

programs = Programs()
RNG = np.random.default_rng(0)


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __lt__(self, other):
        return self.x < other.x


def turn(p, q):
    """No order: it goes round."""
    return p[0] * q[1] - p[1] * q[0]


def by_both(p, q):
    if p[0] != q[0]:
        return -1 if p[0] < q[0] else 1
    return q[1] - p[1]


def points(xy):
    by_x = sorted([Point(x, y) for x, y in xy])
    falling = sorted((Point(x, y) for x, y in xy), reverse=True)
    upper = [Point(x, y) for x, y in xy if y > 0]
    upper.sort()
    return [p.y for p in by_x], [p.y for p in falling], [p.y for p in upper]


def pairs(xy):
    rows = xy.tolist()
    tuples = [(x, y) for x, y in rows]
    around = sorted(rows, key=functools.cmp_to_key(turn))
    rows.sort(key=functools.cmp_to_key(by_both), reverse=True)
    return around, rows, sorted(tuples, key=functools.cmp_to_key(by_both))


def of_unknown_length(xy):
    found = [Point(y, x) for x, y in xy if y > -9]
    falling = [p.y for p in sorted((Point(y, x) for x, y in xy if y > -9), reverse=True)]
    return [p.y for p in sorted(found)], falling, max(found).y


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 30])
def test_orders_are_pythons(count):
    xy = RNG.integers(-3, 4, size=(count, 2)).astype(float)
    check(points, xy)
    check(pairs, xy)
    if count:
        check(of_unknown_length, xy)


@programs(np.array([3.0, 1.0, 2.0, 1.0]))
def of_numbers(x):
    return sorted(x.tolist(), key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))


@programs(RNG.normal(size=(9, 2)))
def hull(xy):
    start = min([Point(x, y) for x, y in xy])
    rest = sorted(xy.tolist(), key=lambda p: math.atan2(p[1] - start.y, p[0] - start.x))
    kept = []
    for p in rest:
        while len(kept) >= 2:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                break
            kept.pop()
        kept.append((p[0], p[1]))
    return kept


@programs.test
def test_programs(call):
    call.run()


def test_a_derivative_by_what_is_sorted():
    def weighted(xy):
        found = sorted([Point(x, y) for x, y in xy])
        return sum((k + 1) * p.y * p.x for k, p in enumerate(found))

    check_grad(weighted, RNG.normal(size=(5, 2)))


@pytest.mark.parametrize("key", [lambda p: p, lambda p: (p.x, p)])
def test_objects_that_a_key_gives_are_refused_in_lists_of_unknown_length(key):
    """They are not ordered by their attributes."""

    def f(xy):
        return [p.y for p in sorted([Point(x, y) for x, y in xy if y > -9], key=key)]

    with pytest.raises(ag.errors.ConcreteValueError, match="AG0338"):
        ag.to_graph(f)(np.ones((3, 2)))


class Task(Point):
    """One whose number only the run knows, if it refers to others."""

    def __init__(self, x, y):
        super().__init__(x, y)
        self.then = None
        self.parts = []


def in_place(tasks):
    tasks.sort()
    tasks[0].y += 10.0


def both_ways(tasks):
    least = sorted(tasks)[0]
    least.y = -1.0
    return (
        least,
        sorted(tasks, reverse=True),
        sorted(tasks, key=functools.cmp_to_key(lambda p, q: q.x - p.x)),
    )


def parts_too(tasks):
    for task in tasks:
        task.parts.sort()
    tasks[0].parts = sorted(tasks[0].parts, reverse=True)


def some_tasks(kind, count):
    made = [kind(float(x), float(y)) for x, y in RNG.integers(0, 9, size=(count, 2))]
    for task in made if kind is Task else ():
        task.then = made[RNG.integers(count)]
        task.parts = [made[k] for k in RNG.integers(count, size=3)]
    return made


@pytest.mark.parametrize(
    "f, kind",
    [(in_place, Point), (in_place, Task), (both_ways, Point), (both_ways, Task), (parts_too, Task)],
)
def test_objects_of_the_caller_stay_the_objects_that_they_are(f, kind):
    agree(f, [(some_tasks(kind, count),) for count in (1, 2, 5, 9, 70)])


def test_what_comparing_changes():
    """Also where the class is defined in the function, and its objects are in rows."""

    def f(xs):
        count, met = [0], []

        class Met:
            def __init__(self, x):
                self.x = x

            def __lt__(self, other):
                met.append(self.x)
                return self.x < other.x

        def compare(x, y):
            count[0] += 1
            return x - y

        ordered = sorted(xs, key=functools.cmp_to_key(compare))
        return ordered, count, [m.x for m in sorted([Met(x) for x in xs if x > -9.0])], met

    for xs in ([3.0, 1.0, 2.0], [], [1.0, 2.0, 3.0, 0.0, 1.5], [4.0, 3.0, 2.0]):
        check(f, xs)


def test_a_key_is_no_result():
    f = ag.to_graph(lambda x: (x, functools.cmp_to_key(lambda a, b: a - b)))
    with pytest.raises(ag.errors.UnsupportedFunctionError, match="a key of functools"):
        f(1.0)
