"""How much LLVM is to do about a kernel.

The printer leaves little to improve: loops are vectors already, no scalar is computed twice. What
LLVM's full pipeline finds beyond that are accumulators in memory and invariants of inner loops, and
shorter ways round loops in order. A large kernel takes long to compile, and spends its time in too
many places for that to matter.
"""

from __future__ import annotations

from autograph.kernels.ir import ir

LARGE = 500  # statements of a kernel that takes long to compile


def is_large(kernel: ir.Kernel) -> bool:
    """Whether a kernel takes so long to compile that its loops should not become more code."""
    return sum(1 for _ in ir.walk(kernel.body)) > LARGE


def needs_little(kernel: ir.Kernel) -> bool:
    """Whether a few of LLVM's passes make code as fast as all of them, or nearly so."""
    return is_large(kernel) or _is_plain(kernel.body)


def _is_plain(block: ir.Block, in_each: bool = False) -> bool:
    """Whether the only loops are of independent trips, and none is in another."""
    for statement in block:
        is_each = isinstance(statement, ir.Each)
        if isinstance(statement, (ir.For, ir.While)) or (is_each and in_each):
            return False
        if not all(_is_plain(inner, in_each or is_each) for inner in ir.blocks(statement)):
            return False
    return True
