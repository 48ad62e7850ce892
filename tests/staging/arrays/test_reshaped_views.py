"""A new vector and what `reshape` gives of it share memory, which is known; each may be written."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError

X = np.linspace(0.2, 1.7, 6)


def rows_of_zeros(x, k):
    y = np.zeros(len(x))
    rows = y.reshape(2, 3)
    for i in range(2):
        rows[i] += x[i] + k
    y /= 2
    return y


def rates(x, k):
    """As equations of motion are written for solvers, whose state is a vector."""
    d = np.zeros_like(x)
    position, rate = x.reshape(3, 2), d.reshape(3, 2)
    for i in range(3):
        for j in range(3):
            if i != j:
                rate[i] += (position[j] - position[i]) / (1.0 + k)
    return d


def read_in_each_trip(x, k):
    y = x * 2.0
    rows = y.reshape(2, 3)
    s = 0.0
    for i in range(k):
        s += y[i % 6]
        rows[0, i % 3] += 10 * i
    return s, y


def both_are_written(x, k):
    y = x.copy()
    rows = y.reshape(2, 3)
    y[0] += k
    rows[0, 0] *= 3.0
    y[1] = rows[0].sum()
    for i in range(k):
        rows[1] += y[i % 2]
        y[2] += rows[1, 0]
    rows[1, 2] -= y[2]
    return rows, y


def in_one_branch(x, k):
    y = x * 1.0
    rows = y.reshape(-1, 2)
    if k > 2:
        rows[1] = 4.0
    else:
        y[5] = 3.0
    return y.sum() + rows[2, 1]


def written_before_a_loop(x, k):
    y = x * 1.0
    rows = y.reshape(2, 3)
    y[0] = 5.0
    for _ in range(k):
        rows[...] = 2.0
    return rows, y


def parts_of_both(x, k):
    y = np.arange(6) * x
    tail = y[3:]
    columns = y.reshape(2, 3).T
    columns[0] += k
    tail[1] = columns[2, 1]
    columns[1, 1] += tail[0]
    return y, tail, columns


FUNCTIONS = [
    *(rows_of_zeros, rates, read_in_each_trip, both_are_written, in_one_branch),
    *(written_before_a_loop, parts_of_both),
]


@pytest.mark.parametrize("k", [0, 1, 4])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_is_seen_through_the_other(function, k):
    found, expected = ag.to_graph(function)(X.copy(), k), function(X.copy(), k)
    found, expected = (x if isinstance(x, tuple) else (x,) for x in (found, expected))
    assert len(found) == len(expected)
    for x, y in zip(found, expected):
        np.testing.assert_array_equal(x, y)


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives_and_lanes(function):
    def loss(x):
        found = function(x, 3)
        found = found if isinstance(found, tuple) else (found,)
        return sum(np.sum(part * part) for part in found)

    ag.check_grads(loss, (X,), order=2)
    several = np.stack([X, X - 0.3])
    np.testing.assert_allclose(ag.vmap(loss)(several), [loss(x.copy()) for x in several])


def of_an_argument(x):
    rows = x.reshape(2, 3)
    rows[0] = 1.0
    return x


def of_every_second(x):
    y = (x * 2.0)[::2]
    rows = y.reshape(1, 3)
    rows[...] = 1.0
    return y.sum() + y[0]


def of_an_array_in_unknown_order(x):
    y = np.outer(x, x)
    flat = y.reshape(36)
    flat[0] = 1.0
    return y


@pytest.mark.parametrize("function", [of_an_argument, of_an_array_in_unknown_order])
def test_where_only_the_run_knows_it_is_refused(function):
    with pytest.raises(MutationError) as caught:
        ag.to_graph(function)(X.copy())
    assert caught.value.id == "AG0324"


def test_an_axis_of_one_is_a_view_whatever_the_order():
    assert ag.to_graph(of_every_second)(X.copy()) == of_every_second(X.copy())


def test_the_view_of_an_outer_array_that_a_trip_makes_is_refused_or_right():
    def f(x, k):
        y = x * 1.0
        for i in range(k):
            rows = y.reshape(2, 3)
            rows[0] += i
        return y

    with pytest.raises(MutationError) as caught:
        ag.to_graph(f)(X.copy(), 3)
    assert caught.value.id == "AG0324"
