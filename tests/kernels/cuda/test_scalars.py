"""Scalars in CUDA C: NumPy's meaning, and the same bits."""

import itertools

import numpy as np
import pytest

from autograph.kernels.cuda.expressions import MATHEMATICS
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number
from ops.core import kernels
from tests.kernels.cuda.compare import check, run_both
from tests.kernels.cuda.machine import Unit, execute

ARITHMETIC = ("+", "-", "*", "&", "|", "^", "min", "max")
SHIFTS = ("shift_left", "shift_right")


@pytest.mark.parametrize("dtype", [d for d in ir.DTYPES if d.kind in "iu"], ids=str)
def test_integers_wrap(dtype):
    limits = np.iinfo(dtype)
    some = [0, 1, 2, 3, 7, 100, limits.max, limits.max - 1, limits.min, limits.min + 1]
    some += [-1, -2, -100] if dtype.kind == "i" else [128]
    pairs = np.array(list(itertools.product(some, some)), dtype)
    b = KernelBuilder("wrap")
    x, y = b.input(dtype, len(pairs), "x"), b.input(dtype, len(pairs), "y")
    results = ARITHMETIC + SHIFTS + ("quotient", "rest", "neg", "~", "popcount")
    results += ("multiply_high",) * (dtype.itemsize == 8)
    outputs = [b.output(dtype, len(pairs), "out") for _ in results]
    with b.each(len(pairs)) as i:
        v, w = b.load(x, i), b.load(y, i)
        count = w & (dtype.itemsize * 8 - 1)
        divisor = kernels.select((w == 0) | ((w == limits.max) & (w < 0)), Number(3, dtype), w)
        if dtype.kind == "i":
            divisor = kernels.select(divisor == -1, Number(-7, dtype), divisor)
        values = [b.compute(f, v, w) for f in ARITHMETIC]
        values += [b.compute(f, v, count) for f in SHIFTS]
        values += [b.compute("quotient", v, divisor), b.compute("rest", v, divisor), -v, ~v]
        values.append(b.cast(b.compute("popcount", v), dtype))
        if dtype.itemsize == 8:
            values.append(b.compute("multiply_high", v, w))
        for output, value in zip(outputs, values):
            b.store(output, i, value)
    check(b.finish(), pairs[:, 0], pairs[:, 1])


def test_quotients_without_a_value_are_harmless():
    b = KernelBuilder("quotients")
    x, y, out = b.input("int64", 4), b.input("int64", 4), b.output("int64", 4)
    with b.each(4) as i:
        v, w = b.load(x, i), b.load(y, i)
        both = b.compute("quotient", v, w) + b.compute("rest", v, w)
        b.store(out, i, kernels.select(w == 0, b.long(5), both))
    printed = print_cuda(b.finish())
    found = [np.zeros(4, "i8")]
    lowest = np.iinfo("i8").min
    inputs = [np.array([7, lowest, 7, 0]), np.array([0, -1, -1, 0])]
    execute(Unit([printed]), printed, inputs, found)
    assert found[0].tolist() == [5, lowest, -7, 5]


@pytest.mark.parametrize("dtype", ir.DTYPES, ids=str)
def test_casts(dtype):
    """Of numbers that have a value in the other dtype, and integers of any size."""
    if dtype.kind == "f":
        values = [0.0, -0.0, 0.5, -0.5, 1.0, -1.5, 2.5, 99.9, 1e-45, -1e-45]
    elif dtype.kind == "b":
        values = [False, True]
    else:
        limits = np.iinfo(dtype)
        values = [0, 1, 5, limits.max, limits.min, limits.max - 1, limits.max // 3]
    given = np.array(values, dtype)
    b = KernelBuilder("casts")
    x = b.input(dtype, len(given), "x")
    outputs = [b.output(d, len(given), d.name) for d in ir.DTYPES]
    with b.each(len(given)) as i:
        for output in outputs:
            b.store(output, i, b.cast(b.load(x, i), output.dtype))
    check(b.finish(), given)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, 1e-40, 1e30, -1e38, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_are_ieee(dtype):
    pairs = np.array(list(itertools.product(SPECIAL, SPECIAL)), dtype)
    b = KernelBuilder("ieee")
    x, y = b.input(dtype, len(pairs), "x"), b.input(dtype, len(pairs), "y")
    two, one = ("+", "-", "*", "/", "copysign"), ("floor", "ceil", "trunc", "rint", "fabs", "sqrt")
    tests = ("<", "<=", ">", ">=", "==", "!=")
    outputs = [b.output(dtype, len(pairs)) for _ in two + one]
    outputs += [b.output("bool", len(pairs)) for _ in tests]
    smaller, larger = b.output(dtype, len(pairs)), b.output(dtype, len(pairs))
    bits = b.output(f"int{np.dtype(dtype).itemsize * 8}", len(pairs))
    signs, nans = b.output("bool", len(pairs)), b.output("bool", len(pairs))
    product = b.output(dtype, len(pairs))
    with b.each(len(pairs)) as i:
        v, w = b.load(x, i), b.load(y, i)
        values = [b.compute(f, v, w) for f in two] + [b.compute(f, v) for f in one]
        values += [b.compute(f, v, w) for f in tests]
        for output, value in zip(outputs, values):
            b.store(output, i, value)
        b.store(smaller, i, b.compute("min", v + 0.25, w + 0.25))  # of zeros either may be chosen
        b.store(larger, i, b.compute("max", v + 0.25, w + 0.25))
        number = kernels.select(v == v, v, Number(1, dtype))
        b.store(bits, i, kernels.bits(number))
        b.store(signs, i, kernels.signbit(number))
        b.store(nans, i, b.compute("isnan", v))
        b.store(product, i, v * w + v)  # not contracted
    check(b.finish(), pairs[:, 0], pairs[:, 1])


def test_mantissa_and_exponent():
    for dtype in ("float32", "float64"):
        values = np.array([*SPECIAL, 3.7, 1e-45, -6e-310], dtype)
        b = KernelBuilder("parts")
        x = b.input(dtype, len(values))
        mantissa, exponent = b.output(dtype, len(values)), b.output("int32", len(values))
        with b.each(len(values)) as i:
            b.store(mantissa, i, kernels.mantissa(b.load(x, i)))
            b.store(exponent, i, kernels.exponent(b.load(x, i)))
        check(b.finish(), values)


NUMBERS = [0.1, 1e-45, 1.17549435e-38, 3.4028235e38, 16777217.0, -0.0, np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ir.DTYPES, ids=str)
def test_numbers_in_the_text(dtype):
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        values = [limits.min, limits.max, limits.min + 1, 0, 1]
    else:
        values = NUMBERS + [np.nextafter(np.float32(0.1), np.float32(1)), 1 / 3, 5e-324, 1e300]
        values = [True, False] if dtype.kind == "b" else values
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.array(values).astype(dtype)
    b = KernelBuilder("numbers")
    out = b.output(dtype, len(numbers))
    for k, x in enumerate(numbers):
        b.store(out, k, Number(x, dtype))
    check(b.finish())


def test_bools():
    b = KernelBuilder("bools")
    x, y = b.input("bool", 4), b.input("bool", 4)
    outputs = [b.output("bool", 4) for _ in range(6)]
    with b.each(4) as i:
        v, w = b.load(x, i), b.load(y, i)
        for output, value in zip(outputs, (v & w, v | w, v ^ w, ~v, v == w, v < w)):
            b.store(output, i, value)
    grid = np.array(list(itertools.product((False, True), repeat=2)))
    check(b.finish(), grid[:, 0], grid[:, 1])


@pytest.mark.costly
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions(dtype):
    """Each by its name; how exact CUDA's are is not known here."""
    generator = np.random.default_rng(0)
    x = generator.uniform(0.1, 0.9, 300).astype(dtype)
    y = generator.uniform(1.1, 3.0, 300).astype(dtype)
    b = KernelBuilder("functions")
    a, c = b.input(dtype, 300, "x"), b.input(dtype, 300, "y")
    names = sorted(MATHEMATICS - {"fma", "erf", "erfc"})
    outputs = [b.output(dtype, 300, name) for name in names]
    with b.each(300) as i:
        v, w = b.load(a, i), b.load(c, i)
        for name, output in zip(names, outputs):
            two = name in ("atan2", "copysign", "fmod", "hypot", "nextafter", "pow")
            given = (v, w) if two else (w,) if name == "acosh" else (v,)
            if name == "ldexp":
                given = (v, b.cast(b.compute("rest", i, 7) - 3, "int32"))
            b.store(output, i, b.compute(name, *given))
    printed = print_cuda(b.finish())
    expected, found, _ = run_both(Unit([printed]), printed, [x, y])
    for name, one, other in zip(names, found, expected):
        tolerance = 4 * np.finfo(dtype).eps
        np.testing.assert_allclose(one, other, rtol=tolerance, err_msg=name)
