"""Kernels on a GPU in place of the functions of a program that say the same in CuPy's terms."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.errors import PerformanceWarning
from autograph.graph.graph import Graph, Value
from autograph.graph.lengths import symbol_places
from autograph.kernels.cuda.compile import CompilationError
from autograph.kernels.cuda.device_numbers import with_device_numbers
from autograph.kernels.cuda.launch import GpuKernel
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.reported import is_of_device, reported
from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import GaveUp
from ops.core.symbolic_lengths import shape_at
from ops.core.types import ArrayType, python_type


class CudaFunction:
    """A kernel that stands for a function of a program, as `autograph.kernels.program` has it for
    the CPU.

    Args:
        name: of the function.
        kernel: what it computes.
        graph: what it was made from, which is usable, see `use`.
    """

    def __init__(self, name: str, kernel: ir.Kernel, graph: Graph):
        self.name = name
        self.kernel = kernel
        self.graph = graph

    def load(self, plain: Callable[..., Any], codes: Any) -> Callable[..., Any]:
        """The kernel as a function; ``plain`` computes the same, where the kernel is not made for
        the arguments, where it gives up or finds no memory for what its threads keep, and, with a
        warning, where it cannot be made."""
        parameters, results = self.graph.inputs, self.graph.outputs
        symbols = symbol_places(self.graph)
        try:
            kernel = with_device_numbers(self.kernel, self.graph)
            run: GpuKernel | None = GpuKernel(print_cuda(kernel))
        except NotImplementedError as error:
            self._warn(error)
            return plain

        def native(*args: Any) -> Any:
            nonlocal run
            if run is None or not all(map(_may_fit, args, parameters)):
                return plain(*args)
            lengths = {name: args[i].shape[axis] - n for name, (i, axis, n) in symbols.items()}
            if not all(_is_of(x, v.type.shape, lengths) for x, v in zip(args, parameters)):
                return plain(*args)
            try:
                # Nothing is written to the arguments: what fails leaves them as they were.
                outputs = run(*args, *lengths.values())
            except (GaveUp, MemoryError):
                return plain(*args)
            except (CompilationError, ImportError) as error:
                run = None
                self._warn(error)
                return plain(*args)
            except RuntimeError as error:
                if not is_of_device(error):
                    raise
                raise reported(error, self.name, self.kernel.location) from error
            shapes = (shape_at(v.type.shape, lengths) for v in results)
            arrays = tuple(x.reshape(shape) for x, shape in zip(outputs, shapes))
            return arrays[0] if len(arrays) == 1 else arrays

        return native

    def _warn(self, error: Exception) -> None:
        warnings.warn(
            f"'{self.name}' runs without a CUDA kernel, which could not be made: "
            f"{getattr(error, 'log', error)}",
            PerformanceWarning,
            stacklevel=3,
        )


def _may_fit(x: Any, value: Value) -> bool:
    """Whether an argument is what the kernel takes but for its lengths, on the current device."""
    import cupy

    type_: ArrayType = value.type
    if not type_.shape and type_.weak:
        if type(x) is not python_type(type_.dtype):
            return False
        return type(x) is not int or -(2**63) <= x < 2**63
    return (
        type(x) is cupy.ndarray
        and x.dtype == type_.dtype
        and x.ndim == len(type_.shape)
        and x.flags.c_contiguous
        and x.data.ptr % type_.dtype.itemsize == 0
        and x.data.device_id == cupy.cuda.runtime.getDevice()
    )


def _is_of(x: Any, shape: Sequence[Any], lengths: Mapping[str, int]) -> bool:
    """Whether an argument has a shape in which symbols are these lengths."""
    return not shape or x.shape == shape_at(shape, lengths)  # `_may_fit` has seen how many
