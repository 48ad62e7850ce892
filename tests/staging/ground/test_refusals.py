"""Why something cannot be in a graph."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from autograph.staging.ground.refusals import REASONS, no_operand


def test_arrays_of_other_dtypes():
    assert no_operand(np.array("text"))[0] == "an operand has dtype <U4, which is not supported"
    why, use = no_operand(np.longdouble(1))
    assert why == f"an operand has dtype {np.dtype(np.longdouble)}, which is not supported"
    assert "floats of up to 64 bits" in use


def test_other_things():
    why, use = no_operand([1.0])
    assert why == "an operand of type list is neither an array nor a number"
    assert use == "convert it to an array first"


def test_reasons_are_two_parts_of_a_sentence():
    for function, texts in REASONS.items():
        assert callable(function)
        for text in texts:
            assert text[0].islower() and not text.endswith("."), function


class Unit(np.ndarray):
    def __new__(cls, x):
        return (np.asarray(x) / np.linalg.norm(x)).view(cls)


@pytest.mark.parametrize("given", [lambda x: x, lambda x: [x[0], 0.0]])
def test_a_class_of_arrays_is_named(given):
    """It was said that a library function wants the contents of an array."""
    with pytest.raises(UnsupportedFunctionError, match="Unit derives from np") as error:
        ag.to_graph(lambda x: Unit(given(x)))(np.ones(3))
    assert error.value.id == "AG0787" and "attribute of an object" in error.value.fix


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.ma.array(x, mask=[0, 1, 0]),
        lambda x: np.ma.masked_array(x),
        lambda x: np.ma.masked_where(x > 0, x),
        lambda x: np.ma.masked_invalid(x),
    ],
)
def test_masked_arrays(make):
    with pytest.raises(UnsupportedFunctionError, match="a masked array is another class") as error:
        ag.to_graph(make)(np.ones(3))
    assert "np.where(mask, 0.0, x)" in error.value.fix
