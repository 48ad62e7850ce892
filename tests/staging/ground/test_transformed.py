"""Which transforms what is recorded is for."""

import pytest

from autograph.errors import UnboundAxisError
from autograph.staging.ground.transformed import Transformed


def test_axes_of_lanes():
    transformed = Transformed()
    with transformed.axis("i", 3):
        with transformed.axis("j", 5):
            assert (transformed.axis_size("i"), transformed.axis_size("j")) == (3, 5)
            assert transformed.lanes == 2
        assert (transformed.axes, transformed.lanes) == ({"i": 3}, 1)
    assert (transformed.axes, transformed.lanes) == ({}, 0)


def test_an_axis_without_a_name():
    transformed = Transformed()
    with transformed.axis(None, 3):
        assert (transformed.axes, transformed.lanes) == ({}, 1)


def test_an_inner_axis_hides_an_outer_one_of_the_same_name():
    transformed = Transformed()
    with transformed.axis("i", 3):
        with transformed.axis("i", 5):
            assert transformed.axis_size("i") == 5
        assert transformed.axis_size("i") == 3


def test_derivatives_that_will_be_taken():
    transformed = Transformed()
    with transformed.expecting(2), transformed.expecting(1):
        assert transformed.derivatives == 1
    assert transformed.derivatives == 0


def test_all_is_as_before_after_an_error():
    transformed = Transformed()
    with pytest.raises(KeyError), transformed.axis("i", 3), transformed.expecting(1):
        raise KeyError
    assert (transformed.axes, transformed.lanes, transformed.derivatives) == ({}, 0, 0)


def test_no_axis_of_that_name():
    transformed = Transformed()
    with pytest.raises(UnboundAxisError, match="there is none") as caught:
        transformed.axis_size("i")
    assert caught.value.id == "AG0547"
    assert "vmap(..., axis_name='i')" in caught.value.fix
    with transformed.axis("j", 3), pytest.raises(UnboundAxisError, match="there is 'j'"):
        transformed.axis_size("i")
