"""Elementary functions of kernels: compared with 40 digits, and at the ends with NumPy."""

from __future__ import annotations

import datetime
import math

import mpmath
import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.errors import Location
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.mathematics import DEFINITIONS, expanded
from ops.core.kernels import FUNCTIONS
from tests.kernels.llvm.support import Native, interpreted, same
from tests.kernels.mathematics.exact_functions import OF_ONE, OF_TWO, error_in_ulps, exact

DTYPES = ["float32", "float64"]
SPECIAL = [0.0, 1.0, 2.0, 0.5, math.inf, math.nan, 3.0, 10.0]


def kernel_of(name, dtypes, count, out=None):
    b = KernelBuilder(f"of_{name}")
    inputs = [b.input(dtype, count, f"x{i}") for i, dtype in enumerate(dtypes)]
    y = b.output(out or dtypes[0], count, "y")
    with b.each(count) as i:
        b.store(y, i, FUNCTIONS[name](*(b.load(x, i) for x in inputs)))
    return expanded(b.finish())


def native(name, *args, out=None):
    kernel = kernel_of(name, [x.dtype for x in args], args[0].size, out)
    status, (y,) = Native(kernel)(*args)
    assert status == 0
    return y


def random_bits(rng, dtype, count):
    """Floats of all sizes, subnormal ones, infinities and NaN among them."""
    kind = np.int32 if dtype == "float32" else np.int64
    info = np.iinfo(kind)
    return rng.integers(info.min, info.max, count, kind, endpoint=True).view(dtype)


def edges(dtype):
    """Where something changes: around powers of 2, the ends of the format, integers."""
    info = np.finfo(dtype)
    values = [
        *(2.0**k for k in range(-30, 31)),
        *(2.0 ** (k / 2) for k in (-1, 1, 3)),
        float(info.max),
        float(info.smallest_normal),
        float(info.smallest_subnormal),
        *np.log(2) * np.arange(0.5, 40),
        *np.pi / 4 * np.arange(1, 40),
        *(math.log(float(info.max)), -math.log(float(info.smallest_subnormal))),
        *(float(info.maxexp), float(info.maxexp) - 1.0, info.nmant - info.minexp),
        *(0.625, 0.75, 0.79, 9.2, 10.05, 26.5, 27.2, 37.4, 88.7, 103.3, 709.7, 744.5, 745.1),
    ]
    with np.errstate(over="ignore", under="ignore"):
        near = np.array(values).astype(dtype)
        around = [near, np.nextafter(near, dtype_zero(dtype)), np.nextafter(near, near * 2)]
    around = np.concatenate([*around, np.array([0.0], dtype)])
    return np.concatenate([around, -around])


def dtype_zero(dtype):
    return np.zeros((), dtype)


def points(name, dtype, count, seed=0):
    rng = np.random.default_rng(seed)
    with np.errstate(over="ignore"):
        parts = [
            random_bits(rng, dtype, count),
            rng.uniform(-1, 1, count),
            rng.standard_normal(count) * 2.0 ** rng.integers(-12, 8, count),
            1 + rng.standard_normal(count // 2) * 2.0 ** rng.integers(-50, -1, count // 2),
            edges(dtype),
        ]
        if name in ("sin", "cos", "tan"):
            turns = rng.integers(1, 2**18, count // 2) * (np.pi / 2)
            parts += [turns, near_multiples(rng, dtype, count // 4)]
        return np.concatenate([np.asarray(x).astype(dtype) for x in parts])


def near_multiples(rng, dtype, count):
    """The floats nearest to multiples of pi/2, up to where the reduction changes and beyond."""
    largest = 18 if dtype == "float32" else 40
    sizes = [int(2 ** rng.uniform(0, largest)) for _ in range(count)]
    return np.array([float(k * mpmath.pi / 2) for k in sizes]).astype(dtype)


def errors(name, y, *args):
    finite = np.logical_and.reduce([np.isfinite(x) for x in args])
    return [
        error_in_ulps(got, exact(name, *numbers))
        for ok, got, *numbers in zip(finite, y, *args)
        if ok and not any_pole(name, numbers)
    ]


def any_pole(name, numbers):
    """Whether NumPy says what comes out: an infinity, or something at signed zeros."""
    if name in ("log", "log2", "log10"):
        return numbers[0] == 0
    if name == "log1p":
        return numbers[0] == -1
    if name == "atanh":
        return abs(numbers[0]) == 1
    return any(x == 0 for x in numbers)


def assert_accurate(name, dtype, *args, limit=2.0):
    y = native(name, *args)
    found = errors(name, y, *args)
    worst = int(np.argmax(found))
    assert found[worst] <= limit, f"{name} {dtype}: {found[worst]} ulps"
    return found[worst]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ONE)
def test_a_function_is_within_two_ulps(name, dtype):
    assert_accurate(name, dtype, points(name, dtype, 300))


# Many points, of which there are others each day, and all of them where that is asked for.
MANY = [
    pytest.param(1 / 6, datetime.date.today().toordinal(), marks=pytest.mark.slow, id="some"),
    pytest.param(1, 1, marks=pytest.mark.exhaustive, id="all"),
]


@pytest.mark.parametrize("part, seed", MANY)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ONE)
def test_a_function_is_within_two_ulps_at_many_points(name, dtype, part, seed):
    assert_accurate(name, dtype, points(name, dtype, int(30_000 * part), seed))


def pairs(name, dtype, count, seed=0):
    rng = np.random.default_rng(seed)
    x, y = random_bits(rng, dtype, (2, count))
    with np.errstate(all="ignore"):
        near = x * (1 + rng.standard_normal(count) * 2.0 ** rng.integers(-30, 2, count))
    parts = [(x, y), (x, near), tuple(rng.standard_normal((2, count)))]
    if name == "pow":
        bases = np.exp(rng.uniform(-80, 80, count)).astype(dtype).astype(float)
        largest = np.log(float(np.finfo(dtype).max)) / np.log(bases)
        parts += [
            (bases, largest * rng.uniform(-1.1, 1.1, count)),
            (rng.uniform(-10, 10, count), rng.integers(-40, 40, count)),
            (1 + rng.uniform(-1, 1, count) * 2.0**-18, rng.uniform(-(2.0**26), 2.0**26, count)),
        ]
    with np.errstate(all="ignore"):
        return [np.concatenate([np.asarray(p[i]).astype(dtype) for p in parts]) for i in (0, 1)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_TWO)
def test_a_function_of_two_is_within_two_ulps(name, dtype):
    with np.errstate(all="ignore"):
        assert_accurate(name, dtype, *pairs(name, dtype, 300))


@pytest.mark.parametrize("part, seed", MANY)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_TWO)
def test_a_function_of_two_is_within_two_ulps_at_many_points(name, dtype, part, seed):
    with np.errstate(all="ignore"):
        assert_accurate(name, dtype, *pairs(name, dtype, int(20_000 * part), seed))


def assert_same_ends(found, expected, *args):
    """NaN, infinities, zeros and their signs are equal, and other numbers nearly."""
    for got, want, *numbers in zip(found, expected, *args):
        note = f"{numbers}: {got!r}, not {want!r}"
        assert np.isnan(got) == np.isnan(want), note
        if np.isnan(want):
            continue
        assert (got == want) or np.isclose(got, want, rtol=1e-6, atol=0), note
        assert np.signbit(got) == np.signbit(want), note


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ONE)
def test_ends_are_those_of_numpy(name, dtype):
    x = np.array([*SPECIAL, *(-v for v in SPECIAL)], dtype)
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](x)
    assert_same_ends(native(name, x), expected, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_TWO)
def test_ends_of_two_are_those_of_numpy(name, dtype):
    info = np.finfo(dtype)
    ends = [*SPECIAL, float(info.smallest_subnormal), 1e-30, float(info.max), 2.0**30 + 1, 1.5]
    ends = np.array([*ends, *(-v for v in ends)], dtype)
    x, y = np.repeat(ends, ends.size), np.tile(ends, ends.size)
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](x, y)
    tiny = (np.abs(expected) < info.smallest_normal) & (expected != 0)  # within 2 ulps elsewhere
    assert_same_ends(native(name, x, y)[~tiny], expected[~tiny], x[~tiny], y[~tiny])


@pytest.mark.parametrize("dtype", DTYPES)
def test_exact_cases_are_exact(dtype):
    powers = np.arange(-37, 38)
    tens = np.array([float(f"1e{k}") for k in range(0, 11 if dtype == "float32" else 23)], dtype)
    whole = np.arange(-9, 10).astype(dtype)
    two = 2.0 ** powers.astype(dtype)
    assert np.array_equal(native("exp2", powers.astype(dtype)), two)
    assert np.array_equal(native("log2", two), powers)
    assert np.array_equal(native("log10", tens), np.arange(tens.size))
    assert np.array_equal(native("cbrt", whole**3), whole)
    assert np.array_equal(native("hypot", whole * 3, whole * 4), np.abs(whole) * 5)
    bases, exponents = np.repeat(whole, 8), np.tile(np.arange(8), whole.size).astype(dtype)
    expected = bases.astype(int) ** exponents.astype(int)
    assert np.array_equal(native("pow", bases, exponents), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "exponent",
    [2.0, 3.0, 1.0, -1.0, 0.5, -0.5, 0.0, 4.0, 5.0, 6.0, 7.0, 12.0, 16.0, -2.0, -3.0, -6.0, -15.0]
    + [1.5, -1.5, 2.5, -7.5, 0.25, -0.25, 0.75, 1.25, -3.75],
)
def test_a_power_that_is_a_number_in_the_kernel(exponent, dtype):
    x = points("exp", dtype, 400)
    b = KernelBuilder("power")
    given, out = b.input(dtype, x.size), b.output(dtype, x.size)
    with b.each(x.size) as i:
        b.store(out, i, FUNCTIONS["pow"](b.load(given, i), exponent))
    _, (y,) = Native(expanded(b.finish()))(x)
    with np.errstate(all="ignore"):
        special = ~np.isfinite(x) | (x == 0)
        expected = np.power(x[special], np.full(special.sum(), exponent, dtype))
        assert_same_ends(y[special], expected, x[special])
        given = [(got, v) for got, v in zip(y[~special], x[~special])]
    worst = max(error_in_ulps(got, exact("pow", v, exponent)) for got, v in given)
    assert worst <= 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["fmod", "nextafter"])
def test_exact_functions_of_two(name, dtype):
    x, y = pairs(name, dtype, 3000)
    ends = np.array([*SPECIAL, *(-v for v in SPECIAL)], dtype)
    x = np.concatenate([x, np.repeat(ends, ends.size)])
    y = np.concatenate([y, np.tile(ends, ends.size)])
    with np.errstate(all="ignore"):
        assert same(native(name, x, y), FUNCTIONS[name](x, y))


@pytest.mark.parametrize("dtype", DTYPES)
def test_parts_of_floats(dtype):
    x = points("exp", dtype, 2000)
    part, exponent = np.frexp(x)
    assert same(native("mantissa", x), part)
    assert np.array_equal(native("exponent", x, out="int32"), exponent)
    info = np.finfo(dtype)
    counts = np.random.default_rng(0).integers(-info.maxexp * 2.2, info.maxexp * 2.2, x.size)
    counts = counts.astype(np.int32)
    counts[:4] = [2**31 - 1, -(2**31), 0, 1]
    with np.errstate(all="ignore"):
        assert same(native("ldexp", x, counts), np.ldexp(x, counts))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_the_interpreter_computes_the_same(name, dtype):
    count = 40
    x, y = points(name, dtype, count)[::6], pairs("pow", dtype, count)[1]
    args = [x, np.resize(y, x.size)] if name in (*OF_TWO, "fmod", "nextafter") else [x]
    if name == "ldexp":
        args = [x, np.arange(x.size, dtype=np.int32) * 7 - 300]
    if name in ("sin", "cos", "tan"):
        args = [x[np.abs(x) < 1e5]]  # beyond, NumPy's
    kernel = kernel_of(
        name, [v.dtype for v in args], args[0].size, "int32" if name == "exponent" else None
    )
    _, (found,) = Native(kernel)(*args)
    _, (expected,) = interpreted(kernel, tuple(args))
    assert same(found, expected)


def all_floats(stride, start=0):
    """float32 numbers of all bit patterns, or of some, in pieces."""
    piece = 1 << 22
    for first in range(start, 1 << 32, piece * stride):
        bits = np.arange(first, min(first + piece * stride, 1 << 32), stride, dtype=np.uint32)
        yield bits.view(np.float32)


@pytest.mark.parametrize("part, seed", MANY)
@pytest.mark.parametrize("name", [name for name in OF_ONE if OF_ONE[name][0]])
def test_float32_functions_at_every_97th_float(name, part, seed):
    function, apart = OF_ONE[name][0], round(1 / part)
    for x in all_floats(97 * apart, 97 * (seed % apart)):
        y = native(name, x)
        with np.errstate(all="ignore"):
            want = function(x.astype(np.float64))
            _, exponent = np.frexp(np.where(np.isfinite(want), want, 1))
            unit = np.ldexp(1.0, np.maximum(exponent - 1, -126) - 23)
            error = np.abs(y.astype(np.float64) - want) / unit
            rounded = want.astype(np.float32)
            equal = (y == rounded) | (np.isnan(y) & np.isnan(rounded))
        # Infinity and the largest number are one unit apart.
        largest = np.isinf(y) & (np.abs(rounded) == np.finfo(np.float32).max)
        assert np.all(equal | largest | (error <= 2)), x[~(equal | largest | (error <= 2))][:5]


def test_functions_in_branches_and_loops_are_replaced():
    exp, log, sin = FUNCTIONS["exp"], FUNCTIONS["log"], FUNCTIONS["sin"]
    b = KernelBuilder("mixed")
    x, y = b.input("float64", 50), b.output("float64", 50)
    with b.each(50) as i:
        value = b.load(x, i)

        def trip(n, state):
            below = b.if_(state < 1, lambda: (exp(state),), lambda: (log(state) + sin(state),))
            return below

        (total,) = b.for_(3, [value], trip)
        (total,) = b.while_([total], lambda s: exp(-s) < 0.5, lambda s: (s - sin(s) - 0.5,))
        b.store(y, i, total)
    kernel = b.finish()
    new = expanded(kernel)
    given = np.linspace(-2, 3, 50)
    _, (expected,) = interpreted(kernel, (given,))
    _, (found,) = interpreted(new, (given,))
    assert np.allclose(found, expected, rtol=1e-12, atol=0)
    status, (y,) = Native(new)(given)
    assert status == 0
    assert same(y, found)


def test_a_kernel_without_functions_is_left_alone():
    b = KernelBuilder("plain")
    x, y = b.input("float64", 3), b.output("float64", 3)
    with b.each(3) as i:
        b.store(y, i, b.load(x, i) * 2)
    kernel = b.finish()
    assert expanded(kernel) is kernel


def test_statements_keep_their_places():
    place = Location("f.py", 3, 4, "f")
    b = KernelBuilder("placed")
    b.place = place
    x, y = b.input("float64", 3), b.output("float64", 3)
    with b.each(3) as i:
        b.store(y, i, FUNCTIONS["exp"](b.load(x, i) * 2))
    computes = [s for s in ir.walk(expanded(b.finish()).body) if isinstance(s, ir.Compute)]
    assert len(computes) > 10
    assert all(type(s.location) is Location and s.location == place for s in computes)
