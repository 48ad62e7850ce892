"""``fast_math``: products and sums rounded once, only where it is asked for."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available

pytestmark = pytest.mark.skipif(not available(), reason="there is no native code here")

# x * x and y * y round to the same number; their exact difference is not 0.
X = np.full(100, 1.0 + 2.0**-30)


def exact_part(x, y):
    return x * x - y


def test_each_operation_is_rounded_unless_asked():
    rounded = X * X
    assert np.all(ag.to_graph(exact_part)(X, rounded) == 0.0)


def test_one_rounding_where_asked():
    rounded = X * X
    found = ag.to_graph(exact_part, fast_math=True)(X, rounded)
    assert np.all(found == 2.0**-60)


def test_differences_and_sums_of_products():
    def f(x, y, z):
        return z - x * y, x * y + z, x * y - z, -(x * y)

    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 50))
    found = ag.to_graph(f, fast_math=True)(x, y, z)
    for part, expected in zip(found, f(x, y, z)):
        np.testing.assert_allclose(part, expected, rtol=1e-12, atol=1e-15)


def test_transforms_inherit_it():
    fast = ag.to_graph(lambda x, y: np.sum(x * x - y), fast_math=True)
    assert "fma" in str(ag.value_and_grad(fast).kernels(X, X * X))


def test_elementary_functions_stay_accurate():
    x = np.linspace(-20.0, 20.0, 1001)
    found = ag.to_graph(lambda x: np.exp(x) * x + np.sin(x), fast_math=True)(x)
    np.testing.assert_allclose(found, np.exp(x) * x + np.sin(x), rtol=1e-14, atol=1e-15)
