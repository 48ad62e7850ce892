"""Why something cannot be in a graph."""

import numpy as np

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
