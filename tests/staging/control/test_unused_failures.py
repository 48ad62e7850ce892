"""What raises does so also where nothing uses its result, in the branch and the trip where it does,
in one lane as in many."""

import dataclasses
import enum

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs

programs = Programs()
BYTES = np.array([1, 2], np.uint8)


@programs(BYTES, 300)
@programs(BYTES, 3)
@programs(np.uint8(3), -1)
def sum_unused(a, n):
    a + n
    return n


@programs(BYTES, 300, 2)
@programs(BYTES, 300, 0)
def maximum_unused_in_a_loop(a, n, count):
    while count > 0:
        count -= 1
        np.maximum(a, n)
    return count


@programs(300, 1)
@programs(300, -1)
@programs(3, 1)
def array_unused_in_a_branch(n, flag):
    if flag > 0:
        np.full(3, n, np.int8)
    return flag


@programs(BYTES, 1)
@programs(BYTES, -1)
def constant_out_of_bounds(a, flag):
    if flag > 0:
        a + 300
    return flag


@programs(BYTES, 300)
def compared(a, n):
    return a == n, a < n, a / n


@programs(np.array([1, 2, 3]), np.float64(np.nan))
@programs(np.array([1, 2, 3], np.int8), np.int64(300))
@programs(np.array([1, 2, 3], np.int8), 300)
@programs(np.array([1, 2, 3]), np.nan)
def number_behind_a_mask(a, x):
    a[a > 1] = x
    return a


@programs(np.array([1, 2, 3]), np.inf)
@programs(np.array([1, 2, 3], np.int8), 300)
@programs(np.array([1, 2, 3], np.uint8), -1.0)
def number_written_to_what_nothing_uses(a, x):
    b = a * 1
    b[0] = x
    return a


@programs(BYTES, 3)
def another_exception_is_handled(a, n):
    try:
        return a + n
    except ValueError:
        return a


@dataclasses.dataclass(frozen=True)
class Point:
    x: float


class Color(enum.Enum):
    RED = 1


@programs(1.0)
@programs(-1.0)
def frozen_attribute(x):
    point = Point(x)
    if x > 0:
        point.x = 2.0
    return point.x


@programs(1.0)
@programs(-1.0)
def dict_grows_under_a_loop(x):
    found = {"a": x}
    if x > 0:
        for key in found:
            found[key + "b"] = x
    return found["a"]


@programs(1.0)
@programs(-1.0)
def set_grows_under_a_comprehension(x):
    found = {1, 2}
    if x > 0:
        return [found.add(n + 10) or n * x for n in found][0]
    return x


@programs(1.0)
@programs(-1.0)
def unknown_member(x):
    if x > 0:
        return Color["BLUE"].value * x
    return x


@programs.test
def test_unused_failures(call):
    call.run()


def test_an_overflow_is_not_handled():
    def kept(a, n):
        try:
            return a + n
        except OverflowError:
            return a

    with pytest.raises(AutographError, match="AG0334"):
        ag.to_graph(kept)(BYTES, 300)


def added(a, x):
    return a + int(x)


def set_one(a, x):
    a = a.copy()
    a[0] = x
    return a


def set_masked(a, x):
    a = a.copy()
    a[a > 1] = x
    return a


def set_if_a_number(a, x):
    a = a.copy()
    if x == x:
        a[0] = x
    return a


PAIRS = np.array([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("function", "arrays", "numbers"),
    [
        (added, PAIRS.astype("u1"), [3.0, 300.0]),
        (added, PAIRS.astype("u1"), [3.0, 30.0]),
        (set_one, PAIRS, [3.0, np.nan]),
        (set_one, PAIRS, [3.7, -4.7]),
        (set_one, PAIRS.astype("i1"), [3, 300]),
        (set_one, PAIRS.astype("u1"), [3, 300]),
        (set_one, PAIRS.astype("i1"), [3.0, 30.0]),
        (set_masked, PAIRS.astype("i2"), [30.0, 400000.0]),
        (set_if_a_number, PAIRS, [3.0, np.nan]),
    ],
)
def test_lanes_convert_numbers_as_python_does(function, arrays, numbers):
    numbers = np.array(numbers)
    try:
        expected = [function(a, x) for a, x in zip(arrays, numbers)]
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            ag.vmap(function)(arrays, numbers)
    else:
        found = ag.vmap(function)(arrays, numbers)
        assert found.dtype == expected[0].dtype
        np.testing.assert_array_equal(found, expected)
