"""Jacobians and second derivatives in lanes that part: one kernel, in which each lane goes its own
way, and no arrays of the lanes that take a branch."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available
from tests.transforms.lanes import assert_same, by_lane

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("error:.*one lane after the other")


def branches(x):
    if x[0] > 0:
        y = np.sin(x) * x[1]
    else:
        y = np.cos(x) + x[2]
    return y


def called(x):
    return branches(x) * 2.0 + branches(-x)


def parting_loops(x):
    total = 0.0
    for k in range(4):
        if x[k % 3] < -0.5:
            break
        total = total + np.sin(x[k % 3]) * (k + 1)
    while abs(total) > 0.5:
        total = 0.5 * total * np.cos(x[1])
    return total * x


def halved(x):
    """Its derivative differs between lanes in nothing but the number of trips."""
    while np.sum(np.abs(x)) > 1.0:
        x = 0.5 * x
    return x


def scalar(function):
    return lambda x: np.sum(function(x) * np.arange(1.0, 1.0 + len(x)))


WAYS = {
    "jacrev": ag.jacrev,
    "jacfwd": ag.jacfwd,
    "hessian": lambda function: ag.hessian(scalar(function)),
    "rows of rows": lambda function: ag.jacrev(ag.jacrev(scalar(function))),
    "columns of columns": lambda function: ag.jacfwd(ag.jacfwd(scalar(function))),
}


def is_one_kernel(found, x):
    """That lanes that take a branch are not gathered."""
    graph = str(found.graph(x))
    assert "= lanes(" in graph
    assert "nonzero" not in graph


def check(way, function, x):
    found = ag.vmap(way(function))
    assert_same(found(x), by_lane(way(function), (x,)), 1e-9, 1e-10)
    is_one_kernel(found, x)


@pytest.mark.costly
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("function", [branches, called, parting_loops])
def test_lanes_that_part(function, way):
    check(way, function, np.random.default_rng(0).normal(size=(12, 3)))


@pytest.mark.parametrize("way", [ag.jacrev, ag.jacfwd])
def test_lanes_whose_derivatives_differ_in_trips_alone(way):
    check(way, halved, np.random.default_rng(0).normal(size=(12, 3)))


@pytest.mark.parametrize("way", [ag.jacrev, ag.jacfwd])
def test_a_jacobian_of_many_elements(way):
    """More than a lane may have that does not part from others."""
    check(way, branches, np.random.default_rng(0).normal(size=(5, 20)))


def test_lanes_of_lanes():
    x = np.random.default_rng(0).normal(size=(4, 3, 5))
    found = ag.vmap(ag.vmap(ag.jacrev(branches)))
    wanted = by_lane(lambda rows: by_lane(ag.jacrev(branches), (rows,)), (x,))
    assert_same(found(x), wanted, 1e-9, 1e-10)
    is_one_kernel(found, x)


def test_the_jacobian_of_lanes():
    x = np.random.default_rng(0).normal(size=(3, 4))
    for way in (ag.jacrev, ag.jacfwd):
        found = way(ag.vmap(branches))(x)
        wanted = np.zeros((3, 4, 3, 4))
        for lane in range(3):
            wanted[lane, :, lane] = way(branches)(x[lane])
        assert_same(found, wanted, 1e-9, 1e-10)


def test_the_gradient_of_a_lane_among_others():
    """What was to be called, and is called once, is built in; what its passes were made of stays
    known where they change places with lanes."""

    def one(x):
        return x * np.sin(x) if x > 1.0 else np.exp(x) * x * x

    first = ag.grad(lambda x: ag.vmap(one)(np.stack([x, 2.0 * x]))[0])
    for x in (0.5, 1.5):
        assert first(x) == pytest.approx(ag.grad(one)(x), rel=1e-12)
