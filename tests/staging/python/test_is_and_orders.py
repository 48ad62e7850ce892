"""``is``: whether two names are one object, where control flow or the layout of memory decides."""

from collections import Counter

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError, MutationError
from tests.support.oracle import Programs, check

LIST, OTHER, COUNTER = [1], [1], Counter("a")
ROWS = np.arange(6.0).reshape(2, 3)
COLUMNS = np.asfortranarray(ROWS)


class Node:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    __hash__ = None


NODE = Node(1)
programs = Programs()


@programs(2.0)
@programs(-2.0)
def a_list_or_none(x):
    found = LIST if x > 0 else None
    return found is LIST, found is not LIST, found is None, found is OTHER


@programs(2.0)
@programs(-2.0)
def an_object_or_none(x):
    found = None if x > 0 else NODE
    return found is NODE, NODE is found, found is found


@programs(np.array([1.0, -1.0]))
@programs(np.array([-1.0, -1.0]))
def found_in_a_loop(x):
    found = None
    for value in x:
        if value > 0:
            found = NODE
    return found is NODE


@programs(2.0)
@programs(-2.0)
def of_a_library_or_none(x):
    mine = bytearray(b"a")
    found = COUNTER if x > 0 else None
    other = mine if x > 0 else None
    return found is COUNTER, other is mine, other is COUNTER


@programs(2.0)
@programs(-2.0)
def a_new_list_or_none(x):
    mine, other = [x], [x]
    found = mine if x > 0 else None
    return found is mine, found is other


@programs(2.0)
@programs(-2.0)
def others_than_those_that_met(x):
    found = LIST if x > 0 else [1]
    return found is OTHER, found is None, found is found, LIST is OTHER


@programs.test
def test_what_is_known(call):
    call.run()


def one_of_two(x):
    found = LIST if x > 0 else OTHER
    return found is LIST


def old_or_new(x):
    found = NODE if x > 0 else Node(1)
    return NODE is found


def by_trips(x):
    found = [1]
    while x > 0:
        found, x = LIST, x - 1
    return found is LIST


def in_the_loop(x):
    found, same = [1], False
    while x > 0:
        same = same or found is LIST
        found, x = LIST, x - 1
    return same


def two_that_may_be_none(x):
    found = LIST if x > 0 else None
    other = OTHER if x > 1 else None
    return found is other


@pytest.mark.parametrize(
    "function", [one_of_two, old_or_new, by_trips, in_the_loop, two_that_may_be_none]
)
def test_what_depends_on_control_flow(function):
    with pytest.raises(ConcreteValueError, match="AG0310") as refused:
        ag.to_graph(function)(2.0)
    assert refused.value.location.file == __file__


def changed_after_the_loop(x):
    found = [0]
    while x > 0:
        found, x = LIST, x - 1
    found.append(5)
    return len(LIST)


def changed_by_the_next_trip(x):
    found = [0]
    while x > 0:
        found.append(5)
        found, x = LIST, x - 1
    return len(LIST)


def read_by_the_next_trip(x):
    found, seen = [0], 0
    while x > 0:
        found[0] = 5
        seen = seen + LIST[0]
        found, x = LIST, x - 1
    return seen


@pytest.mark.parametrize(
    "function", [changed_after_the_loop, changed_by_the_next_trip, read_by_the_next_trip]
)
def test_a_list_from_outside_that_a_trip_leaves_in_a_variable(function):
    """It is not known to be the one that changes."""
    with pytest.raises(ag.errors.AutographError, match="AG03"):
        ag.to_graph(function)(2.0)
    assert LIST == [1]


# -- the order of elements in memory ---------------------------------------------------------------

ORDERED = {
    "asarray": lambda x: np.asarray(x, order="F"),
    "asarray C": lambda x: np.asarray(x, dtype=float, order="C"),
    "array": lambda x: np.array(x, copy=None, order="F"),
    "astype": lambda x: x.astype(float, order="F", copy=False),
    "ascontiguousarray": lambda x: np.ascontiguousarray(x),
    "asfortranarray": lambda x: np.asfortranarray(x),
    "require": lambda x: np.require(x, requirements="F"),
}


@pytest.mark.parametrize("make", ORDERED.values(), ids=ORDERED)
@pytest.mark.parametrize("x", [ROWS, COLUMNS], ids=["C", "F"])
def test_an_array_itself_or_a_copy_in_an_order(make, x):
    def changed(x):
        y = make(x)
        y[0, 0] = 5.0
        return np.sum(y * 2)

    check(lambda x: make(x) * 2, x)
    check(lambda x: make(x * 2), x)
    with pytest.raises(ConcreteValueError, match="AG0310"):
        ag.to_graph(lambda x: make(x) is x)(x)
    with pytest.raises(MutationError, match="AG0324"):
        ag.to_graph(changed)(x)
    expected, found = make(x), ag.to_graph(make)(x)
    assert (found is x) == (expected is x) and found.strides == expected.strides


def test_orders_that_do_not_matter():
    check(lambda x: np.array(x, order="F"), ROWS)
    check(lambda x: np.asarray([x, x], order="F"), ROWS)
    check(lambda x: (np.asarray(x, order="A") is x, np.asarray(x, order="K") is x), ROWS)
    check(lambda x: np.asarray(x, np.float32, order="C"), ROWS)
    check(lambda x: np.asarray(x[0, 0], order="F"), ROWS)
    with pytest.raises(ValueError, match="order must be one of"):
        ag.to_graph(lambda x: np.asarray(x, order="X"))(ROWS)


def test_derivatives_and_lanes():
    total = ag.to_graph(lambda x: np.sum(np.asarray(x, order="F") ** 2))
    np.testing.assert_array_equal(ag.grad(total)(ROWS), 2 * ROWS)
    doubled = ag.vmap(lambda x: np.asarray(x, order="F") * 2)
    np.testing.assert_array_equal(doubled(ROWS), 2 * ROWS)
