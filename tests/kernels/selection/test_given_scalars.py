"""Scalars of NumPy's that a function is given, and may return as they are."""

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import assert_kernels

X = np.random.default_rng(0).random(50)


def largest(x, best):
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
    return best


def until(x, limit):
    i = 0
    while limit > x[i]:
        limit, i = limit - x[i], i + 1
    return limit, i


def chosen(x, number):
    return number if x[0] > 0.5 else x[1]


@pytest.mark.parametrize("program", [largest, until, chosen])
def test_they_are_a_part_of_kernels(program):
    f = ag.to_graph(program)
    for number in (0.3, np.float64(0.3), np.float64(2.0)):
        found, wanted = f(X, number), program(X, number)
        assert found == wanted
        assert type(found) is type(wanted)
    if program is not chosen:  # which is too little work for one
        assert_kernels(f, (X, np.float64(2.0)), 1)


@pytest.mark.parametrize("program", [largest, chosen])
def test_an_array_without_axes_comes_back_as_it_is(program):
    f = ag.to_graph(program)
    for x in (X, 1 - X):
        for number in (np.float64(2.0), np.array(2.0), np.array(0.001)):
            found, wanted = f(x, number), program(x, number)
            assert type(found) is type(wanted)
            assert found == wanted
            if type(number) is np.ndarray:
                assert (found is number) == (wanted is number)
