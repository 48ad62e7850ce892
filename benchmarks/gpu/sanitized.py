"""A dozen kernels, once each, for compute-sanitizer to watch: ``python -m
benchmarks.gpu.sanitized``. A rehearsal runs a few of them."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.gpu import device


def main() -> None:
    """Run them, without a pool, so that each array is an allocation whose end is known."""
    cupy = device.cupy()
    cupy.cuda.set_allocator(None)
    from autograph.kernels.cuda.launch import GpuKernel
    from autograph.kernels.cuda.printer import print_cuda
    from autograph.kernels.ir import ir
    from tests.kernels.cuda.hand_built import STANDARD, arguments

    count = 3 if device.rehearsing() else len(STANDARD)
    for name, make in itertools.islice(STANDARD.items(), count):
        kernel = make()
        inputs = arguments(kernel)
        given = [
            x if isinstance(p, ir.Var) else cupy.asarray(np.ascontiguousarray(x, p.dtype))
            for p, x in zip(kernel.inputs, inputs)
        ]
        GpuKernel(print_cuda(kernel))(*given)
        device.wait()
        print(name, flush=True)


if __name__ == "__main__":
    main()
