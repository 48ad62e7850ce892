"""Functions of one code whose defaults differ are different functions: calls of one by the other
are no recursion."""

import numpy as np
import pytest

import autograph as ag


def applied(program):
    def apply(args, function=program):
        return function(*args)

    return lambda *args: apply(args)


def applied_by_keyword(program):
    def apply(args, *, function=program):
        return function(*args)

    return lambda *args: apply(args)


def changed(x, n):
    for _ in range(n):
        x += 1
        x = x * 0.5
    return np.sum(x)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
@pytest.mark.parametrize("around", [applied, applied_by_keyword])
def test_functions_that_differ_in_a_default_call_each_other(around, depth):
    function = changed
    for _ in range(depth):
        function = around(function)
    ours, theirs = np.arange(4.0), np.arange(4.0)
    assert ag.to_graph(function)(ours, 3) == function(theirs, 3)
    np.testing.assert_array_equal(ours, theirs)


def test_gradients_and_lanes_of_such():
    def scaled(factor, inner):
        def f(x, factor=factor, inner=inner):
            return inner(x) * factor

        return f

    f = scaled(3.0, scaled(2.0, scaled(0.5, np.sin)))
    x = np.linspace(0.0, 1.0, 5)
    np.testing.assert_allclose(ag.to_graph(f)(x), 3.0 * np.sin(x))
    np.testing.assert_allclose(ag.grad(lambda y: np.sum(f(y)))(x), 3.0 * np.cos(x))
    np.testing.assert_allclose(ag.vmap(f)(x), 3.0 * np.sin(x))


def test_a_recursion_whose_function_has_defaults_is_one():
    def halved(x, times, least=0.5):
        if np.sum(x) < least:
            return x * times
        return halved(x * 0.5, times + 1.0)

    x = np.array([3.0, 5.0])
    np.testing.assert_allclose(ag.to_graph(halved)(x, 0.0), halved(x, 0.0))
