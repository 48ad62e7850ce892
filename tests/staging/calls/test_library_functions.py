"""Functions that have no source to convert are compiled as if they were called from one."""

import functools
import math

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support.oracle import Programs, check

X = np.array([1.0, 2.0, 3.0])
programs = Programs()


@pytest.mark.parametrize("function", [np.tanh, np.sum, np.linalg.norm, ops.tanh, ops.mean])
def test_functions_of_arrays(function):
    compiled = ag.to_graph(function)
    np.testing.assert_allclose(compiled(X), function(X), rtol=1e-15)
    assert compiled.name == function.__name__


@pytest.mark.parametrize(
    "function, derivative",
    [(np.tanh, 1 - np.tanh(2.0) ** 2), (math.sin, math.cos(2.0)), (abs, 1.0), (ops.square, 4.0)],
)
def test_gradients(function, derivative):
    assert ag.grad(function)(2.0) == pytest.approx(derivative)
    assert ag.grad(lambda x: function(x))(2.0) == ag.grad(function)(2.0)


def test_with_arguments_bound():
    first = ag.to_graph(functools.partial(np.sum, axis=0))
    np.testing.assert_array_equal(first(np.ones((2, 3))), [2.0, 2.0, 2.0])


def test_what_is_printed_says_which():
    assert "ops.call(function" in ag.to_graph(np.sum).converted
    assert "np.sum(" in str(ag.to_graph(np.sum).program(X))


def test_an_error_does_not_point_into_the_package():
    with pytest.raises(ag.errors.AutographError) as caught:
        ag.grad(np.tanh)(X)
    assert "forwarding" not in str(caught.value)


def test_what_is_no_function_is_refused():
    with pytest.raises(ag.errors.AutographError):
        ag.to_graph(3)


def test_a_library_that_cannot_use_what_a_callback_gives():
    optimize = pytest.importorskip("scipy.optimize")

    @ag.to_graph
    def root(a):
        return optimize.fsolve(lambda x: x * x - a, [1.0])

    with pytest.raises(ag.errors.CalledFunctionError, match=r"AG0358.*fsolve, called with"):
        root(2.0)


class Unplaced:
    """Its instances say which module they are of; asked itself, it gives no text."""

    __module__ = property(lambda self: "somewhere")

    def __init__(self, factor):
        self.factor = factor

    def scaled(self, x):
        self.factor = self.factor + 1.0
        return self.factor * x if isinstance(self, Unplaced) else x


def test_classes_of_no_module():
    def use(x):
        return Unplaced(2.0).scaled(x)

    def change(given, x):
        return given.scaled(x), given.factor

    check(use, 3.0)
    given, expected = Unplaced(2.0), Unplaced(2.0)
    assert ag.to_graph(change)(given, 3.0) == change(expected, 3.0)
    assert given.factor == expected.factor
    assert ag.grad(use)(3.0) == 3.0


@programs(np.ones(3), float)
@programs(np.ones((2, 1)), int)
@programs(np.ones((2, 2)), complex)
@programs(2.5, int)
def number_or_sum(x, kind):
    try:
        found = kind(x)
    except TypeError:
        found = kind(np.sum(x))
    return found


@programs(np.ones((2, 3)))
@programs(np.array([2.0, 3.0]))
def first_as_number(x):
    total = 0.0
    for row in x:
        try:
            total += float(row)
        except (ValueError, TypeError):
            total += float(row[0])
    return total


@programs.test
def test_numbers_of_arrays_raise_what_numpy_raises(call):
    call.run()
