"""Gradients, and gradients of gradients, through all control flow, against central differences."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
smooth = programs.smooth


@programs.test
def test_gradients(call):
    call.run()


X = np.array([0.5, -1.2, 2.0])


# -- branches --------------------------------------------------------------------------------------


@smooth(1.5)
@smooth(-1.5)
def branch(x):
    if x > 0:
        y = np.sin(x)
    else:
        y = x * x * x
    return y * x


@smooth(X, 1.0)
@smooth(X, -1.0)
def branch_that_does_not_depend_on_x(x, s):
    if s > 0:
        return np.sum(x**2)
    return np.sum(x**3)


@smooth(2.0)
@smooth(-2.0)
def one_branch_is_constant(x):
    return x * x if x > 0 else 5.0


@smooth(2.0)
@smooth(-2.0)
def constant_everywhere(x):
    return 3.0


@smooth(X)
def branch_per_element(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += v * v
        elif v < -1:
            total -= v**3
    return total


@smooth(0.7)
@smooth(-0.7)
@smooth(3.0)
def nested_branches(x):
    if x > 0:
        y = x if x > 1 else x * x
        return y * np.exp(-x)
    return np.cos(x)


@smooth(2.0)
@smooth(0.1)
def short_circuit(x):
    if x > 1 and np.log(x - 1 + 1e-9) > -5:
        return np.log(x)
    return x


# -- while -----------------------------------------------------------------------------------------


@smooth(0.5)  # no trip
@smooth(1.5)  # one
@smooth(30.0)  # several
def halving(x):
    y = x
    while y > 1:
        y = y * 0.5 + 0.01 * y * y / x
    return y * y


@smooth(2.0, 0)
@smooth(2.0, 1)
@smooth(2.0, 6)
def power_by_while(x, n):
    result = 1.0
    while n > 0:
        result = result * x
        n -= 1
    return result


@smooth(2.0)
def fixed_point(x):
    y = 1.0
    previous = 0.0
    while abs(y - previous) > 1e-12:
        previous = y
        y = np.cos(y) * 0.5 + x * 0.1
    return y


@smooth(1.3, 3)
def nested_while(x, n):
    total, i = 0.0, 0
    while i < n:
        j, p = 0, 1.0
        while j <= i:
            p = p * x
            j += 1
        total += p
        i += 1
    return total


@smooth(X, 4)
@smooth(X, 0)
def array_state(x, n):
    y = x * 1.0
    while n > 0:
        y = np.tanh(y) + 0.1 * x
        n -= 1
    return np.sum(y * y)


@smooth(3.1)
def while_with_break(x):
    total, k = 0.0, 1
    while True:
        term = x / k
        if term < 0.5:
            break
        if k == 3:
            k += 1
            continue
        total += term * term
        k += 1
    return total


@smooth(3.0)
@smooth(0.2)
def return_from_while(x):
    y = x
    while y > 0.1:
        y = y * y * 0.3
        if y < 0.5:
            return y * x
    return y


# -- for -------------------------------------------------------------------------------------------


@smooth(1.1)
def static_count(x):
    y = x
    for i in range(5):
        y = y * x + i
    return y


@smooth(1.1, 4)
@smooth(1.1, 0)
def traced_count(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) + i * x
    return y


@smooth(X)
def over_an_array(x):
    y = 1.0
    for v in x:
        y = y * v + np.sin(v)
    return y


@smooth(np.arange(6.0).reshape(2, 3) / 7)
def nested_over_rows(a):
    total = 0.0
    for row in a:
        inner = 1.0
        for v in row:
            inner = inner * (v + 1)
        total += inner * inner
    return total


@smooth(X)
def break_from_for(x):
    total = 0.0
    for v in x:
        total += v * v * v
        if v < 0:
            break
    return total


@smooth(X)
def loop_as_python(x):
    parts = []
    for i in range(3):
        parts.append(x[i] ** (i + 1))
    return np.sum(np.array(parts)) + sum(parts)


@smooth(X)
def triangular_loop(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            total += x[i] * x[j] ** 2
    return total


@smooth(1.2)
def carried_swap(x):
    a, b = x, x * x
    for _ in range(3):
        a, b = b, a * b
    return a


@smooth(X)
def loop_variable_after_the_loop(x):
    for v in x:
        w = v * v
    return v + w


# -- arrays changed in place -----------------------------------------------------------------------


@smooth(X)
def filled_by_a_loop(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] ** 2
    return np.sum(y * x)


@smooth(X)
def recurrence_in_an_array(x):
    y = np.zeros(6)
    y[0] = x[0]
    for i in range(1, 6):
        y[i] = np.sin(y[i - 1]) * x[1] + x[2]
    return y[5] + y[2]


@smooth(X)
def overwritten_value(x):
    y = x.copy()
    s = y[0] * y[1]
    y[0] = 3.0
    return s + np.sum(y * y)


@smooth(X)
def slice_of_a_copy(x):
    y = x.copy()
    y[1:] *= y[:-1]
    return np.sum(y**2)


@smooth(X)
def through_a_view(x):
    y = x.copy()
    v = y[1:]
    v *= 2
    v[0] = x[0] ** 2
    return np.sum(y * y * y)


@smooth(X, 1)
@smooth(X, -1)
def traced_index(x, i):
    y = x * 2
    y[i] = x[i - 1] ** 3
    y[i - 1] += y[i]
    return np.sum(y * x)


@smooth(X)
def while_with_array(x):
    y = x.copy()
    i = 0
    while np.sum(y) < 10 and i < 4:
        y[i % 3] += x[0] * x[0] + 1
        i += 1
    return np.sum(y * y)


@smooth(X, 1.0)
@smooth(X, -1.0)
def written_in_a_branch(x, s):
    y = x * 1.0
    if s > 0:
        y[0] = x[1] * x[2]
    else:
        y[1:] = x[:-1] ** 2
    return np.sum(y * y)


@smooth(X)
def buffers_swapped(x):
    a, b = x.copy(), np.zeros(3)
    for _ in range(3):
        b[1:] = a[:-1] * a[1:]
        b[0] = a[-1] ** 2
        a, b = b, a
    return np.sum(a) + np.sum(b)


@smooth(X)
def masked_store(x):
    y = x * x
    y[x < 0] = 0
    return np.sum(y * x)


@smooth(np.arange(9.0).reshape(3, 3) / 5)
def columns_and_rows(a):
    b = a.copy()
    b[:, 0] = a[0] * 2
    b[1] += a[:, 1]
    b[[0, 2], [1, 2]] *= a[1, 1]
    return np.sum(b**2)


# -- recursion and calls ---------------------------------------------------------------------------


@smooth(1.7, 5)
@smooth(1.7, 0)
def recursive_power(x, n):
    if n == 0:
        return 1.0
    return x * recursive_power(x, n - 1)


@smooth(5.0)
@smooth(0.5)
def recursion_ended_by_the_value(x):
    if x < 1:
        return x**3
    return x * recursion_ended_by_the_value(x / 2)


@smooth(1.5, 6)
def tree_recursion(x, n):
    if n < 2:
        return x + n
    return tree_recursion(x, n - 1) * 0.5 + tree_recursion(x, n - 2) * x


@smooth(X)
def inner_function(x):
    def f(v, k=2.0):
        return v * k if v > 0 else v * v

    return f(x[0]) + f(x[1], k=3.0) * f(x[2], 5.0)


@smooth(1.5)
def gradient_inside(x):
    inner = ag.grad(lambda v: v**3 * x)
    return inner(x) + inner(2.0)


@smooth(1.5)
def value_and_gradient_inside(x):
    value, slope = ag.value_and_grad(lambda v: np.sin(v * x))(x)
    return value * slope


@smooth(2.0)
def newton_with_gradient_inside(a):
    def f(v):
        return v * v - a

    x = a
    while abs(f(x)) > 1e-12:
        x = x - f(x) / ag.grad(f)(x)
    return x


# -- points where a formula is undefined -----------------------------------------------------------


def guarded_root(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0))


def guarded_division(x):
    return np.sum(np.where(x != 0, 1 / x, 0.0))


def guarded_norm(x):
    s = np.sum(x * x)
    return np.where(s > 0, np.sqrt(s), 0.0)


def guarded_by_a_branch(x):
    s = np.sum(x * x)
    return np.sqrt(s) if s > 0 else 0.0 * s


def guarded_in_a_loop(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += np.log(v) * v
    return total


GUARDED = [
    (guarded_root, [4.0, -1.0, 0.0], [0.25, 0, 0], [-1 / 32, 0, 0]),
    (guarded_division, [2.0, 0.0], [-0.25, 0], [0.25, 0]),
    (guarded_norm, [3.0, 4.0], [0.6, 0.8], [(16 - 12) / 125, (9 - 12) / 125]),
    (guarded_norm, [0.0, 0.0], [0, 0], [0, 0]),
    (guarded_by_a_branch, [0.0, 0.0], [0, 0], [0, 0]),
    (guarded_in_a_loop, [1.0, 0.0, -2.0], [1, 0, 0], [1, 0, 0]),
]


@pytest.mark.parametrize("function, x, first, second", GUARDED)
def test_what_is_not_taken_does_not_matter(function, x, first, second):
    gradient = ag.grad(function)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(gradient(np.array(x)), first)
        second_by_x = ag.grad(lambda v: np.sum(gradient(v)))(np.array(x))
    np.testing.assert_allclose(second_by_x, second)


@smooth(0.3)
@smooth(2.0)
def guarded_logarithm(x):
    return x * np.log(x) if x > 0.1 else 0.0


@smooth(X)
def complex_in_between(x):
    z = x[0] + 1j * x[1]
    for _ in range(3):
        z = z * z * 0.5 + x[2]
    return z.real * 2 + abs(z)


@smooth(np.array([[2.0, 0.3], [0.3, 1.0]]))
def linear_algebra(a):
    x = np.linalg.solve(a, np.array([1.0, 2.0]))
    return x @ x + np.linalg.slogdet(a)[1] + np.trace(np.linalg.inv(a))
