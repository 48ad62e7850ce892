"""The kernel expressions of elementwise operators compute what the operators compute."""

import itertools

import numpy as np
import pytest

import ops
from ops.core import kernels
from ops.core.registry import REGISTRY, Elementwise

WITH_KERNEL = [op for op in REGISTRY.values() if isinstance(op, Elementwise) and op.kernels]
DTYPES = "bool int8 uint8 int32 uint32 int64 uint64 float32 float64 complex128".split()
EXTREMA = ("maximum", "minimum", "fmax", "fmin", "relu")
BY_NAME = {"ids": lambda value: getattr(value, "name", value)}


def values(dtype):
    """Zeros, ones, neighbours of these, halves, the largest and smallest, infinities and NaN."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        near = [0, 1, 2, 3, 5, 7, 8, 31, 63, 64, 100]
        low = [limits.min, limits.min + 1, -1, -2, -3, -8] if dtype.kind == "i" else [200]
        return np.array([*near, *low, limits.max, limits.max - 1], dtype)
    tiny = np.finfo(dtype if dtype.kind == "f" else "f8").smallest_subnormal
    some = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.25, 1e-3, 1e30, tiny, np.inf]
    array = np.array([*some, *(-x for x in some), np.nan], dtype)
    return array + 1j * array[::-1] if dtype.kind == "c" else array


def loops(op):
    """The dtypes of operands in which the ufunc computes, where there is a kernel for the kind."""
    for dtype in DTYPES:
        operands = [np.dtype(dtype)] * len(op.partials)
        if op.name == "ldexp":
            operands = [np.dtype(dtype), np.dtype("int32")]
        try:
            loop = op.ufunc.resolve_dtypes((*operands, *[None] * op.ufunc.nout))
        except (TypeError, NotImplementedError):
            continue
        if list(loop[: len(operands)]) == operands and operands[0].kind in op.kernels:
            yield operands


@pytest.mark.parametrize("op", WITH_KERNEL, **BY_NAME)
def test_kernels_compute_what_the_operator_computes(op):
    compared = 0
    for dtypes in loops(op):
        columns = [values(dtype) for dtype in dtypes]
        if op.name == "power" and dtypes[1].kind == "i":
            columns[1] = columns[1][columns[1] >= 0]
        if op.name == "ldexp":
            columns[1] = np.arange(-5, 6, dtype="int32")
        grid = [np.array(column) for column in zip(*itertools.product(*columns))]
        operands = [column.astype(dtype) for column, dtype in zip(grid, dtypes)]
        with np.errstate(all="ignore"):
            expected = op.apply(operands, {})
            found = np.asarray(op.kernels[dtypes[0].kind](*operands)).astype(expected.dtype)
        tolerance = 4 * np.finfo(expected.dtype).eps if expected.dtype.kind in "fc" else 0
        rounding = tolerance if op.name.startswith("logaddexp") else 0  # where summands cancel
        np.testing.assert_allclose(
            found, expected, rtol=tolerance, atol=rounding, err_msg=str(dtypes)
        )
        if expected.dtype.kind == "f" and op.name not in EXTREMA:
            # Which of two zeros is the larger NumPy leaves open.
            zero = expected == 0
            np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))
        compared += 1
    assert compared


# As text, where what is used twice stands twice, special functions are too long.
SHORT = [op for op in WITH_KERNEL if not op.name.startswith("special_")]
LOOPS = ("gcd", "lcm", "power")  # of integers


@pytest.mark.parametrize("op", SHORT, **BY_NAME)
def test_kernels_print(op):
    names = ["x", "y"][: len(op.partials)]
    for kernel in {k for kind, k in op.kernels.items() if kind == "f" or op.name not in LOOPS}:
        text = str(kernel(*map(kernels.Scalar, names)))
        assert text.count("(") == text.count(")")
        assert "x" in text
        assert "lambda" not in text and "object" not in text


def test_printed_expressions():
    x, y = kernels.Scalar("x"), kernels.Scalar("y")
    assert str(REGISTRY["sin"].kernels["f"](x)) == "sin(x)"
    assert str(REGISTRY["maximum"].kernels["i"](x, y)) == "((x > y) ? x : y)"
    assert str(1 - x * 2 + -y) == "((1 - (x * 2)) + -y)"


def test_what_has_no_value_in_c_is_noticed():
    x = np.array([1, np.iinfo("i4").min], "i4")
    for divisor in (0, -1):
        with pytest.raises(ZeroDivisionError):
            kernels.quotient(x, np.full(2, divisor, "i4"))
    with pytest.raises(ZeroDivisionError):
        kernels.shift_left(x, np.full(2, 32, "i4"))


def test_operators_of_numpy_that_are_computed_by_calls_only():
    """All others have a kernel expression."""
    elementwise = [op for op in vars(ops).values() if isinstance(op, Elementwise)]
    without = {op.name for op in elementwise if not op.kernels}
    assert len(elementwise) > 75
    assert without == {"spacing"}
