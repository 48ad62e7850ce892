"""Where the tests execute printed kernels: Python's environment chooses.

=========================  =========================================================================
``AUTOGRAPH_TEST_CUDA``    what executes them, for all tests that take what is here
=========================  =========================================================================
not set                    the CPU, through the shim
``ptx``                    the CPU, what NVRTC makes of them
``gpu``                    a GPU: each kernel twice, on memory with other contents and another grid,
                           so that a race, or memory that is read before it is written, is a
                           difference between the two
=========================  =========================================================================
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.kernels.cuda.plan import CudaKernel
from autograph.kernels.cuda.run import run
from autograph.kernels.ir import ir

PLACE = os.environ.get("AUTOGRAPH_TEST_CUDA", "")
ON_GPU = PLACE == "gpu"

if TYPE_CHECKING or not PLACE:
    from tests.kernels.cuda.shim import HostDevice as Device
    from tests.kernels.cuda.shim import Unit
elif PLACE == "ptx":
    from tests.kernels.cuda.ptx.unit import Unit
    from tests.kernels.cuda.shim import HostDevice as Device
elif PLACE == "gpu":
    from tests.kernels.cuda.gpu import Gpu as Device
    from tests.kernels.cuda.gpu import Unit
else:
    raise ValueError(f"AUTOGRAPH_TEST_CUDA={PLACE}: 'ptx' or 'gpu' are known")

__all__ = ["ON_GPU", "PLACE", "Device", "Unit", "execute"]


def execute(
    unit: Unit, kernel: CudaKernel, inputs: Sequence[Any], outputs: Sequence[np.ndarray], **options
) -> Device:
    """Run a kernel on arrays; the device on which it ran.

    Args:
        outputs: C-contiguous arrays to be filled.
        options: of the device.
    """
    given = [x.copy() for x in outputs]
    device = Device(unit, **options)
    _execute(device, kernel, inputs, outputs)
    if ON_GPU:
        _execute(Device(unit, blocks=None, poison=0x5C), kernel, inputs, given)
        for first, second in zip(outputs, given):
            assert first.tobytes() == second.tobytes(), "the second run had another result"
    return device


def _execute(device: Device, kernel: CudaKernel, inputs, outputs) -> None:
    placed = [
        x if isinstance(p, ir.Var) else device.put(np.ascontiguousarray(x, p.dtype))
        for p, x in zip(kernel.kernel.inputs, inputs)
    ]
    places = [device.put(array) for array in outputs]
    run(kernel, device, placed, places)
    device.check()
    for array, memory in zip(outputs, places):
        if array.size:
            array.reshape(-1)[:] = device.read(memory, array.dtype, array.size)
