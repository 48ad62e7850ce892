"""What is done to a kernel before it is printed as LLVM IR for this machine."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.passes.as_lowered import NEAR, is_one_sum
from autograph.kernels.passes.chunks import with_chunks
from autograph.kernels.passes.improving import improved
from autograph.kernels.passes.narrow_divisions import narrowed
from autograph.kernels.passes.side_by_side import side_by_side
from autograph.kernels.passes.splitting import split
from autograph.kernels.passes.strips import in_strips, own_arrays, with_smaller
from autograph.kernels.passes.windows import in_windows


def for_host(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel that computes the same, with loops that vectors and registers like. GPUs give each
    thread an element anyway."""
    return finished(improved(kernel))


def finished(kernel: ir.Kernel) -> ir.Kernel:
    """What `improved` has made of a kernel, with small arrays in the place of large ones."""
    return narrowed(split(side_by_side(_with_smaller(kernel))))


def finished_briefly(kernel: ir.Kernel) -> ir.Kernel | None:
    """The same with arrays as large as they are, which computes the same bits, and is found in half
    of the time; None if there is nothing to gain, or much to lose."""
    arrays = own_arrays(kernel.body)
    if not arrays or kernel.routines or sum(b.nbytes for b in arrays) > NEAR:
        return None
    if not all(is_one_sum(s) for s in ir.walk(kernel.body) if isinstance(s, ir.Each)):
        return None
    return narrowed(split(side_by_side(with_chunks(kernel))))


def _with_smaller(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel with small arrays where loops need a few rows of large ones at a time."""
    kernel = with_smaller(kernel.with_routines(_with_smaller), (in_strips, in_windows))
    return with_chunks(kernel)
