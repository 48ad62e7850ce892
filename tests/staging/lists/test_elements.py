"""Elements of lists taken apart into the parts that become columns."""

import collections
from typing import NamedTuple

import numpy as np
import pytest

from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.elements import (
    ListOf,
    RecordOf,
    Stacked,
    element_type,
    flatten_element,
    is_changeable,
    leaf_count,
    list_depths,
    of_all,
    of_one,
)
from autograph.staging.lists.lists import TrackedList
from ops.core.types import ArrayType, array, weak
from tests.support.build_graphs import FLOAT, INT, VECTOR


class Point(NamedTuple):
    x: float
    y: float


class Body:
    def __init__(self, mass):
        self.mass = mass


def structure(element):
    return flatten_element(element)[1]


def test_a_leaf(recording):
    assert flatten_element(2.5) == ([2.5], LEAF)
    assert flatten_element("a") == (["a"], LEAF)


def test_tuples(recording):
    assert flatten_element((1, Point(2, 3))) == (
        [1, 2, 3],
        TupleOf(tuple, (LEAF, TupleOf(Point, (LEAF, LEAF)))),
    )


def test_lists_of_equal_elements_are_stacked(recording):
    leaves, found = flatten_element(TrackedList([1.0, 2.0]))
    assert found == ListOf(2, LEAF)
    assert leaves == [Stacked((1.0, 2.0), FLOAT)]


def test_lists_of_lists(recording):
    table = TrackedList([TrackedList([1.0, 2.0]), TrackedList([3.0, 4.0])])
    assert structure(table) == ListOf(2, ListOf(2, LEAF))


def test_lists_of_different_elements_are_records(recording):
    leaves, found = flatten_element(TrackedList([1.0, "a"]))
    assert isinstance(found, RecordOf) and found.kind is list
    assert leaves == [1.0, "a"]


def test_objects_and_dicts_are_records(recording):
    found = structure(Body(2.0))
    assert (found.kind, found.parts) == (Body, (LEAF,))
    assert structure({"a": 1, "b": (2,)}).parts == (LEAF, TupleOf(tuple, (LEAF,)))
    assert structure({"a": 1}) != structure({"b": 1})


def test_containers_without_values_are_leaves(recording):
    for empty in ({}, TrackedList()):
        assert flatten_element(empty) == ([empty], LEAF)


def test_what_is_changeable():
    for element in ([], {}, Body(1.0)):
        assert is_changeable(element)
    for element in ((), 1.0, "a", None, np.zeros(3), collections.deque()):
        assert not is_changeable(element)


NESTED = TupleOf(tuple, (LEAF, ListOf(3, ListOf(2, LEAF)), RecordOf(dict, ("a",), (LEAF,))))


def test_leaves_are_counted():
    assert leaf_count(LEAF) == 1
    assert leaf_count(TupleOf(tuple, ())) == 0
    assert leaf_count(NESTED) == 3


def test_in_how_many_lists_leaves_are():
    assert list_depths(LEAF) == [0]
    assert list_depths(NESTED) == [0, 2, 0]


def test_types_of_all_and_of_one():
    assert of_all(FLOAT, 3) == ArrayType(np.dtype("f8"), (3,), True)
    assert of_all(VECTOR, None) == array("f8", (None, 3))
    for element in (FLOAT, VECTOR):
        assert of_one(of_all(element, 5)) == element


@pytest.mark.parametrize(
    "part, type",
    [
        (2.5, FLOAT),
        (True, weak(bool)),
        (np.float32(2.5), array("f4", ())),
        (np.zeros(3), VECTOR),
        ("a", None),
        (None, None),
        (Stacked((1, 2), INT), of_all(INT, 2)),
    ],
)
def test_types_of_parts(part, type):
    assert element_type(part) == type


def test_arrays_of_unknown_length_are_no_parts(recording):
    assert element_type(recording.given(np.zeros(3))) == VECTOR
    assert element_type(recording.vector(1.0, 2.0)) is None
