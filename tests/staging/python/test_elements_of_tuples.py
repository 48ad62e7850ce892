"""``index`` and ``count`` of tuples of which only the run knows what they hold."""

from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag


class Pair(NamedTuple):
    first: float
    second: float


def places(x, y, z):
    options = (x, y, z)
    return options.index(max(options)), (x, y, z, x, y).index(y, 2), (x, y, x).index(x, -1)


def counts(x, y, z):
    return (x, y, z).count(y), (1, 2, 1).count(x), (x, True, 1).count(1), (None, x).count(None)


def of_other_types(x, y, z):
    return (x, "a", None, (x, y)).index((x, y)), ((1, 2), (1, 4)).index((1, 2)), Pair(x, y).index(y)


def in_a_loop(x, y, z):
    steps = np.zeros(6, dtype=int)
    for i in range(6):
        steps[i] = (0.0, i + x, 3.0).index(max(0.0, i + x, 3.0))
    return steps


def not_a_number(x, y, z):
    nan = float("nan") * x
    return (nan, x).index(nan), (nan, x).count(nan)


@pytest.mark.parametrize("function", [places, counts, of_other_types, in_a_loop, not_a_number])
@pytest.mark.parametrize("numbers", [(1.0, 3.0, 2.0), (1, 2, 3), (2.0, 2.0, 1.0), (True, 2, 1.0)])
def test_what_python_finds(function, numbers):
    expected, found = function(*numbers), ag.to_graph(function)(*numbers)
    assert repr(found) == repr(expected)


def test_what_is_not_there():
    missing = ag.to_graph(lambda x: (x, 2 * x).index(x + 7))
    with pytest.raises(ValueError, match=r"tuple\.index\(x\): x not in tuple"):
        missing(1.0)


def test_the_derivative_is_that_of_what_is_found():
    def larger(x, y):
        options = (x * y, y)
        return options.index(max(options)) * x**2 + options.count(y) * x

    x, y = np.array([2.0, 0.5]), np.array([3.0, 2.0])
    np.testing.assert_allclose(ag.vmap(ag.grad(larger))(x, y), [1.0, 2.0])
