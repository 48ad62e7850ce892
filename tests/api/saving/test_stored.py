"""Functions that earlier versions saved are loaded by this one: `stored/` is never written anew.

They were saved on 22 November 2026, by format 1.
"""

import copy
import pathlib

import pytest

import autograph as ag
from tests.api.saving.stored_programs import PROGRAMS
from tests.support.oracle import assert_same_outcome, outcome

STORED = pathlib.Path(__file__).with_name("stored")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_function_that_was_saved_before(name):
    function, args = PROGRAMS[name]
    loaded = ag.load(STORED / f"{name}.ag")
    assert_same_outcome(outcome(loaded, args), outcome(function, args))


@pytest.mark.parametrize("name", ["newton", "power"])
def test_a_gradient_that_was_saved_before(name):
    function, args = PROGRAMS[name]
    loaded = ag.load(STORED / f"gradient_of_{name}.ag")
    expected = ag.grad(function)(*copy.deepcopy(args))
    assert loaded(*args) == pytest.approx(expected, rel=1e-14)
