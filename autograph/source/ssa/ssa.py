"""Single assignment: each assignment starts a new version, and control flow becomes explicit.

One walk in program order, with an environment *variable -> version*. A branch or a loop's body
becomes a function, which reads the versions around it as any inner function does. Where branches
meet, the variables whose versions differ and that are live afterwards are what ``ops.cond``
returns; a loop carries those that its body assigns and that it, or the code after it, reads.

A variable that functions share, because one of them assigns it or may see it change, has no
versions. It stays a *cell*, assigned under its own name, through ``nonlocal`` from inside regions.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gast

from autograph.source.ssa.captures import rebound_captures
from autograph.source.ssa.liveness import NONE, NameSet, StatementEffects
from autograph.source.ssa.renaming import Renamer
from autograph.source.ssa.unwinding import assigned_in_control_flow, lost_variables
from autograph.source.ssa.versions import Environment, Namer, Version
from autograph.source.tree.build import (
    arguments,
    assign,
    at,
    base_name,
    constant,
    deletion,
    function_def,
    is_docstring,
    is_internal,
    is_native,
    is_synthetic,
    load,
    load_tuple,
    store,
    store_tuple,
    synthetic,
)
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import (
    bindings,
    declared_nonlocal,
    imported_name,
    local_names,
    outside_expressions,
    parameters,
    rebound_by_inner,
    used_by_native,
    walk,
)


class Ssa(Renamer):
    """Converts one function; functions inside it get an instance of their own."""

    def __init__(
        self,
        context: Context,
        namer: Namer,
        ops: str,
        node: gast.FunctionDef,
        known: NameSet = NONE,
        undone: NameSet = NONE,
    ):
        times = Counter(bindings(node.body))
        own = local_names(node, times) | node.source_locals
        self.effects = StatementEffects()
        cells = rebound_captures(node) | rebound_by_inner(node) | used_by_native(node)
        cells |= lost_variables(node.body, self.effects)
        self.own_cells = {name for name in cells & own if not is_internal(name)}
        super().__init__(
            context,
            namer,
            ops,
            known | own,
            frozenset(self.own_cells | declared_nonlocal(node)),
            undone | _deleted([node]),
        )
        self.own = own
        self.node = node
        self.advanced = _advanced(node)
        params = {parameter.id for parameter in parameters(node.args)}
        self.bound_once = {name for name, count in times.items() if count == 1} - params

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
        docstring = int(bool(node.body) and is_docstring(node.body[0]))
        start, body = node.body[:docstring], node.body[docstring:]
        for variable in sorted(self.own_cells):
            is_open = variable not in params and self.begins_undefined(variable, body)
            env.versions[variable] = Version(variable, is_open or variable in self.undone)
            if is_open:
                start.append(synthetic(at(assign(variable, self.undefined(variable)), node)))
        for variable in declared_nonlocal(node):
            env.versions.setdefault(variable, Version(variable))
        node.body = start + self.block(body, env, NONE)
        node.body = node.body or [synthetic(at(gast.Pass(), node))]
        return node

    def begins_undefined(self, cell: str, body: Sequence[gast.AST]) -> bool:
        """Whether a cell has to hold a value before it is assigned, for control flow to read.

        Not if the first statement that knows it assigns it, nor if it is only ever assigned by
        statements that always run: then Python itself tells whether it has a value.
        """
        effects = [self.effects.statement(node) for node in body]
        for node, effect in zip(body, effects):
            if cell in effect.kills and cell not in effect.uses and not _is_compound(node):
                return False
            if cell in effect.uses or cell in effect.assigns:
                break
        return (
            cell in self.undone
            or cell in rebound_by_inner(self.node)
            or any(cell in e.assigns for node, e in zip(body, effects) if _is_compound(node))
        )

    # -- statements --------------------------------------------------------------------------------

    def block(
        self, statements: Sequence[gast.AST], env: Environment, live_out: NameSet
    ) -> list[gast.AST]:
        """Convert statements; ``env`` ends up as it is after the last of them."""
        done = []
        for node, live in zip(statements, self.effects.after_each(statements, live_out)):
            made, new = self.apart(functools.partial(self.statement, node, env, live))
            done += made + new
        return done

    def statement(self, node: gast.AST, env: Environment, live: NameSet) -> list[gast.AST]:
        method = getattr(self, "stmt_" + type(node).__name__, None)
        return method(node, env, live) if method else [self.expr(node, env)]

    def stmt_Delete(self, node: gast.Delete, env: Environment, live: NameSet) -> list[gast.AST]:
        (target,) = node.targets
        if not isinstance(target, gast.Name):
            return [self.expr(node, env)]
        variable = target.id
        if variable in self.cells and variable not in self.known:
            self.context.refuse(
                node,
                f"deleting '{variable}', a variable of an outer function, is not supported",
                "assign None instead",
                "AG0214",
            )
        read = self.name(at(load(variable), target), env)
        done: list[gast.AST] = []
        if not isinstance(read, gast.Name):
            done.append(at(gast.Expr(read), node))
        if variable in self.cells:
            name = self.bind(variable, env, maybe=True)
            return [*done, at(assign(name, self.undefined(variable)), node)]
        if variable in env.pinned:
            done.append(at(assign(env.pinned[variable], self.undefined(variable)), node))
        elif isinstance(read, gast.Name) and env.can_drop(variable):
            done.append(at(deletion(read.id), node))
        env.versions.pop(variable, None)
        return done

    def stmt_Assign(self, node: gast.Assign, env: Environment, live: NameSet) -> list[gast.AST]:
        """Stays an assignment. A generator that nobody has any more does at once what its
        ``finally`` says, so that its variable does not keep it."""
        held = {name: env.versions[name] for name in self.advanced if env.can_drop(name)}
        done: list[gast.AST] = [self.expr(node, env)]
        for name in sorted(held):
            if env.versions[name] != held[name]:
                done.append(synthetic(at(deletion(held[name].name), node)))
        return done

    def stmt_Import(self, node: gast.AST, env: Environment, live: NameSet) -> list[gast.AST]:
        """The import itself, and what the function sees of what it binds."""
        seen = []
        for alias in node.names:
            name = imported_name(alias)
            place = self.imported_from(node, alias)
            if name in self.cells:
                self.bind(name, env)
            elif self.keeps_name(name, env):
                env.versions[name] = Version(name)
            elif alias.asname is None and "." in alias.name:
                self.context.refuse(
                    node,
                    f"importing '{alias.name}' where '{name}' is assigned more than once is not "
                    "supported",
                    "use 'import ... as ...'",
                    "AG0213",
                )
            else:
                name = alias.asname = self.bind(name, env)
            value = at(self.ops_call("imported", load(name), *map(constant, place)), node)
            seen.append(synthetic(at(assign(name, value), node)))
        return [node, *seen]

    @staticmethod
    def imported_from(node: gast.AST, alias: gast.alias) -> tuple[str, ...]:
        """The module that an import names, and what it takes of it."""
        if isinstance(node, gast.ImportFrom):
            return "." * (node.level or 0) + (node.module or ""), alias.name
        return (alias.name if alias.asname else alias.name.partition(".")[0],)

    stmt_ImportFrom = stmt_Import

    def keeps_name(self, variable: str, env: Environment) -> bool:
        """Whether the only version of a variable can have the variable's name."""
        free = variable not in env.pinned and not is_internal(variable)
        return free and variable in self.bound_once

    def stmt_ClassDef(self, node: gast.ClassDef, env: Environment, live: NameSet) -> list[gast.AST]:
        self.bind(node.name, env)
        return [node]

    def stmt_FunctionDef(
        self, node: gast.FunctionDef, env: Environment, live: NameSet
    ) -> list[gast.AST]:
        if is_native(node):
            self.bind(node.name, env)
            return [node]
        node.decorator_list = [self.expr(decorator, env) for decorator in node.decorator_list]
        self.arguments(node.args, env)
        node.returns = node.returns and self.expr(node.returns, env)
        variable = node.name
        if variable not in self.cells and self.keeps_name(variable, env):
            env.versions[variable] = Version(variable)
        else:
            node.name = self.bind(variable, env)
        inner = Ssa(self.context, self.namer, self.ops, node, self.known, self.undone)
        inner.function(self.inside(env, set()).versions)
        return [node]

    # -- regions -----------------------------------------------------------------------------------

    def region(
        self,
        name: str,
        params: Sequence[str],
        node: gast.AST,
        build: Callable[[], list[gast.AST]],
    ) -> gast.FunctionDef:
        """The function for a region: a branch, a loop's test or its body.

        Args:
            node: where the region comes from.
            build: makes the statements.
        """
        self.assigned.append(set())
        body = build()
        assigned = self.assigned.pop()
        if assigned:
            self.assigned[-1].update(assigned)
            body.insert(0, synthetic(at(gast.Nonlocal(sorted(assigned)), node)))
        return at(function_def(name, arguments(params), body), node)

    def hand_back(self, variables: Sequence[str], env: Environment, node: gast.AST) -> gast.AST:
        """``return (x_1, y_2)``"""
        values = load_tuple([self.value(variable, env) for variable in variables])
        return synthetic(at(gast.Return(values), node))

    def invoke(
        self,
        call: gast.Call,
        outputs: dict[str, bool],
        node: gast.AST,
        env: Environment,
    ) -> gast.AST:
        """``(x_3,) = call(..., names=('x',))``

        Args:
            outputs: the variables that the results are bound to, and whether each may be undefined.
        """
        call = at(call, node)
        made: gast.AST
        if outputs:
            names = load_tuple([constant(base_name(variable)) for variable in outputs])
            call.keywords.insert(0, gast.keyword("names", names))
            targets = [store(self.bind(v, env, maybe)) for v, maybe in outputs.items()]
            made = at(assign(store_tuple(targets), call), node)
        else:
            made = at(gast.Expr(call), node)
        return synthetic(made) if is_synthetic(node) else made

    def stmt_If(self, node: gast.If, env: Environment, live: NameSet) -> list[gast.AST]:
        assigned = self.effects.assigned([node])
        bodies = [node.body, node.orelse]
        falls = [self.effects.block(body).falls for body in bodies]
        test = self.expr(node.test, env)
        names = self.namer.numbered("then", "else")
        regions, falling = [], []
        for name, body, body_falls in zip(names, bodies, falls):
            inner = env.region()
            regions.append(self.branch(name, body, node, inner, live))
            if body_falls:
                falling.append((regions[-1], inner))
        call = self.ops_call("cond", test, *map(load, names))
        if not falling:
            made = at(gast.Return(at(call, node)), node)
            return [*regions, synthetic(made) if is_synthetic(node) else made]
        ends = [inner for _, inner in falling]
        for cell in self.cells.intersection(assigned):
            env.versions[cell] = Version(cell, any(end.maybe(cell) for end in ends))
        variables = [v for v in assigned if v in live and v not in self.cells]
        outputs = self.join(variables, env, ends)
        for region, inner in falling:
            region.body.append(self.hand_back(list(outputs), inner, node))
        return [*regions, self.invoke(call, outputs, node, env)]

    def branch(
        self,
        name: str,
        body: Sequence[gast.AST],
        node: gast.If,
        env: Environment,
        live: NameSet,
    ) -> gast.FunctionDef:
        return self.region(name, (), node, lambda: self.block(body, env, live))

    def join(
        self, variables: Sequence[str], env: Environment, ends: Sequence[Environment]
    ) -> dict[str, bool]:
        """The variables whose versions the branches changed, and whether each may be undefined."""
        outputs = {}
        for variable in variables:
            versions = [end.versions.get(variable) for end in ends]
            if not any(versions):
                env.versions.pop(variable, None)
            elif any(version != env.versions.get(variable) for version in versions):
                outputs[variable] = any(end.maybe(variable) for end in ends)
        return outputs

    # -- loops -------------------------------------------------------------------------------------

    def stmt_While(self, node: gast.While, env: Environment, live: NameSet) -> list[gast.AST]:
        names = self.namer.numbered("test", "body")
        loop = _Loop(self, node, env, live)
        regions = [loop.test(names[0], node.test), loop.body(names[1], [], list)]
        call = self.ops_call("while_loop", *map(load, names), loop.init)
        return [*regions, self.invoke(call, loop.state, node, env)]

    def stmt_For(self, node: gast.For, env: Environment, live: NameSet) -> list[gast.AST]:
        exit_test: Any = getattr(node, "exit_test", None)
        *test_name, body_name = self.namer.numbered(*(["test"] if exit_test else []), "body")
        target = node.target
        named = isinstance(target, gast.Name)
        item = self.namer.version(target.id if named else "item")
        loop = _Loop(self, node, env, live)
        iterable = self.expr(node.iter, env)

        def bind_target() -> list[gast.AST]:
            if not named:
                return [at(assign(self.expr(target, loop.env), load(item)), target)]
            if target.id in self.cells:
                return [synthetic(at(assign(self.bind(target.id, loop.env), load(item)), target))]
            loop.env.versions[target.id] = Version(item)
            return []

        tests = [loop.test(name, exit_test) for name in test_name]
        body = loop.body(body_name, [item], bind_target)
        call = self.ops_call("for_loop", iterable, load(body_name), loop.init)
        call.keywords = [gast.keyword("test", load(name)) for name in test_name]
        return [*tests, body, self.invoke(call, loop.state, node, env)]

    # -- with and try ------------------------------------------------------------------------------

    def stmt_With(self, node: gast.With, env: Environment, live: NameSet) -> list[gast.AST]:
        """Stays as it is. If the context manager swallows an exception, variables assigned in the
        body have their last value, as in Python."""
        nested = set(assigned_in_control_flow(node.body, self.effects))
        wanted = [v for v in self.effects.assigned(node.body) if v in live and v not in nested]
        earlier = dict(env.versions)
        for item in node.items:
            self.expr(item, env)
        outer = env.pinned
        wanted = [v for v in wanted if v in env.versions]
        entered = [v for v in wanted if env.versions[v] is not earlier.get(v)]  # ``as v``
        before = self.pin([v for v in wanted if v not in entered], env, node)
        node.body = [*self.pin(entered, env, node), *self.block(node.body, env, live)]
        node.body = node.body or [synthetic(at(gast.Pass(), node))]
        env.pinned = outer
        return [*before, node]

    def pin(self, variables: Sequence[str], env: Environment, node: gast.AST) -> list[gast.AST]:
        """Give variables a version to keep; returns the statements that start it."""
        statements: list[gast.AST] = []
        env.pinned = dict(env.pinned)
        for variable in variables:
            if variable not in env.pinned and variable not in self.cells:
                value, maybe = self.value(variable, env), env.maybe(variable)
                name = self.namer.version(variable)
                env.versions[variable] = Version(name, maybe)
                env.pinned[variable] = name
                statements.append(synthetic(at(assign(name, value), node)))
        return statements

    def stmt_Try(self, node: gast.Try, env: Environment, live: NameSet) -> list[gast.AST]:
        """Stays as it is. Variables that are read after an exception keep one name throughout, so
        that handlers find the last value whatever statement raised."""
        live = live | self.effects.handlers(node, live, live)
        falls = self.effects.block([*node.body, *node.orelse]).falls
        handlers_fall = [self.effects.block(handler.body).falls for handler in node.handlers]
        finally_assigned = self.effects.assigned(node.finalbody)
        deleted = _deleted(node.body)
        between = self.effects.block(node.orelse).uses

        outer = env.pinned
        wanted = [v for v in self.effects.assigned([node]) if v in live | between]
        before = self.pin(wanted, env, node)
        raised = env.copy()
        for variable in deleted.intersection(raised.versions):
            raised.versions[variable] = raised.versions[variable]._replace(maybe=True)
        body = self.block(node.body, env, live | between)
        node.body = body or [synthetic(at(gast.Pass(), node))]
        node.orelse = self.block(node.orelse, env, live)
        ends = [env.copy()] if falls else []
        for handler, handler_falls in zip(node.handlers, handlers_fall):
            end = raised.copy()
            self.handler(handler, end, live)
            if handler_falls:
                ends.append(end)
        env.versions = _meet(ends or [raised])
        if node.finalbody:
            final = Environment(_meet([*ends, raised]), env.pinned)
            node.finalbody = self.block(node.finalbody, final, live)
            for variable in finally_assigned:
                env.versions.pop(variable, None)
                if variable in final.versions:
                    env.versions[variable] = final.versions[variable]
        if not node.handlers and not node.finalbody:  # nothing of it is needed, as of `pass`
            node.finalbody = [synthetic(at(gast.Pass(), node))]
        env.pinned = outer
        return [*before, node]

    def handler(self, node: gast.ExceptHandler, env: Environment, live: NameSet) -> None:
        """Convert a handler in place. The name it gives to the exception is deleted at its end; if
        it is a variable of its own, that is all there is to do."""
        node.type = node.type and self.expr(node.type, env)
        variable = node.name and node.name.id
        if variable in self.cells or variable in env.pinned:
            falls = self.effects.block(node.body).falls
            caught = self.context.variable(variable)
            node.body.insert(0, synthetic(at(assign(variable, load(caught)), node)))
            if falls:
                node.body.append(synthetic(at(deletion(variable), node)))
            node.name.id = self.bind(caught, env)
        elif variable:
            node.name.id = self.bind(variable, env)
        node.body = self.block(node.body, env, live) or [synthetic(at(gast.Pass(), node))]
        env.versions.pop(variable, None)


class _Loop:
    """What the conversions of ``while`` and ``for`` have in common.

    Attributes:
        state: the variables that the loop carries, and whether each may be undefined at its head.
        init: their values before the loop.
        env: the environment in the body.
    """

    def __init__(self, ssa: Ssa, node: gast.While | gast.For, env: Environment, live: NameSet):
        self.ssa = ssa
        self.node = node
        self.live = ssa.effects.loop_head(node) | live
        self.falls = ssa.effects.block(node.body).falls
        deleted = _deleted(node.body)
        variables = [
            variable
            for variable in ssa.effects.assigned([node])
            if variable in self.live and variable not in ssa.cells
        ]
        for cell in ssa.cells.intersection(deleted):
            env.versions[cell] = Version(cell, maybe=True)
        self.state = {v: env.maybe(v) or v in deleted for v in variables}
        # A trip that leaves a value to return is the last one: none begins with such a value. What
        # a ``with`` may leave as it was needs one.
        has_with = any(isinstance(inner, gast.With) for inner in outside_expressions(node.body))
        unread = "" if has_with else getattr(node, "result", "")
        self.init = load_tuple(
            [
                ssa.unread(variable)
                if variable == unread and variable not in env.versions
                else ssa.value(variable, env)
                for variable in variables
            ]
        )
        self.head = env.region()
        for variable, maybe in self.state.items():
            self.head.versions[variable] = Version(ssa.namer.version(variable), maybe)
        self.params = [self.head.versions[variable].name for variable in variables]
        self.env = self.head.copy()
        self.env.versions.pop(unread, None)

    def test(self, name: str, test: gast.AST) -> gast.FunctionDef:
        """The function that tells whether there is another trip."""

        def build() -> list[gast.AST]:
            made, value = self.ssa.apart(lambda: self.ssa.expr(test, self.head.copy()))
            return [*made, at(gast.Return(value), test)]

        return self.ssa.region(name, self.params, self.node, build)

    def body(
        self, name: str, first: Sequence[str], bind_target: Callable[[], list[gast.AST]]
    ) -> gast.FunctionDef:
        """The function for a trip.

        Args:
            first: parameters before the state.
            bind_target: makes the statements that bind the loop's target.
        """
        ssa = self.ssa

        def build() -> list[gast.AST]:
            statements = bind_target()
            statements += ssa.block(self.node.body, self.env, self.live)
            if self.falls:
                statements.append(ssa.hand_back(list(self.state), self.env, self.node))
            return statements

        params = [*first, *self.params]
        return ssa.region(name, params, self.node, build)


def _meet(ends: Sequence[Environment]) -> dict[str, Version]:
    """The versions where paths through a ``try`` meet. Variables that are live there are pinned,
    so they have the same name on all paths; others may have no value on some of them."""
    versions = {}
    for variable in dict.fromkeys(name for end in ends for name in end.versions):
        found = [end.versions[variable] for end in ends if variable in end.versions]
        is_assigned = len(found) == len(ends) or variable in ends[0].pinned
        if is_assigned and len({version.name for version in found}) == 1:
            maybe = any(end.maybe(variable) for end in ends)
            versions[variable] = Version(found[0].name, maybe)
    return versions


_ADVANCES = ("send", "throw", "__next__")


def _advanced(node: gast.FunctionDef) -> set[str]:
    """The variables that may hold a generator which has begun, of which items are taken."""
    found: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, gast.Call):
            match [inner.func, *inner.args]:
                case [_, gast.Name(id="next"), gast.Name(id=name), *_]:
                    found.add(name)
                case [_, gast.Attribute(value=gast.Name(id=name), attr=attr), *_] if (
                    attr in _ADVANCES
                ):
                    found.add(name)
    return found


def _is_compound(node: gast.AST) -> bool:
    return isinstance(node, gast.If | gast.While | gast.For | gast.With | gast.Try)


def _deleted(statements: Sequence[gast.AST]) -> set[str]:
    """The variables that some statements may leave undefined."""
    found = set()
    for node in outside_expressions(statements):
        if isinstance(node, gast.Delete):
            names = (inner for inner in walk(node) if isinstance(inner, gast.Name))
            found |= {name.id for name in names if isinstance(name.ctx, gast.Del)}
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            found.add(node.name.id)
    return found
