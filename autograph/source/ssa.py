"""Single assignment: each assignment starts a new version, and control flow becomes explicit.

One walk in program order, with an environment *variable -> version*. A branch or a loop's body
becomes a function, which reads the versions around it as any inner function does. Where branches
meet, the variables whose versions differ and that are live afterwards are what ``ops.cond``
returns; a loop carries those that its body assigns and that it, or the code after it, reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from autograph.source.build import (
    arguments,
    assign,
    at,
    base_name,
    constant,
    function_def,
    is_internal,
    is_synthetic,
    load,
    load_tuple,
    ops_call,
    param,
    store,
    store_tuple,
    synthetic,
)
from autograph.source.captures import rebound_captures
from autograph.source.context import Context
from autograph.source.liveness import Liveness, Names, assigned
from autograph.source.renaming import Renamer
from autograph.source.scopes import bindings, imported_name, local_names, parameters
from autograph.source.versions import Environment, Namer, Version


class Ssa(Renamer):
    """Converts one function; functions inside it get an instance of their own."""

    def __init__(self, context: Context, namer: Namer, ops: str, node: gast.FunctionDef, known=()):
        own = local_names(node) | node.source_locals
        shared = frozenset(rebound_captures(node))
        super().__init__(context, namer, ops, frozenset(known) | own, shared)
        self.own = own
        self.node = node
        self.liveness = Liveness()
        # For each region being built, the shared variables whose cells it assigns.
        self.published: list[set[str]] = [set()]
        names = list(bindings(node.body))
        params = {parameter.id for parameter in parameters(node.args)}
        self.bound_once = {name for name in names if names.count(name) == 1} - params

    def function(self, outer: dict[str, Version]) -> gast.FunctionDef:
        """Convert the body of the function in place.

        Args:
            outer: the versions of the variables around it.
        """
        node = self.node
        versions = {name: v for name, v in outer.items() if name not in self.own}
        params = [parameter.id for parameter in parameters(node.args)]
        versions.update((name, Version(name)) for name in params)
        env = Environment(versions)
        start, body = node.body[:0], node.body
        if body and _is_docstring(body[0]):
            start, body = body[:1], body[1:]
        for variable in sorted(self.shared):
            start.append(self.open_cell(variable, variable in params, env))
        node.body = start + self.block(body, env, self.shared)
        node.body = node.body or [synthetic(at(gast.Pass(), node))]
        return node

    def open_cell(self, variable: str, is_param: bool, env: Environment) -> gast.AST:
        """The statement that gives a shared variable's cell its first value."""
        if not is_param:
            return synthetic(at(assign(variable, self.undefined(variable)), self.node))
        name = self.namer.version(variable)
        env.versions[variable] = Version(name)
        return synthetic(at(assign(name, load(variable)), self.node))

    # -- statements --------------------------------------------------------------------------------

    def block(
        self, statements: Sequence[gast.AST], env: Environment, live_out: Names
    ) -> list[gast.AST]:
        """Convert statements; ``env`` ends up as it is after the last of them."""
        done = []
        for node, live in zip(statements, self.liveness.after_each(statements, live_out)):
            done += self.statement(node, env, live | self.shared)
            done += self.publish(env, node)
        return done

    def statement(self, node: gast.AST, env: Environment, live: Names) -> list[gast.AST]:
        method = getattr(self, "stmt_" + type(node).__name__, None)
        return method(node, env, live) if method else [self.expr(node, env)]

    def publish(self, env: Environment, node: gast.AST) -> list[gast.AST]:
        """Assign the shared variables that have new versions to their cells."""
        variables, self.unpublished = self.unpublished, []
        return self.fill_cells(variables, env, node)

    def fill_cells(
        self, variables: Sequence[str], env: Environment, node: gast.AST
    ) -> list[gast.AST]:
        self.published[-1].update(variables)
        return [synthetic(at(assign(v, self.value(v, env)), node)) for v in variables]

    def stmt_Delete(self, node: gast.Delete, env: Environment, live: Names) -> list[gast.AST]:
        (target,) = node.targets
        if not isinstance(target, gast.Name):
            return [self.expr(node, env)]
        variable = target.id
        read = self.name(at(load(variable), target), env)
        done = [] if isinstance(read, gast.Name) else [at(gast.Expr(read), node)]
        if variable in env.pinned:
            done.append(at(assign(self.bind(variable, env, True), self.undefined(variable)), node))
        env.versions.pop(variable, None)
        if variable in self.shared:
            self.unpublished.append(variable)
        return done

    def stmt_Import(self, node: gast.AST, env: Environment, live: Names) -> list[gast.AST]:
        for alias in node.names:
            name = imported_name(alias)
            if name in self.bound_once or (alias.asname is None and "." in alias.name):
                self.keep_name(name, env)
            else:
                alias.asname = self.bind(name, env)
        return [node]

    stmt_ImportFrom = stmt_Import

    def keep_name(self, variable: str, env: Environment) -> None:
        """Bind a variable to a version that has its own name."""
        if variable in self.shared:
            self.published[-1].add(variable)
        env.versions[variable] = Version(variable)

    def stmt_FunctionDef(
        self, node: gast.FunctionDef, env: Environment, live: Names
    ) -> list[gast.AST]:
        node.decorator_list = [self.expr(decorator, env) for decorator in node.decorator_list]
        self.arguments(node.args, env)
        node.returns = node.returns and self.expr(node.returns, env)
        variable = node.name
        done: list[gast.AST] = [node]
        inner_env = self.called_later(env, set())
        if variable in self.shared:
            self.published[-1].add(variable)
            copy = assign(self.bind(variable, env), load(variable))
            self.unpublished.remove(variable)
            done.append(synthetic(at(copy, node)))
        elif variable in self.bound_once:
            self.keep_name(variable, env)
        else:
            node.name = self.bind(variable, env)
        if variable not in self.shared:
            inner_env.versions[variable] = env.versions[variable]
        inner = Ssa(self.context, self.namer, self.ops, node, self.known)
        inner.function(inner_env.versions)
        return done

    # -- regions -----------------------------------------------------------------------------------

    def region(
        self,
        name: str,
        params: Sequence[str],
        node: gast.AST,
        env: Environment,
        build: Callable[[], list[gast.AST]],
    ) -> gast.FunctionDef:
        """The function for a region: a branch, a loop's test or its body.

        Args:
            node: the statement that the region is part of. A region begins by filling the cells of
                shared variables that the statement assigns, because another of its regions may
                have run, or been traced, in between.
            build: makes the statements.
        """
        self.published.append(set())
        variables = [v for v in assigned([node]) if v in self.shared]
        body = self.fill_cells(variables, env, node) + build()
        published = self.published.pop()
        if published:
            self.published[-1].update(published)
            body.insert(0, synthetic(at(gast.Nonlocal(sorted(published)), node)))
        return synthetic(at(function_def(name, arguments(params), body), node))

    def hand_back(self, variables: Sequence[str], env: Environment, node: gast.AST) -> gast.AST:
        """``return (x_1, y_2)``"""
        values = load_tuple([self.value(variable, env) for variable in variables])
        return synthetic(at(gast.Return(values), node))

    def invoke(
        self,
        function: str,
        args: Sequence[gast.AST],
        outputs: dict[str, bool],
        node: gast.AST,
        env: Environment,
        **keywords: gast.AST,
    ) -> gast.AST:
        """``(x_3,) = ops.function(*args, names=('x',))``

        Args:
            outputs: the variables that the results are bound to, and whether each may be undefined.
        """
        if outputs:
            names = [constant(base_name(variable)) for variable in outputs]
            keywords = {"names": load_tuple(names), **keywords}
        call = ops_call(function, *args, **keywords)
        call.func.value.id = self.ops
        call = at(call, node)
        if not outputs:
            made = at(gast.Expr(call), node)
        else:
            targets = [store(self.bind(v, env, maybe)) for v, maybe in outputs.items()]
            made = at(assign(store_tuple(targets), call), node)
        return synthetic(made) if is_synthetic(node) else made

    def stmt_If(self, node: gast.If, env: Environment, live: Names) -> list[gast.AST]:
        variables = [v for v in assigned([*node.body, *node.orelse]) if v in live]
        test = self.expr(node.test, env)
        before = self.publish(env, node)
        names = self.namer.numbered("then", "else")
        branches = [(node.body, env.region()), (node.orelse, env.region())]
        falling = [inner for body, inner in branches if self.liveness.block(body).falls]
        regions, outputs = [], {}
        converted = [
            self.branch(name, node, body, inner, live)
            for name, (body, inner) in zip(names, branches)
        ]
        for variable in variables:
            if all(variable not in inner.versions for inner in falling):
                env.versions.pop(variable, None)
            elif any(inner.versions.get(variable) != env.versions.get(variable) for inner in falling):
                outputs[variable] = any(inner.maybe(variable) for inner in falling)
        for region, (body, inner) in zip(converted, branches):
            if inner in falling:
                region.body.append(self.hand_back(list(outputs), inner, node))
            regions.append(region)
        args = [test, *(load(name) for name in names)]
        if falling:
            return [*before, *regions, self.invoke("cond", args, outputs, node, env)]
        call = ops_call("cond", *args)
        call.func.value.id = self.ops
        made = at(gast.Return(at(call, node)), node)
        return [*before, *regions, synthetic(made) if is_synthetic(node) else made]

    def branch(
        self,
        name: str,
        node: gast.If,
        body: Sequence[gast.AST],
        env: Environment,
        live: Names,
    ) -> gast.FunctionDef:
        return self.region(name, (), node, env, lambda: self.block(body, env, live))

    def loop_state(
        self, node: gast.While | gast.For, env: Environment, live: Names
    ) -> dict[str, bool]:
        """The variables that a loop carries, and whether each may be undefined at its head."""
        needed = self.liveness.loop_head(node) | live
        deleted = _deleted(node.body)
        variables = [variable for variable in assigned([node]) if variable in needed]
        return {v: env.maybe(v) or v in deleted for v in variables}

    def head(self, state: dict[str, bool], env: Environment) -> Environment:
        """The environment at the head of a loop."""
        inner = env.region()
        for variable, maybe in state.items():
            inner.versions[variable] = Version(self.namer.version(variable), maybe)
        return inner

    def stmt_While(self, node: gast.While, env: Environment, live: Names) -> list[gast.AST]:
        state = self.loop_state(node, env, live)
        init = load_tuple([self.value(variable, env) for variable in state])
        test_name, body_name = self.namer.numbered("test", "body")
        head = self.head(state, env)
        params = [head.versions[variable].name for variable in state]
        live_in = self.liveness.loop_head(node) | live

        def build() -> list[gast.AST]:
            statements = self.block(node.body, body_env, live_in)
            if self.liveness.block(node.body).falls:
                statements.append(self.hand_back(list(state), body_env, node))
            return statements

        test = self.test_region(test_name, params, node, node.test, head)
        body_env = head.copy()
        body = self.region(body_name, params, node, head, build)
        args = [load(test_name), load(body_name), init]
        return [test, body, self.invoke("while_loop", args, state, node, env)]

    def test_region(
        self,
        name: str,
        params: Sequence[str],
        node: gast.AST,
        test: gast.AST,
        head: Environment,
    ) -> gast.FunctionDef:
        def build() -> list[gast.AST]:
            return [at(gast.Return(self.expr(test, head.copy())), test)]

        return self.region(name, params, node, head, build)

    def stmt_For(self, node: gast.For, env: Environment, live: Names) -> list[gast.AST]:
        iterable = self.expr(node.iter, env)
        before = self.publish(env, node)
        state = self.loop_state(node, env, live)
        init = load_tuple([self.value(variable, env) for variable in state])
        keywords = {}
        regions = []
        exit_test = getattr(node, "exit_test", None)
        if exit_test is None:
            (body_name,) = self.namer.numbered("body")
        else:
            test_name, body_name = self.namer.numbered("test", "body")
        named = isinstance(node.target, gast.Name)
        item = self.namer.version(node.target.id if named else "item")
        head = self.head(state, env)
        params = [head.versions[variable].name for variable in state]
        body_env = head.copy()
        live_in = self.liveness.loop_head(node) | live

        def build() -> list[gast.AST]:
            statements = []
            if named:
                body_env.versions[node.target.id] = Version(item)
                if node.target.id in self.shared:
                    self.unpublished.append(node.target.id)
            else:
                unpack = assign(self.expr(node.target, body_env), load(item))
                statements.append(at(unpack, node.target))
            statements += self.publish(body_env, node)
            statements += self.block(node.body, body_env, live_in)
            if self.liveness.block(node.body).falls:
                statements.append(self.hand_back(list(state), body_env, node))
            return statements

        if exit_test is not None:
            regions.append(self.test_region(test_name, params, node, exit_test, head))
            keywords["test"] = load(test_name)
        regions.append(self.region(body_name, [item, *params], node, head, build))
        args = [iterable, load(body_name), init]
        return [*before, *regions, self.invoke("for_loop", args, state, node, env, **keywords)]

    # -- with and try ------------------------------------------------------------------------------

    def stmt_With(self, node: gast.With, env: Environment, live: Names) -> list[gast.AST]:
        """Stays as it is. If the context manager swallows an exception, variables assigned
        directly in the body have their last value, as in Python, and those assigned in control flow
        inside it are not found, which is an error."""
        for item in node.items:
            self.expr(item, env)
        before = self.publish(env, node)
        nested = set(_assigned_in_control_flow(node.body))
        pins = [
            variable
            for variable in assigned(node.body)
            if variable in live and variable in env.versions and variable not in nested
        ]
        before += self.pin(pins, env, node)
        outer = env.pinned
        env.pinned = {**outer, **{v: env.versions[v].name for v in pins}}
        node.body = self.block(node.body, env, live) or [synthetic(at(gast.Pass(), node))]
        env.pinned = outer
        return [*before, node]

    def pin(self, variables: Sequence[str], env: Environment, node: gast.AST) -> list[gast.AST]:
        """Give variables a version to keep; returns the statements that start it."""
        statements = []
        for variable in variables:
            if variable not in env.pinned:
                value, maybe = self.value(variable, env), env.maybe(variable)
                name = self.namer.version(variable)
                env.versions[variable] = Version(name, maybe)
                statements.append(synthetic(at(assign(name, value), node)))
        return statements

    def stmt_Try(self, node: gast.Try, env: Environment, live: Names) -> list[gast.AST]:
        """Stays as it is. Variables that are read after an exception keep one name throughout, so
        that handlers find the last value whatever statement raised."""
        in_handlers = self.liveness.handlers(node, live)
        self.check_control_flow(node, in_handlers)
        needed = live | in_handlers | self.liveness.block(node.orelse).uses
        pins = [variable for variable in assigned([node]) if variable in needed]
        before = self.pin(pins, env, node)
        outer = env.pinned
        env.pinned = {**outer, **{v: env.versions[v].name for v in pins if v not in outer}}
        raised = env.copy()
        for variable in assigned(node.body):
            if variable in _deleted(node.body) and variable in raised.versions:
                raised.versions[variable] = raised.versions[variable]._replace(maybe=True)

        ends = []
        after_body = self.liveness.block(node.orelse).live_before(live | in_handlers)
        node.body = self.block(node.body, env, after_body | in_handlers)
        node.orelse = self.block(node.orelse, env, live | in_handlers)
        if self.liveness_falls(node):
            ends.append(env.copy())
        for handler in node.handlers:
            end = raised.copy()
            falls = self.handler(handler, end, live | in_handlers)
            if falls:
                ends.append(end)
        self.meet(env, ends or [raised])
        if node.finalbody:
            final = env.copy()
            self.meet(final, [*ends, raised])
            node.finalbody = self.block(node.finalbody, final, live)
            for variable in assigned_in_place(final, env):
                env.versions[variable] = final.versions[variable]
        node.body = node.body or [synthetic(at(gast.Pass(), node))]
        env.pinned = outer
        return [*before, node]
