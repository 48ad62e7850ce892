"""What statements define and use."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Var
from autograph.kernels.ir.uses import operands


def defined(s: ir.Statement) -> tuple[Var, ...]:
    """The variables that a statement defines, also those for its blocks only."""
    match s:
        case ir.Compute() | ir.Load() | ir.Reserve():
            return (s.out,)
        case ir.For():
            return (s.index, *s.state, *s.results)
        case ir.While():
            return (*s.state, *s.results)
        case ir.If():
            return s.results
        case ir.Each():
            return (s.index, *(r.out for r in s.reductions))
    return ()


def buffers(s: ir.Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement reads or writes."""
    match s:
        case ir.Load() | ir.Store():
            return (s.buffer,)
        case ir.Multiply():
            return (s.a, s.b, s.c)
    return ()


def used(block: ir.Block) -> set[Operand]:
    """All scalars that are used in a block."""
    found: set[Operand] = set()
    for s in ir.walk(block):
        found.update(operands(s))
    return found


def loops_around(block: ir.Block, depth: int = 0) -> Iterator[tuple[ir.Statement, int]]:
    """The statements of a block, also nested ones, and how many loops of the block are around
    each."""
    for s in block:
        yield s, depth
        inner = depth + isinstance(s, (ir.For, ir.While))
        for nested in ir.blocks(s):
            yield from loops_around(nested, inner)
