"""How the elements of arrays lie in memory, as far as it is known."""

import numpy as np
import pytest

from autograph.errors import MutationError, OperandShapeError, UnsupportedFunctionError
from autograph.staging.arrays.memory_layout import Flags, assign_shape, flags, strides


@pytest.fixture
def vector(recording):
    """A new vector of six elements."""
    x = recording.given(np.arange(6.0))
    return x * 2.0


def test_a_new_vector_gets_another_shape(recording, vector):
    assign_shape(vector, (2, 3))
    assert vector.type.shape == (2, 3)
    np.testing.assert_array_equal(recording.run(vector), np.arange(0.0, 12, 2).reshape(2, 3))


def test_a_length_that_follows_from_the_others(vector):
    assign_shape(vector, (3, -1))
    assert vector.type.shape == (3, 2)


def test_after_changes_in_place(vector):
    vector[0] = 5.0
    assign_shape(vector, (2, 3))
    vector[1, 1] = 7.0
    assign_shape(vector, (6,))
    assert vector.type.shape == (6,)


def test_axes_that_are_split(recording):
    x = recording.given(np.zeros((4, 6))).T + 0.0  # it lies in memory as NumPy decides
    assign_shape(x, (3, 2, 1, 4))
    assert x.type.shape == (3, 2, 1, 4)
    with pytest.raises(MutationError, match="may not lie one after the other"):
        assign_shape(x, (24,))


def test_views_of_an_array_whose_shape_is_assigned(recording, vector):
    view = vector[2:]
    assign_shape(vector, (2, 3))
    vector[0, 2] = 9.0
    np.testing.assert_array_equal(recording.run(view), [9.0, 6.0, 8.0, 10.0])


def test_a_view_whose_shape_is_assigned(recording, vector):
    view = vector[2:]
    assign_shape(view, (2, 2))
    view[0, 0] = 9.0
    np.testing.assert_array_equal(recording.run(vector), [0.0, 2.0, 9.0, 6.0, 8.0, 10.0])


def test_an_argument_is_refused(recording):
    with pytest.raises(MutationError, match="an argument, or comes from outside") as caught:
        assign_shape(recording.given(np.zeros(6)), (2, 3))
    assert caught.value.id == "AG0335"


def test_an_array_that_may_be_another(recording, vector):
    vector.may_share([recording.given(np.zeros(6))])
    with pytest.raises(MutationError, match="may be another one"):
        assign_shape(vector, (2, 3))


def test_an_array_from_outside_of_a_region(recording, vector):
    with recording.recorder.new_frame(), pytest.raises(MutationError, match="in a branch or loop"):
        assign_shape(vector, (2, 3))


def test_a_length_that_only_the_run_knows(recording):
    with pytest.raises(MutationError, match="whose length is known only at run time"):
        assign_shape(recording.vector(1.0, 2.0) + 1.0, (2, 1))


def test_another_number_of_elements(vector):
    with pytest.raises(OperandShapeError):
        assign_shape(vector, (4,))


def test_strides(vector):
    assert strides(vector) == (8,)
    assign_shape(vector, (2, 3))
    assert strides(vector) == (24, 8)


def test_flags(vector):
    found = flags(vector)
    assert found.c_contiguous and found["F_CONTIGUOUS"] and found.owndata
    assign_shape(vector, (2, 3))
    assert not flags(vector).f_contiguous


@pytest.mark.parametrize("ask, name", [(strides, "strides"), (flags, "flags")])
def test_what_nobody_knows(recording, vector, ask, name):
    matrix = recording.given(np.zeros((2, 3)))
    for x in (matrix, matrix + 1.0, vector[1:], recording.vector(1.0) + 1.0, vector[:0] + 1.0):
        with pytest.raises(UnsupportedFunctionError, match=f"'{name}' of a value") as caught:
            ask(x)
        assert caught.value.id == "AG0404"


@pytest.mark.parametrize("make", [np.arange, np.zeros])
def test_constants(recording, make):
    assert strides(recording.recorder.call(make, (6,), {})) == (8,)


def test_flags_cannot_be_set():
    found = Flags(np.zeros(3).flags)
    with pytest.raises(UnsupportedFunctionError, match="flags of an array cannot be set"):
        found.writeable = False
    with pytest.raises(UnsupportedFunctionError):
        found["WRITEABLE"] = False
