"""Ranges, and what else can be gone through, where NumPy makes an array of it."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import Programs, check_grad

programs = Programs()
D = np.arange(9.0).reshape(3, 3)


@programs(D, 3)
@programs(D.astype(int), 3)
def assigned(d, n):
    d[0, :] = range(n)
    d[:, 2] += range(2, 5)
    d[1, :2] = range(n, n - 2, -1)
    return d


@programs(D, 3)
def assigned_in_a_loop(d, n):
    for i in range(n):
        d[i, :] = range(i, i + 3)
    return d


@programs(D, 4)
def of_another_length(d, n):
    d[0, :] = range(n)
    return d


@programs(D, 2.0)
def lists_and_tuples_assigned(d, x):
    d[0] = [x, 2 * x, 3]
    d[:, 1] = (x, 2, x * x)
    d[1:, :] = [[x] * 3, [1] * 3]
    d[d > 2.5] = [9.0]
    d[2] = d[1].tolist()[::-1]
    return d


@programs(3)
@programs(0)
@programs(np.int32(4))
def made_of_ranges(n):
    return np.array(range(n)), np.asarray(range(2, 8, 3), float), np.array([range(n), range(n)])


@programs(D[0], 3)
def operands(x, n):
    return x * range(3), range(n) + x, x @ range(n), np.add(range(n), 1.5), x > range(3)


@programs(D, 3)
def arguments(d, n):
    return (
        *(np.sum(range(n)), np.mean(range(n)), np.cumsum(range(4)), np.dot(range(3), d[0])),
        *(np.concatenate([range(3), d[0]]), np.interp(1.5, range(n), d[0])),
        np.where(d[0] > 1, range(3), -1.0),
    )


@programs(D, 3)
def axes_and_places(d, n):
    d[range(2), range(2)] = range(5, 7)
    return np.transpose(d, range(2)[::-1]), np.sum(d, tuple(range(2))), d[range(2)], d[range(n)]


@programs(D[0], 3)
def from_iterables(x, n):
    doubled = np.fromiter((v * 2 for v in x), float)
    return doubled, np.fromiter(range(n), int), np.fromiter(x, float, 2), np.fromiter([x[0]], int)


@programs(D[0])
def from_too_few(x):
    return np.fromiter(x, float, 5)


@programs.smooth(D[1])
def derivatives(x):
    y = np.empty(3)
    y[:] = range(3)
    y *= x * range(1, 4)
    return np.sum(y * y) + np.sum(np.fromiter((v * v for v in x), float) * range(3))


@programs.test
def test_programs(call):
    if call.smooth:
        call.smooth = False
        check_grad(call.function, *call.args)
    call.run()


def test_lanes():
    found = ag.vmap(lambda x: np.sum(x * range(3)))(D)
    np.testing.assert_array_equal(found, D @ np.arange(3.0))


def generator_assigned(d):
    d[0] = (v for v in range(3))


def map_assigned(d):
    d[0] = map(float, range(3))


@pytest.mark.parametrize("function", [generator_assigned, map_assigned])
def test_what_numpy_makes_no_array_of(function):
    with pytest.raises(TypeError):
        function(D.copy())
    with pytest.raises(AutographError, match="AG0401"):
        ag.to_graph(function)(D.copy())
