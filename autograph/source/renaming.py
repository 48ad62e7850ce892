"""Expressions in SSA form: each name becomes the version that is current where it is read."""

from __future__ import annotations

import gast

from autograph.source.build import (
    OPS,
    at,
    base_name,
    constant,
    is_consumed,
    is_internal,
    is_thunk,
    load,
    ops_call,
)
from autograph.source.captures import rebound_captures
from autograph.source.context import Context
from autograph.source.scopes import COMPREHENSIONS, in_order, local_names, parameters, targets
from autograph.source.versions import Environment, Namer, Version


class Renamer:
    """Renames the variables of one function.

    Args:
        context: of the conversion.
        namer: of the whole tree.
        ops: what the module of operators is called.
        known: names that are variables of this function or one around it; a name that is neither
            in there nor in the environment is global.
        shared: variables of this function that inner functions read when they are called, after
            they may have been assigned again. Besides their versions, these live in a cell under
            their own name, and each assignment is followed by one to the cell.
    """

    def __init__(
        self,
        context: Context,
        namer: Namer,
        ops: str,
        known: frozenset[str],
        shared: frozenset[str],
    ):
        self.context = context
        self.namer = namer
        self.ops = ops
        self.known = known
        self.shared = shared
        self.unpublished: list[str] = []

    def bind(self, variable: str, env: Environment, maybe: bool = False) -> str:
        """Start a new version of a variable; returns its name."""
        name = env.pinned.get(variable) or self.namer.version(variable)
        env.versions[variable] = Version(name, maybe)
        if variable in self.shared:
            self.unpublished.append(variable)
        return name

    def expr(self, node: gast.AST, env: Environment) -> gast.AST:
        """Rename the variables in an expression or assignment target. Assignments in it start new
        versions."""
        match node:
            case gast.Name():
                return self.name(node, env)
            case gast.Lambda() if is_thunk(node):
                node.body = self.expr(node.body, env)
                return node
            case gast.Lambda():
                return self.user_lambda(node, env)
            case gast.NamedExpr() if node.target.id in self.shared:
                return self.shared_walrus(node, env)
            case _ if isinstance(node, COMPREHENSIONS):
                return self.comprehension(node, env)
        return self.operands(node, env)

    def shared_walrus(self, node: gast.NamedExpr, env: Environment) -> gast.AST:
        """A walrus that assigns a shared variable."""
        self.context.refuse(
            node,
            f"'{node.target.id}' is assigned in a lambda, and an inner function reads it",
            "use 'def'",
        )

    def operands(self, node: gast.AST, env: Environment) -> gast.AST:
        """Rename in the children of a node, in the order in which they are evaluated."""
        renamed = {child: self.expr(child, env) for child in in_order(node)}
        for field, value in gast.iter_fields(node):
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
        if version is not None:
            node.id = version.name
            return self.defined(node) if version.maybe and not is_internal(variable) else node
        if is_internal(variable):
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

    def value(self, variable: str, env: Environment) -> gast.AST:
        """An expression that hands a variable on, defined or not."""
        version = env.versions.get(variable)
        return self.undefined(variable) if version is None else load(version.name)

    def called_later(self, env: Environment, local: set[str]) -> Environment:
        """The environment in a function that is called later: shared variables are read from their
        cells."""
        versions = dict(env.versions)
        versions.update((name, Version(name, maybe=True)) for name in self.shared)
        versions.update((name, Version(name)) for name in local)
        return Environment(versions)

    def user_lambda(self, node: gast.Lambda, env: Environment) -> gast.AST:
        self.arguments(node.args, env)
        own = {parameter.id for parameter in parameters(node.args)}
        inner = self.called_later(env, own)
        for name in local_names(node) - own:
            inner.versions.pop(name, None)
        known = self.known | local_names(node)
        shared = frozenset(rebound_captures(node))
        lambda_scope = Renamer(self.context, self.namer, self.ops, known, shared)
        node.body = lambda_scope.expr(node.body, inner)
        return node

    def arguments(self, args: gast.arguments, env: Environment) -> None:
        """Rename in the defaults and annotations of a parameter list."""
        args.defaults = [self.expr(default, env) for default in args.defaults]
        args.kw_defaults = [default and self.expr(default, env) for default in args.kw_defaults]
        for parameter in parameters(args):
            if parameter.annotation is not None:
                parameter.annotation = self.expr(parameter.annotation, env)

    def comprehension(self, node: gast.AST, env: Environment) -> gast.AST:
        first = node.generators[0]
        first.iter = self.expr(first.iter, env)
        own = targets(node)
        if isinstance(node, gast.GeneratorExp) and not is_consumed(node):
            inner = self.called_later(env, own)
        else:
            inner = env.copy()
            inner.versions.update((name, Version(name)) for name in own)
        for generator in node.generators:
            generator.target = self.comprehension_target(generator.target, inner)
            if generator is not first:
                generator.iter = self.expr(generator.iter, inner)
            generator.ifs = [self.expr(test, inner) for test in generator.ifs]
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                setattr(node, field, self.expr(getattr(node, field), inner))
        return node

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
