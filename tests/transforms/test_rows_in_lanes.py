"""Jacobians by reverse mode of functions with loops, in lanes: backward passes are named graphs,
called for all rows, in each lane. How many rows there are is known where they are called."""

import numpy as np
import pytest

import autograph as ag
import ops

pytestmark = pytest.mark.filterwarnings("error:.*one lane after the other")

X = np.array([0.3, 4.0, 2.5, 0.01])


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def powers(count):
    """A function with a loop, of so many results."""

    def function(x):
        root = newton(x)
        return np.stack([root * (k + 1.0) + x**k for k in range(count)])

    return function


def both(ways):
    """The same of rows and of columns."""
    return ways(ag.jacrev), ways(ag.jacfwd)


def same(ways, *args):
    found, wanted = both(ways)
    result = found(*args)
    np.testing.assert_allclose(result, wanted(*args), rtol=1e-8, atol=1e-9)
    return result


@pytest.mark.costly
@pytest.mark.parametrize("count", [1, 2, 12])
def test_rows(count):
    result = same(lambda way: ag.vmap(way(powers(count))), X)
    assert result.shape == (4, count)


def test_rows_of_one_function_in_several_numbers():
    """A variant for each number of lanes."""
    function = powers(3)

    def ways(way):
        def several(x):
            twice = lambda x: np.concatenate([function(x), function(2.0 * x)])
            some = lambda x: function(x)[:2]
            return np.concatenate([way(function)(x), way(some)(x), way(twice)(x)])

        return ag.vmap(several)

    assert same(ways, X).shape == (4, 11)


def test_lanes_of_lanes():
    rows = np.stack([X, 2 * X, 3 * X])
    same(lambda way: ag.vmap(ag.vmap(way(powers(10)))), rows)
    same(lambda way: ag.vmap(way(ag.vmap(newton))), rows)
    same(lambda way: ag.vmap(way(ag.vmap(way(powers(2))))), rows)


def test_as_many_lanes_as_the_run_knows():
    same(lambda way: ag.to_graph(lambda x: ag.vmap(way(powers(10)))(x[x > 0.1])), X)
    same(lambda way: ag.to_graph(lambda x: ag.vmap(way(powers(10)))(x[x > 9.0])), X)


def test_no_lanes_and_no_rows():
    assert ag.vmap(ag.jacrev(powers(10)))(X[:0]).shape == (0, 10)
    assert ag.vmap(ag.vmap(ag.jacrev(powers(10))))(np.ones((3, 0))).shape == (3, 0, 10)
    assert ag.vmap(ag.jacrev(lambda x: powers(2)(x)[:0]))(X).shape == (4, 0)


def test_derivatives_of_rows():
    same(lambda way: ag.grad(lambda x: np.sum(ag.vmap(way(powers(10)))(x) ** 2)), X)
    same(lambda way: way(lambda x: ag.vmap(way(powers(2)))(x)), X)


@pytest.mark.costly
@pytest.mark.parametrize("count", [2, 9])
def test_rows_of_rows(count):
    """Cotangents of what the pass inside has left are all that differs between rows there."""
    same(lambda way: ag.vmap(way(way(powers(count)))), X)
    same(lambda way: way(way(ag.vmap(powers(count)))), X[:2])


def test_rows_of_rows_of_rows():
    same(lambda way: ag.vmap(way(way(way(powers(2))))), X[:2])


@pytest.mark.slow
def test_rows_of_a_recursive_function():
    def again(x, n):
        if n <= 0:
            return np.stack([newton(x) * k for k in range(10)])
        return again(np.sin(x) + 1.0, n - 1) * x

    def until_small(x):
        return np.stack([x, x * x] * 5) if x < 0.5 else until_small(x * 0.6) * x

    same(lambda way: ag.vmap(way(lambda x: again(x, 3))), X)
    same(lambda way: ag.vmap(way(until_small)), X)


def test_rows_in_a_loop_that_lanes_leave():
    def roots(x):
        return newton(x) * np.arange(10.0)

    def ways(way):
        def function(x):
            while x > 1.0:
                x = 0.5 * x + 0.01 * np.sum(np.sin(way(roots)(x)))
            return np.sum(way(roots)(x))

        return function

    same(lambda way: ag.vmap(ways(way)), X)
    same(lambda way: ag.vmap(ag.grad(ways(way))), X)


def test_rows_of_a_checkpoint():
    same(lambda way: ag.vmap(way(ag.checkpoint(powers(10)))), X)


def test_rows_where_lanes_meet():
    def ways(way):
        return ag.vmap(lambda x: way(powers(10))(x) / ops.psum(x, "i"), axis_name="i")

    same(ways, X)


def test_errors_of_a_lane():
    def function(x):
        if x > 3:
            raise ValueError("too large")
        return newton(x) * np.arange(10.0)

    same(lambda way: ag.vmap(way(function)), X[2:])
    with pytest.raises(ValueError, match="too large"):
        ag.vmap(ag.jacrev(function))(X)
