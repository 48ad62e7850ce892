"""What calls change is changed by a function that is written for it, whatever stays beside it."""

import numpy as np
import pytest

import autograph as ag
from tests.support.call_counts import count_calls


class Tuning:
    """What a filter keeps, too, and no call changes."""


class Filter:
    def __init__(self):
        self.x = np.zeros((2, 1))
        self.moved = np.array([[1.0, 1.0], [0.0, 1.0]])
        self.inverse = np.linalg.inv
        self.name = "filter"
        self.kind = Tuning
        self.tuning = Tuning()
        self.sizes = (2, "two", None)
        self.last = None
        self.count = 0


def swapped(filter, z):
    filter.name, filter.last = filter.last, filter.name
    filter.count += 1
    return filter.x * z


def stays(filter, z):
    filter.count += 1
    return filter.x, filter.inverse, z


def constant(filter, z):
    filter.last = filter.inverse
    filter.count += 1
    return filter.x * z


@pytest.mark.parametrize("function", [swapped, stays, constant])
def test_what_is_no_array_stays_or_moves(function):
    compiled, one, other = ag.to_graph(function), Filter(), Filter()
    for z in np.linspace(0.0, 1.0, 8).tolist():
        found, expected = compiled(one, z), function(other, z)
        if function is stays:
            assert found[1] is expected[1]
            found, expected = found[0], expected[0]
        np.testing.assert_array_equal(found, expected)
        assert list(vars(one)) == list(vars(other))
        for name in ("inverse", "name", "kind", "sizes", "last", "count"):
            assert getattr(one, name) == getattr(other, name), name
    one.inverse = other.inverse = np.linalg.pinv
    compiled(one, 1.0), function(other, 1.0)
    assert one.inverse is np.linalg.pinv and one.last == other.last


def test_a_call_takes_few_calls_of_python():
    def moved(filter, z):
        filter.x = filter.inverse(filter.moved) @ filter.x + z
        filter.count += 1
        return filter.x

    compiled, one, other = ag.to_graph(moved), Filter(), Filter()
    for _ in range(100):
        np.testing.assert_allclose(compiled(one, 0.1), moved(other, 0.1), rtol=1e-12)
    assert count_calls(lambda: compiled(one, 0.1))["call"] < 6
    assert one.count == 101 and one.inverse is np.linalg.inv
