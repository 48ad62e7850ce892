"""Which arrays a region changes."""

import numpy as np
import pytest

from autograph.errors import MutationError


@pytest.fixture
def x(recording):
    return recording.given(np.arange(3.0))


def test_changes_are_noticed_and_undone(recording, x):
    before = x.value
    with recording.recorder.new_frame() as frame:
        x[0] = 5.0
        (found,) = frame.written()
        assert found is x
    assert x.value is before and len(frame.written()) == 0


def test_new_arrays_do_not_count(recording, x):
    with recording.recorder.new_frame() as frame:
        y = x + 1.0
        y[0] = 5.0
        assert frame.written() == []


def test_a_write_of_the_same_value_is_none(recording, x):
    with recording.recorder.new_frame() as frame:
        x.write(x.value)
        assert frame.written() == []


def test_views_change_with_their_base(recording, x):
    view = x[1:]
    with recording.recorder.new_frame() as frame:
        view[0] = 5.0
        (found,) = frame.written()
        assert found is x
    np.testing.assert_array_equal(recording.run(x), [0.0, 1.0, 2.0])


def test_views_that_are_read(recording, x):
    view = x[1:]
    with recording.recorder.new_frame() as frame:
        view.value  # noqa: B018
        assert view in frame.viewed and x not in frame.viewed


def test_views_that_are_read_in_an_inner_region_are_read_in_the_outer(recording, x):
    view = x[1:]
    with recording.recorder.new_frame() as outer:
        with recording.recorder.new_frame():
            view.value  # noqa: B018
        assert view in outer.viewed


def test_an_uncertain_view_that_is_on_its_own_now(recording):
    x = recording.given(np.zeros((2, 3)))
    flat = x.reshape(6)
    with recording.recorder.new_frame() as frame:
        flat[0] = 1.0
        assert frame.separated()[0] is flat
    assert flat._view is None  # after the region, too


def test_arrays_that_nobody_may_use_stay_so(recording, x):
    with recording.recorder.new_frame() as frame:
        x.forget()
        assert frame.written() == []
    with pytest.raises(MutationError):
        x.value  # noqa: B018


def test_arrays_that_must_not_change_stay_so(recording, x):
    with recording.recorder.new_frame():
        x.keep()
    assert x.is_kept


def test_all_is_undone_after_an_error(recording, x):
    before, outer = x.value, recording.recorder.frame
    with pytest.raises(KeyError), recording.recorder.new_frame():
        x[0] = 5.0
        raise KeyError
    assert x.value is before and recording.recorder.frame is outer
