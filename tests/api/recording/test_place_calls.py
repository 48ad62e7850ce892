"""Calls of functions that assign variables outside are not taken apart anew where these hold what
is like what they held before."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording.list_forms import ListForms

count = 0
state = None


class Made:
    number = 0


def counted(x):
    global count
    count += 1
    return x * count


def made(x):
    Made.number += 2
    return x + Made.number


def swapped(x):
    global state
    before, state = state, x
    return before


def both_ways(function, *args):
    """What Python gives, and what becomes of the variables, from where they are now."""
    before = count, state, Made.number
    expected = function(*args), count, state, Made.number
    restore(*before)
    return expected


def restore(number, held, of_class):
    global count, state
    count, state, Made.number = number, held, of_class


@pytest.fixture(autouse=True)
def _as_they_were():
    yield
    restore(0, None, 0)


def alike(compiled, function, *args):
    expected = both_ways(function, *args)
    found = compiled(*args), count, state, Made.number
    assert list(map(repr, found)) == list(map(repr, expected))


@pytest.mark.parametrize("function", [counted, made])
def test_a_call_like_an_earlier_one_is_not_taken_apart(function, monkeypatch):
    compiled = ag.to_graph(function)
    for _ in range(4):
        alike(compiled, function, 1.5)

    def refused(*args):
        raise AssertionError

    monkeypatch.setattr(ListForms, "flat", refused)
    for x in (1.5, -2.0):
        alike(compiled, function, x)


def test_what_a_variable_holds_may_be_of_another_type():
    compiled = ag.to_graph(counted)
    for number in (0, 5, 2.5, np.float64(0.5), np.int64(3), True, 7, -1.5, 1j, 2**70, 3):
        restore(number, None, 0)
        for x in (2.0, 3):
            alike(compiled, counted, x)


def test_what_is_put_there_may_be_anything():
    compiled = ag.to_graph(swapped)
    for held in (1, 2, 2.5, 3.5, np.float64(0.5), "a", "b", None, True, 4, 5):
        try:
            alike(compiled, swapped, held)
        except ag.AutographError:  # what it says
            restore(0, held, 0)


def test_a_variable_that_is_gone():
    global count
    compiled = ag.to_graph(counted)
    for _ in range(4):
        alike(compiled, counted, 1.5)
    del count
    with pytest.raises(NameError):
        compiled(1.5)
    count = 3
    alike(compiled, counted, 1.5)
