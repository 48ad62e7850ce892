"""Floats as integers: also those that no integer of the dtype is near, as NumPy has them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number

pytest.importorskip("llvmlite")

from tests.kernels.llvm.support import Native

_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_EDGES = [2.0**k for k in (7, 8, 15, 16, 31, 32, 52, 53, 63, 64, 100)]
_POSITIVE = [0.0, 0.5, 1.0, 2.7, 1e9, 3e9, 1e19, 1e30, 3.5 * 2.0**31, np.inf, np.nan]
_POSITIVE += [f(x) for x in _EDGES for f in (float, lambda x: x - 1, lambda x: x + 1)]
_POSITIVE += [float(np.nextafter(np.float32(x), np.float32(s))) for x in _EDGES for s in (0, 1e38)]


def _values(dtype):
    """One after another, often enough for NumPy's loops over vectors."""
    values = np.array(_POSITIVE, dtype)
    values = np.concatenate([values, -values])
    return np.tile(values, 8)[: len(values) * 8 // 64 * 64]


def _converted(values, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return values.astype(dtype)


@pytest.mark.parametrize("given", ["float32", "float64"])
@pytest.mark.parametrize("wanted", _INTEGERS)
def test_arrays(given, wanted):
    values = _values(given)
    b = KernelBuilder("kernel")
    x, y = b.input(given, values.size, "x"), b.output(wanted, values.size, "y")
    with b.each(values.size) as i:
        b.store(y, i, b.cast(b.load(x, i), wanted))
    status, (found,) = Native(b.finish())(values)
    expected = _converted(values, wanted)
    wrong = found != expected
    assert status == 0
    assert not wrong.any(), list(zip(values[wrong], found[wrong], expected[wrong]))[:5]


@pytest.mark.parametrize("given", ["float32", "float64"])
@pytest.mark.parametrize("wanted", _INTEGERS)
def test_scalars(given, wanted):
    values = np.unique(_values(given))
    b = KernelBuilder("kernel")
    x, y = b.parameter(given, "x"), b.output(wanted, 1, "y")
    b.store(y, Number(0, "int64"), b.cast(x, wanted))
    run = Native(b.finish())
    for value in values:
        _, (found,) = run(value)
        assert found[0] == _converted(value, wanted), value


@pytest.mark.parametrize("given", ["float32", "float64"])
@pytest.mark.parametrize("wanted", _INTEGERS)
def test_numbers_in_the_kernel(given, wanted):
    """What LLVM converts while it compiles."""
    values = np.unique(_values(given))
    b = KernelBuilder("kernel")
    x, y = b.constant(values), b.output(wanted, values.size, "y")
    for i in range(values.size):
        index = Number(i, "int64")
        b.store(y, index, b.cast(b.load(x, index), wanted))
    _, (found,) = Native(b.finish())()
    for value, integer in zip(values, found):
        assert integer == _converted(value, wanted), value
