"""`zero_cotangent`: what a rule gives for arguments that its result does not depend on."""

import numpy as np

import autograph as ag
from tests.support.oracle import assert_same


def test_of_each_kind():
    tree = {
        "array": np.ones((2, 3), np.float32),
        "number": 1.5,
        "complex": 2j,
        "scalar": np.float64(2.0),
        "others": [3, True, np.arange(2), None, "text"],
    }
    wanted = {
        "array": np.zeros((2, 3), np.float32),
        "number": 0.0,
        "complex": 0j,
        "scalar": np.float64(0.0),
        "others": [None] * 5,
    }
    assert_same(ag.zero_cotangent(tree), wanted, "zeros")


def test_in_a_rule():
    @ag.custom_vjp
    def pick(x, weights, n):
        return x * n

    def forward(x, weights, n):
        return pick(x, weights, n), (weights, n)

    def backward(residuals, ct):
        weights, n = residuals
        return ct * n, ag.zero_cotangent(weights), ag.zero_cotangent(n)

    pick.defvjp(forward, backward)
    found = ag.grad(lambda x, w: pick(x, w, 3), argnums=(0, 1))(2.0, {"a": np.ones(2)})
    assert_same(found, (3.0, {"a": np.zeros(2)}), "gradient")
