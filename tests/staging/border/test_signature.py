"""What a call looks like to the cache."""

import collections
from typing import NamedTuple

import numpy as np
import pytest

from autograph.errors import OperandTypeError
from autograph.staging.border.signature import (
    CallParts,
    Nested,
    argument_names,
    argument_paths,
    call_containers,
    call_key,
    flatten_call,
    is_bound,
    leaf_arguments,
    leaf_key,
    traced_type,
    unflatten_call,
)
from ops.core.types import array, weak


class Point(NamedTuple):
    x: float
    y: float


class Body:
    def __init__(self, mass):
        self.mass = mass


class OwnFloat(float):
    pass


class OwnArray(np.ndarray):
    pass


def key(*args, **kwargs):
    return call_key(*flatten_call(CallParts(args, kwargs)))


# -- nesting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args, kwargs, leaves",
    [
        ((), {}, []),
        ((1, 2.5), {}, [1, 2.5]),
        ((None,), {"k": "a"}, [None, "a"]),
        (((1, [2, {"b": 3, "a": 4}]),), {}, [1, 2, 3, 4]),
        ((Point(1, 2),), {"k": (3,)}, [1, 2, 3]),
    ],
)
def test_there_and_back(args, kwargs, leaves):
    found, structure = flatten_call(CallParts(args, kwargs))
    assert found == leaves
    assert unflatten_call(structure, found) == (args, kwargs)


def test_objects_are_taken_apart():
    leaves, structure = flatten_call(CallParts((Body(2.0), 1), {}))
    assert leaves == [2.0, 1] and isinstance(structure, Nested)
    (body, number), _ = unflatten_call(structure, [3.0, 4])
    assert (type(body), body.mass, number) == (Body, 3.0, 4)


def test_keys_that_equal_others_are_told_apart():
    assert key({1: 2.0}) != key({True: 2.0})
    assert key({1.0: 2.0}) != key({1: 2.0})
    _, structure = flatten_call(CallParts(({1.0: 2.0},), {}))
    assert isinstance(structure, Nested)


def test_containers_in_the_order_in_which_they_are_met():
    inner, table = [1], {"a": 2}
    args = ((inner, table), table)
    found = call_containers(CallParts(args, {}))
    assert inner in found and sum(item is table for item in found) == 1


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "one, other",
    [
        (1.0, 2.0),
        (1, 2),
        (np.zeros(3), np.ones(3)),
        (np.float32(1), np.float32(2)),
        ("a", "a"),
        ([1.0, 2], [3.0, 4]),
        (Point(1, 2), Point(3, 4)),
        (Body(1.0), Body(2.0)),
        (np.random.default_rng(0), np.random.default_rng(1)),
    ],
)
def test_calls_with_the_same_graph(one, other):
    assert key(one) == key(other)
    assert hash(key(one)) == hash(key(other))


@pytest.mark.parametrize(
    "one, other",
    [
        (1.0, 1),
        (1, True),
        (True, False),
        (1.0, 1j),
        (1.0, np.float64(1)),
        (np.float64(1), np.array(1.0)),
        (np.zeros(3), np.zeros(4)),
        (np.zeros(3), np.zeros(3, "f4")),
        (np.zeros(3), np.zeros((3, 1))),
        ("a", "b"),
        (None, 0),
        ((1,), [1]),
        ((1, 2), Point(1, 2)),
        ({"a": 1, "b": 2}, {"b": 1, "a": 2}),
        ([1], [1, 2]),
        (Body(1.0), Body(1)),
        (np.random.default_rng(0), np.random.Generator(np.random.MT19937(0))),
        (np.array(["a"]), np.array(["b"])),
    ],
)
def test_calls_with_graphs_of_their_own(one, other):
    assert key(one) != key(other)


def test_keywords_are_no_positions():
    assert key(1.0) != key(x=1.0)
    assert key(x=1.0) != key(y=1.0)


def test_which_objects_are_the_same_counts():
    first, second = np.random.default_rng(0), np.random.default_rng(0)
    assert key(first, second) == key(second, first) != key(first, first)
    assert key(1.0, 1.0) == key(1.0, 2.0)


def test_keys_of_frequent_leaves():
    assert leaf_key(1.0) is float and leaf_key(1) is int and leaf_key(1j) is complex
    assert leaf_key(np.zeros((2, 3))) == (np.dtype("f8"), (2, 3))
    assert leaf_key(np.float64(1)) == (np.float64, array("f8", ()))


# -- which leaves are traced -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "leaf, type",
    [
        (1.0, weak(float)),
        (1, weak(int)),
        (np.bool_(True), array("bool", ())),
        (np.zeros((2, 3), "i4"), array("i4", (2, 3))),
        (True, None),
        ("a", None),
        (None, None),
        (OwnFloat(1.0), None),
        (np.array(["a"]), None),
        (np.array([None]), None),
        (len, None),
    ],
)
def test_types_with_which_leaves_are_traced(leaf, type):
    assert traced_type(leaf) == type


@pytest.mark.parametrize(
    "leaf", [np.zeros(3, np.longdouble), np.zeros(3, ">f8"), np.zeros(2, "V3")]
)
def test_arrays_that_no_graph_takes(leaf):
    with pytest.raises(OperandTypeError, match="an array of dtype") as caught:
        traced_type(leaf)
    assert caught.value.id == "AG0401"


def test_arrays_of_another_class():
    with pytest.raises(OperandTypeError) as caught:
        traced_type(np.zeros(3).view(OwnArray))
    assert caught.value.id == "AG0352"


def test_objects_that_are_others_at_each_call():
    assert is_bound(np.random.default_rng(0)) and is_bound(np.array([None]))
    for leaf in (1.0, True, "a", None, np.zeros(3), np.float32(1), len, Body):
        assert not is_bound(leaf)


# -- names -----------------------------------------------------------------------------------------


def function(x, y=1, *rest, k=2, **others): ...


def names(*args, **kwargs):
    return argument_names(function, flatten_call(CallParts(args, kwargs))[1])


def test_names_of_arguments():
    assert names(1, 2) == ["x", "y"]
    assert names(1, k=2, z=3) == ["x", "k", "z"]
    assert names(1, 2, 3, 4) == ["x", "y", "arg2", "arg3"]
    assert names() == []


def test_names_of_what_is_inside_of_arguments():
    assert names([1, (2, 3)]) == ["x_0", "x_1_0", "x_1_1"]
    assert names({"a": 1, "b c": 2}) == ["x_a", "arg1"]
    assert names(Body(1.0)) == ["x_mass"]
    assert names(Body(Point(1.0, 2.0)), k=[3]) == ["x_mass_x", "x_mass_y", "k_0"]


def test_functions_that_do_not_tell_their_parameters():
    structure = flatten_call(CallParts((1, 2), {}))[1]
    assert argument_names(type, structure) == ["arg0", "arg1"]
    assert argument_paths(type, structure) == ["argument 0", "argument 1"]


def test_paths_to_what_is_inside_of_arguments():
    def paths(*args, **kwargs):
        return argument_paths(function, flatten_call(CallParts(args, kwargs))[1])

    inside = {"a": [1, Point(2, 3)], 4: (5,), "body": 6}
    for mass in (7, Body(7)):  # with and without an object among the arguments
        end = "" if mass == 7 else ".mass"
        found = paths(inside, 8, 9, k=[mass])
        assert found == [
            "x['a'][0]", "x['a'][1].x", "x['a'][1].y", "x[4][0]", "x['body']", "y", "argument 2",
            f"k[0]{end}",
        ]  # fmt: skip
    assert paths(Body({"b": [Body(1)]})) == ["x.mass['b'][0].mass"]


def test_the_argument_of_each_leaf():
    structure = flatten_call(CallParts(([1, 2], 3), {"k": (4, 5)}))[1]
    assert leaf_arguments(structure) == [0, 0, 1, "k", "k"]
    nested = flatten_call(CallParts((1, Body(2.0)), {"k": 3}))[1]
    assert leaf_arguments(nested) == [0, 1, "k"]


def test_ordered_dicts_are_dicts_in_their_order():
    ordered = collections.OrderedDict(b=1, a=2)
    leaves, structure = flatten_call(CallParts((ordered,), {}))
    assert leaves == [1, 2]
    assert unflatten_call(structure, leaves) == ((ordered,), {})
