"""Ranges where an array is wanted."""

import numpy as np
import pytest

from autograph.staging.sequences.items import traced_range
from autograph.staging.sequences.ranges import as_array, holds_range, is_range, without_ranges


def test_what_is_a_range(recording):
    assert is_range(range(3)) and is_range(traced_range(recording.given(3)))
    for value in (3, [0, 1], np.arange(3), None):
        assert not is_range(value)


def test_what_holds_ranges():
    for value in (range(3), [range(3)], (1, range(3))):
        assert holds_range(value)
    for value in ([], (1, 2), {"a": range(3)}, [[range(3)]], np.arange(3)):
        assert not holds_range(value)


@pytest.mark.parametrize("numbers", [range(0), range(3), range(5, 1, -2), range(7, 9)])
def test_the_array_that_numpy_makes(recording, numbers):
    found = as_array(numbers)
    assert found.dtype == np.array(numbers).dtype
    np.testing.assert_array_equal(found, np.array(numbers))


@pytest.mark.parametrize("count", [0, 3])
def test_of_a_symbolic_range_with_known_length(recording, count):
    start = recording.given(5)
    found = as_array(traced_range(start, start + count))
    expected = np.array(range(5, 5 + count))
    found = recording.run(found)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_without_ranges(recording):
    assert without_ranges(range(3)) == [0, 1, 2]
    assert without_ranges((range(2), 5)) == ([0, 1], 5)
    assert without_ranges([[1], range(1)]) == [[1], [0]]
    start = recording.given(2)
    found = without_ranges([traced_range(start, start + 2), 1])
    np.testing.assert_array_equal(recording.run(found[0]), [2, 3])


@pytest.mark.parametrize("value", [1, [1, 2], (1, 2), "text", {"a": range(2)}])
def test_other_arguments_stay(value):
    assert without_ranges(value) is value
