"""Absolute values of complex numbers that are compared, which take no root where squares decide."""

import decimal
import itertools
import math

import numpy as np
import pytest

import autograph as ag
from tests.kernels.lowering.test_complex_numbers import C, D
from tests.kernels.lowering.test_complex_special_values import same_outcome


def sides(z, r):
    found = 0
    if abs(z) < r:
        found += 1
    if abs(z) <= r:
        found += 2
    if r < abs(z):
        found += 4
    if r <= abs(z):
        found += 8
    return found


def within(z, limit):
    n = 0
    while abs(z) <= 2 and n < limit:
        z = z * z
        n += 1
    return n


def is_rounded(z):
    """Whether the C library rounds the absolute value correctly, which not all do."""
    with decimal.localcontext(decimal.Context(prec=60)):
        return abs(z) == float((decimal.Decimal(z.real) ** 2 + decimal.Decimal(z.imag) ** 2).sqrt())


NEAR = [2.0 * complex(np.exp(1j * angle)) for angle in np.linspace(0.0, 1.5, 16)]
NEAR = list(filter(is_rounded, NEAR))
ENDS = [0j, -0.0j, 1e-200 + 1e-200j, 5e-324 + 0j, 1e160 + 1j, 1e308 + 1e307j, 2 + 0j, 2j, 3 + 4j]
NONE = [complex(math.inf, 1), complex(math.nan, 1), complex(math.nan, math.inf)]


@pytest.mark.parametrize("dtype", [complex, np.complex128, np.complex64])
def test_an_absolute_value_that_is_compared(dtype):
    """Squares decide only where rounding cannot change what they say."""
    f, real = ag.to_graph(sides), type(abs(dtype(0)))
    beside = [math.nextafter(2.0, x) for x in (0.0, 3.0)] + [np.nextafter(np.float32(2), 3)]
    radii = [2.0, *beside, 0.0, -1.0, 1e-200, 1e160, 5.0, math.inf, math.nan]
    with np.errstate(all="ignore"):
        for z, r in itertools.product(NEAR + ENDS + NONE, radii):
            given = dtype(z), real(r)
            assert f(*given) == sides(*given), given
            assert f(given[0], r) == sides(given[0], r), (z, r)


@pytest.mark.parametrize("z", [complex(1.5e308, 1.5e308), 1e200 + 0j, 0.5j, 1 + 0j, 1.5 + 0j])
def test_an_absolute_value_that_overflows(z):
    assert same_outcome(ag.to_graph(sides), sides, z, 2.0)
    assert same_outcome(ag.to_graph(within), within, z, 30)


def test_two_absolute_values():
    f = ag.to_graph(lambda z, w: 1 if abs(z) < abs(w) else 2)
    assert [f(C, D), f(D, C), f(C, C)] == [1, 2, 2]
    g = ag.to_graph(lambda z: abs(z) if abs(z) > 0.1 else 0.0)
    assert g(C) == abs(C)
