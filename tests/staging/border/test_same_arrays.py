"""Whether two arguments are one array, or one from outside, where a function asks by `is`."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError

TABLE = np.array([1.0, 2.0, 3.0])
ONES = np.ones(3)


def cubes(x, y):
    if x is y:
        return np.sum(x**3) + 5.0 * np.sum(y)
    return 2.0 * np.sum(x**3) + 7.0 * np.sum(y)


def of_table(x):
    return np.sum(x) if x is TABLE else 2.0 * np.sum(x)


def test_in_derivatives_one_array_given_twice_is_one():
    x, other = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    gradient = ag.grad(cubes, (0, 1))
    for _ in range(2):
        assert np.array_equal(gradient(x, x), (3.0 * x**2, 5.0 * ONES))
        assert np.array_equal(gradient(x, other), (6.0 * x**2, 7.0 * ONES))
    assert ag.jvp(cubes, (x, x), (ONES, 0.0 * ONES)) == (66.0, 42.0)
    assert ag.jvp(cubes, (x, other), (ONES, 0.0 * ONES)) == (114.0, 84.0)
    hessian = ag.jvp(lambda v: ag.grad(cubes, (0, 1))(v, v), (x,), (ONES,))[1]
    assert np.array_equal(hessian, (6.0 * x, 0.0 * x))


def test_in_derivatives_inside_of_a_function():
    inside = ag.to_graph(lambda v, w: ag.grad(cubes, (0, 1))(v, w))
    x = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(inside(x, x), (3.0 * x**2, 5.0 * ONES))
    assert np.array_equal(inside(x, x + 0.0), (6.0 * x**2, 7.0 * ONES))
    around = ag.to_graph(lambda v: ag.grad(lambda w: cubes(w, v))(v))
    assert np.array_equal(around(x), 3.0 * x**2)
    remembered = ag.to_graph(lambda v: ag.checkpoint(cubes)(v, v))
    assert remembered(x) == cubes(x, x)


def test_on_lanes_what_all_share_is_one_and_rows_are_others():
    x = np.array([1.0, 2.0, 3.0])
    shared = ag.vmap(lambda u, v, w: cubes(v, w) + u, (0, None, None))
    assert np.array_equal(shared(ONES, x, x), [cubes(x, x) + 1.0] * 3)
    rows = np.array([x, x + 1.0])
    assert np.array_equal(ag.vmap(cubes)(rows, rows), [cubes(r, r + 0.0) for r in rows])


@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad])
def test_an_array_from_outside_is_refused_where_it_would_be_taken_for_another(transform):
    function, copy = transform(of_table), TABLE.copy()
    for _ in range(2):
        function(copy)
    for _ in range(2):
        with pytest.raises(ConcreteValueError, match="AG0374"):
            function(TABLE)
    function(copy)


def test_what_is_compared_is_no_argument_or_another_array_from_outside():
    compiled = ag.to_graph(lambda x, y: np.sum(y) + (1.0 if x is ONES else 2.0))
    computed = ag.to_graph(lambda x: of_table(x * 1.0))
    for _ in range(2):
        assert computed(TABLE) == 12.0
        assert compiled(TABLE, ONES.copy()) == 5.0
