"""Which scalars the statements of kernels use."""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Statement


def operands(s: Statement) -> tuple[Operand, ...]:
    """The operands of a statement, its blocks' statements left out."""
    match s:
        case ir.Compute():
            return s.operands
        case ir.Load():
            return (s.index, *_bases(s.buffer))
        case ir.Store():
            return (s.index, s.value, *_bases(s.buffer))
        case ir.For():
            return (s.count, *s.init, *s.following)
        case ir.While():
            return (*s.init, s.condition, *s.following)
        case ir.If():
            return (s.condition, *s.then_results, *s.else_results)
        case ir.Each():
            return (s.count, *(r.value for r in s.reductions))
        case ir.Check():
            return (s.condition,)
        case ir.Reserve():
            return (s.size,)
        case ir.Multiply():
            return (s.a_start, s.b_start, s.c_start, *_bases(s.a, s.b, s.c))
    return ()


def _bases(*buffers: Buffer) -> tuple[Operand, ...]:
    return tuple(b.base for b in buffers if b.base is not None)
