"""A walrus in an operand that may not be evaluated, rewritten as statements.

``a and (x := b)`` becomes ``t = a`` and ``if t: t = (x := b)``. Everything that Python evaluates
before such an operand is put into a temporary first, so that the order stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from autograph.source.build import assign, at, load
from autograph.source.context import Context
from autograph.source.scopes import COMPREHENSIONS, in_order


def has_walrus(node: gast.AST) -> bool:
    """Whether evaluating an expression may bind a variable of the scope it stands in."""
    return any(isinstance(inner, gast.NamedExpr) for inner in _in_scope(node))


def needs_hoisting(node: gast.AST) -> bool:
    """Whether an expression holds a walrus that is evaluated only on a condition."""
    return any(
        has_walrus(operand) for inner in _in_scope(node) for operand in _conditional_operands(inner)
    )


def _in_scope(node: gast.AST) -> Iterator[gast.AST]:
    """An expression and all those in it, without the bodies of lambdas; without recursion, because
    expressions can be very deep."""
    todo = [node]
    while todo:
        inner = todo.pop()
        if not isinstance(inner, gast.Lambda):
            yield inner
            todo.extend(gast.iter_child_nodes(inner))


def _conditional_operands(node: gast.AST) -> list[gast.AST]:
    match node:
        case gast.BoolOp():
            return node.values[1:]
        case gast.IfExp():
            return [node.body, node.orelse]
        case gast.Compare():
            return node.comparators[1:]
    return []


def hoist(node: gast.AST, context: Context) -> tuple[list[gast.AST], gast.AST]:
    """Rewrite an expression as statements and an expression without conditional walruses."""
    statements: list[gast.AST] = []
    return statements, _Hoister(context, statements).value(node)


class _Hoister:
    def __init__(self, context: Context, statements: list[gast.AST]):
        self.context = context
        self.statements = statements

    def value(self, node: gast.AST) -> gast.AST:
        if not needs_hoisting(node):
            return node
        match node:
            case gast.BoolOp():
                return self.bool_op(node)
            case gast.IfExp():
                result = self.context.variable("t")
                test = self.value(node.test)
                self.branch(test, result, node.body, node.orelse)
                return at(load(result), node)
            case gast.Compare() if any(map(has_walrus, node.comparators[1:])):
                return self.chain(node)
            case _ if isinstance(node, COMPREHENSIONS):
                self.context.refuse(
                    node,
                    "a walrus assignment inside a comprehension is not supported",
                    "write the comprehension as a loop",
                )
            case gast.JoinedStr():
                self.context.refuse(
                    node,
                    "a conditional walrus assignment inside an f-string is not supported",
                    "assign on a line of its own, before the f-string",
                )
        slots = list(_operand_slots(node))
        last = max(i for i, (operand, _) in enumerate(slots) if needs_hoisting(operand))
        for operand, replace in slots[:last]:
            replace(self.spill(operand))
        operand, replace = slots[last]
        replace(self.value(operand))
        return node

    def bool_op(self, node: gast.BoolOp) -> gast.AST:
        """``t = a``, then ``if t: t = b and ...``, or ``if not t`` for ``or``."""
        result = self.context.variable("t")
        first, *rest = node.values
        self.assign(result, self.value(first))
        others = rest[0] if len(rest) == 1 else at(gast.BoolOp(node.op, rest), node)
        test = at(load(result), first)
        if isinstance(node.op, gast.Or):
            test = at(gast.UnaryOp(gast.Not(), test), first)
        self.branch(test, result, others, None)
        return at(load(result), node)

    def chain(self, node: gast.Compare) -> gast.AST:
        """``t = a < b``, then ``if t: t = b < c``, with ``b`` in a temporary."""
        result = self.context.variable("t")
        left = self.spill(node.left)
        middle = self.spill(node.comparators[0])
        self.assign(result, at(gast.Compare(left, node.ops[:1], [middle]), node))
        middle = at(load(middle.id), middle) if isinstance(middle, gast.Name) else middle
        rest = at(gast.Compare(middle, node.ops[1:], node.comparators[1:]), node)
        self.branch(at(load(result), node), result, rest, None)
        return at(load(result), node)

    def branch(self, test: gast.AST, result: str, then: gast.AST, orelse: gast.AST | None) -> None:
        """``if test: result = then``, ``else: result = orelse``."""
        branches = []
        for value in (then, orelse):
            inner = _Hoister(self.context, [])
            if value is not None:
                inner.assign(result, inner.value(value))
            branches.append(inner.statements)
        self.statements.append(at(gast.If(test, *branches), test))

    def spill(self, node: gast.AST) -> gast.AST:
        """Evaluate an operand into a temporary, so that later operands come after it."""
        value = self.value(node)
        if isinstance(value, gast.Constant):
            return value
        temporary = self.context.variable("t")
        self.assign(temporary, value)
        return at(load(temporary), node)

    def assign(self, variable: str, value: gast.AST) -> None:
        self.statements.append(at(assign(variable, value), value))


def _operand_slots(node: gast.AST) -> Iterator[tuple[gast.AST, Callable[[gast.AST], None]]]:
    """The operands of a node in evaluation order, each with a function that replaces it."""
    for child in in_order(node):
        if isinstance(child, gast.Starred | gast.keyword | gast.Slice | gast.FormattedValue):
            yield from _operand_slots(child)
        elif (
            isinstance(child, gast.Lambda)
            or not isinstance(child, gast.expr)
            or (isinstance(node, gast.NamedExpr) and child is node.target)
        ):
            continue
        else:
            yield child, _replacer(node, child)


def _replacer(node: gast.AST, child: gast.AST) -> Callable[[gast.AST], None]:
    def replace(new: gast.AST) -> None:
        for field, value in gast.iter_fields(node):
            if value is child:
                setattr(node, field, new)
            elif isinstance(value, list):
                setattr(node, field, [new if item is child else item for item in value])

    return replace
