"""Assigning attributes that may be those of classes.

Whether ``owner.name = value`` assigns one of a class is known when it runs. So where a recording
has found that attributes of that name are, `ops.stored_attribute` does it.
"""

from __future__ import annotations

from collections.abc import Collection

import gast

from autograph.source.tree.build import IN_PLACE, assign, at, constant, load, ops_call, store
from autograph.source.tree.context import Context


def is_assigned(node: gast.AST, names: Collection[str]) -> bool:
    """Whether a target of an assignment is an attribute with one of some names, or has one in
    it."""
    if isinstance(node, gast.Tuple | gast.List):
        return any(is_assigned(part, names) for part in node.elts)
    if isinstance(node, gast.Starred):
        return is_assigned(node.value, names)
    return isinstance(node, gast.Attribute) and node.attr in names


def apart(node: gast.Assign, names: Collection[str], context: Context) -> list[gast.AST]:
    """An assignment to variables in the place of such attributes, and one to each of these."""
    after: list[gast.AST] = []

    def target(part: gast.AST) -> gast.AST:
        if isinstance(part, gast.Tuple | gast.List):
            part.elts = [target(inner) for inner in part.elts]
        elif isinstance(part, gast.Starred):
            part.value = target(part.value)
        elif is_assigned(part, names):
            value = context.variable("value")
            after.append(stored(part, part.value, at(load(value), node)))
            return at(store(value), part)
        return part

    node.targets = [target(part) for part in node.targets]
    return [node, *after]


def stored(target: gast.Attribute, owner: gast.AST, value: gast.AST) -> gast.AST:
    """``owner.name = value``"""
    call = ops_call("stored_attribute", owner, at(constant(target.attr), target), value)
    return at(gast.Expr(at(call, target)), target)


def in_place(node: gast.AugAssign, context: Context) -> list[gast.AST]:
    """``owner.name += value``"""
    owner = context.variable("owner")
    first = at(assign(owner, node.target.value), node)
    current = at(gast.Attribute(load(owner), node.target.attr, gast.Load()), node.target)
    called = at(ops_call(IN_PLACE[type(node.op)], current, node.value), node)
    return [first, stored(node.target, at(load(owner), node.target), called)]
