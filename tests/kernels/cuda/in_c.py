"""Kernels written in CUDA C, to see what the shim makes of them."""

from __future__ import annotations

from autograph.kernels.cuda.plan import CudaKernel, Entry, Launch
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG, Number


def in_c(
    *bodies: str,
    threads: int = 64,
    covers: bool = False,
    cooperative: bool = True,
    blocks: int | None = None,
) -> CudaKernel:
    """A kernel of one output, 64 int32 in ``x``, with a launch for each body.

    Args:
        covers: whether there are as many blocks as the device runs at once, rather than one.
        blocks: how many there are, however many run at once.
        cooperative: whether threads may wait for each other.
    """
    b = KernelBuilder("in_c")
    out = b.output("int32", 64, "x")
    kernel = b.finish()
    text, entries = "", []
    for body in bodies:
        name = "f" if len(bodies) == 1 else f"f{len(entries)}"
        text += f'extern "C" __global__ void {name}(int *x)\n{{\n{body}\n}}\n'
        entries.append(Entry(name, [(out, "int *")], threads, cooperative))
    launches = [Launch(entry, covers=covers) for entry in entries]
    if blocks is not None:
        given = Number(blocks, LONG)
        launches = [Launch(entry, covers=True, trips=given, ordered=True) for entry in entries]
    return CudaKernel(kernel, text, entries, launches, {}, 0, [], {})
