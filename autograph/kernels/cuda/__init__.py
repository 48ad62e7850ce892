"""Kernels for NVIDIA GPUs.

================  =================================================================================
module            what it does
================  =================================================================================
`interchange`     independent loops brought outside, as suits a GPU; `small_products` products of
                  matrices as loops; `indices` what indices are sums of
`choices`         branches that choose between scalars as expressions, which the host computes
`split`           a kernel cut into launches, and what the host does between them
`entry`           one launch as a ``__global__`` function: threads, teams, barriers, reductions;
                  `shape` what follows from its loops
`statements`      statements as C; `expressions` scalars; `helpers` the functions that these call;
                  `vectors` loops whose trips a thread takes several at a time;
                  `ranges` which integers fit into 32 bits; `names` identifiers; `reserved` the
                  memory of residuals; `stopping` which loops end when the user wants that
`together`        loops in order that all blocks run, which wait for each other
`printer`         all of these together: `print_cuda`; `told` what is told beside it
`plan`, `run`     what the host does, and doing it on a device; `memory` where arrays are
`compile`         CUDA C to machine code, by NVRTC, without a GPU, and kept on disk
`placed`          operands of products copied to where the host knows
`products`        products by cuBLASLt, or by CuPy's cuBLAS; `sums` what it adds to them
`launch`          the device that is CuPy's; `flag` waits for it, and tells kernels to end;
                  `workspace` keeps memory from call to call
`graphs`          launches that are captured, and started as one; `conditional` loops and
                  branches of the host's in them
`function`        a kernel in the place of a function of a program; `reported` errors of the device;
                  `device_numbers` arrays without axes, which kernels load
`whole`           a program as one graph: `capturable` tells whether it may be one, `inside` makes
                  its kernels parts of it, `repeats` says for which calls graphs are
`use`             whether kernels for a GPU are wanted, and where they can stand
================  =================================================================================

The tests execute the same text on the CPU: see ``tests/kernels/cuda/shim.py``. What is not needed
where there is no GPU is loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.kernels.cuda.capturable import Capturable, capture_of, capture_of_node
    from autograph.kernels.cuda.device_numbers import with_device_numbers
    from autograph.kernels.cuda.function import CudaFunction
    from autograph.kernels.cuda.printer import print_cuda
    from autograph.kernels.cuda.told import described
    from autograph.kernels.cuda.whole import as_graph

__all__ = [
    "Capturable",
    "CudaFunction",
    "as_graph",
    "capture_of",
    "capture_of_node",
    "described",
    "print_cuda",
    "with_device_numbers",
]


def __getattr__(name: str) -> Any:
    if name == "CudaFunction":
        from autograph.kernels.cuda.function import CudaFunction

        return CudaFunction
    if name == "Capturable":
        from autograph.kernels.cuda.capturable import Capturable

        return Capturable
    if name == "capture_of":
        from autograph.kernels.cuda.capturable import capture_of

        return capture_of
    if name == "capture_of_node":
        from autograph.kernels.cuda.capturable import capture_of_node

        return capture_of_node
    if name == "described":
        from autograph.kernels.cuda.told import described

        return described
    if name == "with_device_numbers":
        from autograph.kernels.cuda.device_numbers import with_device_numbers

        return with_device_numbers
    if name == "as_graph":
        from autograph.kernels.cuda.whole import as_graph

        return as_graph
    if name == "print_cuda":
        from autograph.kernels.cuda.printer import print_cuda

        return print_cuda
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
