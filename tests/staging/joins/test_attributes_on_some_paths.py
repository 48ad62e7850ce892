"""Attributes of objects that only some paths assign."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs, assert_same

programs = Programs()


class Search:
    def __init__(self):
        self.steps = 0

    def see(self, x):
        self.steps += 1
        if x > 0:
            self.best = x


class Defaults:
    best = None
    steps = 0.0


@programs.smooth(1.0)
@programs(-1.0)
def read_on_the_same_path(x):
    search = Search()
    if x > 0:
        search.best = x
    if x > 0:
        return search.best * 2
    return 0.5


@programs(1.0)
@programs(-1.0)
def read_on_every_path(x):
    search = Search()
    search.see(x)
    return search.best


@programs(1.0)
@programs(-1.0)
def read_and_not_used(x):
    search = Search()
    search.see(x)
    search.best  # noqa: B018
    return x


@programs(1.0)
@programs(-1.0)
def asked_for(x):
    search = Search()
    search.see(x)
    has = hasattr(search, "best"), hasattr(search, "steps"), hasattr(search, "worst")
    return has, getattr(search, "best", 3), search.steps, getattr(search, "worst", 4)


@programs(np.array([-1.0, 2.0, 1.0]))
@programs(np.array([-1.0, -2.0]))
def in_a_loop(xs):
    search = Search()
    for x in xs:
        search.see(x)
    return search.best, search.steps


@programs(9.0)
@programs(0.5)
def first_assigned_by_the_first_trip(x):
    search = Search()
    while x > 1:
        if not hasattr(search, "trips"):
            search.trips = 0
        search.trips += 1
        x /= 2
    return getattr(search, "trips", -1)


@programs(1.0)
@programs(-1.0)
def changed_and_deleted(x):
    search = Search()
    search.see(x)
    if x > 0:
        search.best += 2.0
    best = getattr(search, "best", None)
    if x > 0:
        del search.best
    return best, hasattr(search, "best")


@programs(1.0)
@programs(-1.0)
def texts_lists_and_arrays(x):
    search = Search()
    if x > 0:
        search.name, search.found, search.row = "positive", [x], np.ones(2)
    if hasattr(search, "found"):
        search.found.append(2.0)
        search.row[0] = x + 1
        print(search.name, search.found)
        return search.row
    return np.zeros(2)


@programs(1.0)
@programs(-1.0)
def a_default_of_the_class(x):
    search = Defaults()
    if x > 0:
        search.best = x
        search.steps = 3.0
    return search.steps if search.best is None else search.best


@programs(Search(), 1.0)
@programs(Search(), -1.0)
def of_an_object_of_the_caller(search, x):
    search.see(x)
    search.see(x - 0.5)


@programs(Search(), 4.0, 3)
@programs(Search(), -1.0, 3)
def by_a_recursion_before_it_calls(search, x, n):
    search.see(x)
    if n > 0:
        by_a_recursion_before_it_calls(search, x - 0.5, n - 1)


@programs(Search(), 4.0, 3)
@programs(Search(), 1.0, 0)
def by_a_recursion_after_it_called(search, x, n):
    if n > 0:
        by_a_recursion_after_it_called(search, x - 0.5, n - 1)
        search.see(x)
    else:
        search.see(x)
        search.see(x - 0.5)


@programs(Search(), 4.0, 3)
@programs(Search(), -1.0, 3)
def by_a_recursion_one_before_and_one_after(search, x, n):
    if n > 0:
        if x > 3:
            search.low = x
        by_a_recursion_one_before_and_one_after(search, x - 0.5, n - 1)
        if x > 2:
            search.high = x


class Tree:
    def down(self, x, n):
        if x > 0:
            self.best = x
        if n <= 0:
            return x
        y = self.down(x - 1.0, n - 1)
        if y < 0:
            self.low = y
        return y + self.best if hasattr(self, "best") else y


@programs.smooth(1.5, 3)
@programs(-1.5, 3)
@programs(1.5, 0)
def by_a_method_that_calls_itself(x, n):
    tree = Tree()
    return tree.down(x, n) + getattr(tree, "best", 0.5) * getattr(tree, "low", 2.0)


@programs(1.0)
@programs(-1.0)
def of_an_object_that_is_returned(x):
    search = Search()
    search.see(x)
    return search


@programs(1.0)
@programs(-1.0)
def of_objects_in_a_list(x):
    found = [Search(), Search()]
    for search in found:
        search.see(x)
    return sum(getattr(search, "best", 0.0) for search in found)


@programs(1.0)
@programs(-1.0)
def handled(x):
    search = Search()
    search.see(x)

    def best():
        return search.best

    try:
        return best()
    except AttributeError:
        return 0.0


@programs.test
def test_attributes_on_some_paths(call):
    call.run()


def of_a_transformed_function(x):
    search = Search()
    search.see(x)
    return search.best * x


def test_in_transforms():
    assert_same(ag.grad(of_a_transformed_function)(3.0), 6.0, "gradient")
    assert_same(ag.jvp(of_a_transformed_function, (3.0,), (1.0,)), (9.0, 6.0), "tangent")
    lanes = ag.vmap(of_a_transformed_function)(np.array([3.0, 2.0]))
    assert_same(lanes, np.array([9.0, 4.0]), "lanes")
    with pytest.raises(AttributeError, match="'Search' object has no attribute 'best'"):
        ag.grad(of_a_transformed_function)(-3.0)


def test_the_class_is_as_it_was():
    before = dict(vars(Search))
    read_on_every_path(1.0)
    ag.to_graph(read_on_every_path)(1.0)
    assert dict(vars(Search)) == before


class Slots:
    __slots__ = ("best",)


class Anything:
    def __getattr__(self, name):
        return 1.0


def in_a_class_with_slots(x):
    slots = Slots()
    if x > 0:
        slots.best = x
    return x


def in_a_class_that_has_any_attribute(x):
    anything = Anything()
    if x > 0:
        anything.best = x
    return anything.best


def one_of_two_objects(x):
    search = Search()
    search.see(x)
    other = search if x > 2 else Search()
    return other.steps


def given_to_vars(x):
    search = Search()
    search.see(x)
    return len(vars(search))


REFUSED = [
    (in_a_class_with_slots, "AG0314"),
    (in_a_class_that_has_any_attribute, "AG0314"),
    (one_of_two_objects, "AG0369"),
    (given_to_vars, "AG0369"),
]


@pytest.mark.parametrize("function, id", REFUSED)
def test_refused(function, id):
    with pytest.raises(AutographError) as error:
        ag.to_graph(function)(1.0)
    assert error.value.id == id
