"""Elementary functions that a kernel applies often are functions of the module, with the results
of those that are put in place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number
from autograph.kernels.mathematics import DEFINITIONS, expanded
from autograph.kernels.mathematics.expansion import expand
from ops.core import kernels

pytest.importorskip("llvmlite")

from tests.kernels.llvm.support import Native, interpreted, same

_OPERANDS = {"atan2": 2, "fmod": 2, "hypot": 2, "ldexp": 2, "nextafter": 2, "pow": 2}
_FIRST = ("atan2", "cos", "exp", "exponent", "fmod", "ldexp", "pow", "tan", "tanh")
_VALUES = [0.0, -0.0, 0.3, -2.5, 7.0, 1e-40, 3e5, -1e10, 1e30, np.inf, -np.inf, np.nan]


def _values(dtype):
    return np.resize(np.array(_VALUES), 100).astype(dtype)


def _often(function, dtype):
    """A kernel that applies a function to ten things, in lanes under a mask and to a scalar."""
    b = KernelBuilder("kernel")
    size = 100
    x, y = b.input(dtype, size, "x"), b.output(dtype, 5 * size + 5, "y")

    def applied(v, k):
        operands = [v + k * 0.5]
        if _OPERANDS.get(function) == 2:
            operands.append(kernels.cast(v, np.dtype("int32")) if function == "ldexp" else v * 0.7)
        return b.cast(b.compute(function, *operands), dtype)

    with b.each(size) as i:
        v = b.load(x, i)
        for k in range(5):
            result = kernels.choose(v > k - 1, lambda k=k: applied(v, k), lambda: v)
            b.store(y, i * 5 + k, result)
    v = b.load(x, Number(2, "int64"))
    for k in range(5):
        b.store(y, Number(5 * size + k, "int64"), applied(v, k))
    return b.finish()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "function",
    [f if f in _FIRST else pytest.param(f, marks=pytest.mark.slow) for f in sorted(DEFINITIONS)],
)
def test_calls_give_what_is_computed_in_place(function, dtype):
    kernel = _often(function, dtype)
    called = Native(expanded(kernel))
    in_place = Native(expand(kernel, DEFINITIONS))
    assert re.search(rf"define internal <\d+ x \w+> @{function}\.", called.text)
    assert re.search(rf"define internal \w+ @{function}\.", called.text)
    assert f"@{function}.{dtype}" not in in_place.text
    values = _values(dtype)
    (_, (found,)), (_, (expected,)) = called(values), in_place(values)
    assert same(found, expected)


def test_the_interpreter_calls_functions():
    kernel = expanded(_often("tanh", "float32"))
    assert list(kernel.functions) == ["tanh.float32"]
    status, (found,) = interpreted(kernel, (_values("float32"),))
    assert status == 0
    assert same(found, Native(kernel)(_values("float32"))[1][0])


def test_few_applications_are_in_place():
    b = KernelBuilder("kernel")
    x, y = b.input("float32", 64), b.output("float32", 64)
    with b.each(64) as i:
        b.store(y, i, kernels.tanh(kernels.tanh(b.load(x, i))))
    assert not expanded(b.finish()).functions


def test_applications_to_a_known_exponent_stay_short():
    b = KernelBuilder("kernel")
    x, y = b.input("float64", 64), b.output("float64", 64)
    with b.each(64) as i:
        v = b.load(x, i)
        for _ in range(10):
            v = b.compute("pow", v, Number(2, "float64"))
        b.store(y, i, v)
    assert not expanded(b.finish()).functions


def test_the_text_of_many_applications_is_short():
    b = KernelBuilder("kernel")
    x, y = b.input("float32", 1000), b.output("float32", 1000)
    with b.each(1000) as i:
        v = b.load(x, i)
        for _ in range(100):
            v = kernels.tanh(v * 1.1)
        b.store(y, i, v)
    assert len(Native(expanded(b.finish())).text) < 60_000
