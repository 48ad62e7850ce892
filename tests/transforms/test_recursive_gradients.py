"""Gradients of recursive functions: right to second order, at a constant factor of the function."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph as ag
from autograph.graph.graph import walk
from tests.support.call_counts import count_calls
from tests.support.oracle import check_grad


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def accumulated(x, n, total=0.0):
    if n == 0:
        return total
    return accumulated(np.sin(x), n - 1, total + x * x)


def is_even(x, n):
    return np.sin(x) if n < 1 else is_odd(x * 1.1, n - 1) * x


def is_odd(x, n):
    return np.cos(x) if n < 1 else is_even(x * 0.9, n - 1) + x


def tree(x, depth):
    if depth == 0:
        return np.sin(x)
    return tree(x * 0.9, depth - 1) * tree(x * 1.1, depth - 1) + x


def fibonacci(x, n):
    if n < 2:
        return x
    return fibonacci(x, n - 1) + fibonacci(x, n - 2) * x


def halves(x):
    """The depth depends on the data."""
    return x * x if x < 1.0 else halves(x / 2.0) * x


def layers(w, x, n):
    if n == 0:
        return np.sum(x * x)
    return layers(w, np.tanh(w @ x), n - 1)


def both(x, n):
    """Two results, of which one is used at the end."""
    if n == 0:
        return x, x * x
    a, b = both(np.sin(x), n - 1)
    return a * b, a + b


def first_of_both(x, n):
    return both(x, n)[0]


def with_a_loop(x, n):
    total = x
    for i in range(n):
        total = total + with_a_loop(x * 0.5, i) * x
    return total


def in_a_loop(x, n):
    y = x
    while y < 50.0:
        y = y + power(y, n)
    return y


def by_an_inner_function(x, n):
    def go(k, y):
        return y if k == 0 else go(k - 1, np.sin(y) * x)

    return go(n, x)


def sums(xs, n):
    """Over the parts of an array."""
    if n < 1:
        return xs[0] * xs[1]
    return sums(np.sin(xs), n - 1) * xs[n]


def filled(x, n):
    y = np.zeros(4)
    y[0] = x
    return into(y, n)


def into(y, n):
    if n == 0:
        return np.sum(y * y)
    z = y.copy()
    z[n] = z[n - 1] * y[0]
    return into(z, n - 1) + z[n]


def counted(x, n):
    """Of the recursion only a depth is used."""
    return x * depth_of(x, n)


def depth_of(x, n):
    return 0 if x * n > 3.0 or n > 5 else 1 + depth_of(x, n + 1)


W = np.array([[0.5, -0.3], [0.2, 0.8]])
CASES = [
    (power, (1.1, 6)),
    (accumulated, (0.7, 5)),
    (is_even, (0.4, 5)),
    (is_odd, (0.4, 4)),
    (tree, (0.8, 3)),
    (fibonacci, (0.6, 5)),
    (halves, (5.3,)),
    (layers, (W, np.array([0.3, -0.9]), 4)),
    (first_of_both, (0.4, 4)),
    (with_a_loop, (0.7, 3)),
    (in_a_loop, (1.3, 2)),
    (by_an_inner_function, (0.8, 4)),
    (sums, (np.array([0.3, 0.5, -0.2, 0.9]), 3)),
    (filled, (0.7, 3)),
    (counted, (0.7, 0)),
]


@pytest.mark.parametrize("function, args", CASES, ids=lambda a: getattr(a, "__name__", ""))
def test_to_second_order(function, args):
    check_grad(function, *args)


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize(
    "function, args",
    [(power, (1.1, 4)), (is_even, (0.4, 3)), (tree, (0.8, 2)), (first_of_both, (0.4, 2))],
    ids=lambda a: getattr(a, "__name__", ""),
)
def test_to_third_order(function, args):
    """In every mixture of the two modes."""
    x, *rest = args
    ag.check_grads(lambda x: function(x, *rest), (x,), order=3)


def test_by_several_arguments():
    x = np.array([0.3, -0.9])
    ag.check_grads(lambda w, x: layers(w, x, 3), (W, x), order=2)


def test_values_and_auxiliary_results():
    (value, aux), slope = ag.value_and_grad(both, has_aux=True)(0.4, 4)
    assert (value, aux) == pytest.approx(both(0.4, 4))
    eps = 1e-6
    assert slope == pytest.approx((both(0.4 + eps, 4)[0] - both(0.4 - eps, 4)[0]) / (2 * eps))


# -- what it costs ---------------------------------------------------------------------------------


def calls(function, *args):
    """How many calls of functions of Python's and of NumPy's a run of a compiled function makes,
    and how many times it enters the program's own functions."""
    function(*args)
    counts = count_calls(lambda: function(*args))
    return counts["call"] + counts["c_call"], counts["program"]


# A function, its argument, and how many calls it makes in all for a depth.
DEEP = [
    (power, 1.0, lambda depth: depth + 1),
    (is_even, 0.5, lambda depth: depth + 1),
    (accumulated, 0.5, lambda depth: depth + 1),
    (tree, 0.8, lambda depth: 2 ** (depth + 1) - 1),
]


@pytest.mark.numpy_program("its calls are counted")
@pytest.mark.parametrize("function, x, count", DEEP, ids=lambda a: getattr(a, "__name__", ""))
def test_each_call_is_made_once_forwards_and_once_backwards(function, x, count):
    for depth in (3, 6, 100) if function is not tree else (3, 6):
        # The first levels may be part of the caller.
        assert abs(calls(ag.to_graph(function), x, depth)[1] - count(depth)) <= 2
        assert abs(calls(ag.grad(function), x, depth)[1] - 2 * count(depth)) <= 4


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("function", [power, is_even, accumulated], ids=lambda a: a.__name__)
def test_the_cost_is_linear_in_the_depth(function, order):
    derivative = function
    for _ in range(order):
        derivative = ag.grad(derivative)
    costs = [calls(derivative, 0.9, depth)[0] for depth in (50, 100, 200)]
    assert costs[2] - costs[1] == pytest.approx(2 * (costs[1] - costs[0]), abs=4)


def test_deeper_than_python_allows():
    depth = 3 * sys.getrecursionlimit()
    assert ag.grad(power)(1.0, depth) == depth
    assert ag.grad(ag.grad(power))(1.0, depth) == depth * (depth - 1.0)


def test_what_a_level_leaves():
    """The value of the call below, x, and what that call left; nothing of depths and sums."""
    module = ag.grad(accumulated).graph(0.7, 5)
    packed = [
        sorted(v.name or str(v.type) for v in node.inputs)
        for node in walk(module.graphs["accumulated_fwd_dcd"])
        if node.op.name == "pack"
    ]
    assert packed == [["Pack"], ["Pack", "bool", "x"]]  # of the branch, of the call
