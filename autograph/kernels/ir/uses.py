"""What statements of kernels use, define and touch."""

from __future__ import annotations

from collections.abc import Iterable

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Statement, Var


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
            measures = [x for x in s.measures() if isinstance(x, Operand)]
            return (s.a_start, s.b_start, s.c_start, *measures, *_bases(s.a, s.b, s.c))
        case ir.RoutineCall():
            scalars = [x for x in s.given if isinstance(x, Operand)]
            starts = [start for _, start in given_buffers(s)]
            return (*scalars, *starts, *_bases(*(buffer for buffer, _ in given_buffers(s))))
        case ir.InnerLoopCall():
            starts = [start for _, start in (*s.operands, *s.results)]
            measures = [x for x in (*s.lengths, *s.steps) if isinstance(x, Operand)]
            return (*starts, *measures, *_bases(*buffers(s)))
        case ir.SortCall():
            counts = [s.count] if isinstance(s.count, Operand) else []
            return (*(start for _, start in s.starts), *counts, *_bases(*buffers(s)))
    return ()


def _bases(*buffers: Buffer) -> tuple[Operand, ...]:
    return tuple(b.base for b in buffers if b.base is not None)


def results(s: Statement) -> tuple[Var, ...]:
    """The scalars that a statement defines for those after it."""
    match s:
        case ir.Compute() | ir.Load() | ir.Reserve():
            return (s.out,)
        case ir.For() | ir.While() | ir.If():
            return s.results
        case ir.Each():
            return tuple(r.out for r in s.reductions)
    return ()


def defined(s: Statement) -> tuple[Var, ...]:
    """The scalars that a statement defines, for its own blocks and for those after it."""
    match s:
        case ir.For():
            return (s.index, *s.state, *s.results)
        case ir.While():
            return (*s.state, *s.results)
        case ir.Each():
            return (s.index, *results(s))
    return results(s)


def buffers(s: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement reads or writes."""
    match s:
        case ir.Load() | ir.Store():
            return (s.buffer,)
        case ir.Multiply():
            return (s.a, s.b, s.c)
        case ir.RoutineCall():
            return (*(buffer for buffer, _ in given_buffers(s)), *s.results)
        case ir.InnerLoopCall():
            return tuple(buffer for buffer, _ in (*s.operands, *s.results))
        case ir.SortCall():
            return tuple(buffer for buffer, _ in s.starts)
    return ()


def given_buffers(s: ir.RoutineCall) -> list[tuple[Buffer, Operand]]:
    """The memory that a routine is given to read, and from which element on."""
    return [x for x in s.given if isinstance(x, tuple)]


def written(s: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement itself writes to."""
    match s:
        case ir.Store():
            return (s.buffer,)
        case ir.Multiply():
            return (s.c,)
        case ir.RoutineCall():
            return s.results
        case ir.InnerLoopCall():
            return tuple(buffer for buffer, _ in s.results)
        case ir.SortCall():
            return (s.starts[-1][0],)
    return ()


def used(statements: Iterable[Statement]) -> set[Operand]:
    """All scalars that statements use."""
    return {x for s in ir.walk(statements) for x in operands(s)}


def free(statements: Iterable[Statement]) -> set[Var]:
    """The scalars that statements use and others define."""
    found = list(ir.walk(statements))
    own = {x for s in found for x in operands(s) if isinstance(x, Var)}
    return own.difference(*map(defined, found))


def reads(statements: Iterable[Statement]) -> set[Buffer]:
    """The buffers from which is loaded."""
    return {s.buffer for s in ir.walk(statements) if isinstance(s, ir.Load)}


def writes(statements: Iterable[Statement]) -> set[Buffer]:
    """The buffers to which is stored."""
    return {s.buffer for s in ir.walk(statements) if isinstance(s, ir.Store)}


_MAY_FAIL = (ir.Check, ir.Reserve, ir.RoutineCall, ir.InnerLoopCall, ir.SortCall)


def may_fail(statements: Iterable[Statement]) -> bool:
    """Whether the kernel may give up, or run out of room, here."""
    return any(
        isinstance(s, _MAY_FAIL) or (isinstance(s, ir.Compute) and s.function.endswith("_checked"))
        for s in ir.walk(statements)
    )


def has_each(statements: Iterable[Statement]) -> bool:
    """Whether there is a loop of independent trips."""
    return any(isinstance(s, ir.Each) for s in ir.walk(statements))


def temporaries(kernel: ir.Kernel) -> list[Buffer]:
    """The kernel's buffers of the kind ``"temporary"``, in order of first use."""
    touched = (b for s in ir.walk(kernel.body) for b in buffers(s))
    return list(dict.fromkeys(b for b in touched if b.kind == "temporary"))
