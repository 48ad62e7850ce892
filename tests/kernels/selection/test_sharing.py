"""Arrays that may be one after loops and branches, as in Python, and arrays that only look so."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.selection import sharing


def pivots(a):
    """Two arrays of the state, one changed in a branch, the other in a loop."""
    n = a.shape[0]
    a, p = a.copy(), np.arange(n)
    for k in range(n - 1):
        m = k + np.argmax(np.abs(a[k:, k]))
        if m != k:
            a[[k, m]] = a[[m, k]]
            p[k], p[m] = p[m], p[k]
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a, p


def two_in_branches(a):
    """Of which each is made anew in one branch."""
    x, y = a * 2.0, a * 3.0
    for k in range(5):
        if a[k, 0] > 0:
            x = x + 1.0
        else:
            y = y - 1.0
        y[0] += x[0]
    return x, y


@pytest.mark.parametrize("function", [pivots, two_in_branches])
def test_arrays_of_their_own_are_one_kernel(function):
    a = np.random.default_rng(0).normal(size=(9, 9))
    compiled = ag.to_graph(function)
    for found, expected in zip(compiled(a), function(a), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert "two results may be the same array" not in str(compiled.explain(a))
    assert len(compiled.kernels(a)) == 1


def swapped(a, n):
    x, y = a * 2.0, a * 3.0
    for _ in range(n):
        x, y = y, x
    return x, y


def given_on(a, n):
    x, y = a * 2.0, a * 3.0
    for k in range(n):
        y = x
        if k == 1:
            x = x + 1.0
    return x, y


def through_another(a, n):
    x, y, z = a * 2.0, a * 3.0, a * 4.0
    for _ in range(n):
        x, y = y, z
    return x, z


def from_outside(a, n):
    z = a * 4.0
    x = a * 2.0
    for k in range(n):
        x = z if a[k, k] > 0 else x + 1.0
    return x, z


def in_a_loop_within(a, n):
    x, y = a * 2.0, a * 3.0
    for k in range(n):
        for _ in range(k):
            x = y
        y = y + 1.0
    return x, y


def last_of_a_loop_within(a, n):
    x, y = a * 2.0, a * 3.0
    for k in range(n):
        y = y + 1.0
        for _ in range(k):
            x = y
    return x, y


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function",
    [swapped, given_on, through_another, from_outside, in_a_loop_within, last_of_a_loop_within],
)
def test_arrays_are_one_where_python_has_one(function, n):
    a = np.random.default_rng(1).normal(size=(4, 4))
    compiled = ag.to_graph(function)
    found, expected = compiled(a, n), function(a, n)
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)
    assert np.shares_memory(*found) == np.shares_memory(*expected)


def test_arrays_of_which_it_takes_too_many_questions_may_be_one(monkeypatch):
    def changed(a):
        x, y = a * 2.0, a * 5.0
        for k in range(3):
            if a[k] > 0.25:
                x = x + 1.0
            else:
                y = y - 1.0
        return x, y

    monkeypatch.setattr(sharing, "_MOST", 0)
    compiled, a = ag.to_graph(changed), np.array([0.5, 0.125, 1.0])
    for found, expected in zip(compiled(a), changed(a), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert "two results may be the same array" in str(compiled.explain(a))


def split_at_each(rows):
    best, groups = 1e9, None
    for k in range(2):
        for row in rows:
            left, right = [], []
            for r in rows:
                if r[k] < row[k]:
                    left.append(r)
                else:
                    right.append(r)
            if abs(len(left) - len(right)) < best:
                best, groups = abs(len(left) - len(right)), (left, right)
    return best, groups


def test_what_is_known_of_two_arrays_is_not_asked_again(monkeypatch):
    """Of many branches one after the other, each of which asks for those before it."""
    asked = []
    may = sharing._Sharing._may
    monkeypatch.setattr(sharing._Sharing, "_may", lambda *args: asked.append(args) or may(*args))
    rows = [[0.3, 0.1, 0], [0.9, 0.5, 1], [0.7, 0.2, 0], [0.8, 0.4, 1], [0.6, 1.0, 1]]
    assert ag.to_graph(split_at_each)(rows) == split_at_each(rows)
    assert len(asked) < 5_000  # 70,000 if each pair of results asks all of them
