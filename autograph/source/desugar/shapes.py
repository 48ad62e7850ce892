"""What statements, targets and values look like, for those who write them in another way."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import gast

from autograph.source.tree.build import at, constant, load, load_tuple
from autograph.source.tree.scopes import own_nodes

EXITS = (gast.Return, gast.Break, gast.Continue)


def always_leaves(statements: Sequence[gast.AST]) -> bool:
    """Whether nothing is done after some statements of a function."""
    match statements[-1] if statements else None:
        case gast.Return() | gast.Raise():
            return True
        case gast.If(body=body, orelse=orelse):
            return always_leaves(body) and always_leaves(orelse)
        case gast.With(body=body):
            return always_leaves(body)
    return False


def may_leave(statements: Sequence[gast.AST]) -> bool:
    """Whether some statements may be left by ``return``, ``break`` or ``continue``."""
    return any(isinstance(node, EXITS) for node in own_nodes(statements))


def is_simple(target: gast.AST) -> bool:
    """Whether storing into a target cannot fail when the program runs."""
    match target:
        case gast.Tuple() | gast.List():
            return all(isinstance(part, gast.Name) for part in target.elts)
    return isinstance(target, gast.Name)


def is_path(node: gast.AST) -> bool:
    """Whether an expression is a variable, or an attribute of one."""
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and is_path(node.value))


def is_display(value: gast.AST, target: gast.Tuple | gast.List) -> bool:
    """Whether a value is written as so many items as a target takes."""
    return isinstance(value, gast.Tuple) and len(value.elts) == len(target.elts)


def of_chosen(statement: gast.Expr | gast.AugAssign | gast.Assign) -> gast.If | None:
    """``(a if test else b).method(...)``, ``(a if test else b)[i] += x`` and the same with ``=`` as
    a branch for each, in which it is known what is changed; None for other statements."""
    match statement:
        case gast.Expr(value=gast.Call(func=changed)):
            pass
        case gast.AugAssign(target=changed) | gast.Assign(targets=[changed]):
            pass
        case _:
            return None
    if not isinstance(changed, gast.Attribute | gast.Subscript):
        return None
    chosen = changed.value
    if not isinstance(chosen, gast.IfExp):
        return None
    branches = []
    for value in (chosen.body, chosen.orelse):
        changed.value = value
        branches.append([copy.deepcopy(statement)])
    changed.value = chosen
    return at(gast.If(chosen.test, *branches), statement)


def as_value(index: gast.AST) -> gast.AST:
    """What stands between brackets, as an expression of its own."""
    match index:
        case gast.Slice():
            given = (index.lower, index.upper, index.step)
            parts = [at(constant(None), index) if part is None else part for part in given]
            return at(gast.Call(load("slice"), parts, []), index)
        case gast.Tuple():
            return at(load_tuple([as_value(part) for part in index.elts]), index)
    return index
