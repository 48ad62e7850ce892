"""``bisect`` on lists and arrays whose elements the run knows."""

import bisect

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0])


def places(x):
    a = sorted(x)
    return [f(a, v) for v in (x[0], 0.0, 5.0, 10.0) for f in (bisect.bisect_left, bisect.bisect)]


def places_in_an_array(x):
    a = np.sort(x)
    return bisect.bisect_left(a, x[2]), bisect.bisect_right(a, x[2]), bisect.bisect(a, 2, 3, 6)


def longest_increasing(x):
    tails = []
    for v in x:
        i = bisect.bisect_left(tails, v)
        if i == len(tails):
            tails.append(v)
        else:
            tails[i] = v
    return len(tails), tails


def running_median(x):
    seen, total = [], 0.0
    for v in x:
        bisect.insort(seen, v)
        total += seen[len(seen) // 2]
    return total, seen


def by_key(x):
    rows = [(v, -v) for v in sorted(x)]
    bisect.insort_left(rows, (x[0] + 0.5, x[1]), key=lambda row: row[0])
    return bisect.bisect_left(rows, x[4], key=lambda row: row[0]), rows


def grades(x):
    return "".join("FDCBA"[bisect.bisect((2.0, 3.0, 4.0, 5.0), v)] for v in (x[0], x[1], x[5]))


def out_of_order(x):
    return bisect.bisect_left(x, 4.0), bisect.bisect_right(x, 4.0, lo=2, hi=len(x) - 1)


@pytest.mark.parametrize(
    "function",
    [places, places_in_an_array, longest_increasing, running_median, by_key, grades, out_of_order],
)
def test_bisect(function):
    check(function, X)
    check(function, -X)


@pytest.mark.parametrize("x", [X, np.zeros(0)])
def test_a_negative_start_is_pythons_error(x):
    def function(x, k):
        return bisect.bisect_left(x, 1.0, k)

    with pytest.raises(ValueError, match="lo must be non-negative"):
        ag.to_graph(function)(x, -1)


def test_gradients_and_lanes():
    def function(x):
        a = sorted(x)
        i = bisect.bisect_left(a, 4.5)
        return a[i] * a[i] + a[i - 1]

    np.testing.assert_allclose(ag.grad(function)(X), np.eye(10)[4] * 10 + np.eye(10)[2])
    lanes = np.stack([X, X[::-1], X + 1.0])
    np.testing.assert_allclose(ag.vmap(ag.to_graph(function))(lanes), [function(x) for x in lanes])
