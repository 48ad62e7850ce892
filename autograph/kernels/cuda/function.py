"""Kernels on a GPU in place of the functions of a program that say the same in CuPy's terms."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from autograph.graph.graph import Graph, Value
from autograph.kernels import ir
from autograph.kernels.cuda.launch import GpuKernel
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.interpreter import GaveUp
from ops.types import ArrayType, python_type


def enabled() -> bool:
    """Whether CUDA kernels run. Off unless ``AUTOGRAPH_CUDA_KERNELS=1``: they are compiled, and
    run on CPUs, by the tests, but have not been run on a GPU yet."""
    return os.environ.get("AUTOGRAPH_CUDA_KERNELS", "") == "1"


def is_usable(graph: Graph) -> bool:
    """Whether a kernel for a graph needs no number that is on the device, and leaves none that has
    to be on the host: that would be a transfer that nobody sees."""
    inputs = all(v.type.shape or v.type.weak for v in graph.inputs)
    return inputs and not any(v.type.weak for v in graph.outputs)


class CudaFunction:
    """A kernel that stands for a function of a program, as `autograph.kernels.program` has it for
    the CPU.

    Args:
        name: of the function.
        kernel: what it computes.
        graph: what it was made from, which `is_usable`.
    """

    def __init__(self, name: str, kernel: ir.Kernel, graph: Graph):
        self.name = name
        self.kernel = kernel
        self.graph = graph

    def load(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel as a function; ``plain`` computes the same, where the kernel is not made for
        the arguments, and where it gives up."""
        run = GpuKernel(print_cuda(self.kernel))
        parameters, results = self.graph.inputs, self.graph.outputs

        def native(*args: Any) -> Any:
            if not all(map(_fits, args, parameters)):
                return plain(*args)
            try:
                outputs = run(*args)
            except GaveUp:
                return plain(*args)
            arrays = tuple(x.reshape(v.type.shape) for x, v in zip(outputs, results))
            return arrays[0] if len(arrays) == 1 else arrays

        return native


def _fits(x: Any, value: Value) -> bool:
    """Whether an argument is exactly what the kernel takes."""
    import cupy

    type_: ArrayType = value.type
    if not type_.shape:
        return type(x) is python_type(type_.dtype)
    return (
        type(x) is cupy.ndarray
        and x.dtype == type_.dtype
        and x.shape == type_.shape
        and x.flags.c_contiguous
    )
