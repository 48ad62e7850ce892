"""Loops in which a number that no trip changes decides which of two values is taken become two, one
for each, of which one runs (loop unswitching: Allen & Cocke, "A catalogue of optimizing
transformations", 1972). Then what is not taken is not computed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import BOOL, Number, Operand, Var
from autograph.kernels.passes.jam import Copier

_MOST_STATEMENTS = 150


def unswitched(each: ir.Each) -> list[ir.Statement] | None:
    """What comes in the place of a loop of independent trips, which are straight but for branches;
    None if it stays."""
    condition = _condition(each)
    if condition is None:
        return None
    with block_apart("sides") as (builder, made):
        builder.if_(
            condition,
            _side(builder, each, condition, True),
            _side(builder, each, condition, False),
        )
    *before, branch = made.statements
    assert isinstance(branch, ir.If)
    results = tuple(r.out for r in each.reductions)
    made.statements[:] = [*before, dataclasses.replace(branch, results=results)]
    drop_unused(made)
    return made.statements


def _condition(each: ir.Each) -> Var | None:
    """What decides in all trips between two values that they compute or load."""
    selects = [s for s in each.body if type(s) is ir.Compute and s.function == "select"]
    if not selects or each.flags is not None:
        return None
    inside = list(ir.walk(each.body))
    if len(inside) > _MOST_STATEMENTS:
        return None
    defined: set[Operand] = {each.index, *(v for s in inside for v in uses.defined(s))}
    for s in selects:
        condition, *values = s.operands
        if isinstance(condition, Var) and condition not in defined and defined.issuperset(values):
            return condition
    return None


def _side(
    builder: KernelBuilder, each: ir.Each, condition: Var, value: bool
) -> Callable[[], Sequence[Operand]]:
    """What adds the loop in which the condition has a value."""

    def add() -> Sequence[Operand]:
        found: list[ir.Reduction] = []
        with builder.each(each.count, each.mode, found, each.work) as i:
            copy: dict[Operand, Operand] = {each.index: i, condition: Number(value, BOOL)}
            Copier(builder).statements(each.body, [copy])
            for r in each.reductions:
                out = Var(r.out.dtype, r.out.name)
                found.append(dataclasses.replace(r, out=out, value=Copier.of(r.value, copy)))
        return [r.out for r in found]

    return add
