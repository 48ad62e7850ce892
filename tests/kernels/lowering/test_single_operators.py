"""Functions of one operator: a kernel where that is much faster than NumPy's."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, check

LARGE = np.random.default_rng(0).normal(size=(64, 64, 4))
SMALL = LARGE[:3, :3]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sin(x),
        lambda x: x**3,
        lambda x: np.sum(x),
        lambda x: np.sum(x, axis=(0, 2)),
        lambda x: np.prod(x, axis=1),
        lambda x: x.reshape(32, 2, 32, 2, 4).max(axis=(1, 3)),
        lambda x: np.min(x, axis=0),
        lambda x: np.searchsorted(np.linspace(-1, 1, 9), x),
        lambda x: np.linalg.norm(x),
    ],
)
def test_one_operator_on_many_elements(function):
    check(function, LARGE, kernels=None, scale=100.0)
    assert check(function, LARGE, kernels=None, scale=100.0).kernels(LARGE)


@pytest.mark.parametrize("function", [lambda x: np.prod(x, axis=1), lambda x: np.sum(x)])
def test_of_few_elements_the_whole_call_is_a_kernel(function):
    check(function, SMALL, kernels=ALL, scale=1.0)


@pytest.mark.parametrize(
    "function",
    [lambda x: x + x, lambda x: np.max(x), lambda x: np.any(x > 9, axis=None), lambda x: x * 2],
)
def test_what_numpy_does_as_fast(function):
    check(function, LARGE, kernels=None)


@pytest.mark.parametrize("function", [lambda x: np.max(x), lambda x: x @ x])
def test_what_is_no_kernel(function):
    check(function, LARGE[:, :, 0], kernels=0, scale=100.0)


def test_a_function_that_is_a_kernel():
    check(lambda x: np.exp(x), LARGE, kernels=ALL)


def test_powers_of_two():
    """They are shifts, and beyond 64 bits Python's, or what NumPy wraps."""

    def powers(k):
        return 2**k, 8**k, (-2) ** k, 2 ** (k // 2)

    compiled = ag.to_graph(powers)
    for k in (0, 1, 5, 20, 21, 31, 61, 62, 63, 64, 200):
        assert compiled(k) == powers(k), k
    for dtype in ("int8", "int64", "uint32"):
        x = np.arange(70).astype(dtype)
        found, expected = ag.to_graph(lambda x: 2**x)(x), 2**x
        assert found.dtype == expected.dtype and np.array_equal(found, expected)
