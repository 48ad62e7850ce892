"""The elements of lists as arrays, and places in lists, as Python's own lists have them."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from autograph.errors import LoopStateError, MutationError
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.columns import (
    at_least,
    at_most,
    bounds_of,
    clamped,
    constant_of,
    existing,
    from_start,
    is_symbolic_slice,
    joined_elements,
    places_of,
    positions,
    rows_of_elements,
    stacked,
    strong,
)
from autograph.staging.lists.lists import TrackedList
from ops.core.types import array
from tests.support.build_graphs import FLOAT, INT, VECTOR

INDICES = (-9, -5, -4, -1, 0, 1, 4, 5, 9)


class Point(NamedTuple):
    x: float
    y: float


# -- places ----------------------------------------------------------------------------------------


@pytest.fixture(params=["known", "symbolic"])
def number(request, recording):
    """What makes an int that is known, or is so only at run time."""
    return (lambda i: i) if request.param == "known" else recording.given


@pytest.mark.parametrize("length", [0, 1, 5])
def test_where_something_begins(recording, number, length):
    for index in INDICES:
        assert (
            recording.run(clamped(number(index), number(length)))
            == slice(index, None).indices(length)[0]
        )


def test_from_start(recording, number):
    assert recording.run(from_start(number(3), number(5))) == 3
    assert recording.run(from_start(number(0), number(5))) == 0
    assert recording.run(from_start(number(-1), number(5))) == 4


def test_at_least_and_at_most(recording, number):
    assert recording.run(at_least(number(3), 5), at_least(number(5), 3)) == (5, 5)
    assert recording.run(at_most(number(3), 5), at_most(number(5), 3)) == (3, 3)


def test_numbers_that_are_known_are_not_recorded(recording):
    assert clamped(-1, 5) == 4 and at_most(3, 5) == 3
    assert recording.ops() == []


def test_existing_elements(recording, number):
    found = recording.run(*(existing(number(i), number(5), "no") for i in range(-5, 5)))
    assert list(found) == [0, 1, 2, 3, 4] * 2


@pytest.mark.parametrize("index", [-6, 5])
def test_missing_elements(recording, number, index):
    with pytest.raises(IndexError, match="list index out of range"):
        recording.run(existing(number(index), number(5), "list index out of range"))


def test_nothing_is_in_an_empty_list():
    with pytest.raises(IndexError, match="empty"):
        existing(0, 0, "empty")


BOUNDS = list(itertools.product((None, -9, -5, -1, 0, 1, 4, 9), repeat=2))


@pytest.mark.parametrize("length", [0, 1, 5])
def test_bounds_of_slices(recording, number, length):
    given = {i: None if i is None else number(i) for i, _ in BOUNDS}
    found = [bounds_of(slice(given[i], given[j]), number(length)) for i, j in BOUNDS]
    for bounds, (begin, end) in zip(BOUNDS, grouped(recording.run(*itertools.chain(*found)))):
        assert begin <= end
        assert range(length)[begin:end] == range(length)[slice(*bounds)]


def grouped(values):
    return zip(values[::2], values[1::2])


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("step", [None, 1, 2, 7, -1, -2, -7])
def test_places_of_slices(recording, number, length, step):
    slices = [slice(*bounds, step) for bounds in BOUNDS]
    places = recording.run(*(places_of(index, number(length)) for index in slices))
    for index, found in zip(slices, places):
        np.testing.assert_array_equal(found, np.arange(length)[index])


def test_positions(recording, number):
    np.testing.assert_array_equal(recording.run(positions(number(3))), [0, 1, 2])
    assert recording.run(positions(number(0))).shape == (0,)


def test_symbolic_slices(recording):
    n = recording.given(3)
    assert not is_symbolic_slice(slice(1, None, 2)) and not is_symbolic_slice(slice(None))
    for index in (slice(n), slice(n, None), slice(None, None, n)):
        assert is_symbolic_slice(index)


# -- rows ------------------------------------------------------------------------------------------


@pytest.fixture
def numbers(recording):
    """1.0, 2.0, 3.0 as rows."""
    return rows_of_elements([1.0, recording.given(2.0), 3.0])


def elements(recording, rows):
    (column,) = rows.columns
    return list(recording.run(column.value))


def test_elements_of_one_type(numbers):
    assert numbers.structure is LEAF and numbers.length == 3
    assert numbers.columns[0].element == FLOAT


def test_nested_elements_have_a_column_for_each_part(recording):
    rows = rows_of_elements([Point(1.0, 2), Point(3.0, 4)])
    assert rows.structure == TupleOf(Point, (LEAF, LEAF))
    assert [column.element for column in rows.columns] == [FLOAT, INT]
    point = rows.item(recording.given(1))
    assert type(point) is Point and recording.run(*point) == (3.0, 4)


@pytest.mark.parametrize("items", [[], [()], [1.0, (1.0,)], ["a"], [np.zeros(2), 1.0]])
def test_elements_that_are_no_rows(recording, items):
    assert rows_of_elements(items) is None


def test_what_is_put_into_rows_must_not_change(recording):
    x = recording.given(np.zeros(3))
    rows_of_elements([x])
    with pytest.raises(MutationError) as caught:
        x[0] = 1.0
    assert caught.value.id == "AG0320"


def test_an_element_by_its_place(recording, numbers):
    assert recording.run(numbers.item(1)) == 2.0
    assert recording.run(numbers.item(recording.given(-1))) == 3.0
    assert numbers.item(0).type == FLOAT


def test_elements_that_are_arrays_are_copies(recording):
    rows = rows_of_elements([recording.given(np.zeros(3)), recording.given(np.ones(3))])
    item = rows.item(recording.given(1))
    np.testing.assert_array_equal(recording.run(item), np.ones(3))
    with pytest.raises(MutationError):
        item[0] = 5.0


def test_elements_that_are_containers_are_made_anew(recording):
    table = rows_of_elements([TrackedList([1.0, 2.0]), TrackedList([3.0, 4.0])])
    row = table.item(recording.given(1))
    assert list(recording.run(row)) == [3.0, 4.0]
    records = rows_of_elements([{"a": 1.0}, {"a": 2.0}])
    found = records.item(recording.given(1))
    assert recording.run(found["a"]) == 2.0
    for element in (row, found):
        assert recording.recorder.frozen.is_element(element)


def test_an_element_that_is_not_there(recording, numbers):
    item = numbers.item(recording.given(3))
    with pytest.raises(IndexError):
        recording.run(item)


def test_changes_make_new_rows(recording, numbers):
    x = recording.given(9.0)
    changed = [
        (numbers.appended(x), [1.0, 2.0, 3.0, 9.0]),
        (numbers.replaced(1, x, "outside"), [1.0, 9.0, 3.0]),
        (numbers.without_last(), [1.0, 2.0]),
        (numbers.reversed(), [3.0, 2.0, 1.0]),
        (numbers.without(0), [2.0, 3.0]),
        (numbers.without(recording.given(1)), [1.0, 3.0]),
        (numbers.inserted(recording.given(1), x), [1.0, 9.0, 2.0, 3.0]),
        (numbers.inserted(0, x), [9.0, 1.0, 2.0, 3.0]),
        (numbers.joined(numbers), [1.0, 2.0, 3.0] * 2),
        (numbers.repeated(recording.given(3)), [1.0, 2.0, 3.0] * 3),
        (numbers.repeated(recording.given(-1)), []),
        (numbers.cut(slice(1, recording.given(-1))), [2.0]),
        (numbers.cut(slice(None, None, 2)), [1.0, 3.0]),
        (numbers, [1.0, 2.0, 3.0]),
    ]
    for rows, expected in changed:
        assert elements(recording, rows) == expected


def test_no_elements_stay_none_however_often(recording, numbers):
    empty = numbers.cut(slice(recording.given(9), None))
    assert elements(recording, empty.repeated(3)) == []
    assert elements(recording, empty.appended(1.0)) == [1.0]


def test_elements_stay_of_their_types(recording):
    rows = rows_of_elements([1, 2]).appended(2.5)
    assert rows.structure.kind.kinds == (INT, FLOAT)
    which, exact, promoted = (recording.run(column.value) for column in rows.columns)
    assert list(which) == [0, 0, 1] and list(exact[:2]) == [1, 2]
    assert list(promoted) == [1.0, 2.0, 2.5]
    assert elements(recording, rows.promoted) == [1.0, 2.0, 2.5]


@pytest.mark.parametrize("element", [(1.0,), "a", object()])
def test_an_element_of_another_kind(numbers, element):
    with pytest.raises(LoopStateError) as caught:
        numbers.appended(element)
    assert caught.value.id == "AG0316"


def test_an_element_of_another_shape(recording, numbers):
    with pytest.raises(LoopStateError, match=r"different types: float and f64\[2\]"):
        numbers.appended(recording.given(np.zeros(2)))
    with pytest.raises(LoopStateError, match="different structure"):
        numbers.joined(rows_of_elements([(1.0, 2.0)]))


def test_which_elements_equal_another(recording, numbers):
    found = recording.run(numbers.equals(recording.given(2.0)))
    np.testing.assert_array_equal(found, [False, True, False])
    pairs = rows_of_elements([(1.0, 2), (1.0, 3)])
    np.testing.assert_array_equal(recording.run(pairs.equals((1.0, 3))), [False, True])
    assert numbers.equals("a") is None and numbers.equals((2.0,)) is None


# -- parts of elements -----------------------------------------------------------------------------


def test_numbers_that_are_known_are_one_constant(recording):
    made = constant_of([1, 2.5], FLOAT)
    np.testing.assert_array_equal(made.contents(), [1.0, 2.5])
    assert recording.ops() == []


def test_numbers_that_are_not_known(recording):
    assert constant_of([1.0, recording.given(2.0)], FLOAT) is None
    assert constant_of([], FLOAT) is None
    assert constant_of([2**70], INT) is None


@pytest.mark.parametrize(
    "a, b, both", [(INT, FLOAT, FLOAT), (VECTOR, array("f4", (3,)), VECTOR), (INT, INT, INT)]
)
def test_types_of_elements_of_two_lists(a, b, both):
    assert joined_elements(a, b) == both


@pytest.mark.parametrize("other, says", [(VECTOR, r"float and f64\[3\]"), (None, "an object")])
def test_elements_that_do_not_fit(other, says):
    with pytest.raises(LoopStateError, match=says):
        joined_elements(FLOAT, other)


def test_strong(recording):
    made = strong(recording.given(2), FLOAT)
    assert made.type == array("f8", ()) and recording.run(made) == 2.0


def test_what_numpy_makes_of_nested_elements(recording):
    rows = rows_of_elements([(1.0, 2.0), (3.0, 4.0)])
    made = recording.run(stacked(rows.structure, iter(rows.columns)))
    np.testing.assert_array_equal(made, [[1.0, 2.0], [3.0, 4.0]])


def test_numpy_makes_no_array_of_dicts(recording):
    rows = rows_of_elements([{"a": 1.0}, {"a": 2.0}])
    with pytest.raises(TypeError, match="objects of type dict"):
        stacked(rows.structure, iter(rows.columns))
