"""List displays whose lists are kept: only those can be changed later."""

from __future__ import annotations

import gast


def mark_kept(*nodes: gast.AST | None) -> None:
    """Mark the list displays in some expressions whose values are bound to a variable, put into a
    container, or returned; not those that the expression itself uses up."""
    for node in nodes:
        match node:
            case gast.List():
                node.is_kept = True
                mark_kept(*node.elts)
            case gast.BinOp():
                _mark_operation(node)
            case gast.Tuple():
                mark_kept(*node.elts)
            case gast.Dict():
                mark_kept(*node.values)
            case gast.IfExp():
                mark_kept(node.body, node.orelse)
            case gast.BoolOp():
                mark_kept(*node.values)


def _mark_operation(node: gast.BinOp) -> None:
    """``[x] * n``, ``xs + [x]``: a new list with the elements of the display."""
    for operand in (node.left, node.right):
        if isinstance(operand, gast.List):
            node.is_kept = True
            mark_kept(*operand.elts)


def is_kept(node: gast.AST) -> bool:
    """Whether an expression makes a list that is kept."""
    return getattr(node, "is_kept", False)
