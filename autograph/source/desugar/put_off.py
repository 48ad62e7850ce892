"""Exits of a ``try`` statement that are put off until after what its ``finally`` does.

::

    try:                            left = 0
        if x > 0:                   for _ in (0,):
            return x                    if x > 0:
        y = 1 / x                           value, left = x, 1
    finally:                                break
        log()                           y = 1 / x
                                    log()
                                    if left == 1:
                                        return value
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.source.tree.build import assign, at, constant, load, load_tuple, store, synthetic
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import BLOCKS, own_nodes

_RETURNED, _BROKEN, _CONTINUED = 1, 2, 3


def put_off(
    statements: Sequence[gast.AST], context: Context, node: gast.AST
) -> tuple[list[gast.AST], list[gast.AST], list[gast.AST]]:
    """Statements that are left at their end only; what is done before them, and what leaves after
    them.

    Args:
        node: where the statement begins that they are a part of.
    """
    exits = _Exits(context)
    once = at(load_tuple([at(constant(0), node)]), node)
    target = at(store(context.variable("once")), node)
    body = exits.block(list(statements), in_loop=False)
    loop = synthetic(at(gast.For(target, once, body, [], None), node))
    begin: list[gast.AST] = [synthetic(at(assign(exits.left, constant(0)), node))]
    end = [exits.leaving(kind, node) for kind in sorted(exits.kinds)]
    return [loop], begin, end


class _Exits:
    def __init__(self, context: Context):
        self.left, self.value = context.variable("left"), context.variable("value")
        self.kinds: set[int] = set()

    def block(self, statements: list[gast.AST], in_loop: bool) -> list[gast.AST]:
        """Statements without exits but ``break``.

        Args:
            in_loop: whether a loop of theirs is around them.
        """
        return [new for node in statements for new in self.statement(node, in_loop)]

    def statement(self, node: gast.AST, in_loop: bool) -> list[gast.AST]:
        match node:
            case gast.Return():
                value = node.value if node.value is not None else at(constant(None), node)
                return [at(assign(self.value, value), node), *self.leave(_RETURNED, node)]
            case gast.Break() if not in_loop:
                return self.leave(_BROKEN, node)
            case gast.Continue() if not in_loop:
                return self.leave(_CONTINUED, node)
            case gast.For() | gast.While():
                returns = any(isinstance(inner, gast.Return) for inner in own_nodes(node.body))
                node.body = self.block(node.body, in_loop=True)
                node.orelse = self.block(node.orelse, in_loop)
                return [node, self.if_left(_RETURNED, [at(gast.Break(), node)], node)][
                    : 1 + returns
                ]
        for field in BLOCKS:
            if isinstance(getattr(node, field, None), list):
                setattr(node, field, self.block(getattr(node, field), in_loop))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            part.body = self.block(part.body, in_loop)
        return [node]

    def leave(self, kind: int, node: gast.AST) -> list[gast.AST]:
        self.kinds.add(kind)
        return [synthetic(at(assign(self.left, constant(kind)), node)), at(gast.Break(), node)]

    def if_left(self, kind: int, statements: list[gast.AST], node: gast.AST) -> gast.AST:
        test = at(gast.Compare(load(self.left), [gast.Eq()], [constant(kind)]), node)
        return synthetic(at(gast.If(test, statements, []), node))

    def leaving(self, kind: int, node: gast.AST) -> gast.AST:
        """Leave, if that was put off."""
        exit: gast.AST = gast.Break() if kind == _BROKEN else gast.Continue()
        if kind == _RETURNED:
            exit = gast.Return(at(load(self.value), node))
        return self.if_left(kind, [at(exit, node)], node)
