"""Arrays with several names, one of which a loop or a branch rebinds: as in Python, or refused."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import check
from tests.support.refusals import nothing_more_known, refused_or_same


def view_changed_in_a_loop_over_its_base(x):
    v = x[1:]
    for _ in zip(x, x):
        v -= np.tanh(v)
    return np.sum(v)


def view_changed_in_a_loop(x):
    v = x[1:]
    for _ in range(3):
        v -= np.tanh(v)
    return np.sum(v)


def argument_changed_in_a_while(x):
    while np.sum(x) < 100.0:
        x += 1.0
    return x * 2.0


def returned_on_every_path(x):
    if x[0] > 0.0:
        x[0] += 1.0
        if x[1] > 2.0:
            return x
    return x


def own_array_after_a_loop(x):
    y = x.copy()
    while np.sum(y) < 50.0:
        y = y * 2.0
    y[0] = 7.0
    return y


@pytest.mark.parametrize(
    "function",
    [
        view_changed_in_a_loop_over_its_base,
        view_changed_in_a_loop,
        argument_changed_in_a_while,
        returned_on_every_path,
        own_array_after_a_loop,
    ],
)
@pytest.mark.parametrize("first", [0.0, 1.0])
def test_as_in_python(function, first):
    check(function, np.array([first, 2.0, 3.0]))


def rebound_on_some_path(x, n):
    for i in range(n):
        if x[i] > 1.0:
            x = x.copy()
    x[0] = 5.0
    return x


def rebound_unless_no_trip(x, n):
    for _ in range(n):
        x = x * 2.0
    x[0] = 5.0
    return x


def reversed_in_a_loop(x, n):
    for _ in range(n):
        x = x[::-1]
    x[0] = 5.0
    return x


def one_of_two(x, n):
    y = x if n > 1 else x * 2.0
    y[0] = 5.0
    return y


def first_trip_only_in_a_branch(x, n):
    if n > 1:
        for _ in range(2):
            x[0] += 1.0
            x = x * 2.0
    return x


@pytest.mark.parametrize(
    "function",
    [
        rebound_on_some_path,
        rebound_unless_no_trip,
        reversed_in_a_loop,
        one_of_two,
    ],
)
def test_whether_the_argument_changes_is_not_guessed(function):
    x = np.array([0.0, 2.0, 3.0])
    with nothing_more_known(), pytest.raises(MutationError, match=r"Fix: make a copy"):
        ag.to_graph(function)(x, 2)
    assert np.array_equal(x, [0.0, 2.0, 3.0])
    refused_or_same(function, x, 2)


@pytest.mark.parametrize("n", [1, 2])
def test_a_first_trip_in_a_branch(n):
    check(first_trip_only_in_a_branch, np.array([0.0, 2.0, 3.0]), n)
