"""A function of lanes with a call of a library, which takes all lanes: its loops and branches are
kernels nevertheless, in which each lane goes its own way."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available
from tests.kernels.selection.test_lanes_of_derivatives import WAYS, is_one_kernel
from tests.transforms.lanes import assert_same, by_lane

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("error:.*one lane after the other")

X = np.random.default_rng(0).uniform(1.0, 2.0, size=(6, 3))


def solved(x, z):
    return np.linalg.solve(np.eye(3) * (4.0 + z) + np.outer(x, x), x)


def around_a_call(x):
    z, trips = x[0], 0
    while abs(z * z - x[1]) > 1e-9:
        z, trips = 0.5 * (z + x[1] / z), trips + 1
    y = solved(x, z)
    if x[2] > 1.5:
        y = np.sin(y) * np.exp(-y[1]) + np.cos(y * x) ** 2
        y = y * y + np.tanh(y)
    return y * trips


def within_a_loop(x):
    y = 0.0
    for _ in range(3):
        x = 2.0 * solved(x, y)
        z = x[0]
        while z < 3.0:
            z = z * 1.5 + 0.2
        y = y + z
    return y * x


def recursive(z, n):
    return z if n == 0 else recursive(np.sin(z), n - 1)


def calls_itself(x):
    z = x[0]
    while z > 0.4:
        z = z - 0.1 * x[1]
    return recursive(z, 2) * x


@pytest.mark.costly
@pytest.mark.parametrize("function", [around_a_call, within_a_loop])
@pytest.mark.parametrize("way", ["jacrev", "jacfwd", "hessian"])
def test_derivatives(function, way):
    found = ag.vmap(WAYS[way](function))
    assert_same(found(X), by_lane(WAYS[way](function), (X,)), 1e-9, 1e-10)
    is_one_kernel(found, X)


@pytest.mark.costly
@pytest.mark.parametrize("function", [around_a_call, within_a_loop, calls_itself])
def test_values_and_derivatives_of_lanes(function):
    found = ag.vmap(function)
    assert_same(found(X), by_lane(function, (X,)), 1e-9, 1e-10)
    ag.check_grads(lambda x: np.sum(found(x) ** 2), (X[:2],), order=1)


def test_lanes_of_lanes():
    x = np.stack([X, X[::-1] + 0.1])
    found = ag.vmap(ag.vmap(around_a_call))
    assert_same(found(x), by_lane(lambda x: by_lane(around_a_call, (x,)), (x,)), 1e-9, 1e-10)
    is_one_kernel(found, x)


def test_a_loop_that_is_the_same_in_all_lanes():
    def same(x, limit):
        z = 1.0
        while z < limit:
            z = z * 1.5
        return solved(x, z)

    for way in (same, ag.jacrev(same)):
        found = ag.vmap(way, (0, None))(X, 4.0)
        assert_same(found, by_lane(way, (X, 4.0), (0, None)), 1e-9, 1e-10)


def test_what_a_part_raises():
    def refuses(x):
        z = x[0]
        while z < 3.0:
            z = z * 1.5
            if z > 4.4:
                raise ValueError("beyond")
        return solved(x, x[1])

    good, bad = np.full((2, 3), 2.0), np.array([[2.0, 1.0, 1.0], [2.98, 1.0, 1.0]])
    for way in (refuses, ag.jacrev(refuses)):
        found = ag.vmap(way)
        assert_same(found(good), by_lane(way, (good,)), 1e-9, 1e-10)
        with pytest.raises(ValueError, match="beyond"):
            found(bad)
