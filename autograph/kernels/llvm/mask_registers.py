"""Kernels that choose between scalar floats often are compiled without mask registers.

Where a CPU has AVX-512, LLVM makes a choice of scalar floats of a mask, and the mask of a
comparison by way of a general register if a branch or an integer waits for the same comparison.
That takes several times as long as what AVX2 has, a blend or a branch: a Monte Carlo loop with a
logarithm, the choices of which are for its ends, takes twice as long, and sums of the best of three
numbers half as long again. So such a kernel goes without AVX-512 if it does not compute with
vectors of floats; one that only fills and copies arrays in vectors is hardly slower. The operations
are the same, and so are the bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, Operand
from autograph.kernels.llvm.target import Target

_OFTEN = 32  # operations of floats for which there is a choice
_OPERATIONS = frozenset(("+", "-", "*", "/", "fma"))


def without_mask_registers(kernel: ir.Kernel, target: Target) -> str:
    """The attributes that the functions of a kernel are to have; an empty string if none."""
    if "+avx512f" not in target.features.split(",") or not _chooses_often(kernel):
        return ""
    return f'"target-cpu"="{target.cpu}" "target-features"="{target.features},-avx512f"'


def _chooses_often(kernel: ir.Kernel) -> bool:
    """Whether a kernel, or an inner loop, has many choices of scalar floats by what decides
    something else, too, and the kernel has no vectors to compute."""
    blocks = [kernel.body, *(function.body for function in kernel.functions.values())]
    every = [s for block in blocks for s in ir.walk(block)]
    if any(isinstance(s, ir.Each) and s.mode == "vector" and _computes(s) for s in every):
        return False
    return _are_often(every) or any(_are_often(inner) for inner in _inner_loops(every))


def _are_often(statements: Sequence[ir.Statement]) -> bool:
    conditions: list[Operand] = []
    asked: Counter[Operand] = Counter()
    operations = 0
    for s in statements:
        asked.update(x for x in uses.operands(s) if x.dtype == BOOL)
        if isinstance(s, ir.Compute) and s.out.dtype.kind == "f":
            if s.function == "select":
                conditions.append(s.operands[0])
            operations += s.function in _OPERATIONS
    choices = sum(asked[condition] > 1 for condition in conditions)
    return 0 < operations <= _OFTEN * choices


def _inner_loops(statements: Sequence[ir.Statement]) -> Iterator[list[ir.Statement]]:
    """What is in loops that have none in them, which runs most often."""
    for s in statements:
        if isinstance(s, ir.For | ir.While):
            inside = list(ir.walk(s.body))
            if not any(isinstance(x, ir.For | ir.While | ir.Each) for x in inside):
                yield inside


def _computes(each: ir.Each) -> bool:
    """Whether a loop computes floats, or chooses, rather than filling and copying."""
    return any(isinstance(s, ir.Compute) and s.out.dtype.kind in "fb" for s in ir.walk(each.body))
