"""Integer expressions as polynomials: what cancels, and how large they can be."""

import pytest

from autograph.graph.builder import Builder
from autograph.graph.graph import Constant
from autograph.staging.ground.polynomial import bounds, constant, difference
from tests.support.build_graphs import FLOAT, INT


@pytest.fixture
def values():
    """Three integers of a graph."""
    with Builder() as builder:
        yield tuple(builder.input(INT, name) for name in "ijk")


def test_plain_integers_are_constants():
    assert difference(7, 3) == {(): 4}
    assert difference(3, 3) == {}
    assert difference(Constant(7), 3) == {(): 4}


def test_what_both_have_cancels(values):
    i, j, _ = values
    assert difference((i + 1) * j, i * j) == {(j,): 1}
    assert difference(i + 5, i) == {(): 5}
    assert difference(i, i) == {}


def test_the_order_of_factors_does_not_matter(values):
    i, j, k = values
    assert difference(i * j * k, k * (j * i)) == {}
    assert difference((i + j) * (i - j), i * i - j * j) == {}


def test_negative_terms(values):
    i, j, _ = values
    assert difference(-i, j) == {(i,): -1, (j,): -1}
    assert difference(-(i - 3), -i) == {(): 3}


def test_other_expressions_are_values_by_themselves(values):
    i, _, _ = values
    half = i // 2
    assert difference(half + 2, half) == {(): 2}
    assert difference(half, 0) == {(half,): 1}


def test_floats_are_not_taken_apart():
    with Builder() as builder:
        x = builder.input(FLOAT)
        total = x + 1
        assert difference(total, 0) == {(total,): 1}


def test_constant(values):
    i, _, _ = values
    assert constant({}) == 0
    assert constant({(): -2}) == -2
    assert constant({(i,): 1}) is None
    assert constant({(): 3, (i,): 1}) is None


def test_bounds_of_numbers():
    assert bounds(4, {}) == (4, 4)
    assert bounds(-4, {}) == (-4, -4)
    assert bounds(0, {}) == (0, 0)


def test_bounds_of_values_below_a_limit(values):
    i, j, k = values
    below = {i: 10, j: 4}
    assert bounds(i, below) == (0, 9)
    assert bounds(2 * i + 1, below) == (1, 19)
    assert bounds(-i, below) == (-9, 0)
    assert bounds(i * j, below) == (0, 27)
    assert bounds(i - j, below) == (-3, 9)
    assert bounds(i + k, below) is None


def test_bounds_of_a_value_that_can_only_be_zero(values):
    i, _, _ = values
    assert bounds(i + 3, {i: 1}) == (3, 3)
