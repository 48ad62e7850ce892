"""Expressions in SSA form: each name becomes the version that is current where it is read.

A comprehension becomes a call with functions of an item, which read the versions around them as any
inner function does: ``[x * n for x in xs]`` is ``ops.collect(lambda x: x * n_1, xs)``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TypeVar

import gast

from autograph.source.ssa.captures import captured_later, rebound_captures
from autograph.source.ssa.versions import Environment, Namer, Version
from autograph.source.tree.build import (
    OPS,
    arguments,
    assign,
    at,
    base_name,
    constant,
    function_def,
    is_internal,
    is_thunk,
    load,
    ops_call,
    thunk,
)
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import (
    COMPREHENSIONS,
    bindings,
    in_order,
    local_names,
    parameters,
    targets,
)

T = TypeVar("T")


class Renamer:
    """Renames the variables of one function.

    Args:
        context: of the conversion.
        namer: of the whole tree.
        ops: what the module of operators is called.
        known: names that are variables of this function or one around it; a name that is neither
            in there nor in the environment is global.
        cells: variables that are not put into single assignment: those that inner functions
            assign, or read after they may have been assigned again, and those that have to survive
            an exception. They stay variables, under their own names.
        undone: variables that some statement, perhaps in an inner function, deletes.

    Attributes:
        assigned: for each region being built, outermost first, the cells that it assigns.
        pending: functions made from parts of the present statement, to be put in front of it.
        native: whether the expression stands in a comprehension that stays one, whose variables
            no function in front of the statement can read.
    """

    def __init__(
        self,
        context: Context,
        namer: Namer,
        ops: str,
        known: frozenset[str],
        cells: frozenset[str],
        undone: frozenset[str],
    ):
        self.context = context
        self.namer = namer
        self.ops = ops
        self.known = known
        self.cells = cells
        self.undone = undone
        self.assigned: list[set[str]] = [set()]
        self.pending: list[gast.FunctionDef] = []
        self.native = False

    def bind(self, variable: str, env: Environment, maybe: bool = False) -> str:
        """Start a new version of a variable; returns its name."""
        if variable in self.cells:
            name, maybe = variable, maybe or variable in self.undone
            self.assigned[-1].add(variable)
        else:
            name = env.pinned.get(variable) or self.namer.version(variable)
            env.bound.add(name)
        env.versions[variable] = Version(name, maybe)
        return name

    def expr(self, node: gast.AST, env: Environment) -> gast.AST:
        """Rename the variables in an expression or assignment target. Assignments in it start new
        versions."""
        if isinstance(node, gast.Name):  # the most frequent ones first
            return self.name(node, env)
        if isinstance(node, gast.Constant):
            return node
        match node:
            case gast.Lambda() if is_thunk(node):
                node.body = self.expr(node.body, env)
                return node
            case gast.Lambda():
                return self.user_lambda(node, env)
            case _ if isinstance(node, COMPREHENSIONS):
                return self.comprehension(node, env)
        return self.operands(node, env)

    def operands(self, node: gast.AST, env: Environment) -> gast.AST:
        """Rename in the children of a node, in the order in which they are evaluated."""
        renamed: dict[gast.AST, gast.AST] = {}
        for child in in_order(node):
            new = self.expr(child, env)
            if new is not child:
                renamed[child] = new
        for field, value in gast.iter_fields(node) if renamed else ():
            if isinstance(value, list):
                setattr(node, field, [renamed.get(item, item) for item in value])
            elif isinstance(value, gast.AST):
                setattr(node, field, renamed.get(value, value))
        return node

    def name(self, node: gast.Name, env: Environment) -> gast.AST:
        variable = node.id
        if isinstance(node.ctx, gast.Store):
            node.id = self.bind(variable, env)
            return node
        if variable == OPS:
            node.id = self.ops
            return node
        version = env.versions.get(variable)
        handed_on = getattr(node, "is_handed_on", False)
        if version is not None:
            node.id = version.name
            passed_on = is_internal(variable) and not getattr(node, "is_checked", False)
            return self.defined(node) if version.maybe and not (passed_on or handed_on) else node
        if is_internal(variable) or handed_on:
            return at(self.undefined(variable), node)  # on a path that is never taken
        if variable in self.known:
            return self.defined(at(self.undefined(variable), node))
        return node

    def ops_call(self, name: str, *args: gast.AST, **keywords: gast.AST) -> gast.Call:
        """``ops.name(*args, **keywords)``, with the module's name in the converted function."""
        call = ops_call(name, *args, **keywords)
        call.func.value.id = self.ops
        return call

    def defined(self, value: gast.AST) -> gast.AST:
        """``ops.defined(value)``"""
        return at(self.ops_call("defined", value), value)

    def undefined(self, variable: str) -> gast.AST:
        """``ops.undefined('variable')``"""
        return self.ops_call("undefined", constant(base_name(variable)))

    def unread(self, variable: str) -> gast.AST:
        """``ops.unread('variable')``"""
        return self.ops_call("unread", constant(base_name(variable)))

    def value(self, variable: str, env: Environment) -> gast.AST:
        """An expression that hands a variable on, defined or not."""
        version = env.versions.get(variable)
        return self.undefined(variable) if version is None else load(version.name)

    def inside(self, env: Environment, local: set[str]) -> Environment:
        """The environment in a function of its own, with these local variables."""
        return Environment({**env.versions, **{name: Version(name) for name in local}})

    def apart(self, build: Callable[[], T]) -> tuple[list[gast.FunctionDef], T]:
        """Build a part of the code that has a place of its own for functions; returns these, and
        what ``build`` returns."""
        outer, self.pending = self.pending, []
        value = build()
        made, self.pending = self.pending, outer
        return made, value

    def user_lambda(self, node: gast.Lambda, env: Environment) -> gast.AST:
        self.arguments(node.args, env)
        params = {parameter.id for parameter in parameters(node.args)}
        own = local_names(node)
        cells = own & rebound_captures(node)
        inner = self.inside(env, params | cells)
        for name in own - params - cells:
            inner.versions.pop(name, None)
        scope = Renamer(
            self.context, self.namer, self.ops, self.known | own, frozenset(cells), self.undone
        )
        scope.native = self.native
        node.body = scope.expr(node.body, inner)
        if not scope.pending:
            return node
        if node.args.defaults or any(node.args.kw_defaults):
            self.context.refuse(
                node,
                "a comprehension in a lambda with default arguments is not supported",
                "use 'def'",
                "AG0215",
            )
        return self.define("lambda", node.args, [*scope.pending, _return(node.body)], node)

    def define(
        self, base: str, args: gast.arguments, body: list[gast.AST], node: gast.AST
    ) -> gast.Name:
        """A function in front of the present statement; returns its name."""
        (name,) = self.namer.numbered(base)
        self.pending.append(at(function_def(name, args, body), node))
        return at(load(name), node)

    def arguments(self, args: gast.arguments, env: Environment) -> None:
        """Rename in the defaults and annotations of a parameter list."""
        args.defaults = [self.expr(default, env) for default in args.defaults]
        args.kw_defaults = [default and self.expr(default, env) for default in args.kw_defaults]
        for parameter in parameters(args):
            if parameter.annotation is not None:
                parameter.annotation = self.expr(parameter.annotation, env)

    def comprehension(self, node: gast.AST, env: Environment) -> gast.AST:
        if self.becomes_call(node):
            return self.collection(node, node.generators, env)
        outer, self.native = self.native, True
        first = node.generators[0]
        first.iter = self.expr(first.iter, env)
        inner = self.inside(env, targets(node))
        for generator in node.generators:
            generator.target = self.comprehension_target(generator.target, inner)
            if generator is not first:
                generator.iter = self.expr(generator.iter, inner)
            generator.ifs = [self.expr(test, inner) for test in generator.ifs]
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                setattr(node, field, self.expr(getattr(node, field), inner))
        self.native = outer
        return node

    def becomes_call(self, node: gast.AST) -> bool:
        """Whether a comprehension becomes a call of ``ops``. Not if functions made in it, which may
        be called when it is done, read its variables: they share one variable for all items."""
        if not isinstance(node, gast.ListComp | gast.GeneratorExp):
            return False
        simple = all(isinstance(generator.target, gast.Name) for generator in node.generators)
        return (simple or not self.native) and not captured_later(node) & targets(node)

    def collection(
        self, node: gast.AST, generators: Sequence[gast.comprehension], env: Environment
    ) -> gast.AST:
        """``ops.collect(lambda item: ..., iterable)``; of nested loops, the outer function returns
        the collection of the inner ones."""
        first, *others = generators
        iterable = self.expr(first.iter, env)

        def element(inner: Environment) -> gast.AST:
            if others:
                return self.collection(node, others, inner)
            return self.expr(node.elt, inner)

        def test(inner: Environment) -> gast.AST:
            *tests, result = [self.expr(test, inner) for test in first.ifs]
            for left in reversed(tests):
                result = at(self.ops_call("and_", left, thunk(result)), result)
            return result

        name = "collect" if isinstance(node, gast.ListComp) else "generate"
        function = self.of_item("item", first.target, env, element)
        call = self.ops_call(name, function, iterable)
        if first.ifs:
            where = self.of_item("where", first.target, env, test)
            call.keywords.append(gast.keyword("where", where))
        if others:
            call.keywords.append(gast.keyword("flat", constant(True)))
        alone = len(node.generators) == 1 and not first.ifs
        if alone and getattr(node, "is_only_read", False):
            call.keywords.append(gast.keyword("only_read", constant(True)))
        return at(call, node)

    def of_item(
        self,
        base: str,
        target: gast.AST,
        env: Environment,
        build: Callable[[Environment], gast.AST],
    ) -> gast.AST:
        """What a comprehension does to an item, as a function: a lambda if that will do."""
        inner = self.inside(env, set(bindings([target])))
        made, value = self.apart(lambda: build(inner))
        if isinstance(target, gast.Name):
            param, body = target.id, []
        else:
            param = self.namer.unused("item")
            unpacked = self.comprehension_target(copy.deepcopy(target), inner)
            body = [at(assign(unpacked, load(param)), target)]
        if not (made or body):
            return at(gast.Lambda(arguments([param]), value), value)
        return self.define(base, arguments([param]), [*body, *made, _return(value)], value)

    def comprehension_target(self, node: gast.AST, env: Environment) -> gast.AST:
        """The variables of a comprehension are its own, and keep their names."""
        if isinstance(node, gast.Name):
            return node
        if isinstance(node, gast.Starred):
            node.value = self.comprehension_target(node.value, env)
            return node
        if isinstance(node, gast.Tuple | gast.List):
            node.elts = [self.comprehension_target(element, env) for element in node.elts]
            return node
        return self.expr(node, env)


def _return(value: gast.AST) -> gast.Return:
    return at(gast.Return(value), value)
