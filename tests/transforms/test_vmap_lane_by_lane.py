"""What cannot be batched is computed for one lane after the other, and says so."""

import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import PerformanceWarning
from tests.transforms.lanes import by_lane


def halvings(x):
    parts = []
    while x > 0.5:
        parts.append(x * x)
        x = x / 2
    return np.sum(np.array(parts))


def test_it_warns_at_the_line_of_the_user():
    x = np.array([1.0, 0.2, 7.0])
    with pytest.warns(PerformanceWarning, match="one lane after the other") as found:
        result = ag.vmap(halvings)(x)
    np.testing.assert_array_equal(result, by_lane(halvings, (x,)))
    (warning,) = found
    assert warning.filename == __file__
    first = halvings.__code__.co_firstlineno
    assert first < warning.lineno <= first + 5


def test_nothing_is_said_of_what_can_be_batched():
    def settle(a):
        x = a
        while abs(x * x - a) > 1e-12:
            x = 0.5 * (x + a / x)
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.vmap(ag.grad(settle))(np.array([2.0, 3.0]))
