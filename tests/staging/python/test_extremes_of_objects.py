"""``max`` and ``min`` of objects that say themselves which is less."""

import functools
from dataclasses import dataclass

from tests.support.oracle import Programs

programs = Programs()


@functools.total_ordering
class Task:
    def __init__(self, priority, name):
        self.priority, self.name = priority, name

    def __lt__(self, other):
        return self.priority < other.priority

    def __eq__(self, other):
        return self.priority == other.priority

    __hash__ = None


class Greater:
    def __init__(self, x):
        self.x = x

    def __gt__(self, other):
        print("asked")
        return self.x > other.x


@dataclass(order=True)
class Point:
    x: float
    y: float


class Unordered:
    pass


@programs(3.0, 1.0, 2.0)
@programs(1.0, 1.0, 0.5)
def of_a_list(a, b, c):
    tasks = [Task(a, "a"), Task(b, "b"), Task(c, "c")]
    return max(tasks).priority, min(tasks).name, tasks[0] >= tasks[1]


@programs(3.0, 1.0)
@programs(1.0, 1.0)
def of_arguments(a, b):
    return max(Greater(a), Greater(b)).x, min(Greater(a), Greater(b)).x


@programs(3.0, 1.0)
@programs(1.0, 1.0)
def of_a_dataclass(a, b):
    p, q = Point(a, b), Point(b, a)
    return max(p, q), min([p, q])


@programs(1.0)
def without_an_order(x):
    try:
        max(Unordered(), Unordered())
    except TypeError as error:
        return x, str(error)
    return x, ""


@programs.test
def test_extremes_of_objects(call):
    call.run()
