"""What a graph loop can go through: counts, and an item for each index."""

import itertools

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.items import (
    Arithmetic,
    as_items,
    length,
    traced_enumerate,
    traced_filter,
    traced_map,
    traced_range,
    traced_reversed,
    traced_zip,
)
from tests.support.recording import recording_of_test


def all_of(recording, items):
    """What the items are when the program runs."""
    count = recording.run(recording.recorder.value_of(items.count))
    found = [items.item(i) for i in range(count)]
    return [
        tuple(map(recording.run, item)) if isinstance(item, tuple) else recording.run(item)
        for item in found
    ]


# -- range -----------------------------------------------------------------------------------------

BOUNDS = (-3, 0, 1, 4)


@pytest.mark.parametrize("step", [1, 2, 5, -1, -2])
def test_ranges(recording, step):
    for start, stop in itertools.product(BOUNDS, repeat=2):
        expected = list(range(start, stop, step))
        with recording_of_test() as recording:
            given = traced_range(recording.given(start), stop, step)
            assert all_of(recording, given) == expected
            symbolic = traced_range(start, recording.given(stop), recording.given(step))
            assert all_of(recording, symbolic) == expected


def test_ranges_of_fewer_arguments(recording):
    assert all_of(recording, traced_range(recording.given(3))) == [0, 1, 2]
    assert all_of(recording, traced_range(2, recording.given(5))) == [2, 3, 4]


def test_a_step_of_zero(recording):
    with pytest.raises(ValueError, match="must not be zero"):
        traced_range(recording.given(0), 3, 0)
    items = traced_range(0, 3, recording.given(0))
    with pytest.raises(ValueError, match="must not be zero"):
        recording.run(items.count)


@pytest.mark.parametrize("bound", [2.5, np.zeros(2), "a"])
def test_bounds_that_are_no_integers(recording, bound):
    given = bound if isinstance(bound, str) else recording.given(bound)
    with pytest.raises(TypeError):
        traced_range(given, recording.given(3))


def test_numbers_of_a_range_are_pythons(recording):
    items = traced_range(recording.given(np.int32(3)))
    assert items.item(recording.given(0)).type.weak


@pytest.mark.parametrize("step", [1, 3, -2])
def test_what_a_range_contains(recording, step):
    numbers = range(2, 12, step) if step > 0 else range(12, 2, step)
    items = traced_range(recording.given(numbers.start), numbers.stop, step)
    found = recording.run(*(items.contains(recording.given(n)) for n in range(0, 15)))
    assert [bool(x) for x in found] == [n in numbers for n in range(0, 15)]


def test_numbers_by_their_places(recording):
    items = traced_range(recording.given(5), 11, 2)
    found = recording.run(*(items[recording.given(i)] for i in (-3, -1, 0, 2)))
    assert found == (5, 9, 5, 9)
    beyond = items[recording.given(3)]
    with pytest.raises(IndexError, match="range object index out of range"):
        recording.run(beyond)


def test_attributes_that_ranges_do_not_have(recording):
    with pytest.raises(AttributeError, match="'range' object has no attribute 'size'"):
        traced_range(recording.given(3)).size  # noqa: B018


# -- of what there are items -----------------------------------------------------------------------


def test_what_has_items(recording):
    x = recording.given(np.arange(3.0))
    assert all_of(recording, as_items(x)) == [0.0, 1.0, 2.0]
    assert all_of(recording, as_items(range(3, 0, -1))) == [3, 2, 1]
    assert as_items(range(3, 0)).count == 0
    items = as_items(x)
    assert as_items(items) is items


def test_what_only_python_goes_through(recording):
    for value in ([1], (1,), "ab", {}, iter([1]), recording.given(2.0), TrackedList([1])):
        assert as_items(value) is None


def test_lengths(recording):
    assert length(recording.given(np.zeros(3))) == 3
    assert recording.run(length(recording.vector(1.0, 2.0))) == 2


def test_all_but_the_first(recording):
    assert all_of(recording, as_items(recording.given(np.arange(3.0))).rest()) == [1.0, 2.0]
    rest = as_items(range(2, 8, 3)).rest()
    assert isinstance(rest, Arithmetic) and all_of(recording, rest) == [5]


# -- built-in functions ----------------------------------------------------------------------------


@pytest.fixture
def x(recording):
    return recording.given(np.array([1.0, 2.0, 3.0]))


def test_enumerate(recording, x):
    assert all_of(recording, traced_enumerate(x)) == [(0, 1.0), (1, 2.0), (2, 3.0)]
    assert all_of(recording, traced_enumerate(x, 5))[0] == (5, 1.0)
    assert list(traced_enumerate("ab", 1)) == [(1, "a"), (2, "b")]


def test_zip_is_as_long_as_the_shortest(recording, x):
    assert all_of(recording, traced_zip(x, range(2))) == [(1.0, 0), (2.0, 1)]
    shorter = recording.vector(7.0, 8.0)
    assert all_of(recording, traced_zip(x, shorter)) == [(1.0, 7.0), (2.0, 8.0)]
    assert list(traced_zip([1, 2], "ab")) == [(1, "a"), (2, "b")]
    assert list(traced_zip()) == []


def test_strict_zip(recording, x):
    assert traced_zip(x, range(3), strict=True).count == 3
    for other, says in ((range(2), "2 is shorter"), (range(4), "2 is longer")):
        with pytest.raises(ValueError, match=f"argument {says} than argument 1"):
            traced_zip(x, other, strict=True)
    with pytest.raises(ValueError, match="argument 3 is shorter than arguments 1-2"):
        traced_zip(x, range(3), range(2), strict=True)
    unknown = traced_zip(x, recording.vector(1.0), strict=True)
    with pytest.raises(ValueError, match="differ in length"):
        recording.run(unknown.count)


def test_reversed(recording, x):
    assert all_of(recording, traced_reversed(x)) == [3.0, 2.0, 1.0]
    assert list(traced_reversed([1, 2])) == [2, 1]


def test_map(recording, x):
    found = traced_map(lambda a, b: a * b, x, range(3))
    assert all_of(recording, found) == [0.0, 2.0, 6.0]
    assert list(traced_map(len, ["a", "bc"])) == [1, 2]


def test_filter_of_what_python_knows(recording):
    assert list(traced_filter(None, [0, 1, 2])) == [1, 2]
    assert list(traced_filter(lambda n: n > 1, [0, 1, 2])) == [2]


def test_filter_of_what_the_run_decides(recording, x):
    with pytest.raises(ConcreteValueError) as caught:
        list(traced_filter(lambda item: item > 1.0, x))
    assert caught.value.id == "AG0309"


def test_python_goes_through_few_items_only():
    with recording_of_test(unroll_limit=3) as recording:
        x = recording.given(np.arange(4.0))
        assert len(list(as_items(x[:3]))) == 3
        with pytest.raises(ConcreteValueError, match=r"4 items here, more than unroll_limit \(3\)"):
            list(as_items(x))
