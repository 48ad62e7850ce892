"""Imports in a function: what they bind is compared at each call, as other things outside are."""

import math
import sys
import types

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

NAME = "module_made_by_a_test"


@pytest.fixture
def module(monkeypatch):
    made = types.ModuleType(NAME)
    made.scale, made.table = 2.0, np.array([1.0, 2.0])
    made.grow = lambda x: x + made.scale
    monkeypatch.setitem(sys.modules, NAME, made)
    return made


def whole(x):
    import module_made_by_a_test

    return x * module_made_by_a_test.scale


def renamed(x):
    import module_made_by_a_test as m

    return x * m.scale + m.table


def a_name(x):
    from module_made_by_a_test import scale, table

    return x * scale + table


def a_function(x):
    from module_made_by_a_test import grow as larger

    return larger(x)


def in_a_branch(x):
    if x > 0.0:
        from module_made_by_a_test import scale

        x = x * scale
    return x


def in_an_inner_function(x):
    def inner(x):
        from module_made_by_a_test import scale

        return x * scale

    return inner(x) + in_a_branch(x)


@pytest.mark.parametrize(
    "function", (whole, renamed, a_name, a_function, in_a_branch, in_an_inner_function)
)
def test_what_changed_in_the_module_is_seen(function, module):
    compiled = ag.to_graph(function)

    def same():
        np.testing.assert_array_equal(compiled(3.0), function(3.0))

    same()
    module.scale = 7
    same()
    module.table[0] = 30.0
    same()
    module.table = np.array([5.0, 6.0, 7.0])
    same()
    module.grow = lambda x: -x
    same()
    other = types.ModuleType(NAME)
    other.scale, other.table, other.grow = 0.5, 1.0, math.sqrt
    sys.modules[NAME] = other
    same()


def of_libraries(x):
    import math as m
    from math import tau

    import numpy

    return m.pi * x + tau + numpy.linalg.norm(numpy.array([x, 1.0]))


def test_what_changed_in_a_library_is_seen(monkeypatch):
    compiled = ag.to_graph(of_libraries)
    assert compiled(2.0) == of_libraries(2.0)
    for place, name, value in (
        (math, "pi", 3.0),
        (math, "tau", 6.0),
        (np.linalg, "norm", lambda x: x[0]),
    ):
        monkeypatch.setattr(place, name, value)
        assert compiled(2.0) == of_libraries(2.0)


def missing(x):
    try:
        from module_made_by_a_test import nothing
    except ImportError as error:
        return x, error.name
    return x * nothing


def test_what_is_missing_raises_as_in_python(module):
    check(missing, 2.0)
