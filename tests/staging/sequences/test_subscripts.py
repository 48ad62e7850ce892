"""Reading and writing ``x[index]``: windows, masks, and views that write themselves back."""

import numpy as np
import pytest

from autograph import errors
from autograph.staging.ground.restarts import SpecializeArguments
from autograph.staging.lists.lists import TrackedList
from autograph.staging.sequences.subscripts import assign, read
from ops.core.types import array
from tests.support.recording import recording_of_test

X = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def x(recording):
    return recording.given(X)


# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "index",
    [
        0,
        -1,
        slice(1, 3),
        (0, 1),
        (slice(None), 1),
        ...,
        (..., 0),
        None,
        [0, 2],
        slice(None, None, -1),
    ],
)
def test_as_numpy(recording, x, index):
    np.testing.assert_array_equal(recording.run(read(x, index)), X[index])


def test_symbolic_places(recording, x):
    i = recording.given(2)
    np.testing.assert_array_equal(recording.run(read(x, i)), X[2])
    np.testing.assert_array_equal(recording.run(read(x, (i, 1))), X[2, 1])


def test_lists_of_symbolic_places(recording, x):
    i = recording.given(2)
    np.testing.assert_array_equal(recording.run(read(x, [i, 0])), X[[2, 0]])
    np.testing.assert_array_equal(recording.run(read(x, ([i, 0], [1, i]))), X[[2, 0], [1, 2]])


@pytest.mark.parametrize("index, error", [(4, IndexError), ((0, 3), IndexError), ("a", IndexError)])
def test_errors_are_numpys(x, index, error):
    with pytest.raises(error) as caught:
        read(x, index)
    assert isinstance(caught.value, errors.AutographError)


# -- slices with symbolic bounds -------------------------------------------------------------------


def test_a_slice_of_known_length(recording, x):
    i = recording.given(1)
    found = read(x, slice(i, i + 2))
    assert found.type == array("f8", (2, 3))
    np.testing.assert_array_equal(recording.run(found), X[1:3])


def test_a_slice_of_another_axis(recording, x):
    i = recording.given(1)
    for index in ((slice(None), slice(i, i + 2)), (..., slice(i, i + 2))):
        found = read(x, index)
        assert found.type.shape == (4, 2)
        np.testing.assert_array_equal(recording.run(found), X[:, 1:3])


def test_an_axis_that_is_added_does_not_count(recording, x):
    i = recording.given(1)
    found = read(x, (None, slice(None), slice(i, i + 2)))
    np.testing.assert_array_equal(recording.run(found), X[None, :, 1:3])


def test_a_slice_of_nothing(recording, x):
    i = recording.given(1)
    assert read(x, slice(i, i)).type.shape == (0, 3)


def test_a_slice_that_may_reach_past_an_end_is_bet_on(recording, x):
    i = recording.given(1)
    read(x, slice(i, i + 2))
    assert recording.recorder.bets


def test_a_slice_that_cannot_reach_past_an_end(recording, x):
    i = recording.given(1)
    recording.recorder.below[i.value] = 3
    read(x, slice(i, i + 2))
    assert not recording.recorder.bets
    read(x, slice(i, i + 3))
    assert recording.recorder.bets


def test_slices_that_may_reach_past_an_end_where_bets_were_lost():
    with recording_of_test(clips=True) as recording:
        x, i = recording.given(X), recording.given(3)
        found = read(x, slice(i, i + 2))
        assert found.type.shape == (None, 3)
        np.testing.assert_array_equal(recording.run(found), X[3:5])


def test_integer_arguments_that_determine_a_length(recording, x):
    i = recording.given(1)
    recording.recorder.inputs.positions[i.value] = 5
    with pytest.raises(SpecializeArguments) as caught:
        read(x, slice(i, None))
    assert caught.value.positions == [5]


# -- writing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, (slice(None), 1), ..., (1, 2), slice(None, None, 2), [0, 2]])
def test_assigned_as_numpy_does(recording, x, index):
    expected = X.copy()
    expected[index] = 7.0
    assign(x, index, 7.0)
    np.testing.assert_array_equal(recording.run(x), expected)


def test_assigned_at_symbolic_places(recording, x):
    i = recording.given(1)
    assign(x, (slice(i, i + 2), 0), [8.0, 9.0])
    expected = X.copy()
    expected[1:3, 0] = [8.0, 9.0]
    np.testing.assert_array_equal(recording.run(x), expected)


def test_values_that_do_not_fit(x):
    with pytest.raises(errors.OperandShapeError):
        assign(x, 0, np.zeros(2))


@pytest.mark.parametrize("value", [7.0, np.array([7.0, 8.0, 9.0]), np.float32(7)])
def test_one_value_behind_a_mask(recording, x, value):
    mask = np.array([True, False, True, False])
    assign(x, recording.given(mask), value)
    expected = X.copy()
    expected[mask] = value
    np.testing.assert_array_equal(recording.run(x), expected)
    assert "where" in recording.ops()


def test_a_mask_of_all_axes(recording, x):
    assign(x, recording.given(X > 5), 0.0)
    np.testing.assert_array_equal(recording.run(x), np.where(X > 5, 0.0, X))


def test_floats_behind_a_mask_become_integers(recording):
    n, mask = recording.given(np.arange(3)), recording.given(np.array([True, False, True]))
    assign(n, mask, np.float64(7.9))
    np.testing.assert_array_equal(recording.run(n), [7, 1, 7])


def test_several_values_behind_a_mask(recording, x):
    mask = np.array([True, False, True, False])
    values = np.arange(6.0).reshape(2, 3)
    assign(x, recording.given(mask), values)
    expected = X.copy()
    expected[mask] = values
    np.testing.assert_array_equal(recording.run(x), expected)


# -- views -----------------------------------------------------------------------------------------


def test_the_store_after_an_augmented_assignment_writes_nothing(recording, x):
    view = read(x, 1)
    view += 1.0  # which writes itself back
    count = len(recording.ops())
    assign(x, 1, view)
    assert len(recording.ops()) == count
    expected = X.copy()
    expected[1] += 1.0
    np.testing.assert_array_equal(recording.run(x), expected)


def test_a_view_of_another_place_is_written(recording, x):
    view = read(x, 1)
    view += 1.0
    assign(x, 2, view)
    expected = X.copy()
    expected[1] += 1.0
    expected[2] = expected[1]
    np.testing.assert_array_equal(recording.run(x), expected)


def test_a_list_kept_as_rows_is_an_index(recording, x):
    places = TrackedList([2, 0])
    np.testing.assert_array_equal(recording.run(read(x, places)), X[[2, 0]])
