"""Sugar to core for statements; `autograph.source.desugar.expressions` does the expressions."""

from __future__ import annotations

import copy
from collections import Counter

import gast

from autograph.source.desugar import class_attributes, handlers
from autograph.source.desugar.displays import mark_kept, without_star
from autograph.source.desugar.expressions import Expressions, dotted
from autograph.source.desugar.hoist import has_walrus, hoist
from autograph.source.desugar.managers import with_to_try
from autograph.source.desugar.patterns import match_to_if
from autograph.source.desugar.shapes import of_chosen
from autograph.source.tree.build import (
    IN_PLACE,
    assign,
    at,
    constant,
    is_native,
    load,
    ops_call,
    synthetic,
)
from autograph.source.tree.global_names import refuse_hidden
from autograph.source.tree.options import Handling
from autograph.source.tree.scopes import (
    BLOCKS,
    bindings,
    declared_nonlocal,
    local_names,
    own_statements,
    parameters,
    reads,
    rebound_by_inner,
)

# Context managers that are often used around control flow, and let exceptions pass.
TRANSPARENT = {
    *("numpy.errstate", "numpy.printoptions", "warnings.catch_warnings", "io.open", "_io.open"),
    *("contextlib.nullcontext", "contextlib.closing", "contextlib.redirect_stdout"),
}

REFUSED = {
    "AsyncFunctionDef": ("AG0202", "an asynchronous function", "use 'def'"),
    "AsyncFor": ("AG0202", "'async for'", "use 'for'"),
    "AsyncWith": ("AG0202", "'async with'", "use 'with'"),
    "TryStar": ("AG0204", "'except*'", "use 'except'"),
    "TypeAlias": ("AG0205", "a type alias", "define it outside of the function"),
}


class Desugar(Expressions):
    """Rewrites statements: each method takes one and returns those that replace it.

    Attributes:
        counters: the variables of the present function that only ever hold numbers.
        caught: those that handlers of it give exceptions to.
    """

    counters: frozenset[str] = frozenset()
    caught: frozenset[str] = frozenset()

    def function(self, node: gast.FunctionDef) -> gast.FunctionDef:
        """Rewrite the body of a function in place."""
        if getattr(node, "type_params", None):
            self.context.refuse(
                node, "type parameters are not supported", "remove them from the function", "AG0205"
            )
        self.enter(node)
        bound = Counter(bindings(node.body))
        outer_counters, self.counters = self.counters, _counters(node, bound)
        node.source_locals = local_names(node, bound)
        tries = (n for n in own_statements(node) if isinstance(n, gast.Try))
        outer_caught = self.caught
        self.caught = frozenset(h.name.id for n in tries for h in n.handlers if h.name)
        declarations = [inner for inner in own_statements(node) if isinstance(inner, gast.Nonlocal)]
        unwinds = Handling.CALLED if len(self.scopes) == 1 else Handling.CALLEES
        if self.context.handling >= unwinds:
            node.body = handlers.unwound(node.body, self.context, self.scope())
        node.body = [*sorted(declarations, key=_place), *self.block(node.body)]
        self.counters, self.caught = outer_counters, outer_caught
        self.leave()
        return node

    def block(self, statements: list[gast.AST]) -> list[gast.AST]:
        return [new for statement in statements for new in self.statement(statement)]

    def statement(self, node: gast.AST) -> list[gast.AST]:
        kind = type(node).__name__
        method = getattr(self, "stmt_" + kind, None)
        if method is None:
            id, what, fix = REFUSED.get(kind, ("AG0200", f"'{kind}'", "write it without"))
            self.context.refuse(node, f"{what} is not supported", fix, id)
        return method(node)

    def hoisted(self, node: gast.AST, field: str) -> list[gast.AST]:
        """Rewrite one expression of a statement in place; returns the statements that have to run
        before it."""
        before, value = hoist(getattr(node, field), self.context, self.is_free_builtin)
        setattr(node, field, self.expr(value))
        return self.block(before)

    # -- simple statements -------------------------------------------------------------------------

    def stmt_Expr(self, node: gast.Expr) -> list[gast.AST]:
        branches = of_chosen(node)
        if branches is not None:
            return self.stmt_If(branches)
        return [*self.hoisted(node, "value"), node]

    def stmt_Pass(self, node: gast.Pass) -> list[gast.AST]:
        return []

    def stmt_Break(self, node: gast.AST) -> list[gast.AST]:
        return [node]

    stmt_Continue = stmt_Break

    def stmt_Return(self, node: gast.Return) -> list[gast.AST]:
        if node.value is None:
            node.value = at(constant(None), node)
        mark_kept(node.value)
        return [*self.hoisted(node, "value"), node]

    def stmt_Assign(self, node: gast.Assign) -> list[gast.AST]:
        if of_chosen(node) is not None:
            return self.assign_to_chosen(node)
        names = self.context.of_classes
        if names and any(class_attributes.is_assigned(target, names) for target in node.targets):
            return self.block(class_attributes.apart(node, names, self.context))
        if isinstance(node.value, gast.List) and all(map(_unpacks, node.targets)):
            mark_kept(*node.value.elts)
        else:
            mark_kept(node.value)
        before = self.hoisted(node, "value")
        node.targets = [self.unconditional(target) for target in node.targets]
        if len(node.targets) == 1:
            node.value = without_star(node.targets[0], node.value, node) or node.value
        return [*before, node]

    def assign_to_chosen(self, node: gast.Assign) -> list[gast.AST]:
        """The value comes before what says where it is stored."""
        value = self.context.variable("value")
        first = self.stmt_Assign(at(assign(value, node.value), node))
        node.value = at(load(value), node.value)
        branches = of_chosen(node)
        assert branches is not None
        return [*first, *self.stmt_If(branches)]

    def stmt_AnnAssign(self, node: gast.AnnAssign) -> list[gast.AST]:
        if node.value is None:
            return []
        return self.stmt_Assign(at(assign(node.target, node.value), node))

    def stmt_AugAssign(self, node: gast.AugAssign) -> list[gast.AST]:
        branches = of_chosen(node)
        if branches is not None:
            return self.stmt_If(branches)
        names = self.context.of_classes
        if names and class_attributes.is_assigned(node.target, names):
            return self.block(class_attributes.in_place(node, self.context))
        if not isinstance(node.target, gast.Name):
            node.target = self.unconditional(node.target)
            node.value = self.unconditional(node.value)
            return [node]
        name = node.target.id
        current = at(load(name), node.target)
        if name in self.counters:
            value = gast.BinOp(current, node.op, node.value)
            return self.stmt_Assign(at(assign(name, at(value, node)), node))
        # The call is built last, so that it is not taken for one of the user's.
        pair = at(gast.Tuple([current, node.value], gast.Load()), node)
        before, left = hoist(pair, self.context, self.is_free_builtin)
        operands = [self.expr(operand) for operand in left.elts]
        called = at(ops_call(IN_PLACE[type(node.op)], *operands), node)
        new = at(
            gast.Assign([at(gast.Name(name, gast.Store(), None, None), node.target)], called, None),
            node,
        )
        return [*self.block(before), new]

    def stmt_Delete(self, node: gast.Delete) -> list[gast.AST]:
        found: list[gast.AST] = []
        for target in node.targets:
            if isinstance(target, gast.Tuple | gast.List):
                found += self.stmt_Delete(at(gast.Delete(target.elts), node))
            else:
                found.append(at(gast.Delete([self.unconditional(target)]), node))
        return found

    def stmt_Assert(self, node: gast.Assert) -> list[gast.AST]:
        """``if not test: raise AssertionError(msg)``."""
        error = at(gast.Call(at(load("AssertionError"), node), [], []), node)
        error.args += [node.msg] if node.msg else []
        failure = at(gast.Raise(error, None), node)
        test = at(gast.UnaryOp(gast.Not(), node.test), node.test)
        return self.stmt_If(at(gast.If(test, [failure], []), node))

    def stmt_Raise(self, node: gast.Raise) -> list[gast.AST]:
        node.exc = node.exc and self.unconditional(node.exc)
        node.cause = node.cause and self.unconditional(node.cause)
        parts = [node.exc, node.cause] if node.cause else [node.exc]
        if any(map(self._may_be_one_of_several, parts)):
            node.exc, node.cause = at(ops_call("to_raise", *parts), node), None
        return [node]

    def _may_be_one_of_several(self, exception: gast.AST | None) -> bool:
        """Whether what is raised may be one of several exceptions: it is not what a handler caught,
        nor a class, or made by one, that has the name of a class and is no variable."""
        maker = exception.func if isinstance(exception, gast.Call) else exception
        if isinstance(maker, gast.Name):
            is_caught = maker is exception and maker.id in self.caught
            is_class = maker.id[0].isupper() and self.is_free(maker.id)
            return not (is_caught or is_class)
        if isinstance(maker, gast.Attribute):
            return not maker.attr[0].isupper()
        return not (maker is None or isinstance(maker, gast.Constant))

    def stmt_Import(self, node: gast.AST) -> list[gast.AST]:
        return [node]

    stmt_ImportFrom = stmt_Import

    def stmt_Global(self, node: gast.Global) -> list[gast.AST]:
        for name in node.names:
            if not self.is_free(name):
                refuse_hidden(name, node, self.context)
        return []  # only read: those that are assigned are cells, which are declared so

    def stmt_Nonlocal(self, node: gast.Nonlocal) -> list[gast.AST]:
        return []  # `function` has put it at the beginning

    # -- compound statements -----------------------------------------------------------------------

    def stmt_If(self, node: gast.If) -> list[gast.AST]:
        before = self.hoisted(node, "test")
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [*before, node]

    def stmt_While(self, node: gast.While) -> list[gast.AST]:
        if has_walrus(node.test):
            return self.block(self.binding_while(node))
        node.test = self.expr(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [node]

    def binding_while(self, node: gast.While) -> list[gast.AST]:
        """A test that binds variables moves into the body, and its value is carried along."""
        go = self.context.variable("go")
        test = node.test
        start = at(assign(go, constant(True)), test)
        step = at(assign(go, test), test)
        guarded = at(gast.If(at(load(go), test), node.body, []), node)
        return [start, at(gast.While(at(load(go), test), [step, guarded], node.orelse), node)]

    def stmt_For(self, node: gast.For) -> list[gast.AST]:
        before = self.hoisted(node, "iter")
        node.target = self.unconditional(node.target)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [*before, node]

    def stmt_With(self, node: gast.With) -> list[gast.AST]:
        suppressed = self.suppressed(node) if self.context.handling else None
        if suppressed:
            return self.stmt_Try(suppressed)
        node.swallows = not all(self.lets_exceptions_pass(item.context_expr) for item in node.items)
        if node.swallows and self.context.handling:
            begin, attempt = with_to_try(copy.deepcopy(node), self.context)
            made = handlers.handled(attempt, self.context, self.scope())
            if made is not None:
                return self.block([*begin, *made])
        for item in node.items:
            item.context_expr = self.unconditional(item.context_expr)
            if item.optional_vars is not None:
                item.optional_vars = self.unconditional(item.optional_vars)
        node.body = self.block(node.body)
        return [node]

    def suppressed(self, node: gast.With) -> gast.Try | None:
        """``with contextlib.suppress(...)`` as a ``try``; None for another one."""
        kinds: list[gast.AST] = []
        for item in node.items:
            call = item.context_expr
            path = dotted(call.func) if isinstance(call, gast.Call) else ()
            known = path and self.is_free(path[0])
            if not known or self.surroundings.named(path) != "contextlib.suppress":
                return None
            if call.keywords or item.optional_vars is not None:
                return None
            kinds += call.args
        kind = at(gast.Tuple(kinds, gast.Load()), node)
        handler = at(gast.ExceptHandler(kind, None, [at(gast.Pass(), node)]), node)
        return at(gast.Try(node.body, [handler], [], []), node)

    def lets_exceptions_pass(self, manager: gast.AST) -> bool:
        """Whether a context manager is known not to swallow exceptions."""
        path = dotted(manager.func) if isinstance(manager, gast.Call) else ()
        return bool(path) and self.is_free(path[0]) and self.surroundings.named(path) in TRANSPARENT

    def scope(self) -> handlers.KnownNames:
        return handlers.KnownNames(self.lets_exceptions_pass, self.is_free)

    def stmt_Try(self, node: gast.Try) -> list[gast.AST]:
        if self.context.handling:
            made = handlers.handled(node, self.context, self.scope())
            if made is not None:
                return self.block(made)
        for field in BLOCKS:
            setattr(node, field, self.block(getattr(node, field)))
        for handler in node.handlers:
            if handler.name is not None and handler.name.id in reads(handler.body):
                known = ops_call("of_python", load(handler.name.id))
                handler.body.insert(0, synthetic(at(gast.Expr(known), handler)))
            handler.type = handler.type and self.unconditional(handler.type)
            handler.body = self.block(handler.body)
        return [node]

    def stmt_Match(self, node: gast.Match) -> list[gast.AST]:
        return self.block(match_to_if(node, self.context))

    def stmt_ClassDef(self, node: gast.ClassDef) -> list[gast.AST]:
        # Its methods are converted when they are called.
        noted = gast.Expr(ops_call("own_class", load(node.name)))
        return [node, at(synthetic(noted), node)]

    def stmt_FunctionDef(self, node: gast.FunctionDef) -> list[gast.AST]:
        if is_native(node):
            return [node]
        node.decorator_list = [
            at(ops_call("decorator", self.unconditional(d)), d) for d in node.decorator_list
        ]
        self.defaults(node.args)
        node.returns = node.returns and self.expr(node.returns)
        return [self.function(node)]


def _unpacks(target: gast.AST) -> bool:
    """Whether assigning a list to a target keeps its elements, and not the list."""
    if isinstance(target, gast.Subscript):
        return isinstance(target.slice, gast.Slice)
    return isinstance(target, gast.Tuple | gast.List)


def _place(node: gast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _counters(node: gast.FunctionDef, times: Counter[str]) -> frozenset[str]:
    """The variables that only ever hold numbers: those bound to numeric literals, and to sums,
    products ... of such variables, and to nothing else.

    Args:
        times: how often each variable is bound.
    """
    values: dict[str, list[gast.AST]] = {}
    for inner in own_statements(node):
        if isinstance(inner, gast.Assign):
            for target in inner.targets:
                if isinstance(target, gast.Name):
                    values.setdefault(target.id, []).append(inner.value)
        elif isinstance(inner, gast.AugAssign) and isinstance(inner.target, gast.Name):
            values.setdefault(inner.target.id, []).append(inner.value)
    found = {name for name in values if times[name] == len(values[name])}
    found -= {parameter.id for parameter in parameters(node.args)}
    found -= declared_nonlocal(node) | rebound_by_inner(node)
    in_order = [name for name in values if name in found]  # as they stand, mostly
    before = len(found) + 1
    while len(found) < before:
        before = len(found)
        for name in in_order:
            if not all(_is_number(value, found) for value in values[name]):
                found.discard(name)
    return frozenset(found)


def _is_number(node: gast.AST, counters: set[str]) -> bool:
    match node:
        case gast.Constant():
            return type(node.value) in (int, float)
        case gast.Name():
            return node.id in counters
        case gast.UnaryOp():
            return isinstance(node.op, gast.USub | gast.UAdd) and _is_number(node.operand, counters)
        case gast.BinOp():
            return _is_number(node.left, counters) and _is_number(node.right, counters)
    return False
