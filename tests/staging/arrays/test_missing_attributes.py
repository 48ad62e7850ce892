"""Attributes that a value has not in Python, although the recorder has some by these names."""

import numpy as np
import pytest

import autograph as ag


def unwrapped(x):
    try:
        return x.value
    except AttributeError:
        return x * 2


def of_the_first(x):
    y = x + x
    try:
        first = y.contents
    except AttributeError:
        first = y
    return first, getattr(y, "state", None), getattr(y, "_value", 1.0), hasattr(y, "type")


def length_or_one(x):
    try:
        return x.shape, x.ndim, x.dtype.name
    except AttributeError:
        return 1, 0, "number"


def in_a_function(x):
    def has_type(y):
        try:
            y.type  # noqa: B018
        except AttributeError:
            return False
        return True

    return has_type(x), has_type(x * 1.5), [has_type(y) for y in (x, 2)]


def that_may_be_none(x):
    best = None
    if np.sum(x) > 2:
        best = x * 2
    try:
        found = best.content
    except AttributeError:
        found = 1.0
    return found


def in_a_loop(x):
    total = 0.0
    for i in range(3):
        y = x * i
        try:
            total += y.write
        except AttributeError:
            total += 1.0
    return total


PROGRAMS = [unwrapped, of_the_first, length_or_one, in_a_function, that_may_be_none, in_a_loop]
VALUES = [np.arange(3.0), 1.5, 3, True, 2j, np.float64(2.0), np.int8(3), np.ones((2, 2), "f4")]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("x", VALUES, ids=lambda x: f"{type(x).__name__}-{np.ndim(x)}")
def test_what_has_them_not_raises(program, x):
    if program is that_may_be_none and isinstance(x, complex):
        x = 2.5
    assert repr(ag.to_graph(program)(x)) == repr(program(x))


def read(x):
    return x.value


def test_what_is_not_handled_is_an_error_of_the_program():
    with pytest.raises(AttributeError, match=r"'numpy.ndarray' object has no attribute 'value'"):
        ag.to_graph(read)(np.ones(3))


def gradient(x):
    try:
        y = x.value
    except AttributeError:
        y = x
    return np.sum(getattr(y, "type", y) ** 2)


def test_in_derivatives_and_lanes():
    x = np.array([1.0, -2.0, 3.0])
    assert np.array_equal(ag.grad(gradient)(x), 2 * x)
    assert np.array_equal(ag.vmap(gradient)(np.stack([x, -x])), [14.0, 14.0])
