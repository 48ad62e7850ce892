"""Tuples and lists that are compared, with traced numbers in them."""

import numpy as np
import pytest

import autograph as ag


def pairs(n, x):
    found = 0
    for i in range(n):
        if (i, 2) == (3, 2):
            found += 1
        if [i, 1] != [4, 1]:
            found += 10
        if (i, (2, i)) == (5, (2, 5)):
            found += 100
        if (i, 1) == (i, 1, 2):
            found += 5000
        if (i,) == [i]:
            found += 7000
        if (x[i], i) == (x[i], i):
            found += 3
        if (i, 0) in ((7, 0), (9, 1), (11, 0)):
            found += 20000
    return found


def test_in_loops_of_more_trips_than_are_written_out():
    x = np.arange(400.0)
    assert ag.to_graph(pairs)(400, x) == pairs(400, x)


def test_arrays_are_compared_element_by_element():
    f = ag.to_graph(lambda x: (x == [1, 2], x != (1, 3)))
    for found, wanted in zip(f(np.array([1, 3])), ([True, False], [False, False])):
        np.testing.assert_array_equal(found, wanted)


def by_shape(x):
    if x.shape == (7,):
        return x * 2
    if x.shape != (3,) and (4,) == x.shape:
        return x * 4
    return x * 3


def one_of(x):
    assert x.shape == (len(x),)
    return x[:2] if x.shape in ((3,), (5,)) else x


@pytest.mark.parametrize("function, forms", [(by_shape, 4), (one_of, 3)])
def test_shapes_decide_for_arrays_of_any_length(function, forms):
    f = ag.to_graph(function)
    for n in (6, 5, 7, 8, 3, 4, 9, 10):
        np.testing.assert_array_equal(f(np.arange(n * 1.0)), function(np.arange(n * 1.0)))
    assert len(f.compiled_forms()) <= 1 + forms


def test_shapes_of_two_arrays():
    f = ag.to_graph(lambda x, y: x + y if x.shape == y.shape else np.sum(x) * y)
    for n, m in ((5, 5), (6, 6), (7, 7), (6, 2), (7, 3), (8, 4)):
        x, y = np.arange(n * 1.0), np.arange(m * 1.0)
        np.testing.assert_array_equal(f(x, y), x + y if n == m else np.sum(x) * y)
    assert len(f.compiled_forms()) <= 4


def test_a_long_list_is_compared_with_an_empty_one():
    compiled = ag.to_graph(lambda items: (items == [], [] == items, items != [], items == [1]))
    for length in (20, 30):
        assert compiled([0.5] * length) == (False, False, True, False)
        assert all(type(same) is bool for same in compiled([0.5] * length))
