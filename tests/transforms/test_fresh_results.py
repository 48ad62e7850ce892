"""Derivatives are arrays of their own, whichever way control flow goes: the caller may write to
them."""

import numpy as np
import pytest

import autograph as ag


def straight(x, n):
    return np.sum(x)


def branch(x, n):
    if n > 0:
        return np.sum(x)
    return np.sum(x * x)


def for_loop(x, n):
    y = x
    for _ in range(n):
        y = y * 2.0
    return np.sum(y)


def while_loop(x, n):
    y, k = x, 0
    while k < n:
        y = y + 1.0
        k += 1
    return np.sum(y)


def recursion(x, n):
    if n <= 0:
        return np.sum(x)
    return recursion(x, n - 1)


checkpointed = ag.checkpoint(straight)


@pytest.mark.parametrize(
    "function", [straight, branch, for_loop, while_loop, recursion, checkpointed]
)
def test_gradients(function):
    for n in (0, 1, 3):
        x = np.array([1.0, 2.0])
        gradient = ag.grad(function)(x, n)
        gradient += 1.0  # not broadcast, and not read-only
        assert not np.shares_memory(gradient, x)
        assert len(set(gradient - ag.grad(function)(x, n))) == 1


def test_products_share_no_memory_with_their_factors():
    product = ag.checkpoint(lambda a, b: np.sum(a * b))
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    da, db = ag.grad(product, argnums=(0, 1))(a, b)
    assert not np.shares_memory(da, b) and not np.shares_memory(db, a)
    da, db = ag.grad(lambda a, b: product(a, b) if a[0] > 0 else 0.0, argnums=(0, 1))(a, b)
    assert not np.shares_memory(da, b) and not np.shares_memory(db, a)


def test_tangents_and_cotangents():
    same = ag.checkpoint(lambda x: x)
    x, v = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    assert not np.shares_memory(ag.jvp(lambda x: same(x), (x,), (v,))[1], v)
    _, pull = ag.vjp(lambda x: same(x), x)
    assert not np.shares_memory(pull(v)[0], v)


def constant_where_a_loop_makes_no_trip(x, n):
    s = np.array([1.0, 2.0])
    for _ in range(n):
        s = s * x
    return s


def constant_of_one_branch(x, n):
    s = np.array([1.0, 2.0])
    if n > 0:
        s = s * x
    return s


def constants_that_are_exchanged(x, n):
    s, t = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    k = 0
    while k < n:
        s, t, k = t, s, k + 1
    return s, t


def part_of_a_constant(x, n):
    s = np.arange(3.0)
    for _ in range(n):
        s = s + x
    return s[1:]


def constant_of_a_recursion(x, n):
    if n <= 0:
        return np.array([1.0, 2.0])
    return constant_of_a_recursion(x, n - 1)


def constant_that_grows(x, n):
    s = np.array([1.0])
    k = 0
    while k < n:
        s = np.append(s, x)
        k += 1
    return s


@pytest.mark.parametrize(
    "function",
    [
        constant_where_a_loop_makes_no_trip,
        constant_of_one_branch,
        constants_that_are_exchanged,
        part_of_a_constant,
        constant_of_a_recursion,
        constant_that_grows,
    ],
)
def test_arrays_that_the_program_makes_are_new_at_each_call(function):
    f = ag.to_graph(function)
    for n in (0, 1, 2, 0):
        found = f(0.5, n)
        results = found if isinstance(found, tuple) else (found,)
        for result, expected in zip(results, np.atleast_2d(function(0.5, n))):
            assert np.array_equal(result, expected)
            result += 7.0
