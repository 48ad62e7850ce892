"""Objects that are no part of a program: those that a call makes are new ones at each call, those
that it finds are the very same."""

import argparse
import array
import collections
import ctypes
import decimal
import functools
import logging
import pathlib
import re
import sys
import threading
from collections import Counter

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, SaveError, UnsupportedFunctionError
from tests.support.oracle import check

COUNTER = Counter("a")
ITEMS = [1]
OPTIONS = argparse.Namespace(counter=Counter("a"), items=[1], weights=np.ones(2))
CONTEXT = decimal.getcontext()
X = np.ones(2)


class Node:
    names = ["a"]  # noqa: RUF012
    counter = Counter("a")  # noqa: RUF012
    weights = np.ones(2)
    data = bytearray(b"a")

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Items(list):
    pass


# -- made by each call -----------------------------------------------------------------------------


def updated(x):
    made = Counter()
    made.update("ab")
    made.update("a")
    return made


def with_attribute(x):
    made = Items([1, 2])
    made.name = "a"
    return made


MADE = {
    "Counter": lambda x: Counter("abca"),
    "updated": updated,
    "copy": lambda x: COUNTER.copy(),
    "sum": lambda x: COUNTER + COUNTER,
    "poly1d": lambda x: np.poly1d([1, 2, 3]),
    "Polynomial": lambda x: np.polynomial.Polynomial([1, 2]),
    "bytearray": lambda x: bytearray(b"abc"),
    "array": lambda x: array.array("d", [1.0, 2.0]),
    "Namespace": lambda x: argparse.Namespace(a=1),
    "object": lambda x: object(),
    "subclass": with_attribute,
    "UserDict": lambda x: collections.UserDict(a=1),
    "UserList": lambda x: collections.UserList([1]),
    "ChainMap": lambda x: collections.ChainMap({}, {"a": 1}),
    "Context": lambda x: decimal.Context(prec=3),
    "c_int": lambda x: ctypes.c_int(3),
    "exception": lambda x: ValueError("a"),
    "partial": lambda x: functools.partial(int, base=2),
    "method": lambda x: Counter("ab").most_common,
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_each_call_makes_its_own(make):
    compiled = ag.to_graph(make)
    first, second = compiled(X), compiled(X)
    assert type(first) is type(second) is type(make(X))
    assert first is not second
    if type(first).__repr__ is not object.__repr__:
        assert repr(first) == repr(make(X))


def test_a_change_to_one_result_is_none_to_the_next():
    compiled = ag.to_graph(updated)
    compiled(X)["a"] = 7
    assert compiled(X) == updated(X)
    compiled = ag.to_graph(MADE["bytearray"])
    compiled(X).append(1)
    assert compiled(X) == b"abc"


def several(x):
    made = Counter("ab")
    return made, [made], {"key": made, "x": x}, argparse.Namespace(inside=made)


def test_the_same_object_twice_in_a_result_is_one():
    first, second = (ag.to_graph(several)(X) for _ in range(2))
    for found in (first, second):
        made = found[0]
        assert made is found[1][0] is found[2]["key"] is found[3].inside
    assert first[0] is not second[0]


def holds_outside(x):
    return argparse.Namespace(counter=COUNTER, items=ITEMS, module=np, own=[1, [2]])


def test_what_is_from_outside_in_them_stays_what_it_is():
    compiled = ag.to_graph(holds_outside)
    first, second = compiled(X), compiled(X)
    assert first.counter is second.counter is COUNTER
    assert first.items is second.items is ITEMS
    assert first.module is np
    assert type(first.own) is type(first.own[1]) is list and first.own == [1, [2]]
    assert first.own is not second.own and first.own[1] is not second.own[1]


def put_into_the_argument(node, x):
    node.counter = Counter("a")
    node.parts = [node.counter, np.sum(x)]


def test_objects_in_what_is_changed():
    compiled, nodes = ag.to_graph(put_into_the_argument), [Node(1), Node(2)]
    for node in nodes:
        compiled(node, X)
        assert node.parts == [{"a": 1}, 2.0] and node.parts[0] is node.counter
    assert nodes[0].counter is not nodes[1].counter


def by_path(x):
    made = None
    if x[0] > 0:
        made = Counter("a")
    return made


def in_a_loop(x):
    made = []
    for _ in range(3):
        made.append(bytearray(b"a"))
    return made


def in_a_method(x):
    class Maker:
        def make(self):
            return Counter("a")

    return Maker().make()


def test_in_branches_loops_and_methods():
    compiled = ag.to_graph(by_path)
    assert compiled(-X) is None and compiled(X) == {"a": 1}
    assert compiled(X) is not compiled(X)
    parts = [*ag.to_graph(in_a_loop)(X), *ag.to_graph(in_a_loop)(X)]
    assert len({id(part) for part in parts}) == 6
    compiled = ag.to_graph(in_a_method)
    assert compiled(X) == {"a": 1} and compiled(X) is not compiled(X)


def test_under_transforms():
    def f(x):
        return np.sum(x), Counter("a")

    inside = ag.to_graph(lambda x: ag.grad(f, has_aux=True)(x))
    mapped = ag.vmap(lambda x: (x, Counter("a")))
    for compiled in (ag.grad(f, has_aux=True), inside, mapped):
        first, second = compiled(X), compiled(X)
        assert first[1] == second[1] == {"a": 1} and first[1] is not second[1]
    lowered = ag.to_graph(f).lower(X).compile()
    assert lowered(X)[1] is not lowered(X)[1]


def test_such_functions_are_not_saved(tmp_path):
    with pytest.raises(SaveError, match="a Counter, which a file cannot hold"):
        ag.to_graph(updated).save(tmp_path / "updated", X)


# -- functions -------------------------------------------------------------------------------------


def counting(x):
    count = 0

    def up():
        nonlocal count
        count += 1
        return count

    return up


def up_and_get(x):
    count = 0

    def up():
        nonlocal count
        count += 1

    def get():
        return count

    return up, get


def wrapped(x):
    up = counting(x)
    return lambda: up() * 10


def collecting(x):
    found = []

    def add(item):
        found.append(item)
        return len(found)

    return add


def remembering(x):
    known = {}

    def fibonacci(n):
        if n < 2:
            return n
        if n not in known:
            known[n] = fibonacci(n - 1) + fibonacci(n - 2)
        return known[n]

    return fibonacci


def with_a_default(x):
    def add(item, found=[]):  # noqa: B006
        found.append(item)
        return list(found)

    return add


def with_an_attribute(x):
    def f():
        return 3

    f.calls = [1]
    return f


def test_functions_with_variables_of_their_own():
    for make, args, expected in (
        (counting, (), [1, 2]),
        (wrapped, (), [10, 20]),
        (collecting, (5,), [1, 2]),
        (remembering, (10,), [55, 55]),
        (with_a_default, (5,), [[5], [5, 5]]),
    ):
        compiled = ag.to_graph(make)
        for function in (compiled(X), compiled(X)):
            assert [function(*args) for _ in range(2)] == expected
    up, get = ag.to_graph(up_and_get)(X)
    up()
    assert get() == 1
    assert ag.to_graph(up_and_get)(X)[1]() == 0
    compiled = ag.to_graph(with_an_attribute)
    compiled(X).calls.append(2)
    assert compiled(X).calls == [1]


def grows_outside(x):
    def add():
        ITEMS.append(1)
        return ITEMS

    return add


def test_functions_see_containers_from_outside():
    add = ag.to_graph(grows_outside)(X)
    assert add() is ITEMS
    assert ITEMS == [1, 1]
    ITEMS.pop()


def test_functions_chosen_by_the_run():
    def f(x):
        calls = [0]

        def counted():
            calls[0] += 1
            return calls[0]

        return counted if x[0] > 0 else abs

    compiled = ag.to_graph(f)
    assert compiled(-X) is abs
    assert [compiled(X)() for _ in range(2)] == [1, 1]


# -- found -----------------------------------------------------------------------------------------

FOUND = {
    "global": lambda x: COUNTER,
    "namespace": lambda x: OPTIONS,
    "in a namespace": lambda x: OPTIONS.counter,
    "list in a namespace": lambda x: OPTIONS.items,
    "array in a namespace": lambda x: OPTIONS.weights,
    "attributes": lambda x: vars(OPTIONS),
    "class attribute": lambda x: Node.counter,
    "list of a class": lambda x: Node.names,
    "array of a class": lambda x: Node.weights,
    "bytes of a class": lambda x: Node.data,
    "class": lambda x: Node,
    "logger": lambda x: logging.getLogger("autograph.tests"),
    "pattern": lambda x: re.compile("a"),
    "stream": lambda x: sys.stderr,
    "path": lambda x: pathlib.Path,
    "function": lambda x: updated,
    "default": lambda x, options=argparse.Namespace(a=1): options,  # noqa: B008
}


@pytest.mark.parametrize("find", FOUND.values(), ids=FOUND)
def test_what_is_found_is_the_same_at_each_call(find):
    compiled = ag.to_graph(find)
    assert compiled(X) is compiled(X) is find(X)


def test_both_in_one_result():
    compiled = ag.to_graph(lambda x: [OPTIONS.items, Counter("a"), Node.names, COUNTER])
    first, second = compiled(X), compiled(X)
    assert [a is b for a, b in zip(first, second)] == [True, False, True, True]
    assert first[0] is OPTIONS.items and first[2] is Node.names


def test_parts_of_arguments_of_a_librarys_class():
    options = argparse.Namespace(items=[1], counter=Counter("a"), text="a", weights=np.ones(2))
    check(lambda options: (options.text, options.weights * 2, list(options.items)), options)
    compiled = ag.to_graph(lambda options: options)
    assert compiled(options) is options and compiled(OPTIONS) is OPTIONS
    for part in ("items", "counter", "weights"):
        with pytest.raises(UnsupportedFunctionError, match="AG0366"):
            ag.to_graph(lambda options, part=part: getattr(options, part))(options)


# -- refused ---------------------------------------------------------------------------------------


def beside_its_list(x):
    names = ["a"]
    return argparse.Namespace(names=names), names


REFUSED = {
    "lock": lambda x: threading.Lock(),
    "view": lambda x: memoryview(b"abc"),
    "values": lambda x: {"a": 1}.values(),
    "beside its list": beside_its_list,
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_a_call_cannot_make(make):
    with pytest.raises(UnsupportedFunctionError, match="AG0364") as refused:
        ag.to_graph(make)(X)
    assert refused.value.location.file == __file__


@pytest.mark.parametrize("make", [lambda x: {Node(1): x}, lambda x: {Node(1)}])
def test_keys_of_a_made_dict_or_set(make):
    compiled = ag.to_graph(make)
    first, second = ([*compiled(X)] for _ in range(2))
    assert first[0] is not second[0]
    assert [type(key) for key in first] == [Node] and vars(first[0]) == vars(Node(1))


def test_an_argument_in_a_made_object():
    with pytest.raises(UnsupportedFunctionError, match="AG0364"):
        ag.to_graph(lambda names: argparse.Namespace(names=names))(["a"])


def bytes_by_path(x):
    made = bytearray(b"a")
    if x[0] < 0:
        made.append(1)
    return made


def numbers_by_path(x):
    made = array.array("d")
    if x[0] < 0:
        made.append(1.0)
    return made


def polynomial_by_path(x):
    made = np.poly1d([1, 2])
    if x[0] < 0:
        made[0] = 4
    return made


def counter_by_path(x):
    made = Counter("a")
    if x[0] < 0:
        made.update("b")
    return made


def bytes_in_a_loop(x):
    made = bytearray()
    while np.sum(x) > len(made):
        made.append(1)
    return made


def bytes_of_a_class(x):
    Node.data.append(1)
    return x


@pytest.mark.parametrize(
    "change",
    [
        *(bytes_by_path, numbers_by_path, polynomial_by_path),
        *(bytes_in_a_loop, bytes_of_a_class),
    ],
)
def test_changes_that_only_the_run_decides_are_refused(change):
    with pytest.raises(AutographError, match="AG0"):
        ag.to_graph(change)(X)
    assert Node.data == b"a"


def bytes_for_each(x):
    made = bytearray()
    for _ in x:
        made.append(1)
    return made


def test_changes_known_before_the_run():
    check(bytes_for_each, X)
    check(lambda x: counter_by_path([1]), X)
    for x in (X, -X):
        check(counter_by_path, x)
