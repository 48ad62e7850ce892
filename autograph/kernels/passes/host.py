"""What is done to a kernel before it is printed as LLVM IR for this machine."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.passes.chunks import with_chunks
from autograph.kernels.passes.narrow_divisions import narrowed
from autograph.kernels.passes.nests import improved
from autograph.kernels.passes.splitting import split
from autograph.kernels.passes.strips import in_strips, with_smaller
from autograph.kernels.passes.windows import in_windows


def for_host(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel that computes the same, with loops that vectors and registers like. GPUs give each
    thread an element anyway."""
    return narrowed(split(_with_smaller(improved(kernel))))


def _with_smaller(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel with small arrays where loops need a few rows of large ones at a time."""
    kernel = with_smaller(kernel.with_routines(_with_smaller), (in_strips, in_windows))
    return with_chunks(kernel)
