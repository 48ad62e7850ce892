"""Arrays that are returned amid a loop which changes them until then."""

import copy

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError


def counted(b, n):
    for k in range(n):
        if b[k] > 5.0:
            return b, k
        b[k] = k
    return b, n


def endless(b):
    k = 0
    while True:
        if b[k] > 5.0:
            return b, k
        b[k + 1] += b[k] + k
        k += 1


def two_loops(b, n):
    k = 0
    while k < n:
        for j in range(n):
            if b[j] > 6.0:
                return b, j
            b[j] += 1.5
        k += 1
    return b, -1


def made_here(n):
    c = np.zeros(n)
    for k in range(n):
        if c[k] > 3.0 or k > 6:
            return c
        c[k] += k
        c[(3 * k) % n] += 2.0
    return c * 2.0


def in_a_list(a, n):
    for k in range(n):
        if a[k] > 3.0:
            return [a, k]
        a[k] += 1.5 * k
    return [a, n]


def named_in_a_trip(b, n):
    for k in range(n):
        if k == 2:
            y = b
        b[k] += k
        if k > 3:
            y[0] += 7.0
    return b, y


class Grid:
    def __init__(self, n):
        self.heights = np.zeros(n + 1)

    def filled(self, n):
        for k in range(n):
            if self.heights[k] > 3.0:
                return self.heights
            self.heights[k : k + 2] += k
        return self.heights


def of_an_object(n):
    return Grid(n).filled(n)


USES = [
    (counted, (np.zeros(9), 9)),
    (counted, (np.zeros(4), 4)),
    (endless, (np.ones(9),)),
    (two_loops, (np.ones(5), 5)),
    (two_loops, (np.ones(2), 1)),
    (made_here, (9,)),
    (made_here, (4,)),
    (in_a_list, (np.ones(5), 5)),
    (in_a_list, (np.ones(2), 2)),
    (named_in_a_trip, (np.ones(6), 6)),
    (of_an_object, (9,)),
]


@pytest.mark.parametrize(("function", "args"), USES)
def test_as_python(function, args):
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    found, expected = ag.to_graph(function)(*mine), function(*theirs)
    parts = [(found,), (expected,)] if isinstance(found, np.ndarray) else [found, expected]
    assert [type(x) for x in parts[0]] == [type(x) for x in parts[1]]
    assert all(map(np.array_equal, *parts))
    assert all(map(np.array_equal, mine, theirs))
    same = [
        [any(x is a for a in given) for x in part] for part, given in zip(parts, (mine, theirs))
    ]
    assert same[0] == same[1]


def returned(x, n):
    b = x * 1.0
    for k in range(n):
        if b[k] > 5.0:
            return b
        b[k] = b[k] * k + x[0] * x[k]
    return b * 2.0


@pytest.mark.parametrize("n", [3, 9])
def test_derivatives(n):
    ag.check_grads(lambda x: np.sum(returned(x, n) ** 2), (np.linspace(0.5, 1.5, n),), order=2)


def test_of_many():
    x = np.arange(24.0).reshape(3, 8) / 4.0
    each = np.stack([returned(row, 8) for row in x])
    assert np.allclose(ag.vmap(lambda row: returned(row, 8))(x), each)


def one_of_two(a, b, n):
    for k in range(n):
        if a[k] > 5.0:
            return a
        if b[k] > 7.0:
            return b
        a[k] += k
        b[k] += a[k]
    return a


def changed_afterwards(a, b, n):
    c = one_of_two(a, b, n)
    c += 1.0
    return c, a


def test_one_of_two_arrays_is_not_changed_afterwards():
    found = ag.to_graph(one_of_two)(np.ones(5), np.ones(5), 5)
    assert np.array_equal(found, one_of_two(np.ones(5), np.ones(5), 5))
    with pytest.raises(MutationError, match="AG0325"):
        ag.to_graph(changed_afterwards)(np.ones(5), np.ones(5), 5)


def added_up(x, n):
    x = x * 1.0
    for k in range(n):
        x += x[0]
        if x[1] > 6.0:
            return x, k
    return x, -1


def two_ways_out(x, n):
    x = x * 1.0
    while True:
        x *= 1.5
        n -= 1
        if x[0] > 5.0:
            return x
        if n < 0:
            return x * 2.0


def to_the_caller(x, n):
    z = x * 2.0
    w, _ = added_in_place(z, n)
    return z, w


def added_in_place(z, n):
    for k in range(n):
        z += k
        if z[0] > 3.0:
            return z, k
    return z * 3.0, -1


def two_loops_of_two(x, y, n):
    for _ in range(n):
        x += 1.0
        if x[0] > 5.0:
            return x, y
    for _ in range(n):
        y += x
        if y[1] > 7.0:
            return y, x
    return x, y


@pytest.mark.parametrize("n", [0, 1, 3, 9])
@pytest.mark.parametrize("function", [added_up, two_ways_out, to_the_caller, two_loops_of_two])
def test_of_variables_that_are_added_to(function, n):
    arrays = [np.array([1.0, 2.0, 3.0]), np.array([0.5, -2.0, 1.0])]
    arrays = arrays[: function.__code__.co_argcount - 1]
    mine, theirs = copy.deepcopy(arrays), copy.deepcopy(arrays)
    found, expected = ag.to_graph(function)(*mine, n), function(*theirs, n)
    assert type(found) is type(expected)
    for x, y in zip(found, expected):
        assert np.array_equal(x, y) if isinstance(y, np.ndarray) else x == y
    assert all(map(np.array_equal, mine, theirs))


def test_derivatives_of_what_is_added_to():
    x = np.array([0.7, 1.2, 0.4])
    ag.check_grads(lambda x: np.sum(added_up(x, 9)[0] ** 2), (x,), order=2)
    ag.check_grads(lambda x: np.sum(two_ways_out(x, 9) ** 2), (x,), order=2)
    many = x + np.arange(4.0)[:, None]
    each = np.stack([two_ways_out(row, 2) for row in many])
    assert np.allclose(ag.vmap(lambda row: two_ways_out(row, 2))(many), each)


def views_that_are_added_to(n, steps):
    whole = np.arange(float(n * n)).reshape(n, n)
    inner, row = whole[1:-1, 1:-1], whole[0]
    for _ in range(steps):
        inner += 0.25 * (whole[:-2, 1:-1] + whole[2:, 1:-1]) - 0.5 * inner
        row *= 0.5
        whole[:, 0] = whole[:, -2]
    return whole, inner


def second_name(x, n):
    x = x.copy()
    y = x
    for i in range(n):
        x += 1.0
        if x[0] > 5.0:
            return x, i
        y = x
    return y * 2.0 + x, -1


def returned_view(x, n):
    tail = x[1:]
    for _ in range(n):
        x += 1.0
        if x[0] > 5.0:
            return tail
    return tail * 2.0


@pytest.mark.parametrize("n", [0, 3, 9])
@pytest.mark.parametrize("function", [second_name, returned_view])
def test_of_second_names(function, n):
    mine, theirs = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    found, expected = ag.to_graph(function)(mine, n), function(theirs, n)
    assert np.array_equal(mine, theirs)
    for x, y in zip(np.atleast_2d(found[0]), np.atleast_2d(expected[0])):
        assert np.array_equal(x, y)


def test_loops_over_views_that_are_added_to_are_no_python_loops():
    compiled = ag.to_graph(views_that_are_added_to, unroll_limit=2)
    for steps in (0, 1, 7):
        pairs = zip(compiled(6, steps), views_that_are_added_to(6, steps))
        assert all(np.array_equal(x, y) for x, y in pairs)
