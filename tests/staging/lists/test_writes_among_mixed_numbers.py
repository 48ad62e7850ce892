"""Numbers written into a list of Python's and NumPy's, at places known only at run time."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

import autograph as ag

X = np.array([0.3, 0.5, 0.2, 0.7, 1.1, 0.05])


def served(x):
    """A queue before two servers."""
    free = [0.0] * 2
    waited, now = 0.0, 0.0
    for service in x:
        now += 0.23
        start = max(heapq.heappop(free), now)
        waited += (start - now) ** 2
        heapq.heappush(free, start + service)
    return waited + max(free)


def replaced(x):
    free = [0.0] * 3
    total = 0.0
    for v in x:
        total += heapq.heapreplace(free, free[0] + v) ** 2
    return total + max(free)


def moved_up(x):
    """By an insertion, as sorting does."""
    found = [0.0, 0.0, x[0], x[1]]
    k = len(found) - 1
    while k > 0 and found[k] > found[k - 1]:
        found[k], found[k - 1] = found[k - 1], found[k]
        k -= 1
    return found[0] + 2.0 * found[1] + 3.0 * found[2] + x[3] * k


def from_the_end(x):
    found = [1, 0.5, x[0]]
    k = -1
    while found[k] < 0.6:
        found[k] = x[-k]
        k -= 1
    return found[0] * found[1] + found[2] ** 2


def cheapest(x):
    """Tuples in tuples, of both kinds of number."""
    waiting = [(0.0, (0, 1.0))]
    for v in x:
        heapq.heappush(waiting, (v, (1, v * 2.0)))
    total = 0.0
    while waiting:
        cost, (number, more) = heapq.heappop(waiting)
        total = total * 0.5 + cost * more + number
    return total


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [pytest.param(served, marks=pytest.mark.slow), replaced, moved_up, from_the_end, cheapest],
)
def test_numbers_of_two_types(function):
    lanes = np.stack([X, X[::-1]])
    for x in lanes:
        found = ag.to_graph(function)(x)
        assert np.isclose(found, function(x), rtol=1e-12)
    ag.check_grads(function, (X,), order=2, modes=("fwd", "rev"))
    expected = [ag.grad(function)(x) for x in lanes]
    np.testing.assert_allclose(ag.vmap(ag.grad(function))(lanes), expected, rtol=1e-10)


def test_a_place_that_is_not_there():
    def f(x):
        found = [0.0, x[0]]
        k = 0
        while x[k] < 1.0:
            k += 1
        found[k] = x[1]
        return found[0] + found[1]

    assert ag.to_graph(f)(np.array([0.3, 2.0])) == 2.0
    with pytest.raises(IndexError, match="list assignment index out of range"):
        ag.to_graph(f)(np.array([0.3, 0.5, 2.0]))
