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


def test_powers_to_a_number():
    """They are products, of which the base tells whether they fit; beyond 64 bits Python's."""

    def powers(k):
        return k**0, k**1, k**2, k**3, k**5, k**40

    compiled = ag.to_graph(powers)
    largest = [int(np.float64(2**63) ** (1 / n)) for n in (2, 3, 5, 40)]
    near = [root + more for root in largest for more in (-1, 0, 1, 2)]
    for k in [0, 1, 2, 3, *near, 2**31, 2**63 - 1]:
        for x in (k, -k):
            assert compiled(x) == powers(x), x
    check(lambda k: k**2 + k**3, 3037000, kernels=ALL)
    kernels = ag.to_graph(lambda k: k**2 + k**3).kernels(3)
    assert not any("pow" in str(kernel) for kernel in kernels.values())


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


def test_a_power_of_which_only_that_of_0_and_1_is_known():
    """No power of 2 is looked at that no memory holds."""

    def parities(n):
        return sum((k % 2) ** 10**12 for k in range(n))

    assert ag.to_graph(parities)(5) == parities(5)
