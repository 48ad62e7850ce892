"""Elementwise operators: NumPy's results and types for all operands, and right derivatives."""

import itertools
import warnings

import numpy as np
import pytest

import ops
from ops.core.registry import REGISTRY, Elementwise
from ops.core.types import type_of
from tests.ops.forward_mode import derivative, difference

# The operators that stand for a ufunc of NumPy's.
ELEMENTWISE = [
    op for op in REGISTRY.values() if isinstance(op, Elementwise) and op.name == op.ufunc.__name__
]
BY_NAME = {"ids": lambda value: getattr(value, "name", None)}
DTYPES = ["bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64", "complex128"]
SHAPES = [((), ()), ((3,), ()), ((2, 3), (3,)), ((2, 1), (1, 3)), ((0, 3), (3,))]
SCALARS = [True, 2, 0.75, 1 + 0.5j]


def sample(dtype, shape, seed=0):
    """Small positive values, so that shifts and integer powers are defined."""
    values = np.random.default_rng(seed).integers(1, 4, shape)
    return (values * (0.25 if np.dtype(dtype).kind in "fc" else 1)).astype(dtype)[()]


def operands(arity):
    for dtypes in itertools.product(DTYPES, repeat=arity):
        for shapes in SHAPES:
            yield [sample(d, s, i) for i, (d, s) in enumerate(zip(dtypes, shapes))]
    for dtype in DTYPES if arity == 2 else ():
        for shape, scalar in itertools.product([(), (2, 3)], SCALARS):
            yield [sample(dtype, shape), scalar]
            yield [scalar, sample(dtype, shape)]
    for scalars in itertools.product(SCALARS, repeat=arity):
        yield list(scalars)


def outcome(function, args):
    """The result, or TypeError."""
    try:
        return function(*args)
    except TypeError:
        return TypeError


def assert_same(op, result, expected):
    assert type_of(result) == type_of(expected)
    # ``x ** 0.5`` is a square root in NumPy, ``np.power(x, 0.5)`` is not.
    exact = op is not ops.power or type_of(result).dtype.kind not in "fc"
    rtol = 0 if exact else 4 * np.finfo(type_of(result).dtype).eps
    np.testing.assert_allclose(result, expected, rtol=rtol, atol=0)


@pytest.mark.parametrize("op", ELEMENTWISE, **BY_NAME)
@pytest.mark.filterwarnings("ignore")
def test_result_and_type_are_those_of_numpy(op):
    for args in operands(len(op.partials)):
        if {complex, np.float64} == {type(x) for x in args}:
            continue  # np.float64 is a Python float, so Python's complex takes it for one
        weak = all(type_of(x).weak for x in args)
        oracle = op.python.compute if weak and op.python else op.ufunc
        expected = outcome(oracle, args)
        inferred = outcome(op.infer, [type_of(x) for x in args])
        if expected is TypeError:
            assert inferred is TypeError, args
        else:
            assert inferred == (type_of(expected),), args
            assert_same(op, op.apply(args, {}), expected)


@pytest.mark.parametrize("op", ELEMENTWISE, **BY_NAME)
def test_shapes_that_do_not_broadcast(op):
    if len(op.partials) == 2:
        integers = type_of(np.ones(2, int)), type_of(np.ones(3, int))
        with pytest.raises(ValueError, match="could not be broadcast"):
            op.infer(*integers)


# Where a function is smooth; (0.3, 0.7) unless something else is said here.
POINTS = {"arccosh": [1.5, 2.5], "sign": [0.4, -0.6], "arctan2": [-0.3, 0.7]}
PARTIALS = [
    (op, i) for op in ELEMENTWISE for i in range(len(op.partials)) if op.partials[i] is not None
]


@pytest.mark.parametrize("op, position", PARTIALS, **BY_NAME)
def test_first_and_second_derivatives(op, position):
    point = POINTS.get(op.name, [0.3, 0.7])
    args = [np.array([x, x + 0.1]) for x in point[: len(op.partials)]]
    if op is ops.ldexp:
        check_ldexp(args[0])
        return
    tangents = [np.ones(2) * (i == position) for i in range(len(args))]

    def first(*args):
        return derivative(op, args, tangents)

    np.testing.assert_allclose(first(*args), difference(op, args, tangents), rtol=1e-6)
    for other in range(len(args)):
        along = [np.ones(2) * (i == other) for i in range(len(args))]
        second = derivative(first, args, along)
        np.testing.assert_allclose(second, difference(first, args, along), rtol=1e-6, atol=1e-7)


def check_ldexp(x):
    """Its second operand is an integer."""
    ldexp = lambda x: ops.ldexp(x, np.array([2, -3]))
    found = derivative(ldexp, [x], [np.ones(2)])
    np.testing.assert_array_equal(found, [4, 0.125])


@pytest.mark.parametrize("op, position", PARTIALS, **BY_NAME)
def test_partials_keep_the_dtype(op, position):
    """A gradient of float32 data never passes through float64."""
    if op is ops.float_power:
        return  # which is float64
    x = np.full(3, 1.5 if op.name == "arccosh" else 0.5, np.float32)
    others = [[x]] if len(op.partials) == 1 else [[x, x], [x, 0.25], [0.25, x]]
    if op is ops.ldexp:
        others = [[x, 2], [x, np.array([1, 2, 3])]]
    for args in others:
        out = op(*args)
        partial = op.partials[position]
        factor = partial(*args, out) if callable(partial) else partial
        assert ops.multiply(out, factor).dtype == np.float32


# -- powers ----------------------------------------------------------------------------------------


def power_derivatives(x, y):
    """d/dx, d/dy, d2/dx2 of ``x ** y``."""

    def by_x(x):
        return derivative(lambda x: ops.power(x, y), [x], [np.float64(1)])

    by_y = derivative(lambda y: ops.power(x, y), [y], [np.float64(1)])
    return [float(d) for d in (by_x(x), by_y, derivative(by_x, [x], [np.float64(1)]))]


@pytest.mark.parametrize(
    "x, y, expected",
    [
        (0.0, 2.0, [0, 0, 2]),
        (0.0, 1.0, [1, 0, 0]),
        (0.0, 0.0, [0, 0, 0]),
        (0.0, 3.0, [0, 0, 0]),
        (2.0, 0.0, [0, np.log(2), 0]),
        (2.0, 3.0, [12, 8 * np.log(2), 12]),
    ],
)
@pytest.mark.parametrize("exponent", [float, np.float64])
def test_power_at_and_near_zero(x, y, expected, exponent):
    """With the exponent known when the rule runs, and with a traced one."""
    assert power_derivatives(np.float64(x), exponent(y)) == pytest.approx(expected)

    def by_x(x, y):
        return derivative(ops.power, [x, y], [np.float64(1), np.float64(0)])

    traced = derivative(by_x, [np.float64(x), exponent(y)], [np.float64(1), np.float64(0)])
    assert float(traced) == pytest.approx(expected[2])


def test_mixed_second_derivative_of_power_at_exponent_zero():
    def by_x(x, y):
        return derivative(ops.power, [x, y], [np.float64(1), np.float64(0)])

    args = [np.float64(2), np.float64(0)]
    assert derivative(by_x, args, [np.float64(0), np.float64(1)]) == pytest.approx(0.5)


def test_powers_of_python_numbers_have_the_type_they_are_given():
    assert ops.power(2, 3) == 8 and type(ops.power(2, 3)) is int
    assert ops.power(2, -1) == 0.5  # a known exponent: the type is known too
    with pytest.raises(ValueError, match="of type complex"):
        ops.power(-8.0, 1 / 3)
    with pytest.raises(ValueError, match="of type float"):
        ops.power.apply((2, -1), {})
    with pytest.raises(TypeError, match="int8 or int64"):
        ops.power(np.array([True]), 2)
    with pytest.raises(ValueError, match="negative integer powers"):
        ops.power(np.array([2]), np.array([-1]))


# -- kinks and complex numbers ---------------------------------------------------------------------


@pytest.mark.parametrize("op", [ops.maximum, ops.minimum, ops.fmax, ops.fmin], **BY_NAME)
def test_ties_are_split_evenly(op):
    x = np.array([1.0, 2.0, 3.0])
    shares = [partial(x, x[::-1], op(x, x[::-1])) for partial in op.partials]
    np.testing.assert_array_equal(shares[0] + shares[1], 1)
    np.testing.assert_array_equal(shares[0][1], 0.5)


def test_fmax_leaves_nan_aside():
    x, y = np.array([np.nan, 1.0]), np.array([2.0, np.nan])
    np.testing.assert_array_equal(ops.fmax.partials[0](x, y, ops.fmax(x, y)), [0, 1])


HOLOMORPHIC = "multiply divide power exp log sqrt sin cos tan sinh cosh tanh square reciprocal"


@pytest.mark.parametrize("name", HOLOMORPHIC.split())
def test_complex_derivatives(name):
    op = REGISTRY[name]
    args = [np.array([0.3 + 0.4j]), np.array([0.7 - 0.2j])][: len(op.partials)]
    for along in (1, 1j):
        tangents = [np.array([along])] * len(args)
        expected = difference(op, args, tangents)
        np.testing.assert_allclose(derivative(op, args, tangents), expected, rtol=1e-6)


def test_no_warnings_from_derivatives_at_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert power_derivatives(np.float64(0), np.float64(2))[2] == 2
