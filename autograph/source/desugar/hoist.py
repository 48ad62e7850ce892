"""A walrus in an operand that may not be evaluated, rewritten as statements.

``a and (x := b)`` becomes ``t = a`` and ``if t: t = (x := b)``. Everything that Python evaluates
before such an operand is put into a temporary first, so that the order stays. A comprehension with
a walrus becomes a loop, and a lambda that would need statements becomes a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from autograph.source.tree.build import assign, at, constant, function_def, load, load_tuple
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import COMPREHENSIONS, in_order, own_nodes, targets, walk


def has_walrus(node: gast.AST) -> bool:
    """Whether evaluating an expression may bind a variable of the scope it stands in."""
    return any(isinstance(inner, gast.NamedExpr) for inner in own_nodes([node]))


def needs_hoisting(node: gast.AST) -> bool:
    """Whether an expression needs statements in front of it."""
    holds = any(isinstance(inner, gast.NamedExpr) for inner in walk(node))
    return holds and any(map(_is_hoisted, own_nodes([node])))


def _is_hoisted(node: gast.AST) -> bool:
    if isinstance(node, gast.Lambda):
        return needs_hoisting(node.body)
    if isinstance(node, COMPREHENSIONS):
        return has_walrus(node)
    return any(map(has_walrus, _conditional_operands(node)))


def _binds(node: gast.AST) -> bool:
    return has_walrus(node) or needs_hoisting(node)


def _conditional_operands(node: gast.AST) -> list[gast.AST]:
    match node:
        case gast.BoolOp():
            return node.values[1:]
        case gast.IfExp():
            return [node.body, node.orelse]
        case gast.Compare():
            return node.comparators[1:]
    return []


def hoist(
    node: gast.AST, context: Context, is_builtin: Callable[[gast.AST, set[str]], bool]
) -> tuple[list[gast.AST], gast.AST]:
    """Rewrite an expression as statements and an expression that needs none.

    Args:
        context: of the conversion.
        is_builtin: tells whether an expression is one of some built-in functions.
    """
    hoister = _Hoister(context, is_builtin)
    value = hoister.value(node)
    return hoister.statements, value


class _Hoister:
    def __init__(self, context: Context, is_builtin: Callable[[gast.AST, set[str]], bool]):
        self.context = context
        self.is_builtin = is_builtin
        self.statements: list[gast.AST] = []

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
            case gast.Compare() if any(map(_binds, node.comparators[1:])):
                return self.chain(node)
            case gast.Lambda():
                return self.function(node)
            case gast.Call() if self.is_search(node):
                return self.search(node)
            case gast.ListComp() | gast.SetComp():
                return self.collection(node)
            case gast.DictComp() | gast.GeneratorExp():
                self.refuse_walrus(node)
            case gast.JoinedStr():
                self.context.refuse(
                    node,
                    "a conditional walrus assignment inside an f-string is not supported",
                    "assign on a line of its own, before the f-string",
                    "AG0209",
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
        test: gast.AST = at(load(result), first)
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

    def function(self, node: gast.Lambda) -> gast.AST:
        """``def f(x): return ...``"""
        name = self.context.variable("lambda")
        result = at(gast.Return(node.body), node.body)
        self.statements.append(at(function_def(name, node.args, [result]), node))
        return at(load(name), node)

    def collection(self, node: gast.ListComp | gast.SetComp) -> gast.AST:
        """``items = []``, then ``for x in xs: items.append(...)``."""
        result = self.context.variable("items")
        start: gast.AST
        if isinstance(node, gast.ListComp):
            start, method = gast.List([], gast.Load()), "append"
        else:
            start, method = gast.Set([gast.Starred(load_tuple([]), gast.Load())]), "add"
        self.assign(result, at(start, node))
        add = gast.Call(gast.Attribute(load(result), method, gast.Load()), [node.elt], [])
        self.loops(node, [at(gast.Expr(at(add, node.elt)), node.elt)])
        return at(load(result), node)

    def is_search(self, node: gast.Call) -> bool:
        """Whether a call is ``any`` or ``all`` of a generator expression."""
        arguments = [*node.args, *node.keywords]
        generator = len(arguments) == 1 and isinstance(arguments[0], gast.GeneratorExp)
        return generator and self.is_builtin(node.func, {"any", "all"})

    def search(self, node: gast.Call) -> gast.AST:
        """``any(... for x in xs)``: ``found = False``, then ``for x in xs: if ...: found = True``
        and ``break``; the same for ``all``."""
        (generator,) = node.args
        result = self.context.variable("found")
        found = node.func.id == "any"
        self.assign(result, at(constant(not found), node))
        test = generator.elt
        if not found:
            test = at(gast.UnaryOp(gast.Not(), test), test)
        hit = at(assign(result, constant(found)), generator.elt)
        if len(generator.generators) > 1:
            self.refuse_walrus(generator)
        self.loops(generator, [at(gast.If(test, [hit, at(gast.Break(), hit)], []), generator.elt)])
        return at(load(result), node)

    def loops(self, node: gast.AST, body: list[gast.AST]) -> None:
        """The loops of a comprehension, around a body; its variables are none of the function's."""
        names = {name: self.context.variable(name) for name in targets(node)}
        first = node.generators[0]
        inner = [part for g in node.generators for part in (g.target, *g.ifs)]
        inner += [generator.iter for generator in node.generators[1:]]
        for part in own_nodes([*inner, *body]):
            if isinstance(part, (gast.Lambda, *COMPREHENSIONS)):
                self.refuse_walrus(node)
            if isinstance(part, gast.Name):
                part.id = names.get(part.id, part.id)
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [at(gast.If(test, body, []), test)]
            iterable = self.value(generator.iter) if generator is first else generator.iter
            body = [at(gast.For(generator.target, iterable, body, [], None), node)]
        self.statements += body

    def refuse_walrus(self, node: gast.AST) -> None:
        self.context.refuse(
            node,
            "a walrus assignment inside a comprehension of this kind is not supported",
            "write the comprehension as a loop",
            "AG0209",
        )

    def branch(self, test: gast.AST, result: str, then: gast.AST, orelse: gast.AST | None) -> None:
        """``if test: result = then``, ``else: result = orelse``."""
        branches = []
        for value in (then, orelse):
            inner = _Hoister(self.context, self.is_builtin)
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
            (isinstance(child, gast.Lambda) and not _is_hoisted(child))
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
