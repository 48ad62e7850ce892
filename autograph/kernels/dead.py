"""What a kernel computes and nobody uses."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels import ir
from autograph.kernels.ir import Block, Operand
from autograph.kernels.uses import operands


def needed(block: Block, results: Sequence[Operand] = ()) -> set[Operand]:
    """The operands that a block needs for what it does besides defining scalars by `Compute` and
    `Load`, and for some results; with those from which these are computed."""
    made: dict[Operand, tuple[Operand, ...]] = {}
    pending: list[Operand] = list(results)
    for statement in ir.walk(block):
        if _is_pure(statement):
            made[statement.out] = operands(statement)
        else:
            pending += operands(statement)
    found: set[Operand] = set()
    while pending:
        operand = pending.pop()
        if operand not in found:
            found.add(operand)
            pending += made.get(operand, ())
    return found


def _is_pure(statement: ir.Statement) -> bool:
    """Whether a statement defines a scalar and does nothing else."""
    if isinstance(statement, ir.Compute):
        return not statement.function.endswith("_checked")
    return isinstance(statement, ir.Load)


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
        case ir.Compute() | ir.Load():
            return _is_pure(statement) and statement.out not in kept
        case ir.Each():
            return not statement.body.statements and not statement.reductions
        case ir.For():
            return not statement.body.statements and not statement.state
        case ir.If():
            empty = not (statement.then.statements or statement.orelse.statements)
            return empty and not statement.results
    return False
