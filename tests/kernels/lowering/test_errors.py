"""Where Python raises, kernels give up, and the error is Python's; integers outgrow 64 bits."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.kernels.kernel_check import assert_same, check

pytest.importorskip("llvmlite")

X = np.array([0.5, -1.5, 2.0])


def divided(a, b):
    c = a * 2.0
    return c / b, c + b


def divided_in_a_loop(a, b):
    total = 0.0
    n = 0
    while n < 5:
        total = total + a / (b - n)
        n += 1
    return total


def whole_division(a, b):
    n = 0
    for i in range(3):
        n += (a + i) // (b - i)
    return n


def remainder(a, b):
    return a * 2 % b, a + b


def power(a, b):
    c = a + 1
    return c**b * 2.0


def power_in_a_loop(a, b):
    for _ in range(3):
        a = a**b
    return a


def whole_power(a, b):
    c = a + 1
    return c**b + 1


def divided_in_a_branch(a, b):
    c = a + 1.0
    if a > 0:
        c = c / b
    return c


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (divided, [(1.0, 2.0), (1.0, 0.0), (1.0, -0.0), (0.0, 0.0), (1.0, np.nan)]),
        (divided_in_a_loop, [(1.0, 5.5), (1.0, 4.0), (1.0, 0.0)]),
        (whole_division, [(7, 5), (7, 2), (-7, 5), (7, 0)]),
        (remainder, [(7, 5), (7, 0), (-7, 3), (7, -3)]),
        (remainder, [(7.0, 5.0), (7.0, 0.0), (-7.0, 3.0), (-0.0, 3.0), (7.0, math.inf)]),
        (power, [(2.0, 3.0), (2.0, 5000.0), (-1.0, -1.0), (1e300, 2.0), (0.0, 0.0)]),
        (power, [(math.inf, 2.0), (math.nan, 0.0), (-1.0, 0.0), (-3.0, 3.0)]),
        (power_in_a_loop, [(1.5, 2.0), (1e60, 3.0), (1.0, 1e300)]),
        (whole_power, [(2, 10), (2, 62), (2, 63), (2, 400), (-4, 3), (0, 5), (9, 0)]),
        (divided_in_a_branch, [(1.0, 2.0), (1.0, 0.0), (-1.0, 0.0)]),
    ],
)
def test_numbers(function, args):
    for given in args:
        check(function, *given, ulps=4)


def wrapping_sum(a, b):
    return a + b, a - b, -a


def product(a, b):
    c = a * b
    return c, c + 1


def factorial(a, b):
    n = 1
    for i in range(1, a + 1):
        n = n * i
    return n + b


def shifted(a, b):
    return a << b, a >> b, a | b


def absolute(a, b):
    return abs(a) + 1, -a - 1


BIG = 2**63 - 1


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (wrapping_sum, [(BIG, 1), (-BIG, 5), (-BIG - 1, 1), (3, 4)]),
        (product, [(2**32, 2**31), (-(2**32), 2**31), (BIG, -1), (-BIG - 1, -1), (3, 4)]),
        (factorial, [(20, 1), (21, 1), (30, 1), (0, 0)]),
        (shifted, [(1, 62), (1, 63), (1, 64), (-1, 63), (-8, 1), (1, -1), (5, 100)]),
        (absolute, [(-BIG - 1, 0), (-BIG, 0), (5, 0)]),
    ],
)
def test_integers_of_any_size(function, args):
    for given in args:
        check(function, *given)


def compared(a, b):
    return a == b, a < b, a > b, a <= b, a != b, a * 0.5


def quotients(a, b):
    return a / b, a * 2 / b


def test_ints_that_no_float_is():
    big = 2**53
    for given in [(big + 1, float(big)), (float(big), big + 1), (BIG, 2.0**63), (3, math.nan)]:
        check(compared, *given)
    for given in [(2**62 + 1, 3), (big + 1, 3), (big - 1, 7), (-BIG - 1, 3), (2**60 + 1, 2.5)]:
        check(quotients, *given, ulps=0)


def element(x, i):
    y = x * 2.0
    return y[i], np.sum(y)


def element_not_used(x, i):
    y = x * 2.0
    z = y[i]
    return y + 1.0


def row_of_which_one_is_used(x, i):
    y = x * 2.0 + x[i]
    return y[0]


def gathered(x, i):
    y = x * 2.0
    z = y[np.array([0, 1]) + i]
    return z * 2.0, y


def partly_gathered(x, i):
    z = (x * 2.0)[np.array([0, 1]) + i] * 3.0
    return z[0], x * 4.0


def changed(x, i):
    y = x * 2.0
    y[i] = 5.0
    return y, y + 1.0


def changed_in_a_loop(x, i):
    y = x * 2.0
    for j in range(i):
        y[j] = y[j] + 1.0
    return y


def read_in_a_loop(x, i):
    s = 0.0
    j = i
    while s < 3.0:
        s = s + abs(float(x[j]))
        j += 1
    return s


def in_a_branch(x, i):
    s = np.sum(x)
    if i > 0:
        s = s + x[i]
    return s * 2.0


@pytest.mark.parametrize(
    "function",
    [
        *(element, element_not_used, row_of_which_one_is_used, gathered, partly_gathered, changed),
        *(changed_in_a_loop, read_in_a_loop, in_a_branch),
    ],
)
def test_indices(function):
    for i in (0, 1, 2, 3, -1, -3, -4, 10**6, -(10**6), BIG):
        if i < 10**6 or function not in (changed_in_a_loop, read_in_a_loop):
            check(function, X, i, kernels=None)
    names = list(ag.to_graph(function).kernels(X, 1))
    assert names, "there is a kernel"


def test_arguments_are_not_changed_twice():
    def function(x, i):
        for j in range(4):
            x[j % 3] += 1.0
        return x[i] * 2.0

    for i in (0, 2, 3):
        check(function, X, i, kernels=None)


def test_user_errors():
    def function(x, i):
        y = x * 2.0
        for j in range(i):
            if y[j % 3] > 3.5:
                raise ValueError("too big")
            y = y + 0.5
        assert i < 4, "more than three"
        return y

    for i in range(6):
        check(function, X, i, kernels=None)


def test_mathematics_of_python_numbers():
    def function(a, b):
        return math.sqrt(a) + math.log(b), math.exp(a)

    for given in [(1.0, 2.0), (-1.0, 2.0), (1.0, 0.0), (1.0, -1.0), (1000.0, 1.0), (math.inf, 1.0)]:
        check(function, *given, kernels=None)


def test_shapes_of_integers_in_numpy():
    def function(x, n):
        return x + n, x * n

    x = np.array([1, 2, 100], np.int8)
    for n in (1, 127, 128, -129, 300, BIG):
        check(function, x, n)
    for n in (1, 255, 256, -1):
        check(function, x.astype(np.uint8), n)
    for n in (1, -1):
        check(function, x.astype(np.uint64), n)


# -- lanes -----------------------------------------------------------------------------------------


def inverse_root(a):
    x = a
    for _ in range(20):
        if abs(x * x - a) < 1e-12:
            break
        x = 0.5 * (x + a / x)
    return 1 / x


def test_lanes():
    mapped = ag.vmap(inverse_root)
    a = np.array([1.0, 2.0, 9.0, 0.3])
    expected = np.array([inverse_root(x) for x in a])
    np.testing.assert_allclose(mapped(a), expected, rtol=1e-15)
    assert list(mapped.kernels(a))


def test_errors_in_lanes():
    def function(a, i):
        y = a * 2.0
        while i < 3:
            i += 1
            y = y + X[i - 1]
        return y

    mapped = ag.vmap(function)
    found = mapped(X, np.array([0, 1, 2]))
    assert_same(found, np.array([function(a, i) for a, i in zip(X, (0, 1, 2))]))
    with pytest.raises(IndexError, match="out of bounds"):
        mapped(X, np.array([0, -5, 2]))


def test_floating_point_errors_on_request():
    def function(x):
        y = x - 0.5
        return 1.0 / y, y

    compiled = ag.to_graph(function)
    with np.errstate(divide="ignore"):
        compiled(X)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        compiled(X)
