"""Memory of lengths known only at run time, which the host gives a kernel.

On a CPU a kernel reserves such temporaries when it begins. On a GPU that would be a launch of one
thread, and the host would have to look whether there was room; but the host knows the lengths.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Kernel, Var
from autograph.kernels.ir.renaming import renamed
from ops.core.symbolic_lengths import shape_at


def with_given_memory(kernel: Kernel) -> Kernel:
    """The kernel with temporaries of symbolic sizes in place of those that it reserves. The given
    kernel's blocks are left as they are."""
    given = {
        b: Buffer(b.dtype, b.size, "temporary", b.name)
        for s in ir.walk(kernel.body)
        for b in uses.buffers(s)
        if b.kind == "reserved"
    }
    if not given:
        return kernel
    bases = {b.base for b in given if b.base is not None}
    is_given = lambda s: isinstance(s, ir.Reserve) and s.out in bases  # when the kernel begins
    body = Block([s for s in renamed(kernel.body, given) if not is_given(s)])
    return dataclasses.replace(kernel, body=body)


class Sizes:
    """How large the buffers of a kernel are in a run.

    Args:
        inputs: what the kernel is given, of which scalars are looked at.
    """

    def __init__(self, kernel: Kernel, inputs: Sequence[Any]):
        given = {p: x for p, x in zip(kernel.inputs, inputs) if isinstance(p, Var)}
        self._numbers = {name: int(given[var]) for name, var in kernel.symbols.items()}

    def elements(self, buffer: Buffer) -> int:
        """How many elements a buffer has."""
        return shape_at((buffer.size,), self._numbers)[0]

    def nbytes(self, buffer: Buffer) -> int:
        """How many bytes a buffer has."""
        return self.elements(buffer) * buffer.dtype.itemsize
