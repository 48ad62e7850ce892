"""Functions that have no source to convert are compiled as if they were called from one."""

import functools
import math

import numpy as np
import pytest

import autograph as ag
import ops

X = np.array([1.0, 2.0, 3.0])


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
