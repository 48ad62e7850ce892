"""Break, continue and return become structure where that is possible, and exit kinds where not.

After this pass ``return`` stands only at the end of a function's body, or at the end of both
branches of an ``if`` there; ``break`` and ``continue`` are gone. What stands after an ``if`` that
one branch leaves moves into the other branch:

    if c:                       if c:
        return a                    return a
    rest                        else:
                                    rest

Only where both branches may go on is there a variable, the *exit kind*, that says how the region
was left, and what follows depends on it. A loop that is left early carries one, and so does a
``with`` or ``try`` that is left from inside; ``result`` holds the value to return meanwhile. Each
statement is moved and never copied, so the code grows linearly.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.source.tree.build import (
    assign,
    at,
    constant,
    exit_is,
    is_name,
    is_native,
    load,
    load_tuple,
    ops_call,
    ops_name,
    store,
    synthetic,
    thunk,
)
from autograph.source.tree.context import Context

FALL, BREAK, CONTINUE, RETURN = "FALL", "BREAK", "CONTINUE", "RETURN"

Kinds = frozenset[str]


class ExitScope:
    """A piece of code that can be left early.

    Args:
        exit: the variable for the exit kind. None at the top of a function, where ``return`` stays.
        absorbs: the kinds after which nothing but the end of the region has to be reached, so that
            they need no exit kind when nothing else follows: ``continue`` in a loop's body.
    """

    def __init__(self, exit: str | None, absorbs: Kinds = frozenset()):
        self.exit = exit
        self.absorbs = absorbs
        self.used: set[str] = set()  # the kinds that the variable was given


NEVER_LEFT = ExitScope("")


class Exits:
    """Rewrites the body of one function, and of the functions defined in it.

    Args:
        context: of the conversion.
    """

    def __init__(self, context: Context):
        self.context = context
        self.result = context.variable("result")
        self.known: dict[gast.AST, Kinds] = {}
        self.known_falls: dict[gast.AST, bool] = {}

    def function(self, node: gast.FunctionDef) -> gast.FunctionDef:
        """Rewrite a function in place."""
        if hasattr(node, "hands_back"):
            return self.handing_back(node)
        self.returns = RETURN in self.leaving(node.body)
        node.body = self.block(node.body, ExitScope(None))
        return node

    def handing_back(self, node: gast.FunctionDef) -> gast.FunctionDef:
        """Rewrite a function that returns nothing but what some variables hold when it ends, which
        may be no value."""
        self.returns = False
        region = ExitScope(self.context.variable("exit"), absorbs=frozenset({RETURN}))
        body = self.block(node.body, region)
        start = [self.start(region, node)] if region.used else []
        held = [at(load(name), node) for name in node.hands_back]
        for name in held:
            name.is_handed_on = True
        end = at(gast.Return(at(load_tuple(held), node)), node)
        node.body = [*start, *body, synthetic(end)]
        return node

    # -- how code is left --------------------------------------------------------------------------

    def leaving(self, statements: Sequence[gast.AST]) -> Kinds:
        """The kinds of exit by which control may leave some statements, other than at the end."""
        kinds: Kinds = frozenset()
        for node in statements:
            kinds |= self.leaving_one(node)
            if not self.falls_one(node):
                break  # what follows is never reached
        return kinds

    def leaving_one(self, node: gast.AST) -> Kinds:
        if node not in self.known:
            self.known[node] = self._leaving_one(node)
        return self.known[node]

    def _leaving_one(self, node: gast.AST) -> Kinds:
        match node:
            case gast.Return():
                return frozenset({RETURN})
            case gast.Break():
                return frozenset({BREAK})
            case gast.Continue():
                return frozenset({CONTINUE})
            case gast.If():
                return self.leaving(node.body) | self.leaving(node.orelse)
            case gast.While() | gast.For():
                return (self.leaving(node.body) & {RETURN}) | self.leaving(node.orelse)
            case gast.With():
                return self.leaving(node.body)
            case gast.Try():
                parts = [node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody]
                return frozenset().union(*map(self.leaving, parts))
        return frozenset()

    def falls(self, statements: Sequence[gast.AST]) -> bool:
        """Whether control may reach the end of some statements."""
        return all(map(self.falls_one, statements))

    def falls_one(self, node: gast.AST) -> bool:
        if node not in self.known_falls:
            self.known_falls[node] = self._falls_one(node)
        return self.known_falls[node]

    def _falls_one(self, node: gast.AST) -> bool:
        match node:
            case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
                return False
            case gast.If():
                return self.falls(node.body) or self.falls(node.orelse)
            case gast.While() if is_endless(node):
                return BREAK in self.leaving(node.body)
        return True

    # -- blocks ------------------------------------------------------------------------------------

    def block(
        self, statements: Sequence[gast.AST], region: ExitScope, guarded: bool = False
    ) -> list[gast.AST]:
        """Rewrite the statements of a region.

        Args:
            guarded: whether something that follows in the region must not run after an exit.
        """
        done: list[gast.AST] = []
        for i, node in enumerate(statements):
            rest = statements[i + 1 :]
            match node:
                case gast.Return() | gast.Break() | gast.Continue():
                    return done + self.leave(node, region, guarded)
                case gast.Raise():
                    return [*done, node]
                case gast.If() if self.leaving_one(node):
                    return done + self.branch(node, rest, region, guarded)
                case gast.If():
                    node.body = self.block(node.body, NEVER_LEFT)
                    node.orelse = self.block(node.orelse, NEVER_LEFT)
                    done.append(node)
                case gast.While() | gast.For():
                    ends = self.falls_one(node)
                    before, after = self.loop(node)
                    if after:
                        following = [*after, *rest] if ends else after
                        return done + before + self.block(following, region, guarded)
                    done += before
                    if not ends:
                        return done
                case gast.With() | gast.Try():
                    if isinstance(node, gast.Try) and self.leaving(node.finalbody):
                        before, after = self.leave_from_finally(node)
                    else:
                        before, after = self.native_block(node)
                    if after:
                        return done + before + self.block([*after, *rest], region, guarded)
                    done += before
                case gast.FunctionDef() if not is_native(node):
                    done.append(Exits(self.context).function(node))
                case _:
                    done.append(node)
        if region.exit is None and self.returns:
            done.append(self.implicit_return(statements))
        return done

    def implicit_return(self, statements: Sequence[gast.AST]) -> gast.AST:
        node = synthetic(gast.Return(constant(None)))
        return at(node, statements[-1]) if statements else node

    def leave(self, node: gast.AST, region: ExitScope, guarded: bool) -> list[gast.AST]:
        """The statements for a break, continue or return."""
        kinds: dict[type, str] = {gast.Return: RETURN, gast.Break: BREAK, gast.Continue: CONTINUE}
        kind = kinds[type(node)]
        if region.exit is None:
            if is_name(node.value, self.result):
                node.value = at(ops_call("returned", node.value), node.value)
            return [node]
        if kind in region.absorbs and not guarded:
            return []
        region.used.add(kind)
        left: list[gast.AST] = [at(assign(region.exit, ops_name(kind)), node)]
        if kind == RETURN and not is_name(node.value, self.result):
            left.insert(0, at(assign(self.result, node.value), node))
        return left

    def branch(
        self, node: gast.If, rest: Sequence[gast.AST], region: ExitScope, guarded: bool
    ) -> list[gast.AST]:
        """An ``if`` that may be left, and what stands after it."""
        then_falls, else_falls = self.falls(node.body), self.falls(node.orelse)
        if not (then_falls and else_falls and rest):
            then = [*node.body, *(rest if then_falls else ())]
            orelse = [*node.orelse, *(rest if else_falls else ())]
            node.body = self.block(then, region, guarded)
            node.orelse = self.block(orelse, region, guarded)
            return [node]
        inner, exit = region, region.exit
        before: list[gast.AST] = []
        if exit is None:
            exit = self.context.variable("exit")
            inner = ExitScope(exit)
            before = [self.start(inner, node)]
        node.body = self.block(node.body, inner, guarded=True)
        node.orelse = self.block(node.orelse, inner, guarded=True)
        following = self.block(rest, region, guarded)
        left = [] if region.exit else self.leave(self.return_result(node), region, guarded)
        guard = at(gast.If(exit_is(exit, FALL), following, left), rest[0])
        return [*before, node, synthetic(guard)]

    # -- loops, with and try -----------------------------------------------------------------------

    def loop(self, node: gast.While | gast.For) -> tuple[list[gast.AST], list[gast.AST]]:
        """A loop, and what has to be done after it before the statements that follow.

        The second list is still to be rewritten, in the region in which the loop stands.
        """
        kinds = self.leaving(node.body) - {CONTINUE}
        exit = self.context.variable("exit")
        region = ExitScope(exit, absorbs=frozenset({CONTINUE}))
        endless = is_endless(node)
        node.body = self.block(node.body, region)
        orelse, node.orelse = node.orelse, []
        if endless and BREAK not in kinds:
            orelse = []
        if not kinds:
            if region.used:
                node.body.insert(0, self.start(region, node))
            return [node], orelse
        if CONTINUE in region.used:
            reset = at(assign(exit, ops_name(FALL)), node)
            test = exit_is(exit, CONTINUE)
            node.body.append(synthetic(at(gast.If(test, [synthetic(reset)], []), node)))
        self.add_exit_test(node, exit)
        after = []
        if RETURN in kinds:
            node.result = self.result
            if endless and BREAK not in kinds:  # there is no other way out
                after.append(self.return_result(node))
            else:
                after.append(self.leave_if(exit, RETURN, node))
        if orelse and BREAK in kinds:
            after.append(synthetic(at(gast.If(exit_is(exit, FALL), orelse, []), orelse[0])))
        else:
            after += orelse
        return [self.start(region, node), node], after

    def add_exit_test(self, node: gast.While | gast.For, exit: str) -> None:
        """Let a loop end once it has been left, without evaluating its own test again."""
        running = at(exit_is(exit, FALL), node.test if isinstance(node, gast.While) else node.iter)
        if isinstance(node, gast.For):
            node.exit_test = running
        elif is_endless(node):
            node.test = running
        else:
            node.test = at(ops_call("and_", running, thunk(node.test)), node.test)

    def native_block(self, node: gast.With | gast.Try) -> tuple[list[gast.AST], list[gast.AST]]:
        """A ``with`` or ``try``, and what has to be done after it, as for `loop`."""
        kinds = self.leaving_one(node)
        exit = self.context.variable("exit")
        region = ExitScope(exit)
        if isinstance(node, gast.Try):
            if node.handlers:
                node.handlers.insert(0, self.let_pass(node))
            for handler in node.handlers:
                handler.leaves = not self.falls(handler.body)
                handler.repeats = bool(self.leaving(handler.body) & {BREAK, CONTINUE})
                handler.body = self.block(handler.body, region)
            orelse = self.block(node.orelse, region)
            if orelse and self.leaving(node.body):
                guard = at(gast.If(exit_is(exit, FALL), orelse, []), orelse[0])
                orelse = [synthetic(guard)]
            node.orelse = orelse
            node.finalbody = self.block(node.finalbody, NEVER_LEFT)
        node.body = self.block(node.body, region)
        start = [self.start(region, node)] if kinds else []
        after = [self.leave_if(exit, kind, node) for kind in sorted(kinds)]
        return [*start, node], after

    def let_pass(self, node: gast.Try) -> gast.ExceptHandler:
        """``except ops.refusals(): raise``"""
        again = synthetic(at(gast.Raise(None, None), node))
        handler = at(gast.ExceptHandler(ops_call("refusals"), None, [again]), node)
        handler.lets_pass = True  # it handles nothing
        return handler

    def leave_from_finally(self, node: gast.Try) -> tuple[list[gast.AST], list[gast.AST]]:
        """A ``try`` whose ``finally`` block may be left, which drops the exception; returns what
        `native_block` does.

            error = None
            try:
                ...                             # the statement without its finally block
            except Exception as raised:
                error = raised
            ...                                 # the finally block
            if error is not None:
                raise error
        """
        raised, error = self.context.variable("raised"), self.context.variable("error")
        body = node.body
        if node.handlers:
            body = [at(gast.Try(node.body, node.handlers, node.orelse, []), node)]
        keep = synthetic(at(assign(error, load(raised)), node))
        handler = at(gast.ExceptHandler(load("Exception"), store(raised), [keep]), node)
        start = synthetic(at(assign(error, constant(None)), node))
        before, after = self.native_block(at(gast.Try(body, [handler], [], []), node))
        failed = ops_call("not_", ops_call("is_", load(error), constant(None)))
        once_more = synthetic(at(gast.Raise(load(error), None), node))
        again = synthetic(at(gast.If(failed, [once_more], []), node))
        return [start, *before], [*node.finalbody, again, *after]

    def start(self, region: ExitScope, node: gast.AST) -> gast.AST:
        """``exit = ops.FALL``"""
        assert region.exit is not None  # but at the top of a function, which does not start
        return synthetic(at(assign(region.exit, ops_name(FALL)), node))

    def leave_if(self, exit: str, kind: str, node: gast.AST) -> gast.AST:
        """``if exit == ops.KIND:`` and the statement of that kind."""
        if kind == RETURN:
            statement = self.return_result(node)
        else:
            statement = synthetic(at({BREAK: gast.Break, CONTINUE: gast.Continue}[kind](), node))
        return synthetic(at(gast.If(exit_is(exit, kind), [statement], []), node))

    def return_result(self, node: gast.AST) -> gast.AST:
        return synthetic(at(gast.Return(load(self.result)), node))


def is_endless(node: gast.AST) -> bool:
    """Whether a loop can only end by an exit: ``while True``."""
    return (
        isinstance(node, gast.While)
        and isinstance(node.test, gast.Constant)
        and bool(node.test.value)
    )
