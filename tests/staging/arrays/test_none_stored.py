"""None that is stored in arrays: NaN in those of floats, False in those of booleans."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import OperandTypeError
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_none_stored(call):
    call.run()


@programs(2.0, None)
@programs(2.0, 1.0)
def given(x, start):
    states = np.zeros((3, 2))
    states[0] = start
    states[1] = x
    return states


@programs(2.0)
def everywhere(x):
    a, b, c = np.empty(3), np.empty(3, "f4"), np.zeros(3, complex)
    a[:] = None
    b.fill(None)
    c[np.array([x, -x, x]) > 0] = None
    a[1] = b[1] = c[1] = x
    return a, b, c, np.full((2, 1), None, float) * x


@programs(2.0)
def in_lists(x):
    a = np.zeros(4)
    a[:2] = [None, x]
    a[2:] = (x, None)
    return a, np.array([x, None, 1.0], float), np.array([[None, x], [x, x]], "f4")


@programs(2.0)
def booleans(x):
    flags = np.ones(3, bool)
    flags[0] = None
    return flags, np.array([x, None], bool)


@programs(2.0)
@programs(-2.0)
def that_may_be_none(x):
    found, row = None, None
    if x > 0:
        found = 7
        row = np.arange(3.0) * x
    a, b, c = np.zeros(3, "f4"), np.zeros((2, 3), complex), np.ones(3, bool)
    a[1] = b[0] = found
    b[1] = row
    c[0] = found
    return a, b, c


@programs(1.0)
@programs(-1.0)
def among_others(x):
    """A list with what may be None ended with a TypeError that Python does not raise."""
    found = None if x > 0.0 else x * 2.0
    a, b = np.ones(3), np.ones((2, 2), np.float32)
    a[0:2] = [found, x]
    a[[1, 2]] = (found, found)
    b[:] = [[found, 1], [x, found]]
    return a, b


@programs(1.0)
@programs(-1.0)
def among_integers(x):
    found = None if x > 0.0 else 2
    a = np.ones(3, int)
    a[0] = found
    return a


@programs(1.0, 5)
@programs(-1.0, 5)
def of_the_trip_before(x, n):
    last, seen = None, np.zeros(n)
    for i in range(n):
        seen[i] = last
        last = None if x * i > 2.0 else x * i
    return seen


def test_derivatives():
    def f(x):
        last = None
        seen = np.zeros(4)
        for i in range(4):
            seen[i] = last
            last = None if i * x > 5.0 else i * x**2
        return np.nansum(seen)

    ag.check_grads(f, (2.0,), order=2)
    np.testing.assert_array_equal(ag.vmap(f)(np.array([2.0, 3.0])), [f(2.0), f(3.0)])


@pytest.mark.parametrize("value", [None, [None, 1]])
def test_integers_have_no_none(value):
    def f(x):
        counts = np.zeros(2, int)
        counts[:] = value
        return counts * x

    with pytest.raises(TypeError) as expected:
        f(2.0)
    with pytest.raises(OperandTypeError) as found:
        ag.to_graph(f)(2.0)
    assert str(expected.value) in str(found.value)
