"""Comparing printed kernels, executed on the CPU, with the interpreter."""

from __future__ import annotations

import numpy as np

from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.interpreter import interpret
from tests.kernels.cuda.machine import Unit, execute


def run_both(unit, printed, inputs, **options):
    """The outputs of the interpreter and of the shim, and the device of that."""
    kernel = printed.kernel
    expected = [np.zeros(x.size, x.dtype) for x in kernel.outputs]
    for shared, written in kernel.shared:
        place = [x is written for x in kernel.outputs].index(True)
        expected[place][:] = inputs[[x is shared for x in kernel.inputs].index(True)]
    found = [x.copy() for x in expected]
    interpret(kernel, inputs, expected)
    device = execute(unit, printed, inputs, found, **options)
    return expected, found, device


def assert_same(found, expected):
    """The same numbers, zeros' signs too, and NaN in the same places."""
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind == "f":
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def check(kernel, *inputs, blocks=3):
    """Compare a kernel with the interpreter, to the bit; its text."""
    printed = print_cuda(kernel)
    expected, found, _ = run_both(Unit([printed]), printed, inputs, blocks=blocks)
    for x, y in zip(found, expected):
        assert_same(x, y)
    return printed.text
