"""Views: which results are one, and what reading and writing through them does."""

import numpy as np
import pytest

import ops
from autograph.errors import Location, MutationError, OperandValueError
from autograph.staging.arrays.views import UncertainArray, View, gives_array, gives_new_object
from autograph.staging.ground.restarts import FirstTripApart, SpecializeArguments

X = np.arange(6.0).reshape(2, 3)
LOOP = Location("f.py", 3)


@pytest.fixture
def x(recording):
    return recording.given(X)


def used(array):
    return array.value


def view(array):
    return array._view if isinstance(array._view, View) else None


# -- which results are views -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x[0],
        lambda x: x[:, 1:],
        lambda x: x.T,
        lambda x: x[0, 1, ...],  # an array of no axes
        lambda x: x.reshape(2, 3, 1),
    ],
)
def test_views(x, make):
    assert view(make(x)).base is x and view(make(x)).put is not None


@pytest.mark.parametrize(
    "make", [lambda x: x[0, 1], lambda x: x[[0, 1]], lambda x: x + 1, lambda x: x[x > 0]]
)
def test_copies(x, make):
    assert view(make(x)) is None


def test_whether_a_reshaped_array_is_a_view_depends_on_its_memory(x):
    assert view(x.reshape(6)).put is None
    assert view(x.reshape(1, 2, 1, 3)).put is not None


def test_a_number_has_no_views(recording):
    assert view(np.reshape(recording.given(2.0), ())) is None


def test_new_objects(x):
    for op, result in ((ops.getitem, x[:]), (ops.transpose, x.T)):
        assert gives_new_object(op, x, result.value)
    assert not gives_new_object(ops.reshape, x, x.value)
    assert gives_new_object(ops.reshape, x, x.reshape(6).value)


def test_elements_and_arrays_of_no_axes(x):
    assert not gives_array(ops.getitem, None, {"index": (("int", 0),)})
    assert gives_array(ops.getitem, None, {"index": (("int", 0), ("ellipsis",))})
    assert gives_array(ops.reshape, view(x[0]), {})
    assert not gives_array(ops.reshape, None, {})


# -- reading and writing ---------------------------------------------------------------------------


def test_a_view_sees_changes_of_its_base(recording, x):
    row = x[1]
    assert not view(row).is_stale()
    x[1, 0] = 9.0
    assert view(row).is_stale()
    np.testing.assert_array_equal(recording.run(row), [9.0, 4.0, 5.0])
    assert not view(row).is_stale()


def test_a_base_sees_changes_of_its_view(recording, x):
    row = x[1][1:]
    row[0] = 9.0
    np.testing.assert_array_equal(recording.run(x), [[0, 1, 2], [3, 9, 5]])
    np.testing.assert_array_equal(recording.run(row), [9.0, 5.0])


def test_views_see_changes_of_each_other(recording, x):
    a, b = x.T, x[0]
    a[2, 0] = 9.0
    np.testing.assert_array_equal(recording.run(b), [0.0, 1.0, 9.0])


def test_a_view_that_numpy_cannot_write_to(x):
    diagonal = np.diagonal(x)
    with pytest.raises(OperandValueError, match="read-only"):
        diagonal[0] = 1.0


def test_an_uncertain_view_after_its_base_was_written(x):
    flat = x.reshape(6)
    x[0, 0] = 1.0
    with pytest.raises(MutationError, match="reshape and ravel") as caught:
        flat[0]
    assert caught.value.id == "AG0324"


def test_the_base_of_an_uncertain_view_that_was_written(recording, x):
    flat = x.reshape(6)
    flat[0] = 9.0
    assert recording.run(flat)[0] == 9.0  # it is on its own now
    with pytest.raises(MutationError) as caught:
        x[0]
    assert caught.value.id == "AG0324"


# -- arrays that may share memory ------------------------------------------------------------------


def test_either_may_be_used_until_one_is_written(recording, x):
    new = recording.given(X)
    new.may_share([x])
    np.testing.assert_array_equal(recording.run(new + x), 2 * X)
    x[0] = 1.0
    with pytest.raises(MutationError, match="whether they are the same array"):
        used(new)


def test_nobody_knows_what_the_others_contain(recording, x):
    new = recording.given(X)
    new.may_share([x])
    new[0] = 1.0
    assert recording.run(new)[0, 0] == 1.0
    with pytest.raises(MutationError) as caught:
        used(x)
    assert caught.value.id == "AG0325"


# -- arrays that loops changed ---------------------------------------------------------------------


def test_a_lost_array_is_refused(recording, x):
    x.lose(UncertainArray(LOOP, None))
    for use in (lambda: used(x), lambda: x.write(x._value)):
        with pytest.raises(MutationError) as caught:
            use()
        assert caught.value.id == "AG0325"
        assert caught.value.others == (("changed there", LOOP),)


def test_a_first_trip_apart_may_tell_what_it_contains(recording, x):
    x.lose(UncertainArray(LOOP, None, once=True))
    with pytest.raises(FirstTripApart) as caught:
        used(x)
    assert caught.value.loop == LOOP
    while recording.recorder.apart.may_grow(LOOP):
        recording.recorder.apart.grow(LOOP)
    with pytest.raises(MutationError):
        used(x)


def test_the_number_of_trips_may_tell_what_it_contains(recording, x):
    n = recording.given(3)
    recording.recorder.inputs.positions[n.value] = 0
    x.lose(UncertainArray(LOOP, n.value))
    with pytest.raises(SpecializeArguments):
        used(x)


def test_why_it_may_share_memory(x):
    x.lose(UncertainArray(None, None, why="for some reason"))
    with pytest.raises(MutationError, match="changed in place: for some reason") as caught:
        used(x)
    assert (caught.value.id, caught.value.others) == ("AG0324", ())
