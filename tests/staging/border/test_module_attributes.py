"""Attributes of modules of libraries that a function assigns."""

import math
import sys

import numpy as np
import pytest

import autograph as ag
from autograph import errors

math.kept = 1.0


def assigns(x):
    sys.kept = x  # here
    return x


def assigns_in_a_branch(x):
    if x > 3.0:
        np.kept = 1  # here
    return x


def assigns_an_imported_one(x):
    import math

    math.kept = 3.0  # here
    return x


def assigns_inside(x):
    def inner():
        math.kept = 2.0  # here

    inner()
    return x


def adds(x):
    math.kept += 1.0  # here
    return x


def deletes(x):
    del math.kept  # here
    return x


def calls(x):
    return assigns(x) + 1.0


@pytest.mark.parametrize(
    "function",
    (
        *(assigns, assigns_in_a_branch, assigns_an_imported_one, assigns_inside, adds, deletes),
        calls,
    ),
)
def test_refused(function):
    with pytest.raises(errors.MutationError, match="AG0323") as caught:
        ag.to_graph(function)(1.0)
    assert "# here" in caught.value.location.excerpt()
    assert not hasattr(sys, "kept") and not hasattr(np, "kept") and math.kept == 1.0


class Settings:
    rate = 1.0


def test_objects_of_the_same_name_are_no_modules():
    def function(x):
        math = Settings()

        def inner():
            math.rate = 3.0

        inner()
        math.rate += 1.0
        return x * math.rate

    assert ag.to_graph(function)(2.0) == 8.0


def test_reading_is_no_assignment():
    assert ag.to_graph(lambda x: x * math.pi + math.kept)(2.0) == 2.0 * math.pi + 1.0
