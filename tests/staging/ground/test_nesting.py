"""Nested tuples: what is one, and putting it together of its items."""

from typing import NamedTuple

import pytest

from autograph.staging.ground.nesting import (
    LEAF,
    TupleOf,
    is_tuple,
    kind_of,
    make_tuple,
    parts_of,
)


class Point(NamedTuple):
    x: float
    y: float


class Own(tuple):
    """A tuple that its items alone do not make."""


class TextOfValues:
    """Like `GraphText`, a text with values in it."""

    is_text = True
    kind = "x = {}"
    values = (1.0,)


@pytest.mark.parametrize("content", [(), (1,), Point(1.0, 2.0), TextOfValues()])
def test_tuples(content):
    assert is_tuple(content)


@pytest.mark.parametrize("content", [[], [1], {}, "text", None, 1.0, Own((1,))])
def test_no_tuples(content):
    assert not is_tuple(content)


def test_kind_and_parts():
    assert (kind_of((1, 2)), parts_of((1, 2))) == (tuple, (1, 2))
    assert (kind_of(Point(1, 2)), parts_of(Point(1, 2))) == (Point, (1, 2))
    assert (kind_of(TextOfValues()), parts_of(TextOfValues())) == ("x = {}", (1.0,))


def test_make_tuple():
    assert make_tuple(tuple, []) == ()
    assert make_tuple(tuple, [1, 2]) == (1, 2)
    made = make_tuple(Point, [1, 2])
    assert type(made) is Point and made == (1, 2)


def test_structures_are_equal_by_what_they_say():
    assert TupleOf(tuple, (LEAF,)) == TupleOf(tuple, (LEAF,))
    assert TupleOf(tuple, (LEAF, LEAF)) != TupleOf(Point, (LEAF, LEAF))
