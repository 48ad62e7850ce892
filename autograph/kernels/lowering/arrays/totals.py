"""Elements of arrays whose lengths are known only at run time, combined to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.lowering.loops import combined
from autograph.kernels.lowering.state import State


def total(state: State, count: Operand, combine: str, start: Any, element: Callable) -> Operand:
    """The elements of a loop combined."""
    b = state.b
    if state.serial:
        with b.block():  # to learn its dtype; what it adds is forgotten
            dtype = element((ir.Var(LONG),)).dtype
        init = ir.Number(start, dtype)
        return b.for_(
            count, (init,), lambda i, so_far: (combined(combine, so_far, element((i,))),)
        )[0]
    reductions: list[ir.Reduction] = []
    with b.each(count, "vector", reductions) as i:
        reductions.append(b.reduction(combine, element((i,)), start))
    return reductions[0].out


def total_of_all(
    state: State, lengths: Sequence[Operand], combine: str, start: Any, element: Callable
) -> Operand:
    """The elements along all axes combined: rows one after the other."""
    count, *rest = lengths
    if not rest:
        return total(state, count, combine, start, element)

    def row(i: Operand) -> Operand:
        return total_of_all(state, rest, combine, start, lambda index: element((i, *index)))

    with state.b.block():  # to learn its dtype; what it adds is forgotten
        dtype = row(ir.Var(LONG)).dtype
    init = ir.Number(start, dtype)
    return state.b.for_(count, (init,), lambda i, so_far: (combined(combine, so_far, row(i)),))[0]
