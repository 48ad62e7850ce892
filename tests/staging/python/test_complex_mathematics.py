"""The module ``cmath``: values, types and errors on every kind of number, and derivatives."""

import cmath
import itertools

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, check_grad

programs = Programs()
NAN, INF = float("nan"), float("inf")
PARTS = [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN, 1e308, 710.5]
NUMBERS = [1 + 2j, -1 + 0j, 2.5, -2.5, 3, -3, 0, 0.0, True, 1j, -1j, 1.0, -1]
NUMBERS += [np.complex128(1 - 2j), np.complex64(0.5 + 1j), np.float64(-2.0), np.float32(2.0)]
NUMBERS += [np.int32(2), np.array(2.0), np.array([2.0 + 1j]), np.array([1.0, 2.0])]
OF_ONE = """sqrt exp log log10 sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh isnan
isinf isfinite phase polar""".split()
# NumPy and cmath choose different signs, or another nan, where the other part is nan.
BY_CHOICE = "sin tan tanh asin acos acosh".split()


def of_module(name):
    """The function of ``cmath``, called from code of the user's."""
    function = getattr(cmath, name)
    return lambda *args: function(*args)


@pytest.mark.parametrize("name", OF_ONE)
def test_of_one_number(name):
    function = of_module(name)
    for z in NUMBERS:
        check(function, z)


@pytest.mark.parametrize("name", OF_ONE)
def test_at_the_ends_of_the_range(name):
    function = getattr(cmath, name)

    def parts(z):
        found = function(z)
        return (found.real, found.imag) if isinstance(found, complex) else found

    for x, y in itertools.product(PARTS, PARTS):
        if name not in BY_CHOICE or (x == x and y == y):
            check(parts, complex(x, y))


def test_in_polar_coordinates():
    def parts(r, phi):
        found = cmath.rect(r, phi)
        return found.real, found.imag

    for r, phi in itertools.product(PARTS, [*PARTS, 3, 4.0]):
        check(parts, r, phi)
    check(parts, 1j, 2.0)
    check(of_module("rect"), np.float32(2.0), 1)


def test_of_two_numbers():
    values = [1 + 2j, 2.0, 1, 0, 0.0, -1.5, 1j]
    for args in itertools.product(values, values):
        check(of_module("log"), *args)
        check(of_module("isclose"), *args)


@programs(1.0, 1.05)
@programs(1.0 + 1j, 1.0 + 1.05j)
@programs(complex(INF, 1), complex(INF, 1))
@programs(complex(INF, 1), complex(INF, 2))
@programs(complex(NAN, 1), complex(NAN, 1))
def closeness(x, y):
    return (
        cmath.isclose(x, y, rel_tol=0.1),
        cmath.isclose(x, y, abs_tol=0.06),
        cmath.isclose(x, x),
        cmath.isclose(x, y),
    )


@programs(1.0)
def tolerances_below_zero(x):
    return cmath.isclose(x, 2.0, rel_tol=-0.1)


@programs(1.0, -3.0, 2.0)
@programs(1, 2, 5)
@programs(0.0, 2.0, 5.0)
def quadratic(a, b, c):
    root = cmath.sqrt(b * b - 4 * a * c)
    return (-b + root) / (2 * a), (-b - root) / (2 * a)


@programs(np.arange(4.0))
def transform_by_hand(x):
    n = len(x)
    found = []
    for k in range(n):
        s = 0j
        for j in range(n):
            s += x[j] * cmath.exp(-2j * cmath.pi * k * j / n)
        found.append(s)
    return found


class Wave:
    def __init__(self, k):
        self.k = k

    def at(self, x):
        return cmath.exp(1j * self.k * x) if x > 0 else cmath.cos(self.k * x)


@programs(2.0, 0.5)
@programs(2.0, -0.5)
def in_a_branch_of_a_method(k, x):
    return Wave(k).at(x)


@programs(0.5)
@programs(0.0)
def handled(x):
    try:
        return cmath.log(x)
    except ValueError:
        return 0j


@programs(complex(0.5, 0.25), 8)
def in_a_loop(z, n):
    for _ in range(n):
        z = cmath.cos(z)
    return cmath.polar(z)


@programs.smooth(1.5, -0.5)
def derivatives(x, y):
    z = complex(x, y)
    r, phi = cmath.polar(cmath.sqrt(z) * cmath.exp(z) + cmath.rect(x, y))
    return r * phi + cmath.phase(z) + abs(cmath.log(z, 2.0)) + cmath.tanh(z).real


@programs.test
def test_programs(call):
    call.run()


@pytest.mark.parametrize("name", OF_ONE[:16])
def test_derivatives(name):
    function = getattr(cmath, name)
    check_grad(lambda x: abs(function(complex(x, 0.5))), 0.75)


def test_lanes():
    x = np.linspace(-1.0, 1.0, 5)
    found = ag.vmap(lambda x: cmath.sqrt(x) + cmath.phase(complex(x, 1.0)))(x)
    np.testing.assert_allclose(found, [cmath.sqrt(v) + cmath.phase(complex(v, 1.0)) for v in x])
