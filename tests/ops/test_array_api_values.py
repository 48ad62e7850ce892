"""The Python array API standard 2024.12: special values, arrays of no dimensions or elements,
Python scalars, errors; eagerly and in compiled functions.

What is claimed is listed in the words of the standard, for its own test suite is no package.
"""

import re

import numpy as np
import pytest

import autograph as ag
import ops
from tests.ops.test_array_api import BINARY, DTYPES, UNARY, assert_agrees, sample

strict = pytest.importorskip("array_api_strict")

# What does not hold, and why not. `holds` sees to it that nothing else is here.
EXPECTED_TO_FAIL = {
    "floor_divide(inf, 2) = inf": "NaN in NumPy, as in Python; the standard allows it",
    "floor_divide(inf, -2) = -inf": "NaN in NumPy, as in Python; the standard allows it",
    "floor_divide(-inf, 2) = -inf": "NaN in NumPy, as in Python; the standard allows it",
    "floor_divide(-inf, -2) = inf": "NaN in NumPy, as in Python; the standard allows it",
    "floor_divide(2, -inf) = -0": "-1 in NumPy, as in Python; the standard allows it",
    "floor_divide(-2, inf) = -0": "-1 in NumPy, as in Python; the standard allows it",
    "limits of float32 are Python floats": "they have the dtype, as in NumPy",
    "limits of complex64 are Python floats": "they have the dtype, as in NumPy",
    "repeats are an array of uint64": "NumPy does not take uint64 for lengths",
    "compiled reshape with copy=False": "a graph does not say how elements lie in memory",
}

SPECIAL = """
abs(nan) = nan; abs(-0) = 0; abs(-inf) = inf
acos(nan) = nan; acos(1.5) = nan; acos(-1.5) = nan; acos(1) = 0
acosh(nan) = nan; acosh(0.5) = nan; acosh(1) = 0; acosh(inf) = inf
add(nan, 1) = nan; add(inf, -inf) = nan; add(-inf, inf) = nan; add(inf, inf) = inf
add(inf, 2) = inf; add(2, -inf) = -inf; add(-0, -0) = -0; add(-0, 0) = 0; add(2, -2) = 0
asin(nan) = nan; asin(1.5) = nan; asin(0) = 0; asin(-0) = -0
asinh(nan) = nan; asinh(-0) = -0; asinh(inf) = inf; asinh(-inf) = -inf
atan(nan) = nan; atan(-0) = -0; atan(inf) = pi/2; atan(-inf) = -pi/2
atan2(nan, 1) = nan; atan2(1, 0) = pi/2; atan2(1, -0) = pi/2; atan2(0, 1) = 0; atan2(0, 0) = 0
atan2(0, -0) = pi; atan2(0, -1) = pi; atan2(-0, 1) = -0; atan2(-0, 0) = -0; atan2(-0, -0) = -pi
atan2(-0, -1) = -pi; atan2(-1, 0) = -pi/2; atan2(1, inf) = 0; atan2(1, -inf) = pi
atan2(-1, inf) = -0; atan2(inf, 2) = pi/2; atan2(inf, inf) = pi/4; atan2(-inf, -inf) = -3*pi/4
atanh(nan) = nan; atanh(-1.5) = nan; atanh(1) = inf; atanh(-1) = -inf; atanh(-0) = -0
ceil(-0.5) = -0; ceil(-0) = -0; ceil(inf) = inf; ceil(nan) = nan
copysign(0, -1) = -0; copysign(-inf, 0) = inf; copysign(1, -nan) = -1; copysign(2, -0) = -2
cos(nan) = nan; cos(-0) = 1; cos(inf) = nan; cosh(-inf) = inf; cosh(-0) = 1; cosh(nan) = nan
divide(nan, 1) = nan; divide(inf, -inf) = nan; divide(0, -0) = nan; divide(0, -2) = -0
divide(-0, 2) = -0; divide(2, 0) = inf; divide(2, -0) = -inf; divide(-2, -0) = inf
divide(inf, -2) = -inf; divide(2, -inf) = -0; divide(-2, -inf) = 0; divide(-inf, 0) = -inf
equal(nan, nan) = 0; equal(0, -0) = 1; equal(inf, inf) = 1
exp(nan) = nan; exp(-0) = 1; exp(inf) = inf; exp(-inf) = 0
expm1(nan) = nan; expm1(-0) = -0; expm1(inf) = inf; expm1(-inf) = -1
floor(-0) = -0; floor(0.5) = 0; floor(-inf) = -inf; floor(nan) = nan
floor_divide(nan, 1) = nan; floor_divide(inf, inf) = nan; floor_divide(0, 0) = nan
floor_divide(0, -2) = -0; floor_divide(2, 0) = inf; floor_divide(-2, 0) = -inf
floor_divide(inf, 2) = inf; floor_divide(inf, -2) = -inf; floor_divide(-inf, 2) = -inf
floor_divide(-inf, -2) = inf; floor_divide(2, inf) = 0; floor_divide(2, -inf) = -0
floor_divide(-2, inf) = -0; floor_divide(-2, -inf) = 0
greater(nan, 1) = 0; greater(inf, 1) = 1; greater_equal(0, -0) = 1; less(-inf, inf) = 1
less_equal(nan, nan) = 0; not_equal(nan, nan) = 1
hypot(inf, nan) = inf; hypot(nan, -inf) = inf; hypot(nan, 1) = nan; hypot(-0, -3) = 3
isfinite(inf) = 0; isfinite(nan) = 0; isfinite(-0) = 1; isinf(-inf) = 1; isinf(nan) = 0
isnan(nan) = 1; isnan(inf) = 0
log(nan) = nan; log(-1) = nan; log(-0) = -inf; log(1) = 0; log(inf) = inf
log10(-1) = nan; log10(0) = -inf; log10(1) = 0; log10(inf) = inf
log1p(-2) = nan; log1p(-1) = -inf; log1p(-0) = -0; log1p(inf) = inf
log2(-1) = nan; log2(-0) = -inf; log2(1) = 0; log2(inf) = inf
logaddexp(nan, 1) = nan; logaddexp(inf, 1) = inf; logaddexp(inf, nan) = nan
logaddexp(-inf, -inf) = -inf; logical_and(nan, -0) = 0; logical_not(nan) = 0
maximum(nan, 1) = nan; maximum(1, nan) = nan; minimum(nan, inf) = nan; minimum(-inf, 1) = -inf
multiply(nan, 1) = nan; multiply(inf, -0) = nan; multiply(0, -2) = -0; multiply(-inf, -2) = inf
negative(nan) = nan; negative(0) = -0; negative(-inf) = inf
nextafter(nan, 1) = nan; nextafter(1, nan) = nan; nextafter(0, -0) = -0; nextafter(inf, inf) = inf
pow(nan, 0) = 1; pow(nan, -0) = 1; pow(1, nan) = 1; pow(2, inf) = inf; pow(2, -inf) = 0
pow(1, inf) = 1; pow(-1, inf) = 1; pow(0.5, inf) = 0; pow(0.5, -inf) = inf; pow(inf, 2) = inf
pow(inf, -2) = 0; pow(-inf, 3) = -inf; pow(-inf, 2) = inf; pow(-inf, -3) = -0; pow(-inf, -2) = 0
pow(0, 2) = 0; pow(0, -2) = inf; pow(-0, 3) = -0; pow(-0, 2) = 0; pow(-0, -3) = -inf
pow(-0, -2) = inf; pow(-2, 0.5) = nan; pow(nan, 1) = nan; pow(2, nan) = nan
remainder(nan, 1) = nan; remainder(inf, 2) = nan; remainder(2, 0) = nan; remainder(0, 2) = 0
remainder(-0, 2) = 0; remainder(0, -2) = -0; remainder(-0, -2) = -0; remainder(2, inf) = 2
remainder(-2, inf) = inf; remainder(2, -inf) = -inf; remainder(-2, -inf) = -2
round(0.5) = 0; round(-0.5) = -0; round(1.5) = 2; round(2.5) = 2; round(-0) = -0; round(inf) = inf
reciprocal(-0) = -inf; reciprocal(inf) = 0; reciprocal(nan) = nan; reciprocal(-inf) = -0
sign(-0) = 0; sign(nan) = nan; sign(-inf) = -1; sign(2) = 1
signbit(-0) = 1; signbit(0) = 0; signbit(-nan) = 1; signbit(nan) = 0; signbit(-inf) = 1
sin(nan) = nan; sin(-0) = -0; sin(inf) = nan; sinh(-0) = -0; sinh(-inf) = -inf
sqrt(nan) = nan; sqrt(-1) = nan; sqrt(-0) = -0; sqrt(inf) = inf; square(-inf) = inf
subtract(inf, inf) = nan; subtract(-0, 0) = -0; subtract(0, 0) = 0
tan(-0) = -0; tan(inf) = nan; tanh(-0) = -0; tanh(inf) = 1; tanh(-inf) = -1; tanh(nan) = nan
trunc(-0.5) = -0; trunc(inf) = inf; trunc(nan) = nan; trunc(-0) = -0
"""


def claims():
    """{name of a function: [(claim, arguments, result)]}"""
    found = {}
    for claim in filter(None, re.split(r"[;\n]\s*", SPECIAL)):
        name, arguments, result = re.fullmatch(r"(\w+)\((.*)\) = (.*)", claim).groups()
        values = [number(text) for text in arguments.split(", ")]
        found.setdefault(name, []).append((claim, values, number(result)))
    return found


def number(text):
    negative, text = text.startswith("-"), text.removeprefix("-")
    value = eval(text, {"inf": np.inf, "nan": np.nan, "pi": np.pi}) * 1.0
    return -value if negative else value


CLAIMS = claims()


def is_same(found, expected):
    same_sign = np.isnan(expected) or np.signbit(found) == np.signbit(expected)
    return same_sign and np.allclose(found, expected, rtol=1e-6, atol=0, equal_nan=True)


def holds(claim, truth):
    assert bool(truth) == (claim not in EXPECTED_TO_FAIL), claim


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.filterwarnings("ignore")
def test_special_values(name, dtype):
    function = getattr(ops, name)
    arguments = [np.array(values, dtype) for values in zip(*(c[1] for c in CLAIMS[name]))]
    compiled = ag.to_graph(lambda *arrays: function(*arrays))
    results = np.asarray(function(*arguments)), np.asarray(compiled(*arguments))
    for i, (claim, _, expected) in enumerate(CLAIMS[name]):
        for result in results:
            holds(claim, is_same(result[i].astype("float64"), expected))


def test_what_is_expected_to_fail_is_claimed():
    special = {claim for entries in CLAIMS.values() for claim, _, _ in entries}
    assert {claim for claim in EXPECTED_TO_FAIL if " = " in claim} <= special


# -- arrays without dimensions or elements, Python scalars -----------------------------------------


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_one_array_of_any_shape(name):
    for i, dtype in enumerate(DTYPES):
        for shape in ((), (0,), (2, 0, 3))[i % 3 :][:2]:
            assert_agrees(name, (np.asarray(sample(dtype, shape)),), {})


ELEMENTWISE = [n for n in BINARY if n not in ("matmul", "vecdot", "linalg.cross", "linalg.outer")]


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_two_arrays_of_any_shapes(name):
    for dtype in ("bool", "int8", "uint64", "float32", "complex64"):
        scalar = np.asarray(sample(dtype, ()))
        for other in (scalar, sample(dtype, (3,)), sample(dtype, (0,)), sample(dtype, (2, 0))):
            assert_agrees(name, (scalar, other), {})


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.filterwarnings("ignore")
def test_python_scalars_as_operands(name):
    for dtype, scalar in (
        ("bool", True),
        *(("int8", 2), ("uint8", 2), ("uint64", 2), ("float32", 2), ("complex64", 2)),
        *(("float32", 0.5), ("float64", 1.5), ("complex64", 0.5), ("complex64", 1j)),
    ):
        for x in (sample(dtype), np.asarray(sample(dtype, ()))):
            assert_agrees(name, (x, scalar), {})
            assert_agrees_with_a_scalar_first(name, scalar, x)


def assert_agrees_with_a_scalar_first(name, scalar, x):
    try:
        expected = np.asarray(getattr(strict, name)(scalar, strict.asarray(x)))
    except TypeError:
        return
    function = getattr(ops, name)
    for found in (function(scalar, x), ag.to_graph(lambda x: function(scalar, x))(x)):
        assert isinstance(found, (np.ndarray, np.generic))
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def cases_at_the_edge():
    for shape in ((), (0,), (2, 0, 3), (1, 2, 1)):
        x = np.asarray(sample("float32", shape))
        for name in ("sum", "prod", "any", "all", "mean", "std", "count_nonzero"):
            yield name, (x,), {}
            yield name, (x,), {"keepdims": True}
        for name in ("flip", "unique_values", "unique_counts", "unique_all", "unique_inverse"):
            yield name, (x,), {}
        yield "roll", (x, -7), {}
        yield "repeat", (x, 3), {}
        yield "tile", (x, (2, 1, 2)), {}
        yield "reshape", (x, (-1,)) if x.size else (x, (x.size,)), {}
        yield "concat", ([x, x],), {"axis": None}
        yield "stack", ([x, x],), {"axis": -1}
        yield "expand_dims", (x,), {"axis": -x.ndim - 1}
        yield "broadcast_to", (x, (2, *shape)), {}
        yield "argsort", (x,), {}
        for bounds in ({"min": 0.5}, {"max": 0.5}, {}, {"min": x, "max": x}):
            yield "clip", (x,), bounds
        if shape:
            for name in ("cumulative_sum", "cumulative_prod"):
                yield name, (x,), {"axis": 0, "include_initial": True}
            for name in ("sort", "argsort"):
                yield name, (x,), {"axis": 0, "descending": True}
            yield "unstack", (x,), {"axis": -1}
            yield "nonzero", (x,), {}
    for shape in ((0, 0), (2, 0, 0), (1, 1)):
        x = np.ones(shape)
        for name in ("det", "inv", "slogdet", "cholesky"):
            yield f"linalg.{name}", (x,), {}
        for n in (-1, 0, 3):
            yield "linalg.matrix_power", (x, n), {}
        yield "linalg.solve", (x, x), {}
    for offset in (-9, -1, 9):
        yield "linalg.diagonal", (sample("int8"),), {"offset": offset}
        yield "linalg.trace", (sample("int8"),), {"offset": offset}
    for order in (0, 3, -2.5, np.inf, -np.inf):
        yield "linalg.vector_norm", (sample("complex64"),), {"ord": order}
        yield "linalg.vector_norm", (sample("float32"),), {"ord": order, "axis": (0, 1)}
    yield "matmul", (np.ones((2, 0)), np.ones((0, 3))), {}
    yield "vecdot", (sample("complex64"), sample("complex64", seed=1)), {"axis": -2}
    yield "tensordot", (np.ones(2), np.ones(3)), {"axes": 0}
    yield "tensordot", (np.ones((2, 3)), np.ones((3, 2))), {"axes": ((-1,), (0,))}
    yield "searchsorted", (np.array([3.0, 1.0]), np.asarray(2.0)), {"sorter": np.array([1, 0])}
    yield "take", (sample("int8"), np.array([], np.int64)), {"axis": 0}
    yield "take", (sample("int8"), np.array([-1, 0], np.int8)), {"axis": 1}
    yield "meshgrid", (), {}
    yield "meshgrid", (sample("int8", (2,)),), {}
    for args in ((-3,), (0,), (5, 1, -2), (3, None, 1), (0, 3, 1.0)):
        yield "arange", args, {}
    for count in (0, 1, 3):
        yield "linspace", (0, 5, count), {"endpoint": False, "dtype": np.dtype("float32")}
    for shape in ((), 0, (2, 0)):
        yield "full", (shape, True), {}
    yield "eye", (0,), {}
    yield "eye", (3, 2), {"k": -7, "dtype": np.dtype("int8")}


@pytest.mark.parametrize(
    "name, args, options",
    [pytest.param(*c, id=f"{c[0]}-{i}") for i, c in enumerate(cases_at_the_edge())],
)
@pytest.mark.filterwarnings("ignore")
def test_other_functions_at_the_edge(name, args, options):
    if name == "meshgrid" and not args:
        assert len(ops.meshgrid()) == 0
        return
    assert_agrees(name, args, options)


# -- errors ----------------------------------------------------------------------------------------

X = np.ones((2, 3))


@pytest.mark.parametrize(
    "function, error",
    [
        (lambda x: ops.expand_dims(x, axis=3), IndexError),
        (lambda x: ops.expand_dims(x, axis=-4), IndexError),
        (lambda x: ops.squeeze(x, 0), ValueError),
        (lambda x: ops.nonzero(x[0, 0]), ValueError),
        (lambda x: ops.matmul(x, x), ValueError),
        (lambda x: ops.matmul(x[0, 0], x), ValueError),
        (lambda x: ops.vecdot(x, x[:, :2]), ValueError),
        (lambda x: ops.linalg.cross(x[:, :2], x[:, :2]), ValueError),
        (lambda x: ops.linalg.inv(x), np.linalg.LinAlgError),
        (lambda x: ops.reshape(x, (4,)), ValueError),
        (lambda x: ops.concat([x, x[:, :2]]), ValueError),
        (lambda x: ops.stack([x, x[0]]), ValueError),
        (lambda x: ops.take(x, ops.asarray([3]), axis=1), IndexError),
        (lambda x: ops.broadcast_to(x, (3,)), ValueError),
        (lambda x: ops.add(x, x[:, :2]), ValueError),
        (lambda x: ops.bitwise_and(x, x), TypeError),
        (lambda x: x[ops.asarray([True, False, True])], IndexError),
        (lambda x: ops.sum(x, axis=2), IndexError),
        (lambda x: ops.isdtype(x.dtype, "float"), ValueError),
        (lambda x: ops.zeros(2, device="gpu"), ValueError),
        (lambda x: ops.iinfo(x), ValueError),
        (lambda x: ops.finfo(ops.int8), ValueError),
        (lambda x: ops.result_type(), ValueError),
    ],
)
def test_errors(function, error):
    with pytest.raises(error):
        function(X)
    with pytest.raises(error):
        ag.to_graph(function)(X)


# -- creation, dtypes, devices ---------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, 1.5, 1j, True, [1, 2], (1.0, 2), [[True]], [], np.ones(2)])
@pytest.mark.parametrize("dtype", [None, "float32", "complex64"])
def test_asarray(value, dtype):
    if isinstance(value, complex) and dtype == "float32":
        return
    expected = np.asarray(value, dtype=dtype)
    for copy in (None, True):
        found = ops.asarray(value, dtype=dtype, device="cpu", copy=copy)
        assert type(found) is np.ndarray and found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        assert not (copy and np.shares_memory(found, value))


def test_asarray_does_not_copy_where_it_need_not():
    assert ops.asarray(X) is X and ops.asarray(X, copy=False) is X
    with pytest.raises(ValueError, match="copy"):
        ops.asarray(X, dtype="float32", copy=False)
    with pytest.raises(ValueError, match="copy"):
        ops.asarray([1.0], copy=False)


def outcome(function, *args, **options):
    try:
        return function(*args, **options)
    except Exception as error:
        return type(error)


@pytest.mark.filterwarnings("ignore")
def test_arange_and_linspace_of_many_numbers():
    """Bit by bit as NumPy, large integers and errors included."""
    rng = np.random.default_rng(0)
    numbers = [0, 1, -3, 5, 2**62 - 1, 0.0, -0.61, 2.14, 7e9, np.float32(1.5), np.int8(3)]
    dtypes = [None, "float32", "int64", "uint8", "complex64"]
    for _ in range(1000):
        a, b, step = (numbers[i] for i in rng.integers(0, len(numbers), 3))
        dtype = dtypes[rng.integers(len(dtypes))]
        cases = [
            ("arange", (a % 9, b % 9, step % 9), {"dtype": dtype}),
            ("linspace", (a, b, int(rng.integers(6))), {"endpoint": a < b, "dtype": dtype}),
        ]
        for name, args, options in cases:
            found = outcome(getattr(ops, name), *args, **options)
            expected = outcome(getattr(np, name), *args, **options)
            if isinstance(expected, type):
                assert found is expected, (name, args, options)
            else:
                assert found.dtype == expected.dtype, (name, args, options)
                np.testing.assert_array_equal(found, expected)


def test_reshape_without_a_copy():
    assert np.shares_memory(ops.reshape(X, (3, 2), copy=False), X)
    with pytest.raises(ValueError, match="copy"):
        ops.reshape(X.T, (6,), copy=False)
    assert not np.shares_memory(ops.reshape(X, (3, 2), copy=True), X)
    try:
        found = ag.to_graph(lambda x: ops.reshape(x, (3, 2), copy=False))(X)
    except NotImplementedError:
        found = None
    holds("compiled reshape with copy=False", found is not None)


@pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128"])
def test_limits_of_floats(name):
    limits = ops.finfo(getattr(ops, name))
    numbers = [limits.eps, limits.max, limits.min, limits.smallest_normal]
    assert isinstance(limits.bits, int)
    assert limits.dtype == np.empty(0, name).real.dtype
    holds(f"limits of {name} are Python floats", all(isinstance(x, float) for x in numbers))


def test_repeats_of_any_integer_dtype():
    for dtype in (name for name in DTYPES if "int" in name):
        try:
            found = ops.repeat(np.arange(2), np.array([1, 2], dtype))
        except TypeError:
            found = None
        claim = f"repeats are an array of {dtype}"
        holds(claim, found is not None and found.tolist() == [0, 1, 1])


def test_promotion_of_dtypes_arrays_and_scalars():
    for a in DTYPES:
        for b in [*DTYPES, 1, 1.5, 1j, True]:
            other = b if not isinstance(b, str) else getattr(strict, b)
            try:
                expected = strict.result_type(getattr(strict, a), other)._np_dtype
            except (TypeError, ValueError):
                continue
            b = getattr(ops, b) if isinstance(b, str) else b
            assert ops.result_type(getattr(ops, a), b) == expected
            assert ops.result_type(np.ones(2, a), b) == expected
            assert ops.result_type(np.asarray(sample(a, ())), b) == expected


def test_what_the_namespace_says_of_itself():
    ours, theirs = ops.__array_namespace_info__(), strict.__array_namespace_info__()
    assert ours.default_device() in ours.devices()
    assert ours.capabilities().keys() == theirs.capabilities().keys()
    assert ours.default_dtypes(device="cpu") == {
        kind: dtype._np_dtype for kind, dtype in theirs.default_dtypes().items()
    }
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating"]
    for kind in (None, *kinds, "complex floating", "numeric", ("bool", "integral"), ()):
        assert ours.dtypes(kind=kind).keys() == theirs.dtypes(kind=kind).keys()
    for dtype in ours.dtypes(device="cpu").values():
        assert ops.empty(1, dtype=dtype, device="cpu").dtype == dtype


def test_arrays_by_dlpack():
    for dtype in DTYPES:
        x = sample(dtype)
        for options in ({}, {"copy": True}, {"copy": False}, {"device": "cpu"}):
            found = ops.from_dlpack(x, **options)
            assert found.dtype == x.dtype and np.array_equal(found, x)
            assert np.shares_memory(found, x) == (options.get("copy") is not True)


# -- the namespace that an array names in a compiled function --------------------------------------


def test_arrays_that_the_namespace_makes_may_be_written():
    def function(x):
        xp = x.__array_namespace__()
        total = xp.zeros(3)
        for i in range(3):
            total[i] = xp.sum(x) * i
        total = total + xp.asarray([1.0, 2.0, 3.0]) * xp.linspace(0, 1, 3)
        return total, xp.full_like(x, 2) + x, xp.eye(2) @ x, xp.arange(3) * x

    for found, expected in zip(ag.to_graph(function)(X), function(X), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_the_namespace_of_a_symbolic_array():
    def function(x):
        xp = x.__array_namespace__(api_version="2024.12")
        assert set(dir(xp)) >= {"linalg", "fft", "asarray", "isdtype", "unique_all", "float32"}
        assert xp.asarray(x) is x and xp.asarray(0.5).__array_namespace__() is xp
        return xp.linalg.vector_norm(x) + xp.pi

    assert ag.to_graph(function)(X) == pytest.approx(function(X), rel=1e-15)
    with pytest.raises(ValueError, match="2031"):
        ag.to_graph(lambda x: x.__array_namespace__(api_version="2031.12"))(X)
