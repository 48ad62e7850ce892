"""Where a kernel's temporaries are: in one block of memory, those that are not needed at the same
time in the same place, or in an array that the caller gets, before that is written."""

from __future__ import annotations

from autograph.kernels.ir.ir import UNKNOWN_SIZE, Buffer, Kernel
from autograph.kernels.ir.lives import Lives
from autograph.kernels.ir.placement import Placement
from ops.core.symbolic_lengths import is_length

_ALIGNMENT = 64
_LEAST_ROOM = 1024  # bytes of a result in which there may be temporaries


class TemporaryPlacement(Placement):
    """The places of a kernel's temporaries.

    Args:
        in_results: whether they may be in arrays that the caller gets.
    """

    def __init__(self, kernel: Kernel, in_results: bool = True):
        given = {b for _, b in kernel.shared} | {kernel.outputs[k] for k in kernel.changed}
        rooms = {b for b in kernel.outputs if in_results and _has_room(b) and b not in given}

        def wanted(buffer: Buffer) -> bool:
            return buffer.kind == "temporary" or buffer in rooms

        lives = Lives(kernel.body, wanted)
        # The caller needs what is in a result: from the first statement on that writes it.
        begins = {b: lives.around[b][0] for b in kernel.outputs if b in rooms and b in lives.of}
        own = {b: life for b, life in lives.of.items() if b.kind == "temporary"}
        super().__init__(own, _ALIGNMENT, begins)


def _has_room(result: Buffer) -> bool:
    known = not is_length(result.size) and result.size != UNKNOWN_SIZE
    return known and result.nbytes >= _LEAST_ROOM
