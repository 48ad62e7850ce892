"""What a kernel computes and nobody uses."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels import ir
from autograph.kernels.ir import Block, Operand


def needed(block: Block, results: Sequence[Operand] = ()) -> set[Operand]:
    """The operands that a block needs for what it does besides defining scalars by `Compute` and
    `Load`, and for some results; with those from which these are computed."""
    made: dict[Operand, tuple[Operand, ...]] = {}
    pending: list[Operand] = list(results)
    for statement in ir.walk(block):
        match statement:
            case ir.Compute() if not statement.function.endswith("_checked"):
                made[statement.out] = statement.operands
            case ir.Compute():
                pending += statement.operands
            case ir.Load():
                base = () if statement.buffer.base is None else (statement.buffer.base,)
                made[statement.out] = (statement.index, *base)
            case ir.Store():
                pending += (statement.index, statement.value)
                pending += () if statement.buffer.base is None else (statement.buffer.base,)
            case ir.If():
                pending += (statement.condition, *statement.then_results, *statement.else_results)
            case ir.For():
                pending += (statement.count, *statement.init, *statement.following)
            case ir.While():
                pending += (statement.condition, *statement.init, *statement.following)
            case ir.Each():
                pending += (statement.count, *(r.value for r in statement.reductions))
            case ir.Check():
                pending.append(statement.condition)
            case ir.Reserve():
                pending.append(statement.size)
            case ir.Multiply():
                pending += (statement.a_start, statement.b_start, statement.c_start)
                buffers = (statement.a, statement.b, statement.c)
                pending += (b.base for b in buffers if b.base is not None)
    found: set[Operand] = set()
    while pending:
        operand = pending.pop()
        if operand not in found:
            found.add(operand)
            pending += made.get(operand, ())
    return found


def drop_unused(block: Block) -> None:
    """Take out of a block, in place, what computes what nothing needs, and what is empty then."""
    kept = needed(block)
    _drop(block, kept)


def _drop(block: Block, kept: set[Operand]) -> None:
    for statement in block:
        for inner in ir.blocks(statement):
            _drop(inner, kept)
    block.statements[:] = [s for s in block if not _is_idle(s, kept)]


def _is_idle(statement: ir.Statement, kept: set[Operand]) -> bool:
    match statement:
        case ir.Compute():
            return statement.out not in kept and not statement.function.endswith("_checked")
        case ir.Load():
            return statement.out not in kept
        case ir.Each():
            return not statement.body.statements and not statement.reductions
        case ir.For():
            return not statement.body.statements and not statement.state
        case ir.If():
            empty = not (statement.then.statements or statement.orelse.statements)
            return empty and not statement.results
    return False
