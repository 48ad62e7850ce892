"""Every transform of functions that run on another array library: all of it runs there."""

import numpy as np
import optree
import pytest

import autograph as ag
import ops
from tests.support import strict_device

X = np.array([0.5, 1.2, 2.0])
M = np.arange(6.0).reshape(2, 3) / 4


pytestmark = pytest.mark.usefixtures("device")


def straight(x):
    return np.sum(np.exp(x) * x)


def branch(x):
    if np.sum(x) > 3.0:
        x = np.exp(x) / (1.0 + x)
    else:
        x = np.sin(x) * np.log(1.0 + x * x)
    return np.sum(x)


def loop(x):
    while np.sum(x) > 0.5:
        x = 0.5 * x + 0.1 * np.sin(x)
    return np.sum(x * x)


def recursion(x):
    if np.sum(x) < 0.5:
        return np.sum(x)
    return recursion(0.5 * x) * np.sum(np.sin(x))


@ag.custom_jvp
def own_rule(x):
    return np.sum(x * x)


@own_rule.defjvp
def _rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return own_rule(x), 2.0 * np.sum(x * t)


FUNCTIONS = [straight, branch, loop, recursion, own_rule]

TRANSFORMS = {
    "grad": lambda f: (ag.grad(f), X),
    "grad of grad": lambda f: (ag.grad(lambda x: np.sum(ag.grad(f)(x) ** 2)), X),
    "jacfwd": lambda f: (ag.jacfwd(f), X),
    "jacrev": lambda f: (ag.jacrev(f), X),
    "hessian": lambda f: (ag.hessian(f), X),
    "hvp": lambda f: (lambda x: ag.hvp(f)(x, x), X),
    "vmap": lambda f: (ag.vmap(f), M),
    "vmap of grad": lambda f: (ag.vmap(ag.grad(f)), M),
    "grad of vmap": lambda f: (ag.grad(lambda m: np.sum(ag.vmap(f)(m) ** 2)), M),
    "collective": lambda f: (
        ag.vmap(lambda x: x * ops.psum(np.sum(x), "i") + ops.axis_index("i"), axis_name="i"),
        M,
    ),
    "checkpoint": lambda f: (ag.grad(ag.checkpoint(f)), X),
    "checkpointed loops": lambda f: (ag.grad(ag.checkpoint(f, loops="sqrt")), X),
    "some states of loops": lambda f: (ag.grad(ag.checkpoint(f, loops=2)), X),
}


def to_host(tree):
    return optree.tree_map(
        lambda x: strict_device.to_host(x) if isinstance(x, strict_device.Array) else x, tree
    )


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: getattr(f, "__name__", "own_rule"))
def test_runs_there(name, function):
    transformed, argument = TRANSFORMS[name](function)
    wanted = ag.to_graph(transformed)(argument)
    found = ag.to_graph(transformed, backend="strict_device")(argument)
    assert all(isinstance(leaf, strict_device.Array) for leaf in optree.tree_leaves(found))
    np.testing.assert_allclose(to_host(found), wanted, 1e-12)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: getattr(f, "__name__", "own_rule"))
def test_linearize(function):
    out, push = ag.linearize(ag.to_graph(function, backend="strict_device"), X)
    found = push(np.ones(3))
    assert isinstance(found, strict_device.Array)
    np.testing.assert_allclose(to_host(found), ag.linearize(function, X)[1](np.ones(3)), 1e-12)


def elementwise(x):
    return np.exp(x) * x


def in_a_loop(x):
    for _ in range(3):
        x = np.sin(x) * x + 0.1
    return x


@pytest.mark.parametrize("function", [elementwise, in_a_loop])
def test_tangents_and_pullbacks(function):
    there = ag.to_graph(function, backend="strict_device")
    found = ag.jvp(there, (X,), (np.ones(3),))
    assert all(isinstance(x, strict_device.Array) for x in found)
    np.testing.assert_allclose(to_host(found), ag.jvp(function, (X,), (np.ones(3),)))
    out, pull = ag.vjp(there, X)
    found = (out, *pull(np.ones(3)))
    assert all(isinstance(x, strict_device.Array) for x in found)
    out, pull = ag.vjp(function, X)
    np.testing.assert_allclose(to_host(found), (out, *pull(np.ones(3))))
