"""Holds what operators say about one element of their result to what they compute.

Each case is computed three times: by the operator on NumPy arrays; by its ``element``, or its
``fold``, on NumPy scalars, for each index of the result; and by a kernel of it, interpreted.
"""

import functools
import math

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder, flat_index, split_index
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.ir.ir import DTYPES, Number, Operand
from ops.core.registry import REGISTRY
from ops.core.types import type_of

COMBINE = {
    "+": np.add,
    "*": np.multiply,
    "&": np.logical_and,
    "|": np.logical_or,
    "min": np.minimum,
    "max": np.maximum,
}

TRANSCENDENTAL = ("erf", "erfc")


def values(dtype, shape, seed=0):
    """Numbers of both signs, repeated ones, the ends of the range, infinities and NaN."""
    dtype, size = np.dtype(dtype), math.prod(shape)
    pool = [0, 1, 2, 3, 5, 7, 11, 13, 17, 100]
    if dtype.kind == "f":
        pool += [-0.0, -1.5, 0.25, 1e30, -1e-30, np.inf, -np.inf, np.nan]
    elif dtype.kind == "i":
        pool += [-1, -2, -77, np.iinfo(dtype).min, np.iinfo(dtype).max]
    elif dtype.kind == "u":
        pool += [np.iinfo(dtype).max]
    with np.errstate(all="ignore"):
        found = np.resize(np.array(pool).astype(dtype), size)
    return np.random.default_rng(seed).permutation(found).reshape(shape)


def cases_of(name, *cases, dtypes="bool int8 int64 float32 float64"):
    """Cases of an operator: operands, of which shapes stand for arrays of each dtype, and
    attributes."""
    found = []
    for operands, attrs in cases:
        for dtype in dtypes.split():
            args = [
                values(dtype, x, i) if isinstance(x, tuple) else x for i, x in enumerate(operands)
            ]
            shapes = " ".join(str(x) if isinstance(x, tuple) else "_" for x in operands)
            found.append(pytest.param(name, args, attrs, id=f"{name} {dtype} {shapes} {attrs}"))
    return found


def reader(args):
    """``read`` of arrays: elements as NumPy scalars. An index outside is an error of the rule."""
    arrays = [np.asarray(x) for x in args]

    def read(i, index):
        assert len(index) == arrays[i].ndim
        assert all(0 <= k < n for k, n in zip(index, arrays[i].shape))
        return arrays[i][tuple(index)][()]

    return read


def computed_by_elements(op, args, attrs, result):
    """The result from ``element`` or ``fold``, on NumPy scalars."""
    types = [type_of(x) for x in args]
    if op.fold is None:
        assert op.has_element(types, attrs)
        for index in np.ndindex(result.shape):
            index = tuple(map(np.int64, index))
            value = op.element(reader(args), index, types, attrs)
            assert np.asarray(value).dtype == result.dtype
            result[index] = value
        return result
    x, axes = np.asarray(args[0]), op.fold.axes(types[0], attrs)
    kept = [i for i in range(x.ndim) if i not in axes]
    rows = x.transpose(*kept, *axes).reshape(*(x.shape[i] for i in kept), -1)
    totals = np.empty(rows.shape[:-1], result.dtype)
    for index in np.ndindex(totals.shape):
        elements = [op.fold.before(y, result.dtype) for y in rows[index]]
        start = result.dtype.type(op.fold.start(result.dtype))
        totals[index] = functools.reduce(COMBINE[op.fold.combine], elements, start)
    return totals.reshape(result.shape)


def computed_by_kernel(op, args, attrs, result):
    """The result from ``element``, by a kernel."""
    types = [type_of(x) for x in args]
    b = KernelBuilder("case")
    inputs = [b.parameter(t.dtype) if t.weak else b.input(t.dtype, t.size) for t in types]
    output = b.output(result.dtype, result.size)

    def read(i, index):
        given = inputs[i]
        if isinstance(given, Operand):
            return given
        return b.load(given, flat_index(index, types[i].shape))

    with b.each(result.size) as number:
        value = op.element(read, split_index(number, result.shape), types, attrs)
        if not isinstance(value, Operand):
            value = Number(value, result.dtype)
        b.store(output, number, value)
    interpret(b.finish(), args, [result])
    return result


def expected_of(op, args, attrs):
    with np.errstate(all="ignore"):
        found = np.asarray(op.apply(args, attrs))
    assert found.dtype == op.infer(*map(type_of, args), **attrs)[0].dtype
    return found


def assert_same(found, expected, op):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    floats = expected.dtype.kind == "f"
    if op.fold is not None and floats:
        eps = np.finfo(expected.dtype).eps
        np.testing.assert_allclose(found, expected, rtol=16 * eps)
        return
    if op.name in TRANSCENDENTAL:
        np.testing.assert_array_max_ulp(found, expected, 2)
        return
    np.testing.assert_array_equal(found, expected)
    if floats:
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def check(name, args, attrs):
    op = REGISTRY[name]
    expected = expected_of(op, args, attrs)
    with np.errstate(all="ignore"):
        found = computed_by_elements(op, args, attrs, np.empty_like(expected, order="C"))
    assert_same(found, expected, op)
    supported = all(type_of(x).dtype in DTYPES for x in (*args, expected))
    if op.fold is None and supported:
        found = computed_by_kernel(op, args, attrs, np.empty_like(expected, order="C"))
        assert_same(found, expected, op)
