"""What NumPy refuses is handled by the user's handlers, where code of ours checks it or not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag


def text_as_axis(x):
    try:
        return np.sort(x, "a")
    except TypeError:
        return x + 1


def step_of_zero(x):
    try:
        return x[::0]
    except ValueError:
        return x + 2


def no_parts(x):
    try:
        return np.split(x, 0)[0]
    except ZeroDivisionError:
        return x + 3


def unhashable_member(x):
    try:
        return x * len({[]})
    except TypeError:
        return x + 4


def singular_list(x):
    rows = [[1.0, 2.0], [2.0, 4.0]]
    try:
        return np.linalg.inv(rows)[0] + x
    except np.linalg.LinAlgError:
        return x + 5


def lists_of_other_lengths(x):
    left = [1, 2]
    try:
        return np.add(left, [1, 2, 3])
    except ValueError:
        return x + 6


def one_argument_too_many(x):
    try:
        return x.tolist(1)
    except TypeError:
        return x + 7


@pytest.mark.parametrize(
    "function",
    [
        *(text_as_axis, step_of_zero, no_parts, unhashable_member, singular_list),
        *(lists_of_other_lengths, one_argument_too_many),
    ],
)
def test_what_numpy_refuses_is_handled(function: Callable) -> None:
    x = np.arange(6.0)
    np.testing.assert_array_equal(ag.to_graph(function)(x), function(x))
