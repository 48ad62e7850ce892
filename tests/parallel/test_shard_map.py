"""`shard_map` over lanes: the same as the whole computation in plain NumPy, with its derivatives."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from autograph.errors import BatchingError, MeshError
from tests.parallel import programs

MESH = ag.Mesh.lanes(data=3)
SPECS = (P(), P("data"))
rng = np.random.default_rng(3)
W, X = rng.normal(size=4), rng.normal(size=(12, 4))
V = rng.normal(size=4)


def pair(name):
    return getattr(programs, name), getattr(programs, f"{name}_whole")


def over_lanes(function, out=P()):
    return ag.shard_map(function, MESH, SPECS, out)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", programs.NAMES)
def test_values(name):
    part, whole = pair(name)
    close(over_lanes(part)(W, X), whole(W, X))


@pytest.mark.parametrize("name", programs.NAMES)
def test_gradients_outside(name):
    part, whole = pair(name)
    close(ag.grad(over_lanes(part))(W, X), ag.grad(whole)(W, X))
    close(ag.grad(over_lanes(part), argnums=1)(W, X), ag.grad(whole, argnums=1)(W, X))


@pytest.mark.parametrize("name", programs.NAMES)
def test_gradients_inside(name):
    part, whole = pair(name)
    close(over_lanes(ag.grad(part))(W, X), ag.grad(whole)(W, X))
    found = over_lanes(ag.grad(part, argnums=1), P("data"))(W, X)
    close(np.asarray(found), ag.grad(whole, argnums=1)(W, X))


@pytest.mark.parametrize("name", programs.NAMES)
def test_tangents(name):
    part, whole = pair(name)
    expected = ag.jvp(lambda w: whole(w, X), (W,), (V,))
    close(ag.jvp(lambda w: over_lanes(part)(w, X), (W,), (V,)), expected)

    def inside(w, x):
        return ag.jvp(part, (w, x), (V, np.zeros_like(x)))

    close(over_lanes(inside)(W, X), expected)


@pytest.mark.parametrize("name", programs.NAMES)
def test_second_order(name):
    part, whole = pair(name)
    expected = ag.hessian(whole)(W, X)
    close(ag.hessian(over_lanes(part))(W, X), expected)
    close(ag.jacfwd(over_lanes(ag.grad(part)))(W, X), expected)
    if name == "recursion_of_all":  # directions are lanes, which go different ways in a callee
        with pytest.raises(BatchingError, match="AG0544"):
            over_lanes(ag.hessian(part))(W, X)
    else:
        close(over_lanes(ag.hessian(part))(W, X), expected)
