"""Where a kernel's temporaries are, in one block of memory.

A temporary lives from the first to the last statement of the kernel's outermost block in which it
is used.
"""

from __future__ import annotations

from autograph.kernels.ir import uses
from autograph.kernels.ir.ir import Buffer, Kernel
from autograph.kernels.ir.placement import Placement

_ALIGNMENT = 64


class TemporaryPlacement(Placement):
    """The places of a kernel's temporaries."""

    def __init__(self, kernel: Kernel):
        lives: dict[Buffer, tuple[int, int]] = {}
        for time, statement in enumerate(kernel.body):
            for buffer in uses.touched([statement]):
                if buffer.kind == "temporary":
                    lives[buffer] = (lives.get(buffer, (time, time))[0], time)
        super().__init__(lives, _ALIGNMENT)
