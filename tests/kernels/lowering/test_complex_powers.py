"""Powers of complex numbers to exponents known only at run time."""

import itertools
import math

import numpy as np
import pytest

import autograph as ag

pytest.importorskip("llvmlite")

C, D = 0.3 + 0.4j, -1.25 - 0.5j
RNG = np.random.default_rng(0)
Z = RNG.normal(size=5) + 1j * RNG.normal(size=5)

# Bases and exponents at the ends, and some between.
_ENDS = [0.0, -0.0, 1.0, -1.5, 1e-200, 1e200, math.inf, -math.inf, math.nan]
_BASES = [
    *itertools.starmap(complex, itertools.product(_ENDS, _ENDS)),
    *(RNG.normal(size=20) + 1j * RNG.normal(size=20)),
]
_EXPONENTS = [*range(-5, 8), -99, 99, 100, -100, 101, 1000, -(2**40)]


def power_of_each(x, y):
    out = np.zeros((len(x), len(y)), dtype=np.complex128)
    for i in range(len(x)):
        for j in range(len(y)):
            out[i, j] = x[i] ** y[j]
    return out


def powers_of_arrays(x, y):
    return np.power(x[:, None], y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [power_of_each, powers_of_arrays])
@pytest.mark.parametrize("kind", ["integers", "floats", "complex"])
def test_powers_to_what_the_run_tells(function, kind):
    """NumPy's bits where it multiplies, and what C's ``cpow`` gives elsewhere."""
    x = np.array(_BASES)
    y = np.array(_EXPONENTS if kind == "integers" else [*_EXPONENTS, 0.5, -2.5, math.inf, math.nan])
    if kind == "complex":
        y = np.concatenate((y + 0j, x[::3]))
    compiled = ag.to_graph(function)
    found, expected = compiled(x, y), function(x, y)
    assert len(compiled.kernels(x, y)) == 1
    for part in (np.real, np.imag):
        a, b = part(found), part(expected)
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        small = [abs(n) < 100 and n == int(n.real) if abs(n) < 1e9 else False for n in y]
        np.testing.assert_array_equal(a[:, small], b[:, small])
    far = np.isfinite(expected) & np.isfinite(y)
    error = np.abs(found - expected)[far]
    length = np.abs(np.log(np.abs(x[:, None])) * y)[far]  # by which rounding the logarithm counts
    assert np.all(error <= 1e-14 * (1 + np.nan_to_num(length)) * np.abs(expected[far]) + 1e-300)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("exponent", [3, -2, 0, 130, 0.5, 2.5, np.float32(1.5), np.uint8(5)])
@pytest.mark.parametrize("swapped", [False, True])
def test_powers_of_single_precision(exponent, swapped):
    def function(x, y):
        return y**x if swapped else x**y

    x = np.array(_BASES, np.complex64)
    x = x[np.isfinite(x) & (x != 0) & (np.abs(x) < 1e10)]  # the logarithm counts: 130 * 5 * 6e-8
    kernels = ag.to_graph(function)
    found, expected = kernels(x, exponent), function(x, exponent)
    assert len(kernels.kernels(x, exponent)) == 1
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    real = np.array([0.5, 1.5, -2.0, 3.0], np.float32)
    np.testing.assert_allclose(kernels(x[-4:], real), function(x[-4:], real), rtol=1e-4)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_powers_of_a_half_of_infinite_numbers_are_roots(dtype):
    def function(x):
        return x**0.5

    x = np.array(_BASES, dtype)
    for part in (np.real, np.imag):
        found, expected = part(ag.to_graph(function)(x)), part(function(x))
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("z", [C, D, 0j, 1e100 + 1j, complex(math.inf, 0)])
@pytest.mark.parametrize("first", [0, -3, 90])
def test_powers_of_python_to_what_the_run_tells(z, first):
    def function(z, first, count):
        found = 0j
        for k in range(first, first + count):
            found += z**k
        return found

    compiled = ag.to_graph(function)
    try:
        expected = function(z, first, 20)
    except ArithmeticError as error:
        with pytest.raises(type(error), match=str(error)[:20]):
            compiled(z, first, 20)
        return
    assert type(compiled(z, first, 20)) is complex
    # Up to 100 Python multiplies as the kernel does.
    assert compiled(z, first, 10) == function(z, first, 10)
    assert abs(compiled(z, first, 20) - expected) <= 1e-12 * abs(expected)


def test_derivatives_of_powers():
    def function(re, im, n):
        z, total = re + 1j * im, 0.0
        for k in range(n):
            total = total + np.sum(np.real(z ** (k - 3) * (0.5 + 0.25j)))
        return total

    ag.check_grads(lambda re, im: function(re, im, 7), (Z.real, Z.imag), order=2)
    lanes = ag.vmap(lambda z, k: z**k)(Z, np.arange(-2, 3))
    np.testing.assert_array_equal(lanes, Z ** np.arange(-2, 3))
