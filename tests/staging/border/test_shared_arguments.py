"""The same array as two arguments of a function that changes it."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError


def changed_and_read(x, y):
    y += 1
    return x * 2, y


def test_an_array_given_twice_is_one_array():
    compiled, x = ag.to_graph(changed_and_read), np.arange(3.0)
    doubled, same = compiled(x, x)
    assert np.array_equal(x, [1, 2, 3])
    assert np.array_equal(doubled, 2 * x)
    assert same is x


def test_the_same_function_with_two_arrays():
    compiled, x, y = ag.to_graph(changed_and_read), np.arange(3.0), np.ones(3)
    compiled(x, x)
    assert np.array_equal(compiled(x, y)[0], [2, 4, 6])
    assert np.array_equal(y, [2, 2, 2])
    assert np.array_equal(compiled(x, x)[0], [4, 6, 8])


def test_in_a_list_and_as_out():
    x = np.arange(3.0)
    compiled = ag.to_graph(lambda arrays, out: np.negative(arrays[1], out=out))
    assert compiled([np.ones(3), x], x) is x
    assert np.array_equal(x, [0, -1, -2])


def test_an_overlap_is_still_refused():
    x = np.arange(3.0)
    with pytest.raises(MutationError, match="AG0602"):
        ag.to_graph(changed_and_read)(x[1:], x[:-1])
