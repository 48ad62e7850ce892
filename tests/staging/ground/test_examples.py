"""Ordinary values in place of symbolic ones."""

import numpy as np
import pytest

from autograph.staging.ground.examples import example
from ops.core.types import ArrayType


@pytest.mark.parametrize("value", [False, 0, 0.0, 0j, np.float32(0), np.int64(0), np.bool_(False)])
def test_numbers(recording, value):
    found = example(recording.given(value))
    assert type(found) is type(value) and found == value


def test_arrays(recording):
    found = example(recording.given(np.zeros((2, 3), "f4")))
    assert (found.dtype, found.shape) == (np.float32, (2, 3))


def test_an_array_of_no_axes_is_no_number(recording):
    found = example(recording.given(np.array(0.5)))
    assert type(found) is np.ndarray and found.shape == ()


def test_lengths_that_only_the_run_knows(recording):
    box = recording.given(np.zeros((3, 2)), ArrayType(np.dtype("f8"), (None, 2)))
    assert example(box).shape == (1, 2)
