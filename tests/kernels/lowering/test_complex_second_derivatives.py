"""Second derivatives of loops with complex numbers: of what a trip leaves for its way back a part
may have no tangent, beside others that are complex."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.native import available

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

NUMBERS = np.array([1.5 + 0.1j, 2.0 + 0.2j, 1.3])
ROWS = np.random.default_rng(0).normal(size=(3, 2)) + 1j


def products(x):
    z = np.exp(x * (0.3 + 0.2j))
    m = 1.0 + 0j
    for n in NUMBERS:
        m = m * z / n + 1j
    return np.abs(m) ** 2


def beside_real_numbers(x):
    z, y = x * (0.3 + 0.2j), 0.5 * x
    for k in range(3):
        y = y * NUMBERS[k].real + z.imag
        z = z * NUMBERS[k] + 0.1 * y * k
    return (z * z.conjugate()).real + y


def of_arrays(x):
    z = np.ones(2) * (x + 0.3j)
    for row in ROWS:
        z = z * row + z[::-1] * 0.5
    return np.sum(np.abs(z) ** 2)


def until_it_is_large(x):
    z, k = 1.0 + 0j, 0
    while abs(z) < 20.0 and k < 3:
        z = z * x * NUMBERS[k] + 1j
        k += 1
    return z.real * z.imag


def step(z, k, x):
    if k == 0:
        return z
    w = z * x * NUMBERS[k - 1] + 1j
    return step(w * w, k - 1, x) + w


def recursive(x):
    return step(1.0 + 0.5j, 3, x).real


class Filter:
    def __init__(self, poles):
        self.poles = poles

    def response(self, z):
        total = 1.0 + 0j
        for p in self.poles:
            total = total * (z - p)
        return total


def of_a_method(x):
    return abs(Filter(NUMBERS).response(np.exp(1j * x)))


ALL = [products, beside_real_numbers, of_arrays, until_it_is_large, of_a_method]


@pytest.mark.parametrize("function", [*ALL, recursive])
def test_second_derivatives(function):
    ag.check_grads(function, (0.7,), order=2)


@pytest.mark.parametrize("function", ALL)
def test_every_order_of_modes(function):
    slope = ag.grad(function)
    expected = (slope(0.7 + 1e-5) - slope(0.7 - 1e-5)) / 2e-5
    for second in (
        ag.grad(slope)(0.7),
        ag.jvp(slope, (0.7,), (1.0,))[1],
        ag.grad(lambda x: ag.jvp(function, (x,), (1.0,))[1])(0.7),
        ag.vmap(ag.grad(slope))(np.array([0.2, 0.7]))[1],
    ):
        assert second == pytest.approx(expected, rel=1e-6)
    assert len(ag.grad(slope).kernels(0.7)) == 1
