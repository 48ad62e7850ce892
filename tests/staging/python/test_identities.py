"""``is`` between arrays that loops and recursive functions are given: as in Python, or refused."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError
from autograph.staging.lists.lists import TrackedList
from autograph.staging.python.identities import is_same
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import none_or
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


# -- by direct calls -------------------------------------------------------------------------------


@pytest.fixture
def array(recording):
    return lambda: recording.given(np.zeros(3))


def refused(left, right):
    for pair in ((left, right), (right, left)):
        with pytest.raises(ConcreteValueError) as caught:
            is_same(*pair)
        assert caught.value.id == "AG0310" and caught.value.fix


def test_objects_are_the_same_or_not(recording, array):
    x, y, items = array(), array(), TrackedList([1])
    for value in (x, items, None, "a", 2.5):
        assert is_same(value, value) is True
    assert is_same(x, y) is is_same(items, TrackedList([1])) is is_same(x, None) is False


def test_booleans_are_two_objects(recording):
    for value in (True, False):
        flag = recording.given(value)
        for other in (True, False):
            assert recording.run(is_same(flag, other)) == (value is other)
            assert recording.run(is_same(other, flag)) == (value is other)


def test_what_may_be_none(recording, array):
    for there in (True, False):
        x = none_or(recording.given(there), array())
        pair = none_or(recording.given(there), TrackedList([1]))
        for value in (x, pair):
            assert recording.run(is_same(value, None)) == (not there)
            assert recording.run(is_same(None, value)) == (not there)


def test_a_container_that_may_be_none(recording):
    items = TrackedList([1])
    for there in (True, False):
        value = none_or(recording.given(there), items)
        assert recording.run(is_same(value, items)) == there
        assert is_same(value, TrackedList([1])) is False


def test_two_that_may_both_be_none(recording):
    refused(*(none_or(recording.given(True), TrackedList([1])) for _ in range(2)))


def test_a_tuple_that_may_be_none(recording):
    refused(none_or(recording.given(True), (1, 2)), (1, 2))


def test_an_array_that_may_be_none_or_shared(recording, array):
    refused(none_or(recording.given(True), array()), array())
    x, new = array(), array()
    new.may_share([x])
    refused(new, x)


def test_arrays_that_each_trip_is_given(recording, array):
    x, y = array(), array()
    x.is_carried = True
    refused(x, y)
    assert is_same(x, recording.given(np.zeros(4))) is False


def test_an_array_in_the_order_that_was_asked_for(recording, array):
    x = array()
    ordered = recording.recorder.call(np.ascontiguousarray, (x,), {})
    refused(ordered, x)


def test_lists_that_may_be_the_same(recording):
    a, b, c = TrackedList([1]), TrackedList([1]), TrackedList([1])
    a.link(b)
    b.link(c)
    refused(a, c)
    assert is_same(a, TrackedList([1])) is False


def test_dicts_that_may_be_the_same(recording):
    a, b = {"a": 1}, {"a": 1}
    recording.recorder.may_be_same(a, b)
    refused(a, b)
    assert is_same(a, {}) is False


def test_elements_of_lists_kept_as_rows_are_copies(recording):
    element = TrackedList([1])
    recording.recorder.frozen.add_element(element)
    refused(element, TrackedList([1]))
    assert is_same(element, {}) is False


def test_one_of_several_objects(recording):
    choice = Choice(recording.given(1), ("a", len, None))
    assert recording.run(is_same(choice, len))
    assert not recording.run(is_same(None, choice))
    assert is_same(choice, max) is False


def test_a_shadow_is_the_object_it_is_of(recording):
    outside, body = object(), TrackedList()
    recording.recorder.outside.shadows.stand_for_input(outside, body)
    assert is_same(body, outside) and is_same(outside, body)
