"""Running kernels as native code, beside the interpreter."""

from __future__ import annotations

import ctypes
import functools

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import GaveUp, interpret
from autograph.kernels.llvm import Target, print_llvm
from autograph.kernels.native import compiler


@functools.cache
def host() -> Target:
    """This machine."""
    return compiler.target()


class Native:
    """A compiled kernel: called with its inputs, it gives its status and outputs.

    Args:
        text: the kernel's, if it is to be another one than that of all of it.
    """

    def __init__(self, kernel: ir.Kernel, target: Target | None = None, text: str | None = None):
        from autograph.kernels.native import compile_kernel

        self.kernel = kernel
        self.text = text or print_llvm(kernel, target or host())
        self._code = compile_kernel(self.text, kernel.name)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(
            self._code.address
        )

    def __call__(self, *inputs: object) -> tuple[int, list[np.ndarray]]:
        outputs = new_outputs(self.kernel)
        return self.run(inputs, outputs), outputs

    def run(self, inputs: tuple, outputs: list[np.ndarray]) -> int:
        """Fill arrays."""
        slots = np.zeros(max(len(inputs), 1), np.uint64)
        kept = []
        for k, (parameter, value) in enumerate(zip(self.kernel.inputs, inputs)):
            if isinstance(parameter, ir.Var):
                number = np.asarray(value, parameter.dtype)
                slots[k : k + 1].view(np.uint8)[: number.itemsize] = np.frombuffer(
                    number.tobytes(), np.uint8
                )
            else:
                array = np.ascontiguousarray(value, parameter.dtype)
                kept.append(array)
                slots[k] = array.ctypes.data
        written = dict(zip(self.kernel.outputs, outputs))
        for given, same in self.kernel.shared:
            slots[self.kernel.inputs.index(given)] = written[same].ctypes.data
        addresses = np.array([x.ctypes.data for x in outputs] or [0], np.uint64)
        return self._call(slots.ctypes.data, addresses.ctypes.data)


def new_outputs(kernel: ir.Kernel) -> list[np.ndarray]:
    """Arrays for a kernel's outputs, filled with a pattern."""
    outputs = []
    for buffer in kernel.outputs:
        data = np.frombuffer(bytearray(b"\x2b" * buffer.nbytes), buffer.dtype)
        outputs.append(np.zeros(buffer.size, bool) if buffer.dtype.kind == "b" else data)
    return outputs


def interpreted(kernel: ir.Kernel, inputs: tuple) -> tuple[int, list[np.ndarray]]:
    """The same from the interpreter."""
    outputs = new_outputs(kernel)
    try:
        interpret(kernel, inputs, outputs)
    except GaveUp:
        return 1, outputs
    return 0, outputs


def same(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether arrays are equal bit by bit, but for the bits of NaN."""
    if found.dtype.kind == "f":
        nan = np.isnan(expected)
        if not np.array_equal(np.isnan(found), nan):
            return False
        found, expected = np.where(nan, 0, found), np.where(nan, 0, expected)
        kind = f"i{found.itemsize}"
        return np.array_equal(found.view(kind), expected.view(kind))
    return np.array_equal(found, expected)


def check(kernel: ir.Kernel, *inputs: object, target: Target | None = None) -> Native:
    """Assert that native code does what the interpreter does."""
    native = Native(kernel, target)
    status, expected = interpreted(kernel, inputs)
    found_status, found = native(*inputs)
    assert found_status == status
    if status == 0:
        for buffer, a, b in zip(kernel.outputs, found, expected):
            assert same(a, b), f"output {kernel.outputs.index(buffer)} {buffer}:\n{a}\n{b}"
    return native
