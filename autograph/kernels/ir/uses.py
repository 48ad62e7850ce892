"""What statements of kernels use, define and touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Operand, Statement, Var


def operands(s: Statement) -> tuple[Operand, ...]:
    """The operands of a statement, its blocks' statements left out."""
    of = _OPERANDS.get(type(s))
    return () if of is None else of(s)


def _of_multiply(s: ir.Multiply) -> tuple[Operand, ...]:
    measures = [x for x in s.measures() if isinstance(x, Operand)]
    return (s.a_start, s.b_start, s.c_start, *measures, *_bases(s.a, s.b, s.c))


def _of_routine_call(s: ir.RoutineCall) -> tuple[Operand, ...]:
    scalars = [x for x in s.given if isinstance(x, Operand)]
    starts = [start for _, start in given_buffers(s)]
    touched = (*(buffer for buffer, _ in given_buffers(s)), *s.changed)
    return (*scalars, *starts, *_bases(*touched))


def _of_python_call(s: ir.PythonCall) -> tuple[Operand, ...]:
    own = [x[1] if isinstance(x, tuple) else x for x in (*s.given, *s.results)]
    return (*own, *_bases(*buffers(s)))


def _of_draw(s: ir.Draw) -> tuple[Operand, ...]:
    starts = [start for _, start in _touched_by_draw(s)]
    place = [s.source] if isinstance(s.source, Operand) else []
    return (*s.given, *place, *starts, *_bases(*buffers(s)))


def _touched_by_draw(s: ir.Draw) -> list[tuple[Buffer, Operand]]:
    return [x for x in (s.source, s.result) if isinstance(x, tuple)]


def _of_inner_loop_call(s: ir.InnerLoopCall) -> tuple[Operand, ...]:
    starts = [start for _, start in (*s.operands, *s.results)]
    measures = [x for x in (*s.lengths, *s.steps) if isinstance(x, Operand)]
    return (*starts, *measures, *_bases(*buffers(s)))


def _of_sort_call(s: ir.SortCall) -> tuple[Operand, ...]:
    counts = [s.count] if isinstance(s.count, Operand) else []
    return (*(start for _, start in s.starts), *counts, *_bases(*buffers(s)))


def _of_access(s: ir.Load | ir.Store) -> tuple[Operand, ...]:
    own = (s.index,) if isinstance(s, ir.Load) else (s.index, s.value)
    base = s.buffer.base
    return own if base is None else (*own, base)


def _of_freed(freed: ir.Freed | None) -> tuple[Operand, ...]:
    return () if freed is None or isinstance(freed.nbytes, int) else (freed.nbytes,)


# By the kinds of statements: to ask a statement for each kind in turn would take most of the time.
_OPERANDS: dict[type, Callable[[Any], tuple[Operand, ...]]] = {
    ir.Compute: lambda s: s.operands,
    ir.Load: _of_access,
    ir.Store: _of_access,
    ir.For: lambda s: (s.count, *s.init, *s.following, *_of_freed(s.freed)),
    ir.While: lambda s: (*s.init, s.condition, *s.following, *_of_freed(s.freed)),
    ir.If: lambda s: (s.condition, *s.then_results, *s.else_results),
    ir.Each: lambda s: (s.count, *[r.value for r in s.reductions]),
    ir.Announce: lambda s: (s.index,),
    ir.Await: lambda s: (s.index,),
    ir.Check: lambda s: (s.condition,),
    ir.Reserve: lambda s: (s.size,),
    ir.Keep: lambda s: tuple(x for piece in s.pieces for x in piece),
    ir.Multiply: _of_multiply,
    ir.RoutineCall: _of_routine_call,
    ir.InnerLoopCall: _of_inner_loop_call,
    ir.SortCall: _of_sort_call,
    ir.PythonCall: _of_python_call,
    ir.Draw: _of_draw,
}


def _bases(*buffers: Buffer) -> tuple[Operand, ...]:
    return tuple(b.base for b in buffers if b.base is not None)


def results(s: Statement) -> tuple[Var, ...]:
    """The scalars that a statement defines for those after it."""
    of = _RESULTS.get(type(s))
    return () if of is None else of(s)


_RESULTS: dict[type, Callable[[Any], tuple[Var, ...]]] = {
    ir.Compute: lambda s: (s.out,),
    ir.Load: lambda s: (s.out,),
    ir.Reserve: lambda s: (s.out,),
    ir.Keep: lambda s: s.outs,
    ir.For: lambda s: s.results,
    ir.While: lambda s: s.results,
    ir.If: lambda s: s.results,
    ir.Each: lambda s: tuple([r.out for r in s.reductions]),
}


def defined(s: Statement) -> tuple[Var, ...]:
    """The scalars that a statement defines, for its own blocks and for those after it."""
    of = _DEFINED.get(type(s))
    return () if of is None else of(s)


_DEFINED: dict[type, Callable[[Any], tuple[Var, ...]]] = {
    **_RESULTS,
    ir.For: lambda s: (s.index, *s.state, *s.results),
    ir.While: lambda s: (*s.state, *s.results),
    ir.Each: lambda s: (s.index, *results(s)),
}


def buffers(s: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement reads or writes."""
    of = _BUFFERS.get(type(s))
    return () if of is None else of(s)


_BUFFERS: dict[type, Callable[[Any], tuple[Buffer, ...]]] = {
    ir.Load: lambda s: (s.buffer,),
    ir.Store: lambda s: (s.buffer,),
    ir.Announce: lambda s: (s.flags,),
    ir.Await: lambda s: (s.flags,),
    ir.Multiply: lambda s: (s.a, s.b, s.c),
    ir.RoutineCall: lambda s: (*(b for b, _ in given_buffers(s)), *s.results, *s.changed),
    ir.InnerLoopCall: lambda s: tuple(buffer for buffer, _ in (*s.operands, *s.results)),
    ir.SortCall: lambda s: tuple(buffer for buffer, _ in s.starts),
    ir.PythonCall: lambda s: tuple(buffer for buffer, _ in (*given_buffers(s), *s.results)),
    ir.Draw: lambda s: tuple(buffer for buffer, _ in _touched_by_draw(s)),
}


def touched(statements: Iterable[Statement]) -> list[Buffer]:
    """The buffers that statements read or write, in order, each as often as they do."""
    found: list[Buffer] = []
    for s in ir.walk(statements):
        if type(s) is ir.Load or type(s) is ir.Store:  # the most frequent ones first
            found.append(s.buffer)
        elif type(s) is not ir.Compute:
            found += buffers(s)
    return found


def given_buffers(s: ir.RoutineCall | ir.PythonCall) -> list[tuple[Buffer, Operand]]:
    """The memory that what is called is given to read, and from which element on."""
    return [x for x in s.given if isinstance(x, tuple)]


def written(s: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement itself writes to."""
    of = _WRITTEN.get(type(s))
    return () if of is None else of(s)


_WRITTEN: dict[type, Callable[[Any], tuple[Buffer, ...]]] = {
    ir.Store: lambda s: (s.buffer,),
    ir.Multiply: lambda s: (s.c,),
    ir.RoutineCall: lambda s: (*s.results, *s.changed),
    ir.InnerLoopCall: lambda s: s.written,
    ir.SortCall: lambda s: (s.starts[-1][0],),
    ir.PythonCall: lambda s: tuple(buffer for buffer, _ in s.results),
    ir.Draw: lambda s: tuple(buffer for buffer, _ in _touched_by_draw(s)),
}


def all_written(statements: Iterable[Statement]) -> list[Buffer]:
    """The buffers that statements, and those in them, write to, each as often as they do."""
    writing = [s for s in ir.walk(statements) if type(s) in _WRITTEN]
    return [buffer for s in writing for buffer in written(s)]


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


_MAY_FAIL = (
    *(ir.Check, ir.Reserve, ir.Keep),
    *(ir.RoutineCall, ir.InnerLoopCall, ir.SortCall, ir.PythonCall),
)


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
    return list(dict.fromkeys(b for b in touched(kernel.body) if b.kind == "temporary"))
