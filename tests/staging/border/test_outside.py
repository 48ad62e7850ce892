"""What a function reads and changes outside of itself: modules, containers, arrays of no
dimensions."""

import collections
import types

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError

config = types.ModuleType("config")
config.__file__ = __file__  # a module of the user's, not of a library


@pytest.fixture(autouse=True)
def reset():
    config.table = np.arange(3.0)
    config.rate = 2.0


def total(x):
    return np.sum(config.table) * x * config.rate


def test_arrays_and_numbers_of_a_module_are_read_at_each_call():
    f = ag.to_graph(total)
    assert f(2.0) == total(2.0)
    config.table[0] = 10.0
    assert f(2.0) == total(2.0)
    config.table = np.ones(5)
    assert f(2.0) == total(2.0)
    config.rate = 3.0
    assert f(2.0) == total(2.0)


def test_an_array_of_a_module_is_changed_in_place_at_each_call():
    def write(x):
        config.table[1] += x
        return config.table * 2.0

    f = ag.to_graph(write)
    assert np.array_equal(f(5.0), [0.0, 12.0, 4.0])
    assert np.array_equal(f(1.0), [0.0, 14.0, 4.0])
    assert np.array_equal(config.table, [0.0, 7.0, 2.0])


def test_an_attribute_of_a_module_is_assigned_at_each_call(monkeypatch):
    monkeypatch.setattr(config, "table", config.table)

    def assign(x):
        config.table = config.table + x
        return config.table

    before, f = config.table, ag.to_graph(assign)
    for times in (1.0, 2.0, 3.0):
        assert f(1.0) is config.table
        assert np.array_equal(config.table, before + times)


QUEUE = collections.deque([1.0, 2.0])
DEFAULTS = collections.defaultdict(int, a=3.0)


def test_containers_of_every_kind_are_read():
    assert ag.to_graph(lambda x: QUEUE[1] * x + DEFAULTS["a"])(2.0) == 7.0


def test_changing_a_queue():
    append = ag.to_graph(lambda queue, x: queue.append(x))
    queue = collections.deque([1.0])
    append(queue, 2.0)
    append(queue, 5.0)
    assert list(queue) == [1.0, 2.0, 5.0]


def test_changing_a_queue_from_outside():
    append = ag.to_graph(lambda x: QUEUE.append(x))
    append(1.0)
    append(5.0)
    assert [QUEUE.pop(), QUEUE.pop()] == [5.0, 1.0]


def increased(x):
    x += 1.0
    return x


def increased_in_a_loop(x):
    for _ in range(3):
        x += 1.0
    return x


def made_inside(x):
    y = np.array(2.0)
    y += x
    return y


@pytest.mark.parametrize("function", [increased, increased_in_a_loop, made_inside])
def test_an_array_without_dimensions_is_not_taken_for_a_number(function):
    argument = 1.0 if function is made_inside else np.array(1.0)
    with pytest.raises(MutationError, match="no dimensions"):
        ag.to_graph(function)(argument)


@pytest.mark.parametrize("function", [increased, increased_in_a_loop])
@pytest.mark.parametrize("number", [1.0, np.float64(1.0)])
def test_a_number_is_rebound(function, number):
    result = ag.to_graph(function)(number)
    assert (result, type(result)) == (function(number), type(function(number)))
