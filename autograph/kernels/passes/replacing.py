"""Blocks, and those in what they hold, made anew in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Statement


def rebuild(
    block: Block,
    add: Callable[[list[Statement], Statement], bool],
    enters: Callable[[Statement], bool] = lambda s: True,
) -> bool:
    """Make a block anew, those in its statements first, but for such as have no others in them.

    Args:
        add: adds a statement, or what comes in its place, to those before it, which it may change;
            returns whether that is anything else than the statement.
        enters: whether the blocks in a statement are to be made anew, too.

    Returns:
        Whether any is another one.
    """
    if ir.is_straight(block):
        return False
    changed = False
    made: list[Statement] = []
    for s in block:
        for inner in ir.blocks(s) if enters(s) else ():
            changed |= rebuild(inner, add, enters)
        changed |= add(made, s)
    block.statements[:] = made
    return changed


def replace_statements(
    block: Block,
    kinds: type | tuple[type, ...],
    change: Callable[[Any], list[Statement] | None],
    enters: Callable[[Statement], bool] = lambda s: True,
) -> bool:
    """Replace statements in a block, the inner ones first.

    Args:
        kinds: of these, such as `ir.For`.
        change: what comes in the place of one; None if it stays.
        enters: whether those in a statement are to change, too.

    Returns:
        Whether any was replaced.
    """

    def add(made: list[Statement], s: Statement) -> bool:
        found = change(s) if isinstance(s, kinds) else None
        made += [s] if found is None else found
        return found is not None

    return rebuild(block, add, enters)


def is_no_vector(s: Statement) -> bool:
    """Whether a statement is not a loop of lanes, whose own loops are those of each lane."""
    return not isinstance(s, ir.Each) or s.mode != "vector"
