"""Sparse derivatives through each construct of the language, beside derivatives by hand."""

import numpy as np
import pytest

import autograph as ag
from tests.transforms.constructs import CONSTRUCTS


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_jacobian_through_a_construct(name):
    construct = CONSTRUCTS[name]
    f, (value, slope, *_) = construct.function, construct.derivatives
    a, b = construct.points[0], construct.points[-1]

    def both(x):
        return np.array([f(x[0]), x[2] * f(x[1]), x[2]])

    x = np.array([a, b, 1.5])
    expected = np.diag([slope(a), 1.5 * slope(b), 1.0])
    expected[1, 2] = value(b)
    found = ag.sparse_jacobian(both)(x)
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-6, atol=1e-9)
    assert found.nnz == 4


@pytest.mark.parametrize("name", [k for k, c in CONSTRUCTS.items() if not c.reverse_only])
def test_a_hessian_through_a_construct(name):
    construct = CONSTRUCTS[name]
    f, (value, slope, curvature, *_) = construct.function, construct.derivatives
    a, b = construct.points[0], construct.points[-1]

    def energy(x):
        return f(x[0]) * x[1] + f(x[2])

    x = np.array([a, 0.5, b])
    expected = np.diag([0.5 * curvature(a), 0.0, curvature(b)])
    expected[0, 1] = expected[1, 0] = slope(a)
    found = ag.sparse_hessian(energy)(x)
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-6, atol=1e-9)
