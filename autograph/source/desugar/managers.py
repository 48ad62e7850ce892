"""``with`` statements in programs that handle exceptions, as `PEP 343 <https://peps.python.org/pep-0343/>`_
writes them out.

::

    with m as x:            manager, failed = m, False
        ...                 value = ops.entered(manager)
                            try:
                                try:
                                    x = value
                                    ...
                                except BaseException:
                                    failed = True
                                    if not ops.swallows(sites, error, manager):
                                        raise
                            finally:
                                if not failed:
                                    ops.left(manager)
"""

from __future__ import annotations

import gast

from autograph.source.tree.build import assign, at, constant, load, ops_call, synthetic
from autograph.source.tree.context import Context


def with_to_try(node: gast.With, context: Context) -> tuple[list[gast.AST], gast.Try]:
    """The statements for a ``with`` statement: some, and a ``try``."""
    item, *others = node.items
    manager, failed, value = (context.variable(n) for n in ("manager", "failed", "t"))
    body = [at(gast.With(others, node.body, None), node)] if others else node.body
    if item.optional_vars is not None:
        target = at(gast.Assign([item.optional_vars], load(value), None), item.optional_vars)
        body = [target, *body]
    handler = at(gast.ExceptHandler(load("BaseException"), None, []), node)
    handler.leaves = manager, failed
    leave = at(gast.Expr(ops_call("left", load(manager))), node)
    unless_failed = at(gast.UnaryOp(gast.Not(), load(failed)), node)
    final = synthetic(at(gast.If(unless_failed, [leave], []), node))
    inner = at(gast.Try(body, [handler], [], []), node)
    begin: list[gast.AST] = [
        at(assign(manager, item.context_expr), item.context_expr),
        at(assign(value, ops_call("entered", load(manager))), item.context_expr),
        synthetic(at(assign(failed, constant(False)), node)),
    ]
    return begin, at(gast.Try([inner], [], [], [final]), node)


def leaving(sites: str, error: str, handler: gast.ExceptHandler) -> list[gast.AST]:
    """What the handler of such a ``try`` does.

    Args:
        sites, error: the variables for the exceptions of its body, and for the one that was raised.
    """
    manager, failed = handler.leaves
    swallows = ops_call("swallows", load(sites), load(error), load(manager))
    again = at(gast.Raise(None, None), handler)
    goes_on = at(gast.UnaryOp(gast.Not(), at(swallows, handler)), handler)
    return [
        synthetic(at(assign(failed, constant(True)), handler)),
        synthetic(at(gast.If(goes_on, [again], []), handler)),
    ]
