"""Which results are arrays of no axes rather than numbers."""

import numpy as np
import pytest

from autograph.staging.joins.sides import Side, join_sides
from autograph.staging.joins.without_axes import arrays_without_axes, mark_arrays
from autograph.staging.values.maybe import none_or


@pytest.fixture
def number(recording):
    return lambda: recording.given(np.float64(2.0))


@pytest.fixture
def array(recording):
    return lambda: recording.given(np.array(2.0))


def marks(*contents):
    """The marks of two variables that hold these on two sides."""
    sides = [Side(list(zip("xy", pair))) for pair in contents]
    return arrays_without_axes(join_sides(*sides), sides)


def test_numbers_on_both_sides(number):
    assert marks((number(), number()), (number(), number())) == [[False], [False]]


def test_an_array_on_one_side(number, array):
    assert marks((number(), array()), (number(), number())) == [[False], [True]]
    assert marks((number(), number()), (array(), number())) == [[True], [False]]


def test_leaves_by_themselves(number, array):
    assert marks(((number(), array()), 1), ((number(), number()), 1)) == [[False, True], [False]]


def test_an_array_that_may_be_none(recording, array, number):
    there = recording.given(True)
    assert marks((none_or(there, array()), 1), (None, 1)) == [[True], [False]]


def test_what_is_marked_becomes_an_array(number, recording):
    x, y, z = number(), number(), none_or(recording.given(True), number())
    leaves = [[x, y], [z, "text"]]
    assert mark_arrays(leaves, [[True, False], [True, True]]) is leaves
    assert x.is_array and not y.is_array and z.is_array and z.content.is_array


def test_an_array_with_axes_needs_no_mark(recording):
    x = recording.given(np.zeros(3))
    mark_arrays([[x]], [[True]])
    assert not x.is_array
