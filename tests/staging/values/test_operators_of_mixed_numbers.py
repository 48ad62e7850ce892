"""What operators make of numbers that are Python's on some paths and NumPy's on others."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

OPERATORS = {
    "root": lambda x, y: np.sqrt(y),
    "exponential": lambda x, y: np.exp(y / 100),
    "sine": lambda x, y: np.sin(y),
    "opposite": lambda x, y: -y,
    "square": lambda x, y: y**2,
    "half": lambda x, y: y / 2,
    "quotient": lambda x, y: y // 3,
    "rest": lambda x, y: y % 3,
    "sum": lambda x, y: y + 3,
    "sum of two": lambda x, y: y + x[0],
    "sum with an array": lambda x, y: x + y,
    "less": lambda x, y: y < 100,
    "less than an element": lambda x, y: y < x[0],
    "equal": lambda x, y: (y == 2, y != 2),
    "in a branch": lambda x, y: 1.0 if y > 100 else 2.0,
    "float": lambda x, y: float(y),
    "extremum": lambda x, y: (max(y, 5), min(y, 5)),
    "twice": lambda x, y: np.sqrt(y) * 2 + 1,
}
OF_INTEGERS = {
    "inverse": lambda x, y: ~y,
    "shifted": lambda x, y: (y << 3, y >> 1),
    "bits": lambda x, y: (y & 3, y | 8, y ^ 1),
    "element": lambda x, y: x[y % 3],
}
EITHER = {**OPERATORS, **OF_INTEGERS}
CASES = [(name, "float32") for name in OPERATORS]
CASES += [(name, dtype) for name in EITHER for dtype in ("uint8", "int16")]


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_they_are_those_of_the_path(name, dtype):
    f = EITHER[name]

    def chosen(x, c):
        y = 2
        if c > 0:
            y = x[1]
        return f(x, y)

    x = np.array([3, 200, 7]).astype(dtype)
    for c in (1.0, -1.0):
        check(chosen, x, c)


@pytest.mark.parametrize("first", [-1, 257, 2])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32])
def test_an_int_that_the_other_type_does_not_hold(first, dtype):
    """Written, or an argument."""

    def largest(x):
        best = first
        for i in range(len(x)):
            if x[i] > best:
                best = x[i]
        return best

    def from_argument(x, best):
        for i in range(len(x)):
            if x[i] > best:
                best = x[i]
        return best

    x = np.array([3, 100, 7]).astype(dtype)
    check(largest, x)
    check(from_argument, x, first)


def test_derivatives():
    def f(x, c):
        y = 2
        if c > 0:
            y = x[1]
        return np.sum(x) * np.sqrt(y) + np.exp(y)

    x = np.array([0.5, 1.5], np.float32)
    slope = 2.0 / (2.0 * np.sqrt(1.5)) + np.exp(1.5)
    root = np.sqrt(1.5)
    np.testing.assert_allclose(ag.grad(f)(x, 1.0), [root, root + slope], rtol=1e-6)
    np.testing.assert_allclose(ag.grad(f)(x, -1.0), np.full(2, np.sqrt(2.0)), rtol=1e-6)
    np.testing.assert_allclose(
        ag.vmap(f, (None, 0))(x, np.array([1.0, -1.0])), [f(x, 1.0), f(x, -1.0)], rtol=1e-6
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda v: -v,
        lambda v: v - True,
        lambda v: v - v,
        lambda v: v - np.bool_(True),
        lambda v: -(1 - v),
        lambda v: (v * 2, v + 1, ~v, abs(v)),
    ],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_numpy_has_for_an_int_but_not_for_a_bool(function, sign):
    """An error where it is one of NumPy's booleans, and a Python int where it is an int."""
    check(lambda x, sign: function(1 if sign > 0 else x > 0), np.float64(2.0), np.float64(sign))


def rounded_in_the_first_trip(a, n):
    """A float is rounded where it meets a float32, unlike what is np.float64 after a trip."""
    total = 3.66
    for _ in range(n):
        total += np.float32(2.8) * 2
        total += a[-1]
    return total


def rounded_in_a_loop_with_a_test(a, n):
    total, product = 3.66, 0.0
    while n > 0:
        product = total * np.float32(2.8)
        total = product + a[-1]
        n -= 1
    return total, product


def rounded_on_a_path(a, n):
    x = 3.66 if n > 1 else a[0]
    y = x * np.float32(2.8)
    return y + a[1], y, y * 2, -y / 3


def wrapped_on_a_path(a, n):
    x = 3 if n > 1 else np.int64(5)
    y = x * np.int8(100)
    return y + np.int64(1), y - a[0], y


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function",
    [
        rounded_in_the_first_trip,
        rounded_in_a_loop_with_a_test,
        rounded_on_a_path,
        wrapped_on_a_path,
    ],
)
def test_numbers_of_fewer_bits_go_on_as_they_are(function, n):
    check(function, np.array([0.52, 1.0]), n)
