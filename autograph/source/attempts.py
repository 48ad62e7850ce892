"""``try`` statements around one statement whose value may fail when the program runs.

::

    try:                            fails = ops.fails(lambda: 1 / x, lambda: ZeroDivisionError)
        y = 1 / x                   if fails is None:
    except ZeroDivisionError:           <the try statement>
        y = 0.0                     elif fails:
                                        y = 0.0
                                    else:
                                        y = 1 / x

Of several statements each is tested after those before it. `ops.fails` gives None where nothing
that the value is computed with may raise such an exception at run time, and where it can't say when
it does. The state in the handler is that before the statement, whose value is all that may fail.
"""

from __future__ import annotations

import copy

import gast

from autograph.source.build import assign, at, constant, load, ops_call, thunk
from autograph.source.context import Context

# What no operator raises at run time.
_STATIC = {
    *("AssertionError", "AttributeError", "ImportError", "KeyError", "ModuleNotFoundError"),
    *("NameError", "NotImplementedError", "OSError", "StopIteration", "TypeError"),
}

# How many statements of a ``try`` are tested one by one.
_MOST = 8


def attempt(node: gast.Try, context: Context) -> list[gast.AST] | None:
    """The statements in place of a ``try``; None for one that stays as it is."""
    if not _is_one(node):
        return None
    if node.finalbody:
        inner = at(gast.Try(node.body, node.handlers, node.orelse, []), node)
        made = attempt(inner, context)
        return [at(gast.Try(made, [], [], node.finalbody), node)]
    (handler,) = node.handlers
    if len(node.body) == 1:
        return _tested(node, handler.body, copy.deepcopy([*node.body, *node.orelse]), context)
    failed = context.variable("failed")
    chosen = at(gast.If(load(failed), handler.body, node.orelse), node)
    return [_flag(failed, False, node), *_one_by_one(node, node.body, failed, context), chosen]


def _one_by_one(
    node: gast.Try, body: list[gast.AST], failed: str, context: Context
) -> list[gast.AST]:
    """The statements of a ``try``, each only if none before it has failed."""
    first, *rest = body
    kinds = copy.deepcopy(node.handlers[0].type)
    handler = at(gast.ExceptHandler(kinds, None, [_flag(failed, True, node)]), node.handlers[0])
    tried = at(gast.Try([first], [handler], [], []), first)
    made = _tested(tried, [_flag(failed, True, node)], [copy.deepcopy(first)], context)
    if not rest:
        return made
    goes_on = at(gast.UnaryOp(gast.Not(), load(failed)), first)
    following = _one_by_one(node, rest, failed, context)
    return [*made, at(gast.If(goes_on, following, []), first)]


def _tested(
    node: gast.Try, failed: list[gast.AST], done: list[gast.AST], context: Context
) -> list[gast.AST]:
    """A ``try`` around one statement.

    Args:
        failed: what is done where it is known to fail.
        done: what is done where it is known not to.
    """
    name = context.variable("fails")
    value, kinds = copy.deepcopy((_value(node.body[0]), node.handlers[0].type))
    first = assign(name, ops_call("fails", thunk(value), thunk(kinds)))
    test = at(gast.If(load(name), copy.deepcopy(failed), done), node)
    node.is_attempt = True
    is_none = at(gast.Compare(load(name), [gast.Is()], [constant(None)]), node)
    return [at(first, node), at(gast.If(is_none, [node], [test]), node)]


def _flag(name: str, value: bool, node: gast.AST) -> gast.AST:
    return at(assign(name, constant(value)), node)


def _is_one(node: gast.Try) -> bool:
    """Whether a ``try`` has one handler, which does not read the exception, and a few statements
    whose values may fail."""
    if getattr(node, "is_attempt", False) or len(node.handlers) != 1 or len(node.body) > _MOST:
        return False
    (handler,) = node.handlers
    values = [_value(statement) for statement in node.body]
    if None in values or handler.name is not None or not _is_of_the_run(handler.type):
        return False
    if any(isinstance(n, gast.Raise) and n.exc is None for n in gast.walk(handler)):
        return False
    nodes = (n for value in values for n in gast.walk(value))
    return not any(isinstance(n, gast.NamedExpr | gast.Await | gast.Yield) for n in nodes)


def _value(statement: gast.AST) -> gast.AST | None:
    """The expression that may fail, if nothing but variables is assigned after that."""
    match statement:
        case gast.Return() | gast.Expr():
            return statement.value
        case gast.Assign() if all(map(_is_safe, statement.targets)):
            return statement.value
        case gast.AnnAssign() if _is_safe(statement.target):
            return statement.value
        case gast.AugAssign() if isinstance(statement.target, gast.Name):
            read = at(load(statement.target.id), statement)
            return at(gast.BinOp(read, statement.op, statement.value), statement)
    return None


def _is_safe(target: gast.AST) -> bool:
    """Whether storing into a target can't fail when the program runs."""
    if isinstance(target, gast.Attribute):
        target = target.value
    return isinstance(target, gast.Name)


def _is_of_the_run(kinds: gast.AST | None) -> bool:
    """Whether operators may raise what a handler names."""
    parts = kinds.elts if isinstance(kinds, gast.Tuple) else [kinds]
    names = {getattr(part, "id", getattr(part, "attr", None)) for part in parts}
    return kinds is not None and not names <= _STATIC
