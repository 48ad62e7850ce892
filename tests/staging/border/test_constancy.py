"""What a compiled function finds outside is what it is at the call: functions that are changed,
libraries and built-ins that are replaced, keys that are equal but not the same."""

import argparse
import builtins
import enum
import functools
import math
import os
import pathlib
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, MutationError
from autograph.staging.border.constancy import changing_parts
from tests.support.oracle import check

# -- functions ---------------------------------------------------------------------------------


def shifted(x, by=1.0):
    return x + by


def shifted_by_keyword(x, *, by=1.0):
    return x + by


def doubled(x):
    return x * 2.0


@pytest.fixture
def restored():
    functions = (shifted, shifted_by_keyword, doubled)
    before = [(f.__code__, f.__defaults__, dict(f.__kwdefaults__ or {})) for f in functions]
    yield
    for function, (code, defaults, keywords) in zip(functions, before):
        function.__code__, function.__defaults__ = code, defaults
        function.__kwdefaults__ = keywords or None


CHANGES = {
    "defaults": (shifted, lambda f: setattr(f, "__defaults__", (5.0,))),
    "no defaults": (shifted, lambda f: setattr(f, "__defaults__", None)),
    "keyword defaults": (shifted_by_keyword, lambda f: f.__kwdefaults__.update(by=5.0)),
    "other keyword defaults": (
        shifted_by_keyword,
        lambda f: setattr(f, "__kwdefaults__", {"by": 5.0}),
    ),
    "code": (doubled, lambda f: setattr(f, "__code__", (lambda x: x * 7.0).__code__)),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("called", [False, True], ids=["itself", "called"])
def test_a_function_is_changed(change, called, restored):
    function, apply = CHANGES[change]
    f = (lambda x: function(x)) if called else function
    g = ag.to_graph(f)
    assert [g(2.0) for _ in range(3)] == [f(2.0)] * 3
    apply(function)
    try:
        expected = f(2.0)
    except TypeError as error:
        with pytest.raises(type(error)):
            g(2.0)
    else:
        assert [g(2.0) for _ in range(3)] == [expected] * 3


# -- libraries and built-ins -------------------------------------------------------------------


def area(x):
    return math.pi * x


def wave(x):
    return np.sin(x)


def norm(x):
    return np.linalg.norm(x)


def size(x):
    return len(x.shape) + abs(x[0])


def power(x):
    return pow(x, 2)


REPLACED = {
    "number": (area, math, "pi", 3.0, 2.0),
    "ufunc": (wave, np, "sin", np.cos, 2.0),
    "function of a submodule": (norm, np.linalg, "norm", np.sum, np.array([3.0, 4.0])),
    "submodule": (norm, np, "linalg", types.SimpleNamespace(norm=np.sum), np.array([3.0, 4.0])),
    "built-in": (power, builtins, "pow", lambda x, n: x + n, 3.0),
}


@pytest.mark.parametrize("what", REPLACED)
def test_something_of_a_library_is_replaced(what, monkeypatch):
    function, place, name, other, argument = REPLACED[what]
    f = ag.to_graph(function)
    before = [f(argument) for _ in range(3)]
    assert before == [function(argument)] * 3
    monkeypatch.setattr(place, name, other)
    assert [f(argument) for _ in range(3)] == [function(argument)] * 3
    assert f(argument) != before[0]
    monkeypatch.undo()
    assert f(argument) == before[0]


def test_a_global_variable_hides_a_built_in(monkeypatch):
    f, x = ag.to_graph(size), np.array([-3.0])
    assert [f(x), f(x)] == [4.0, 4.0]
    monkeypatch.setitem(globals(), "abs", lambda x: x)
    assert [f(x), f(x)] == [size(x)] * 2 == [-2.0, -2.0]
    monkeypatch.undo()
    assert f(x) == 4.0


RATE_VARIABLE = "AUTOGRAPH_TEST_RATE"


def test_the_environment_is_read_at_each_call(monkeypatch):
    monkeypatch.setenv(RATE_VARIABLE, "2")
    f = ag.to_graph(lambda x: x * float(os.environ[RATE_VARIABLE]))
    assert [f(1.5), f(1.5)] == [3.0, 3.0]
    monkeypatch.setenv(RATE_VARIABLE, "4")
    assert f(1.5) == 6.0


def test_functions_that_ask_the_system_are_refused():
    for function in (
        os.getenv,
        os.environ.get,
        os.path.exists,
        pathlib.Path("a").write_text,
    ):
        with pytest.raises(AutographError, match="AG0405"):
            ag.to_graph(lambda x, function=function: (x, function("PATH")))(1.0)
    with pytest.raises(AutographError, match="AG0405"):
        ag.to_graph(lambda x: x + sys.getrecursionlimit())(1.0)
    assert ag.to_graph(lambda x: (x, os.path.join("a", "b")))(1.0)[1] == os.path.join("a", "b")


RATE = 2.0


def beyond(t):
    return t - RATE


def test_what_a_function_reads_that_a_library_calls():
    global RATE
    optimize = pytest.importorskip("scipy.optimize")
    f = ag.to_graph(lambda x: x + optimize.brentq(beyond, 0.0, 10.0))
    assert abs(f(1.0) - 3.0) < 1e-9
    RATE = 5.0
    try:
        assert abs(f(1.0) - 6.0) < 1e-9
    finally:
        RATE = 2.0


# -- keys --------------------------------------------------------------------------------------


class Color(enum.IntEnum):
    RED = 1


class Text(str):
    pass


KEYS = [1, True, 1.0, np.int64(1), 1 + 0j, Color.RED, 0, False, 0.0, -0.0, "a", Text("a")]


@pytest.mark.parametrize(
    "make",
    [
        lambda key: {key: 2.0},
        lambda key: [{"inside": {key: 2.0}}],
        lambda key: {(key, 5): 2.0},
        lambda key: {key: {}},
        lambda key: {key},
        lambda key: (frozenset([key]), 3.0)[0],
    ],
    ids=["dict", "nested", "tuple", "empty", "set", "frozenset"],
)
def test_keys_that_are_equal_are_told_apart(make):
    f = ag.to_graph(told)
    for key in KEYS:
        for _ in range(2):
            assert f(1.0, make(key)) == told(1.0, make(key)), key


def told(x, items):
    return repr(items) if isinstance(items, (set, frozenset)) else text(items)


def text(items):
    if isinstance(items, list):
        return [text(item) for item in items]
    if isinstance(items, dict):
        return [(kinds(key), text(value)) for key, value in items.items()]
    return 0


def kinds(key):
    if isinstance(key, tuple):
        return [(type(part).__name__, str(part)) for part in key]
    return type(key).__name__, str(key)


def test_a_key_is_replaced_by_an_equal_one():
    def replaced(x):
        x[True] = x.pop(1)
        return x

    check(replaced, {1: 2.0})
    check(lambda x: {-0.0 if k == 0 else k: v for k, v in x.items()}, {0.0: 2.0})


def test_sets_count_in_the_order_in_which_they_are_gone_through():
    f = ag.to_graph(lambda x, items: [x * item for item in items])
    for items in ({1, 9}, {9, 1}):
        assert f(1.0, items) == [1.0 * item for item in items]


# -- arguments that are objects ----------------------------------------------------------------


class Items(list):
    pass


@pytest.mark.parametrize("kind", [set, Items, bytearray])
def test_each_call_gets_its_own_object(kind):
    f = ag.to_graph(lambda x, items: (x, items))
    first, second = kind([1, 2]), kind([1, 2])
    assert f(1.0, first)[1] is first and f(1.0, second)[1] is second
    same = ag.to_graph(lambda x, a, b: x + (a is b))
    assert [same(1.0, first, second), same(1.0, first, first), same(1.0, second, first)] == [
        1,
        2,
        1,
    ]


def test_each_call_changes_its_own_object():
    add = ag.to_graph(lambda x, items: items.add(7))
    append = ag.to_graph(lambda x, items, more: items.append(x))
    for _ in range(2):
        numbers, items = {1}, Items([1.0])
        add(1.0, numbers)
        append(2.0, items, {3})
        assert numbers == {1, 7} and items == [1.0, 2.0]


ours = {1, 2}


def test_an_object_that_is_also_found_outside():
    f = ag.to_graph(lambda x, items: x + (items is ours))
    assert [f(1.0, {1, 2}), f(1.0, ours), f(1.0, {1, 2}), f(1.0, ours)] == [1, 2, 1, 2]
    f = ag.to_graph(lambda x, items: x + (items is ours))
    assert [f(1.0, ours), f(1.0, {1, 2}), f(1.0, ours)] == [2, 1, 2]


class Node:
    default = None

    def __init__(self, value):
        self.value = value


Node.default = Node(3.0)


def test_a_class_holds_an_instance_of_itself():
    check(lambda x, node: x * node.value + node.default.value, 2.0, Node(5.0))
    f = ag.to_graph(lambda x: x * Node.default.value)
    assert f(2.0) == 6.0
    Node.default.value = 4.0
    assert f(2.0) == 8.0
    Node.default.value = 3.0


class Meters(float):
    def __add__(self, other):
        return Meters(float(self) + other + 100.0)


def test_numbers_of_other_classes_are_what_they_are():
    f = ag.to_graph(lambda x, n: (x, n, n + 1.0))
    for n in (Meters(2.0), Meters(3.0), 2.0):
        assert [type(v) for v in f(1.0, n)] == [float, type(n), type(n)]
        assert f(1.0, n) == (1.0, n, n + 1.0)
    named = ag.to_graph(lambda x, c: (x, c.name, c is Color.RED))
    assert named(1.0, Color.RED) == (1.0, "RED", True)


# -- what is changed while recording -----------------------------------------------------------


seen = bytearray(2)
settings = argparse.Namespace(rate=1.0)


def set_global(x):
    seen[0] = 1
    return x


def set_attribute(x):
    settings.rate = x
    return x


def append_to_a_library(x):
    sys.path.append("nowhere")
    return x


@pytest.mark.parametrize("function", [set_global, set_attribute, append_to_a_library])
def test_what_a_library_holds_is_not_changed(function):
    path = list(sys.path)
    try:
        with pytest.raises(MutationError, match="AG0351"):
            ag.to_graph(function)(1.0)
    finally:
        sys.path[:], settings.rate = path, 1.0


@functools.lru_cache
def cubed(x):
    return x**3 * RATE


def test_a_function_that_remembers_its_results():
    global RATE
    f = ag.to_graph(lambda x: cubed(x) + cubed(2))
    assert f(2.0) == 32.0
    RATE = 3.0
    cubed.cache_clear()
    try:
        assert f(2.0) == 48.0
    finally:
        RATE = 2.0
        cubed.cache_clear()
    assert ag.grad(lambda x: cubed(x))(2.0) == 24.0


def test_a_function_that_numba_compiles():
    class Dispatcher:  # as numba's
        def __init__(self, function):
            self.py_func = function
            functools.update_wrapper(self, function)

        def __call__(self, *args):
            raise TypeError("cannot determine Numba type")

    Dispatcher.__module__ = "numba.core.registry"
    square = Dispatcher(lambda x: x * x)
    assert ag.to_graph(lambda x: square(x) + 1.0)(3.0) == 10.0


# -- tuples ------------------------------------------------------------------------------------


class Settings(NamedTuple):
    """What is outside of a function in one tuple."""

    scale: float
    apply: types.FunctionType
    weights: np.ndarray
    names: list
    inner: tuple


class Labelled(tuple):
    """A tuple that can have attributes."""


def with_settings(x):
    scaled = SETTINGS.apply(x) * SETTINGS.scale
    return scaled * SETTINGS.weights.shape[0] + SETTINGS.weights.sum() + len(SETTINGS.names)


SETTINGS = Settings(3.0, doubled, np.ones(4), ["a"], (1, ("b", None)))


def test_what_is_in_a_tuple_may_change():
    """A tuple is looked into at each call only where it may hold something else."""
    global SETTINGS
    first = SETTINGS
    compiled = ag.to_graph(with_settings)

    def same():
        np.testing.assert_array_equal(compiled(2.0), with_settings(2.0))

    try:
        same()
        first.names.append("c")
        same()
        first.weights[0] = 7.0
        same()
        first.weights.resize((2, 2), refcheck=False)
        same()
        SETTINGS = first._replace(scale=-1.0)
        same()
        SETTINGS = first._replace(inner=(1, ("b", 2.0)))
        same()
        SETTINGS = first
        same()
    finally:
        SETTINGS = first


def test_tuples_of_what_cannot_change_are_not_asked_again():
    inside = (1, 2.5, "a", None, doubled, np.sin, int, Ellipsis, (True, ()))
    assert changing_parts(inside) == []
    array, items = np.ones(2), [1]
    labelled = Labelled((1,))
    parts = changing_parts((*inside, array, ((items,), labelled)))
    assert [*map(id, parts)] == [id(array), id(items), id(labelled)]
