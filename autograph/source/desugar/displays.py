"""List displays whose lists are kept: only those can be changed later. And targets that look like
displays."""

from __future__ import annotations

import gast

from autograph.source.tree.build import at, constant, ops_call


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


def without_star(target: gast.AST, value: gast.AST, origin: gast.AST) -> gast.AST | None:
    """What to assign to ``a, *b``, from which the star is taken: ``ops.parted(value, 1, 0)``; None
    for a target without one.

    Args:
        origin: the statement, where Python takes the value apart.
    """
    elements = target.elts if isinstance(target, gast.Tuple | gast.List) else []
    for place, element in enumerate(elements):
        if isinstance(element, gast.Starred):
            elements[place] = element.value
            after = len(elements) - 1 - place
            return at(ops_call("parted", value, constant(place), constant(after)), origin)
    return None
