"""What statements define and use."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.kernels import ir
from autograph.kernels.ir import Buffer, Operand, Var


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


def operands(s: ir.Statement) -> tuple[Operand, ...]:
    """The scalars that a statement uses, without those that its blocks use."""
    match s:
        case ir.Compute():
            return s.operands
        case ir.Load():
            return (s.index,)
        case ir.Store():
            return (s.index, s.value)
        case ir.For():
            return (s.count, *s.init, *s.following)
        case ir.While():
            return (s.condition, *s.init, *s.following)
        case ir.If():
            return (s.condition, *s.then_results, *s.else_results)
        case ir.Each():
            return (s.count, *(r.value for r in s.reductions))
        case ir.Check():
            return (s.condition,)
        case ir.Reserve():
            return (s.size,)
        case ir.Multiply():
            return (s.a_start, s.b_start, s.c_start)
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
        found.update(b.base for b in buffers(s) if b.base is not None)
    return found


def loops_around(block: ir.Block, depth: int = 0) -> Iterator[tuple[ir.Statement, int]]:
    """The statements of a block, also nested ones, and how many loops of the block are around
    each."""
    for s in block:
        yield s, depth
        inner = depth + isinstance(s, (ir.For, ir.While))
        for nested in ir.blocks(s):
            yield from loops_around(nested, inner)
