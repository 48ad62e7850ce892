"""Attributes of classes that functions assign: what is in them before, between and after calls."""

import threading
from typing import ClassVar

import numpy as np
import pytest

import autograph as ag
from autograph import errors


class Node:
    made = 0
    registry: ClassVar[list] = []

    def __init__(self, x):
        self.x = x
        Node.made += 1


class Counter:
    n = 0

    def count(self, x):
        self.__class__.n += 1
        return x * self.n

    @classmethod
    def reset(cls):
        cls.n = 0
        return cls.n

    @property
    def counted(self):
        type(self).n += 1
        return self.n


class Special(Counter):
    pass


COUNTER = Counter()


def _state():
    own = [vars(kind).get(name) for kind in (Counter, Special) for name in ("n", "best")]
    return Node.made, list(Node.registry), *own


@pytest.fixture(autouse=True)
def _put_back():
    _reset()
    yield
    _reset()


def _reset():
    Node.made, Counter.n = 0, 0
    Node.registry.clear()
    for kind, name in ((Special, "n"), (Counter, "best")):
        if name in vars(kind):
            delattr(kind, name)


def _outcomes(function, calls):
    _reset()
    return [repr((function(*args), _state())) for args in calls]


def made_in_init(x):
    return Node(x).x + Node(x).x * Node.made


def of_each(x):
    return [Node(x).made for _ in range(3)]


def by_instances(x):
    return Counter().count(x)


def by_one_outside(x):
    return COUNTER.count(x)


def in_branches(x):
    if x > 0:
        Counter.n += 1
    else:
        Counter.n -= x
    return Counter.n


def in_a_loop(x):
    while x > 0.5:
        x /= 2
        Counter.n += 1
    return x


def in_a_recursion(x):
    Counter.n += 1
    return x if x < 1 else in_a_recursion(x / 2) + 1


def in_class_methods(x):
    Counter().count(x)
    before = Counter.n
    return before, Counter.reset(), Counter.n


def in_properties(x):
    return Counter().counted * x


def of_a_derived_class(x):
    special = Special()
    return special.count(x), Special.n, Counter.n, special.n


def by_name(x):
    setattr(Counter, "n", x)  # noqa: B010
    return getattr(Counter, "n") + 1  # noqa: B009


def several(x):
    Counter.n, y = x, 2.0
    z = Node.made = y
    return z + Counter.n


def a_new_one(x):
    Counter.best = max(getattr(Counter, "best", 0.0), x)
    return Counter.best


def a_list(x):
    Node.registry.append(x)
    return len(Node.registry)


def in_a_try(x):
    try:
        Counter.n += 1
        return 1 / (x - 2.0)
    except ZeroDivisionError:
        Counter.n += 10
        return 0.0


def beside_attributes_of_objects(x):
    counter = Counter()
    counter.n = x
    Counter.n += 1
    counter.n += 1
    return counter.n, Counter.n, Counter().n


@pytest.mark.parametrize(
    "function",
    [
        *(made_in_init, of_each, by_instances, by_one_outside, in_branches, in_a_loop, by_name),
        *(in_a_recursion, in_class_methods, in_properties, of_a_derived_class, several, a_list),
        *(a_new_one, in_a_try, beside_attributes_of_objects),
    ],
    ids=lambda function: function.__name__,
)
def test_as_python(function):
    calls = [(1.0,), (2.0,), (-3.0,), (0.5,), (5.0,)]
    assert _outcomes(ag.to_graph(function), calls) == _outcomes(function, calls)


@pytest.mark.parametrize("called", [Counter().count, by_one_outside], ids=["method", "function"])
def test_it_is_compiled_once_for_all_values(called, caplog):
    compiled = ag.to_graph(called)
    for _ in range(3):
        compiled(1.0)
    with caplog.at_level("DEBUG", logger="autograph"):
        for _ in range(3):
            compiled(1.0)
    assert Counter.n == 6 and "recording" not in caplog.text


def of_an_argument(counter, x):
    return counter.count(x)


def test_objects_among_the_arguments(caplog):
    compiled = ag.to_graph(of_an_argument)
    for n in range(1, 4):
        assert compiled(Counter(), 2.0) == 2.0 * n
    with caplog.at_level("DEBUG", logger="autograph"):
        assert compiled(Counter(), 2.0) == 8.0
    assert "recording" not in caplog.text
    Counter.n = 10
    assert compiled(COUNTER, 2.0) == 22.0


def test_what_others_assign_is_seen():
    compiled = ag.to_graph(by_instances)
    compiled(1.0)
    Counter.n = 10
    assert compiled(2.0) == 22.0
    Counter.n = 1.5
    assert compiled(2.0) == 5.0 and Counter.n == 2.5


def test_derivatives():
    assert [ag.grad(by_instances)(2.0), ag.grad(by_instances)(2.0), Counter.n] == [1.0, 2.0, 2]
    second = ag.grad(ag.grad(lambda x: by_instances(x) * x))
    assert [second(2.0), second(2.0), Counter.n] == [6.0, 8.0, 4]


def test_lanes_would_overwrite_each_other():
    with pytest.raises(errors.BatchingError, match="AG0546"):
        ag.vmap(by_instances)(np.ones(3))
    assert Counter.n == 0


def test_other_threads_do_not_see_what_is_recorded():
    found, done = [], threading.Event()

    def watch():
        while not done.is_set():
            found.append(Counter.n)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        for _ in range(3):
            ag.to_graph(lambda x: by_instances(x) + in_a_recursion(x))(3.0)
    finally:
        done.set()
        thread.join()
    assert {type(n) for n in found} <= {int}


def by_a_loop(x):
    for Counter.n in range(3):
        pass
    return x


def test_targets_of_loops_are_refused():
    with pytest.raises(errors.MutationError, match="AG0341"):
        ag.to_graph(by_a_loop)(1.0)
    assert Counter.n == 0


def reads_it_in_a_recursion(x):
    return Counter.n * 1.0 if x < 1 else reads_it_in_a_recursion(x - 1) + Counter.n


def between_recursions(x):
    Counter.n = 2
    first = reads_it_in_a_recursion(x)
    for _ in range(3):
        Counter.n += 1
        first += reads_it_in_a_recursion(x) * 0.5
    return first


def test_recursions_that_read_what_is_assigned_between_them():
    compiled = ag.to_graph(between_recursions)
    for x in (3.0, 0.0, 1.5):
        expected = between_recursions(x), Counter.n
        assert (compiled(x), Counter.n) == expected


class Held:
    made = 0

    def __init__(self, number):
        self.number = number
        self.tag = "new"
        self.next = None


def test_nothing_stands_in_for_attributes_after_calls_by_objects_in_other_forms():
    def counted(items, one):
        one.tag = "met"
        Held.made += 1
        return len(items)

    Held.made, own = 0, Held.__init__
    compiled = ag.to_graph(counted)
    for count in (3, 3, 5, 2, 3, 6):
        items = [Held(1.0) for _ in range(count)]
        assert compiled(items, items[1] if count % 2 else Held(2.0)) == count
    assert vars(Held)["made"] == 6 and vars(Held)["__init__"] is own
