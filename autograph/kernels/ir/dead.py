"""What a kernel computes and nobody uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.closure import reached
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Buffer, Operand
from autograph.kernels.ir.uses import buffers, operands

_CALLS = (ir.Multiply, ir.RoutineCall, ir.InnerLoopCall, ir.SortCall, ir.PythonCall, ir.Draw)
_OWN = ("local", "temporary", "reserved")  # the kinds of buffers that only the kernel sees


def needed(
    block: Block, results: Sequence[Operand | Buffer] = (), whole: bool = False
) -> set[Operand | Buffer]:
    """The operands that a block needs for what it does besides defining scalars by `Compute` and
    `Load`, and for some results, memory among them; with those from which these are computed.

    Args:
        whole: whether the block is all of the kernel. Then what is stored in memory of the kernel's
            own is needed only if it is loaded; the buffers that are read are among what is needed.
    """
    own = _OWN if whole else ()
    # From what a scalar is computed; of memory of the kernel's own, what is stored there.
    made: dict[Operand | Buffer, tuple[Operand | Buffer, ...]] = {}
    stored: dict[Operand | Buffer, list[Operand | Buffer]] = {}
    pending: list[Operand | Buffer] = list(results)
    for statement in ir.walk(block):
        if type(statement) is ir.Compute and not statement.function.endswith("_checked"):
            made[statement.out] = statement.operands
        elif type(statement) is ir.Load:
            buffer = statement.buffer
            read_from = (buffer,) if buffer.kind in own else ()
            base = () if buffer.base is None else (buffer.base,)
            made[statement.out] = (statement.index, *base, *read_from)
        elif type(statement) is ir.Store and statement.buffer.kind in own:
            stored.setdefault(statement.buffer, []).extend(operands(statement))
        else:
            pending += operands(statement)
            if isinstance(statement, _CALLS):
                pending += buffers(statement)
    return reached(pending, {**made, **stored})


def drop_unused(block: Block, whole: bool = False, shared: Sequence[Buffer] = ()) -> None:
    """Take out of a block, in place, what computes what nothing needs, and what is empty then.

    Args:
        whole: see `needed`.
        shared: memory that is needed whatever the block does with it. With what the rest of a
            kernel touches, the block may be a part of it.
    """
    _drop(block, needed(block, shared, whole), _OWN if whole else ())


def drop_freeing(block: Block, routines: Mapping[str, ir.Kernel]) -> None:
    """Let loops, in place, in which nothing is reserved free nothing.

    Args:
        routines: that are called.
    """

    def reserves(s: ir.Statement) -> bool:
        called = isinstance(s, ir.RoutineCall) and routines[s.routine].leaves_records
        return called or isinstance(s, ir.Reserve)

    for statement in ir.walk(block):
        if isinstance(statement, ir.For | ir.While) and statement.freed is not None:
            inside = (s for inner in ir.blocks(statement) for s in ir.walk(inner))
            if not any(map(reserves, inside)):
                statement.freed = None


def _drop(block: Block, kept: set[Operand | Buffer], own: tuple[str, ...]) -> None:
    needed: list[ir.Statement] = []
    for statement in block:
        if type(statement) is ir.Load:  # the most frequent ones first
            if statement.out in kept:
                needed.append(statement)
            continue
        if type(statement) is ir.Compute:
            if statement.out in kept or statement.function.endswith("_checked"):
                needed.append(statement)
            continue
        for inner in ir.blocks(statement):
            _drop(inner, kept, own)
        if not _is_idle(statement, kept, own):
            needed.append(statement)
    block.statements[:] = needed


def _is_idle(statement: ir.Statement, kept: set[Operand | Buffer], own: tuple[str, ...]) -> bool:
    match statement:
        case ir.Store() | ir.Local():
            return statement.buffer.kind in own and statement.buffer not in kept
        case ir.Each():
            return not statement.body.statements and not statement.reductions
        case ir.For():
            return not statement.body.statements and not statement.state
        case ir.If():
            empty = not (statement.then.statements or statement.orelse.statements)
            return empty and not statement.results
    return False
