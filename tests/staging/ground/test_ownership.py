"""Which classes and objects are the user's, and made of nothing but attributes."""

import collections
import enum
import fractions
import types
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.ownership import (
    Recorded,
    is_made_of_attributes,
    is_user_class,
    is_user_object,
    shows_all,
    slots_of,
)


class Plain:
    pass


@dataclass
class Point:
    x: float


class Slotted:
    __slots__ = ("__hidden", "x")


class More(Slotted):
    """With attributes of both kinds."""

    __slots__ = "y"


class Items(list):
    pass


class Made:
    """With a ``__new__`` of its own."""

    def __new__(cls):
        return super().__new__(cls)


class Pair(NamedTuple):
    x: float


class Color(enum.Enum):
    RED = 1


class OwnArray(np.ndarray):
    pass


class Stand(Recorded):
    pass


USERS = (Plain, Point, Slotted, More, Items, Made, Pair, Color, OwnArray)
OTHERS = (object, list, np.ndarray, np.float64, GraphArray, fractions.Fraction)


@pytest.mark.parametrize("kind", USERS)
def test_classes_of_the_user(kind):
    assert is_user_class(kind)


@pytest.mark.parametrize("kind", [*OTHERS, collections.OrderedDict, types.SimpleNamespace])
def test_classes_of_others(kind):
    assert not is_user_class(kind)


@pytest.mark.parametrize("kind", [Plain, Point, Slotted, More, Made])
def test_made_of_attributes(kind):
    assert is_made_of_attributes(kind)


@pytest.mark.parametrize("kind", [Items, Pair, Color, OwnArray, dict])
def test_made_of_more(kind):
    assert not is_made_of_attributes(kind)


@pytest.mark.parametrize(
    "value", [Plain(), Point(1.0), Slotted(), More(), Made(), types.SimpleNamespace(), Stand()]
)
def test_objects_of_the_user(value):
    assert is_user_object(value)


@pytest.mark.parametrize("value", [Items(), Pair(1.0), Color.RED, 1.0, None, Plain, fractions])
def test_other_objects(value):
    assert not is_user_object(value)


def test_an_array_of_a_class_of_the_user_is_an_array():
    assert not is_user_object(np.zeros(3).view(OwnArray))


def test_what_shows_all_of_its_state():
    class WithDict:
        __slots__ = ("__dict__",)

    for kind in (object, Plain, Slotted, More, WithDict):
        assert shows_all(kind)
    assert not shows_all(list) and not shows_all(Items) and not shows_all(int)


def made_in(module):
    """A class that says it is of a module of this name."""
    return type("Made", (), {"__module__": module})


def test_classes_of_modules_without_a_file():
    assert is_user_class(made_in("a_notebook"))
    assert not is_user_class(made_in("sys"))
    assert not is_user_class(made_in("_cython_3_0"))
    assert not is_user_class(made_in("ops.own"))


def test_slots():
    assert slots_of(Plain) == ()
    assert slots_of(Slotted) == ("_Slotted__hidden", "x")
    assert slots_of(More) == ("y", "_Slotted__hidden", "x")


def test_slots_that_hold_no_attribute():
    class Linked:
        __slots__ = ("__dict__", "__weakref__", "x")

    assert slots_of(Linked) == ("x",)
