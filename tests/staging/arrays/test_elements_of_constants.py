"""Elements of arrays that a program owns are numbers, whole views of them arrays."""

import numpy as np

import autograph as ag
from tests.support.oracle import check


def test_an_element_of_an_own_constant_is_a_number():
    check(lambda i: np.array([1.0, 3.0])[i], 1)
    check(lambda i: np.array([[1.0, 3.0]])[0, i], 1)


def test_a_view_without_dimensions_is_a_copy():
    function = ag.to_graph(lambda x: np.array([1.0, 3.0])[0, ...])
    function(1.0)[...] = 7.0
    assert function(1.0) == 1.0
