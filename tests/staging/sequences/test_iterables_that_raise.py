"""A `StopIteration` of the user's ``__iter__`` is that, wherever something is gone through."""

import numpy as np
import pytest

import autograph as ag


class Raises:
    def __iter__(self):
        raise StopIteration


def loop(x):
    for item in Raises():
        x += item
    return x


def comprehension(x):
    return [x + item for item in Raises()]


def total(x):
    return sum(Raises(), x)


def as_list(x):
    return [x, *Raises()]


@pytest.mark.parametrize("function", [loop, comprehension, total, as_list])
def test_stop_iteration(function):
    with pytest.raises(StopIteration):
        ag.to_graph(function)(np.ones(2))


def test_handled():
    def caught(x):
        try:
            return loop(x)
        except StopIteration:
            return -x

    assert ag.to_graph(caught)(2.0) == -2.0
