"""Loops in a block, and in what it holds, replaced in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Statement


def replace_loops(
    block: Block,
    kinds: type | tuple[type, ...],
    change: Callable[[Any], list[Statement] | None],
    enters: Callable[[Statement], bool] = lambda s: True,
) -> bool:
    """Replace loops in a block, the inner ones first.

    Args:
        kinds: of the loops, such as `ir.For`.
        change: what comes in the place of a loop; None if it stays.
        enters: whether the loops in a statement are to change, too.

    Returns:
        Whether any was replaced.
    """
    if ir.is_straight(block):
        return False
    changed = False
    made: list[Statement] = []
    for s in block:
        if enters(s):
            for inner in ir.blocks(s):
                changed |= replace_loops(inner, kinds, change, enters)
        found = change(s) if isinstance(s, kinds) else None
        made += [s] if found is None else found
        changed |= found is not None
    block.statements[:] = made
    return changed


def is_no_vector(s: Statement) -> bool:
    """Whether a statement is not a loop of lanes, whose own loops are those of each lane."""
    return not isinstance(s, ir.Each) or s.mode != "vector"
