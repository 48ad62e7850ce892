"""Loops that compute the next array in the place of the present one, which others still read."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
from tests.kernels.kernel_check import check

X = np.array([0.3, 0.7, 0.2, 0.5])


def what_both_need(x, n):
    """An element of what waits to be computed with the next array."""
    u, s = x * 1.0, 0.0
    for _ in range(n):
        t = u * 2.0
        s = t[1] + s * 0.5
        u = t + 1.0
    return u, s


def computed_early(x, n):
    """The next array is computed since what it reads changes, before the present one is read."""
    u, v, s = x * 1.0, x + 1.0, 0.0
    for _ in range(n):
        w = u * 0.5 + v
        v[:2] += 0.25
        s += np.tanh(u[1])
        u = w
    return u, s, v


def read_before_and_after(x, n):
    u, v, s = x * 1.0, x + 1.0, 0.0
    for _ in range(n):
        t = u * 2.0
        w = u * 0.5 + v
        v[:2] += t[0]
        s += t[0] * t[1] + u[2]
        u = w
    return u, s, v


def changed_copies(x, n):
    """The next array is one that was changed in its memory."""
    u, v, s = x * 1.0, x + 1.0, 0.0
    for i in range(n):
        t = u * 2.0
        w = v * 1.0
        w[1] = i + s
        s = s * 0.5 + t[1]
        u = w
    return u, s


def in_a_branch(x, n):
    u, v, s = x * 1.0, x + 1.0, 0.0
    for _ in range(n):
        w = u * 0.5 + v
        if w[0] > 0.3:
            v[0] = 2.0
        s += u[0] * u[1]
        u = w
    return u, s, v


def rows_of_a_list(x, n):
    u, s, rows = x * 1.0, 0.0, [x]
    for i in range(n):
        t = u * 0.5
        rows.append(u + i)
        w = rows[i // 2] * 1.0
        rows[0] = x * s
        s = s * 0.5 + t[1] + u[0]
        u = w
    return u, s


def a_queue(x, n):
    """A list of one length, whose last row comes before its first one goes."""
    queue, last = [np.array([0.5, 1.0])], 0.0
    w = x * 0.5
    for _ in range(n):
        queue.append(np.array([w[0] - 0.2, last]))
        w[:3] += 0.25
        last = np.tanh(queue.pop(0)[1]) + 0.1
    return last, queue, w


PROGRAMS = (
    what_both_need,
    computed_early,
    read_before_and_after,
    changed_copies,
    in_a_branch,
    rows_of_a_list,
    a_queue,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_that_what_still_reads_an_array_finds_it(function):
    check(function, X, 5, kernels=None, ulps=20)
