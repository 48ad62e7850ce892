"""What statements define and touch; what they use, `autograph.kernels.ir.uses` says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Statement, Var
from autograph.kernels.ir.uses import operands


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


def inner(s: Statement) -> tuple[Var, ...]:
    """The scalars that a statement defines for its own blocks."""
    match s:
        case ir.For():
            return (s.index, *s.state)
        case ir.While():
            return s.state
        case ir.Each():
            return (s.index,)
    return ()


def every(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Statements, and those in their blocks."""
    for s in statements:
        yield s
        for block in ir.blocks(s):
            yield from ir.walk(block)


def free(statements: Iterable[Statement]) -> set[Var]:
    """The scalars that statements use and others define."""
    found = list(every(statements))
    used = {x for s in found for x in operands(s) if isinstance(x, Var)}
    return used.difference(*(results(s) + inner(s) for s in found))


def counts(statements: Iterable[Statement]) -> Counter[Operand]:
    """How often each operand is used."""
    return Counter(x for s in every(statements) for x in operands(s))


def reads(statements: Iterable[Statement]) -> set[Buffer]:
    """The buffers from which is loaded."""
    return {s.buffer for s in every(statements) if isinstance(s, ir.Load)}


def writes(statements: Iterable[Statement]) -> set[Buffer]:
    """The buffers to which is stored."""
    return {s.buffer for s in every(statements) if isinstance(s, ir.Store)}


def may_fail(statements: Iterable[Statement]) -> bool:
    """Whether the kernel may give up, or run out of room, here."""
    return any(
        isinstance(s, ir.Check | ir.Reserve)
        or (isinstance(s, ir.Compute) and s.function.endswith("_checked"))
        for s in every(statements)
    )


def has_each(statements: Iterable[Statement]) -> bool:
    """Whether there is a loop of independent trips."""
    return any(isinstance(s, ir.Each) for s in every(statements))
