"""The kernel expressions of elementwise operators, as kernels, compute what the operators do."""

import itertools

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.ir.ir import DTYPES, Number, Operand
from ops.core.registry import REGISTRY, Elementwise
from tests.kernels.lowering.element_check import values

CASES = [
    pytest.param(op, dtype, id=f"{op.name} {dtype}")
    for op in REGISTRY.values()
    if isinstance(op, Elementwise)
    for dtype in map(np.dtype, "bool int8 uint32 int64 float32 float64".split())
    if dtype.kind in op.kernels
]
TIES = ("maximum", "minimum", "fmax", "fmin", "relu")  # of zeros of both signs


@pytest.mark.parametrize("op, dtype", CASES)
def test_kernels_compute_what_the_operator_computes(op, dtype):
    given = [dtype] * len(op.partials)
    if op.name == "ldexp":
        given[1] = np.dtype("int32")
    try:
        loop = op.ufunc.resolve_dtypes((*given, *[None] * op.ufunc.nout))
    except TypeError:
        pytest.skip("NumPy has no loop")
    if list(loop[: len(given)]) != given:
        pytest.skip("NumPy computes in another dtype")
    count = 9 if op.name.startswith("special_") else 19
    columns = [
        values(d, (count,)) if i == 0 or d == dtype else np.arange(-3, 4).astype(d)
        for i, d in enumerate(given)
    ]
    if op.name == "power" and dtype.kind == "i":
        columns[1] = columns[1][columns[1] >= 0]
    operands = [np.array(c, d) for c, d in zip(zip(*itertools.product(*columns)), given)]
    with np.errstate(all="ignore"):
        expected = op.apply(operands, {})
    assert expected.dtype in DTYPES
    b = KernelBuilder("case")
    inputs = [b.input(d, expected.size) for d in given]
    output = b.output(expected.dtype, expected.size)
    with b.each(expected.size) as i:
        found = op.kernels[dtype.kind](*(b.load(x, i) for x in inputs))
        if not isinstance(found, Operand):
            found = Number(found, expected.dtype)
        b.store(output, i, b.cast(found, expected.dtype))
    result = np.empty_like(expected)
    interpret(b.finish(), operands, [result])
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(result, expected)
        return
    tolerance = 4 * np.finfo(expected.dtype).eps
    rounding = tolerance if op.name.startswith("logaddexp") else 0  # where summands cancel
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=rounding)
    if op.name not in TIES:
        zero = expected == 0
        np.testing.assert_array_equal(np.signbit(result[zero]), np.signbit(expected[zero]))
