"""``is`` between arrays that loops and recursive functions are given: as in Python, or refused."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError
from tests.support.oracle import check


def rebound_on_some_trips(x):
    y = x * 0.5
    first, count = y, 0
    for t in x:
        if t > 1.0:
            y = y * 2.0
        elif y is not first:
            count += 1
    return count


def rebound_at_the_end_of_a_trip(x):
    y = x * 0.5
    first, count = y, 0
    while np.sum(y) < 8.0:
        count += first is y
        y = y * 2.0
    return count


def put_into_a_list(x):
    arrays = [x * 1.0]
    first, count = arrays[0], 0
    for t in x:
        count += arrays[0] is first
        if t > 1.0:
            arrays[0] = arrays[0] * 2.0
    return count


def below(y, z, t):
    if t < 0.0:
        return 1.0 if y is z else 2.0
    return below(y, z, t - 1.0)


def given_twice(x):
    return below(x, x, x[0])


def new_in_each_call(x):
    return below(x, x * 2.0, x[0])


@pytest.mark.parametrize(
    "function",
    [
        rebound_on_some_trips,
        rebound_at_the_end_of_a_trip,
        put_into_a_list,
        given_twice,
        new_in_each_call,
    ],
)
def test_which_array_it_is_is_not_guessed(function):
    with pytest.raises(ConcreteValueError) as caught:
        ag.to_graph(function)(np.array([0.5, 1.5, 0.25]))
    assert caught.value.id == "AG0310"


def same_array_all_the_time(x):
    y = x * 0.5
    count = 0
    for t in x:
        if t > 1.0:
            count += y is x
        y[0] += t
        z = y
        count += 10 * (z is y)
    return count, y


def of_another_shape(x):
    y = x[1:] * 0.5
    count = 0
    for _ in x:
        count += y is x
        y = y * 0.5
    return count


@pytest.mark.parametrize("function", [same_array_all_the_time, of_another_shape])
def test_as_in_python(function):
    check(function, np.array([0.5, 1.5, 0.25]))
