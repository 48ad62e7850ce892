"""What operators raise in a branch or a trip that data decide about is raised there: a handler
around it is for the calls that come to it."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same_outcome, outcome


def in_an_expression(x):
    try:
        found = x[3] if x[0] > 5 else x[1]
    except IndexError:
        found = 9.0
    return found


def in_a_statement(x):
    found = x[0]
    try:
        if x[0] > 5:
            found = x[3]
        found = found + 1.0
    except (IndexError, KeyError):
        found = -found
    return found


def in_an_operand(x):
    try:
        return 1.0 if x[0] > 5 and x[3] > 2 else 2.0
    except LookupError:
        return -1.0


def with_a_result(x):
    try:
        if x[0] > 5:
            return x[4]
    except (IndexError, ValueError):
        return -1.0
    return 3.0


def of_an_axis(x):
    try:
        found = np.sum(x, axis=3) if x[0] > 5 else x[1]
    except np.exceptions.AxisError:
        found = 9.0
    return found


def of_lengths(x):
    try:
        found = np.dot(x, np.ones(4)) if x[0] > 5 else x[0]
    except ValueError:
        found = -1.0
    return found


def of_a_method(x):
    try:
        found = x.nothing if x[0] > 5 else x[0]
    except AttributeError:
        found = -1.0
    return found


def one_of_two(x):
    return x[3] if x[0] > 5 else x[1]


def in_a_call(x):
    try:
        return one_of_two(x)
    except IndexError:
        return -1.0


def in_trips(x):
    found = 0.0
    try:
        for _ in range(int(x[1])):
            found += x[5]
    except IndexError:
        found = 9.0
    return found


def in_trips_of_a_condition(x):
    found = 6.0
    try:
        while found > x[0]:
            found -= x[5]
    except IndexError:
        found = 9.0
    return found


def in_each_trip(x):
    found = np.zeros(3)
    for i in range(3):
        try:
            found[i] = x[i + 1] if x[i] > 5 else x[i - 1]
        except IndexError:
            found[i] = 9.0
    return found


def in_one_of_two(x):
    found = 0.0
    try:
        try:
            found = x[3] if x[0] > 5 else x[1]
        except KeyError:
            found = 1.0
    except IndexError:
        found = 2.0
    return found


@pytest.mark.parametrize(
    "program",
    [
        *(in_an_expression, in_a_statement, in_an_operand, with_a_result, of_an_axis, of_lengths),
        *(of_a_method, in_a_call, in_trips, in_trips_of_a_condition, in_each_trip, in_one_of_two),
    ],
)
def test_a_handler_is_for_calls_that_come_to_what_raises(program):
    compiled = ag.to_graph(program)
    for x in ([3.0, 0.0, 5.0], [6.0, 2.0, 7.0], [3.0, 2.0, 7.0], [7.0, 0.0, 5.0]):
        assert_same_outcome(outcome(compiled, (np.array(x),)), outcome(program, (np.array(x),)))


def test_derivatives_and_lanes_of_such():
    rows = np.array([[3.0, 1.0, 5.0], [6.0, 2.0, 7.0]])
    gradient = ag.grad(in_an_expression)
    assert np.array_equal(gradient(rows[0]), [0.0, 1.0, 0.0])
    assert np.array_equal(gradient(rows[1]), [0.0, 0.0, 0.0])
    assert np.array_equal(ag.vmap(in_an_expression)(rows), [1.0, 9.0])


def test_without_a_handler_it_is_refused():
    with pytest.raises(IndexError, match="AG0403"):
        ag.to_graph(one_of_two)(np.array([3.0, 0.0, 5.0]))
