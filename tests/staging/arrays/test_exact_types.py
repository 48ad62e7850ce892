"""Graph values of exactly some type."""

import numpy as np
import pytest

from autograph.graph.graph import Constant
from autograph.staging.arrays.exact_types import converted, no_rows, placeholder
from ops.core.types import array, weak
from tests.support.build_graphs import FLOAT, INT, VECTOR


def test_what_has_the_type_already(recording):
    x = recording.given(2.5)
    assert converted(x, FLOAT) is x.value and converted(x.value, FLOAT) is x.value
    assert recording.ops() == []


@pytest.mark.parametrize(
    "value, type, made",
    [
        (2.5, array("f4", ()), np.float32(2.5)),
        (np.float32(2.5), FLOAT, 2.5),
        (3, FLOAT, 3.0),
        (2.7, INT, 2),
        (True, array("i8", ()), np.int64(1)),
    ],
)
def test_numbers_that_are_known(recording, value, type, made):
    found = converted(value, type)
    assert isinstance(found, Constant) and found.type == type
    assert found.data == made and found.data.__class__ is made.__class__
    assert recording.ops() == []


@pytest.mark.parametrize("value, type", [(2.5, array("f4", ())), (3, FLOAT), (np.zeros(3), VECTOR)])
def test_symbolic_values(recording, value, type):
    found = converted(recording.given(value), type)
    assert found.type == type
    np.testing.assert_array_equal(recording.run(found), value)


@pytest.mark.parametrize(
    "type", [FLOAT, weak(bool), array("f4", ()), VECTOR, array("i8", (None, 2)), array("f8", (0,))]
)
def test_placeholders(recording, type):
    found = placeholder(type)
    assert found.type == type
    shape = [0 if n is None else n for n in type.shape]
    np.testing.assert_array_equal(recording.run(found), np.zeros(shape))


def test_no_rows(recording):
    found = no_rows("f4", (2, 3))
    assert found.type == array("f4", (None, 2, 3))
    assert recording.run(found).shape == (0, 2, 3)
