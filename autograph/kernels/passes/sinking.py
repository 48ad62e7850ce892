"""Dear functions at the end of both sides of a branch are applied once, behind it.

``g = np.sqrt(a) if fast else np.sqrt(b)`` is a root of what is chosen. Lanes go through both sides,
and so take half of the roots.
"""

from __future__ import annotations

import dataclasses
from collections import Counter

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Number, Operand, Statement, Var
from autograph.kernels.ir.work import divisions
from autograph.kernels.passes.replacing import replace_statements


def sink(block: Block) -> bool:
    """Apply such functions behind branches, in place. Returns whether there were any; what computed
    them in the sides is not needed then."""
    return replace_statements(block, ir.If, _sunk)


def _sunk(s: ir.If) -> list[Statement] | None:
    """A branch and what is behind it; None if it stays."""
    then, orelse = _ends(s.then, s.then_results), _ends(s.orelse, s.else_results)
    if not then or not orelse:
        return None
    behind: list[Statement] = []
    chosen: list[tuple[Var, Operand, Operand]] = []
    for out, yes, no in zip(s.results, s.then_results, s.else_results):
        first, second = then.get(yes), orelse.get(no)
        if first is None or second is None or not _alike(first, second):
            chosen.append((out, yes, no))
            continue
        operands: list[Operand] = []
        for x, y in zip(first.operands, second.operands):
            if not _is_same(x, y):
                chosen.append((either := Var(x.dtype, getattr(x, "name", None)), x, y))
                x = either
            operands.append(x)
        behind.append(ir.Compute(out, first.function, tuple(operands), first.location))
    if not behind:
        return None
    branch = dataclasses.replace(
        s,
        results=tuple(out for out, _, _ in chosen),
        then_results=tuple(x for _, x, _ in chosen),
        else_results=tuple(y for _, _, y in chosen),
    )
    return [branch, *behind]


def _ends(side: Block, results: tuple[Operand, ...]) -> dict[Operand, ir.Compute]:
    """The dear functions of floats that a side applies to give a result, and for nothing else."""
    dear: dict[Operand, ir.Compute] = {
        s.out: s
        for s in side
        if type(s) is ir.Compute and s.out.dtype.kind == "f" and divisions(s.function)
    }
    if not dear:
        return dear
    used = Counter(results)
    used.update(x for s in ir.walk(side) for x in uses.operands(s))
    given = set(results)
    return {x: s for x, s in dear.items() if x in given and used[x] == 1}


def _alike(first: ir.Compute, second: ir.Compute) -> bool:
    """Whether statements apply the same function. Known numbers, as exponents, may make it another
    one, which is less dear."""
    pairs = zip(first.operands, second.operands)
    return first.function == second.function and all(
        x.dtype == y.dtype and (_is_same(x, y) or (isinstance(x, Var) and isinstance(y, Var)))
        for x, y in pairs
    )


def _is_same(x: Operand, y: Operand) -> bool:
    if isinstance(x, Number) and isinstance(y, Number):
        return repr(x.value) == repr(y.value)
    return x is y
