"""Complex numbers in kernels are NumPy's also at infinities, zeros and NaN."""

import itertools
import math

import numpy as np
import pytest

import autograph as ag
from ops.core import complex_scalars
from ops.core.complex_scalars import ComplexScalar
from tests.kernels.lowering.test_complex_numbers import OPERATORS, array

_SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3e-310, 1e-200, -1e200, 1e308, 709.5, 720.0]
_SPECIAL += [math.inf, -math.inf, math.nan]


def special_values(dtype):
    part = np.dtype(f"f{np.dtype(dtype).itemsize // 2}")
    with np.errstate(over="ignore"):
        pool = np.array(_SPECIAL if part == np.float64 else [*_SPECIAL, 88.5, 95.0]).astype(part)
    pool = np.concatenate([pool, np.random.default_rng(0).normal(size=8).astype(part)])
    real, imag = np.meshgrid(pool, pool)
    found = np.empty(real.size, dtype)
    found.real, found.imag = real.ravel(), imag.ravel()
    return found


def assert_as_numpy(found, expected, ulps, normwise=False):
    """The same NaN, infinities and signs of zeros; finite numbers within some ulps.

    Args:
        normwise: whether those are ulps of the larger part.
    """
    assert found.dtype == expected.dtype and found.shape == expected.shape
    if expected.dtype == bool:
        np.testing.assert_array_equal(found, expected)
        return
    pairs = [(found, expected)]
    if expected.dtype.kind == "c":
        pairs = [(found.real, expected.real), (found.imag, expected.imag)]
    with np.errstate(all="ignore"):
        largest = np.maximum(*(np.abs(e) for _, e in pairs)) if len(pairs) == 2 else None
        for one, other in pairs:
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
            number = ~np.isnan(other)
            one, other = one[number], other[number]
            exact = np.isinf(other) | (other == 0)
            if not normwise:
                np.testing.assert_array_equal(one[exact], other[exact])
                np.testing.assert_array_equal(np.signbit(one), np.signbit(other))
            size = np.abs(other) if not normwise or largest is None else largest[number]
            finite = np.isfinite(other) & np.isfinite(size)
            off = np.abs(one[finite] - other[finite])
            assert np.all(off <= ulps * np.spacing(size[finite]))


_FUNCTIONS = {
    "exp": (np.exp, 4),
    "log": (np.log, 4),
    "sqrt": (np.sqrt, 4),
    "sin": (np.sin, 4),
    "cos": (np.cos, 4),
    "tan": (np.tan, 8),
    "sinh": (np.sinh, 4),
    "cosh": (np.cosh, 4),
    "tanh": (np.tanh, 8),
    "abs": (np.abs, 2),
    "negative": (np.negative, 0),
    "conjugate": (np.conjugate, 0),
    "reciprocal": (np.reciprocal, 1),
    "isnan": (np.isnan, 0),
    "isinf": (np.isinf, 0),
    "isfinite": (np.isfinite, 0),
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", _FUNCTIONS)
def test_special_values(name, dtype):
    function, ulps = _FUNCTIONS[name]
    z = special_values(dtype)
    f = ag.to_graph(lambda z: function(np.roll(z, 1)))
    with np.errstate(all="ignore"):
        expected = function(np.roll(z, 1))
        found = f(z)
    assert f.kernels(z)
    assert_as_numpy(found, expected, ulps)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e-3, 1.0, 30.0, 1e150, 1e300])
@pytest.mark.parametrize(
    "name", ["exp", "log", "sqrt", "abs", "sin", "cos", "tan", "sinh", "cosh", "tanh"]
)
def test_over_a_wide_range(name, scale):
    function, ulps = _FUNCTIONS[name]
    z = array(2000, seed=3) * scale
    f = ag.to_graph(lambda z: function(z[::-1]))
    with np.errstate(all="ignore"):
        assert_as_numpy(f(z), function(z[::-1]), ulps)


def test_logarithms_near_1():
    rng = np.random.default_rng(0)
    z = np.exp(1j * rng.uniform(-4, 4, 500)) * (1 + 10.0 ** rng.uniform(-17, -1, 500))
    f = ag.to_graph(lambda z: np.log(z[::-1]))
    assert_as_numpy(f(z), np.log(z[::-1]), 4)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("symbol", OPERATORS)
def test_special_operands(symbol, dtype):
    """Vector code of NumPy's rounds a product and a sum at once: parts are as near as the larger
    of the products is."""
    operation, z = OPERATORS[symbol], special_values(dtype)[::7]
    x, y = (v.ravel() for v in np.meshgrid(z, z))
    f = ag.to_graph(lambda x, y: operation(np.roll(x, 1), np.roll(y, 1)))
    with np.errstate(all="ignore"):
        expected = np.array([operation(a, b) for a, b in zip(np.roll(x, 1), np.roll(y, 1))])
        found = f(x, y)
    assert f.kernels(x, y)
    assert_as_numpy(found, expected, 0)


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.parametrize("kinds", ["cc", "cf", "fc", "ci", "ic"])
def test_operators_of_python(symbol, kinds):
    """To the last bit, signs of zeros and of NaN aside."""
    numbers = [0.0, -0.0, 1.5, -3.0, 1e200, math.inf, -math.inf, math.nan]
    pool = {
        "c": list(itertools.starmap(complex, itertools.product(numbers, numbers))),
        "f": numbers,
        "i": [0, 1, -7],
    }
    operation = OPERATORS[symbol]
    f = ag.to_graph(operation)
    for x, y in itertools.product(*(pool[kind][:: 3 if kinds == "cc" else 1] for kind in kinds)):
        assert same_outcome(f, operation, x, y), (x, y)


def same_outcome(function, other, *args):
    outcomes = []
    for each in (function, other):
        try:
            outcomes.append(repr(each(*args)).replace("-nan", "nan"))
        except ArithmeticError as error:
            outcomes.append(repr(error))
    return outcomes[0] == outcomes[1]


@pytest.mark.parametrize("exponent", [-3, -1, 0, 1, 2, 3, 7])
def test_powers_of_python(exponent):
    numbers = [0.0, -0.0, 1.5, -3.0, 1e200, math.inf]
    f = ag.to_graph(lambda z: z**exponent)
    for z in itertools.starmap(complex, itertools.product(numbers, numbers)):
        assert same_outcome(f, lambda z: z**exponent, z), z


@pytest.mark.parametrize("name", ["product", "quotient", "exponential", "square_root", "logarithm"])
def test_formulas_on_arrays(name):
    """What kernels compute can be computed by NumPy, too."""
    z = array(50, seed=4)
    function = {
        "product": lambda z: z * z,
        "quotient": lambda z: z / z[::-1],
        "exponential": np.exp,
        "square_root": np.sqrt,
        "logarithm": np.log,
    }[name]
    operands = [z, z] if name == "product" else [z, z[::-1]] if name == "quotient" else [z]
    formula = getattr(complex_scalars, name)
    found = formula(*(ComplexScalar(v.real, v.imag) for v in operands))
    assert_as_numpy(found.real + 1j * found.imag, function(z), 4, normwise=True)
