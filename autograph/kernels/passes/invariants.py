"""Dear functions of what no trip of a loop changes, computed once, before the loop.

LLVM does so with what is computed in every trip, and with what it may compute in vain, but a
function that is called, as those are that a kernel applies often, it leaves in a branch. Lanes that
compute ahead (`ahead`) need not have it at all.

It may be computed in vain here, too: a function of floats has no effect. Out of a branch it comes
where there are trips enough for one of them to take it. What is cheap beside that moves only where
a dear function needs it.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Number, Operand, Statement
from autograph.kernels.ir.work import divisions
from autograph.kernels.passes.dependence import defined_in
from autograph.kernels.passes.replacing import replace_statements

_DEAR = 3  # divisions that a function takes as long as: one that is no instruction
_ENOUGH = 8  # trips, of which one may be expected to take a branch
_TRAPPING = frozenset(["quotient", "rest"])  # by zero


def without_invariants(block: Block) -> bool:
    """Move what loops in a block compute alike in all trips before these, in place. Returns whether
    there was any."""

    def change(s: ir.For | ir.While | ir.Each) -> list[Statement] | None:
        moved = _moved_from(s)
        return [*moved, s] if moved else None

    return replace_statements(block, (ir.For, ir.While, ir.Each), change)


def _moved_from(loop: ir.For | ir.While | ir.Each) -> list[Statement]:
    """Take the dear functions of a loop, that no trip changes, and what they need, out of it, in
    place. Those of loops in it stand before these already."""
    varying: set[Operand] = {*defined_in([loop])}
    given: dict[Operand, ir.Compute] = {}
    for s in _outside_of_loops(loop, in_branches=_makes_trips(loop)):
        if _may_move(s) and varying.isdisjoint(s.operands):
            varying.discard(s.out)
            given[s.out] = s
    needed: set[Operand] = set()
    pending: list[Operand] = [x for x, s in given.items() if divisions(s.function) >= _DEAR]
    while pending:
        x = pending.pop()
        if x in given and x not in needed:
            needed.add(x)
            pending += given[x].operands
    moved: list[Statement] = [s for x, s in given.items() if x in needed]
    if moved:
        _take(loop, {id(s) for s in moved})
    return moved


def _makes_trips(loop: ir.For | ir.While | ir.Each) -> bool:
    """Whether a loop makes many trips, as far as is known."""
    if isinstance(loop, ir.While):
        return False
    return not isinstance(loop.count, Number) or loop.count.value >= _ENOUGH


def _outside_of_loops(s: Statement, in_branches: bool) -> Iterator[ir.Compute]:
    """What a loop computes, in order, but in loops in it, and in branches only if these count."""
    for block in ir.blocks(s):
        for inner in block:
            if type(inner) is ir.Compute:
                yield inner
            elif in_branches and isinstance(inner, ir.If):
                yield from _outside_of_loops(inner, in_branches)


def _may_move(s: ir.Compute) -> bool:
    return not s.function.endswith("_checked") and s.function not in _TRAPPING


def _take(s: Statement, moved: set[int]) -> None:
    for block in ir.blocks(s):
        block.statements[:] = [x for x in block if id(x) not in moved]
        for inner in block:
            if isinstance(inner, ir.If):
                _take(inner, moved)
