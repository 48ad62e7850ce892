"""Functions of one code whose defaults differ are different functions: calls of one by the other
are no recursion."""

import numpy as np
import pytest

import autograph as ag
from tests.staging.joins.test_attributes_on_some_paths import Search


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


def only_if(program):
    """A closure of one code for each program: another cell."""

    def lifted(*args):
        *own, n = args
        if n > 1:
            return program(*own)
        return None

    return lifted


def seen_twice(search, x):
    search.see(x)
    search.see(x - 0.5)


@pytest.mark.parametrize("numbers", [(1.0, 0, 2), (1.0, 2, 2), (1.0, 2, 0), (-1.0, 2, 2)])
def test_closures_that_differ_in_a_cell_call_each_other_in_branches(numbers):
    function = only_if(only_if(seen_twice))
    ours, theirs = Search(), Search()
    assert ag.to_graph(function)(ours, *numbers) == function(theirs, *numbers)
    assert vars(ours) == vars(theirs)


def walk(search, x, n):
    if n > 0:
        search.see(x)
        walk(search, x - 0.5, n - 1)


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_a_recursion_first_assigns_an_attribute_on_some_paths(x):
    ours, theirs = Search(), Search()
    ag.to_graph(walk)(ours, x, 3)
    walk(theirs, x, 3)
    assert vars(ours) == vars(theirs)
