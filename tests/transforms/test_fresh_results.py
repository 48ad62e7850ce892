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
