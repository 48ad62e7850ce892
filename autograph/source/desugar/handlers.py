"""``try`` statements whose handlers the program itself has to find, as conditionals.

::

    try:                            sites, error = ops.sites(), 0
        y = f(x)                    ok, error, t = ops.attempted(sites, lambda: kinds, lambda: f(x))
        z = 1 / y                   if ok:
    except ValueError as e:             y = t
        print(e)                        ok, error, t = ops.attempted(sites, ..., lambda: 1 / y)
    else:                               if ok:
        ...                                 z = t
                                    if error == 0:
                                        ...
                                    elif ops.handles(sites, error, lambda: ValueError):
                                        e = ops.caught(sites, error)
                                        print(e)
                                    else:
                                        ops.reraise(sites, error)

An exception is a number, its place in ``sites``; 0 is none. Each statement of the body is attempted
by itself, those after it stand under the condition that it succeeds, and loops are left. So the
state that handlers find is that of the moment. Functions are converted like this if it turns out
while recording that an exception known only at run time has to be handled.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import gast

from autograph.source.desugar.displays import without_star
from autograph.source.desugar.managers import leaving, with_to_try
from autograph.source.desugar.operands import evaluate_first, is_read
from autograph.source.desugar.patterns import match_to_if
from autograph.source.desugar.put_off import put_off
from autograph.source.desugar.shapes import (
    EXITS,
    always_leaves,
    as_value,
    is_display,
    is_path,
    is_simple,
    may_leave,
)
from autograph.source.tree.build import (
    IN_PLACE,
    assign,
    at,
    constant,
    is_native,
    load,
    load_tuple,
    ops_call,
    store,
    store_tuple,
    synthetic,
    thunk,
)
from autograph.source.tree.context import Context
from ops.core.records import NamedTuple

_MOST_CLASSES = 4  # of a handler, whose statements are there for each
_UNABLE = (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)


class KnownNames(NamedTuple):
    """What is known of names where a statement stands.

    Attributes:
        is_transparent: whether a context manager is known to let exceptions pass.
        is_free: whether a name is none of the function's own.
    """

    is_transparent: Callable[[gast.AST], bool]
    is_free: Callable[[str], bool]


class _Stays(Exception):
    """A ``try`` has something in it that cannot be rewritten."""


# ``follows(made, rest)``: the statements ``made``, and ``rest`` if these succeed.
_Follows = Callable[[list[gast.AST], list[gast.AST]], list[gast.AST]]


class _Body(NamedTuple):
    """The body of a ``try`` statement.

    Attributes:
        sites, error: the variables for the exceptions that it may raise, and for the one it did.
        kinds: the classes that are handled, also by the statements around it.
        in_loop: whether a loop of the body is around the present statement.
    """

    sites: str
    error: str
    kinds: tuple[gast.AST, ...]
    in_loop: bool = False


def handled(node: gast.Try, context: Context, scope: KnownNames) -> list[gast.AST] | None:
    """The statements in place of a ``try``; None for one that stays as it is."""
    try:
        return _Handlers(context, scope).try_statement(copy.deepcopy(node), None)
    except _Stays:
        return None


def unwound(body: list[gast.AST], context: Context, scope: KnownNames) -> list[gast.AST]:
    """The body of a function that is called where exceptions are handled, which may be raised in
    the middle of it: a ``try`` that handles none of its own, but raises again what was raised. As
    it is if it has something in it that cannot be rewritten."""
    handlers, first = _Handlers(context, scope), body[0]
    around = handlers.begin((), None)
    try:
        made = handlers.block(copy.deepcopy(body), around)
    except _Stays:
        return body
    if not handlers.attempts:
        return body
    again = handlers.raise_again(around, None, first)
    if not always_leaves(body):
        again = [synthetic(at(gast.If(handlers.is_clear(around, first), [], again), first))]
    return [*handlers.start(around, first, "unwinding"), *made, *again]


class _Handlers:
    def __init__(self, context: Context, scope: KnownNames):
        self.context = context
        self.scope = scope
        self.attempts = 0  # how many there are so far

    def lets_pass(self, item: gast.withitem) -> bool:
        """Whether a context manager cannot fail when the program runs, and lets exceptions pass."""
        call, target = item.context_expr, item.optional_vars
        if not (
            self.scope.is_transparent(call) and (target is None or isinstance(target, gast.Name))
        ):
            return False
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        return all(isinstance(argument, gast.Constant) for argument in arguments)

    # -- try --------------------------------------------------------------------------------------

    def try_statement(self, node: gast.Try, around: _Body | None) -> list[gast.AST]:
        """Rewrite a ``try`` statement, which may stand in the body of another one."""
        if node.finalbody:
            return self.with_final(node, around)
        kinds = tuple(h.type or at(load("Exception"), h) for h in node.handlers)
        body = self.begin(kinds, around)
        before = self.attempts
        made = self.block(node.body, body)
        is_one = self.attempts == before + 1 and isinstance(made[-1], gast.If)
        orelse, dispatch = self.rest(node.orelse, around), self.dispatch(node, body, around)
        if is_one and getattr(made[-1], "is_attempted", False):
            # As in the source: what the variables are is told best by two branches.
            made[-1].body += orelse
            made[-1].orelse = dispatch
        elif not orelse and isinstance(node.body[-1], (*EXITS, gast.Raise)):
            made += dispatch
        else:
            made.append(synthetic(at(gast.If(self.is_clear(body, node), orelse, dispatch), node)))
        return [*self.start(body, node), *made]

    def with_final(self, node: gast.Try, around: _Body | None) -> list[gast.AST]:
        """``finally``: what it is done after is put off."""
        inner = node.body
        if node.handlers:
            inner = [at(gast.Try(node.body, node.handlers, node.orelse, []), node)]
        if may_leave(node.finalbody):
            if around is not None or not node.handlers:
                raise _Stays
            made = self.try_statement(inner[0], None)
            return [at(gast.Try(made, [], [], node.finalbody), node)]
        begin: list[gast.AST] = []
        end: list[gast.AST] = []
        if may_leave(inner):
            inner, begin, end = put_off(inner, self.context, node)
        body = self.begin((at(load("Exception"), node),), around)
        final = self.rest(node.finalbody, around)
        again = self.raise_again(body, around, node)
        failed = at(gast.If(self.is_clear(body, node), [], again), node)
        return [
            *begin,
            *self.start(body, node),
            *self.block(inner, body),
            *final,
            *self.under(around, [synthetic(failed)], node),
            *self.under(around, end, node),
        ]

    def begin(self, kinds: tuple[gast.AST, ...], around: _Body | None) -> _Body:
        outer = around.kinds if around is not None else ()
        names = self.context.variable("sites"), self.context.variable("error")
        return _Body(*names, (*kinds, *outer))

    def start(self, body: _Body, node: gast.AST, sites: str = "sites") -> list[gast.AST]:
        """``sites = ops.sites()`` and ``error = 0``."""
        made = (assign(body.sites, ops_call(sites)), assign(body.error, constant(0)))
        return [synthetic(at(one, node)) for one in made]

    def is_clear(self, body: _Body, node: gast.AST) -> gast.AST:
        """``error == 0``"""
        return at(gast.Compare(load(body.error), [gast.Eq()], [constant(0)]), node)

    def rest(self, statements: Sequence[gast.AST], around: _Body | None) -> list[gast.AST]:
        """Statements that are not in the body of a ``try``, but maybe of the one around it."""
        return list(statements) if around is None else self.block(statements, around)

    def under(
        self, around: _Body | None, statements: list[gast.AST], node: gast.AST
    ) -> list[gast.AST]:
        """Statements that follow others in the body of a ``try`` around them."""
        if around is None:
            return statements
        return [synthetic(at(gast.If(self.is_clear(around, node), statements, []), node))]

    def dispatch(self, node: gast.Try, body: _Body, around: _Body | None) -> list[gast.AST]:
        """The handlers, the first that fits first."""
        chosen: list[gast.AST] = self.raise_again(body, around, node)
        for handler in reversed([one for h in node.handlers for one in _by_class(h)]):
            statements = self.handler(handler, body, around)
            kinds = handler.type or at(load("BaseException"), handler)
            parts = load(body.sites), load(body.error), thunk(kinds)
            test = at(ops_call("handles", *parts), handler)
            chosen = [at(gast.If(test, statements, chosen), handler)]
        return chosen

    def handler(
        self, node: gast.ExceptHandler, body: _Body, around: _Body | None
    ) -> list[gast.AST]:
        if hasattr(node, "leaves"):
            node.body = leaving(body.sites, body.error, node)
        _RaiseAgain(self, body, around).visit_all(node.body)
        names = {n.id for n in _all_nodes(node.body) if isinstance(n, gast.Name)}
        statements = self.rest(node.body, around)  # which takes the body apart
        if node.name is None or node.name.id not in names:
            return statements
        name = node.name.id
        caught = ops_call("caught", load(body.sites), load(body.error))
        before = synthetic(at(assign(name, caught), node))
        if isinstance(node.body[-1], (*EXITS, gast.Raise)):
            return [before, *statements]
        # Python deletes the name.
        gone = at(gast.Delete([gast.Name(name, gast.Del(), None, None)]), node)
        return [before, *statements, *self.under(around, [synthetic(gone)], node)]

    def raise_again(self, body: _Body, around: _Body | None, node: gast.AST) -> list[gast.AST]:
        """Raise what the body of a ``try`` has raised."""
        parts = load(body.sites), load(body.error)
        if around is None:
            again: list[gast.AST] = [
                at(gast.Raise(at(ops_call("reraised", *parts), node), None), node)
            ]
        else:
            passed = ops_call("passed", load(around.sites), *parts)
            again = self.leave(around, at(assign(around.error, passed), node))
        # All that are left, as a last handler would find.
        left = ops_call("handles", *copy.deepcopy(parts), thunk(at(load("BaseException"), node)))
        return [synthetic(at(gast.If(at(left, node), again, []), node))]

    def leave(self, body: _Body, failed: gast.AST) -> list[gast.AST]:
        """Go to the handlers of a ``try``."""
        self.attempts += 1
        return [failed, at(gast.Break(), failed)] if body.in_loop else [failed]

    # -- statements in the body of a try ----------------------------------------------------------

    def block(self, statements: Sequence[gast.AST], body: _Body) -> list[gast.AST]:
        """Statements, each only if those before it have succeeded."""
        for i, node in enumerate(statements):
            rest = statements[i + 1 :]
            if isinstance(node, (*EXITS, gast.Raise)):
                rest = ()
            made, follows = self.statement(node, body)
            if follows:
                done = self.block(rest, body)
                if i == 0:
                    return follows(made, done)
                return [*statements[:i], *follows(made, done)]
        return list(statements)

    def statement(self, node: gast.AST, body: _Body) -> tuple[list[gast.AST], _Follows | None]:
        """What is done for a statement, and a function that puts what follows behind it; None for
        a statement that cannot fail when the program runs."""
        match node:
            case gast.Pass() | gast.Break() | gast.Continue() | gast.Global() | gast.Nonlocal():
                return [node], None
            case gast.Import() | gast.ImportFrom() | gast.FunctionDef() | gast.ClassDef():
                if is_native(node) or not getattr(node, "decorator_list", ()):
                    return [node], None
                raise _Stays
            case gast.Delete() if all(isinstance(t, gast.Name) for t in node.targets):
                return [node], None
            case gast.AnnAssign() if node.value is None:
                return [node], None
        maker = _Sequence(self, body, node)
        match node:
            case gast.Expr():
                maker.value(node.value)
            case gast.Return():
                if node.value is not None:
                    node.value = maker.value(node.value)
                maker.add(node)
            case gast.Assign():
                maker.store(node.targets, node.value)
            case gast.AnnAssign():
                maker.store([node.target], node.value)
            case gast.AugAssign():
                maker.in_place(node)
            case gast.Raise():
                self.raising(node, body, maker)
            case gast.Assert():
                error = at(gast.Call(at(load("AssertionError"), node), [], []), node)
                error.args += [node.msg] if node.msg else []
                failure = at(gast.Raise(error, None), node)
                test = at(gast.UnaryOp(gast.Not(), node.test), node.test)
                maker.compound(at(gast.If(maker.value(test), [failure], []), node), body)
            case gast.If():
                node.test = maker.value(node.test)
                maker.compound(node, body)
            case gast.Match():
                made = self.block(match_to_if(node, self.context), body)
                maker.add(*made)
                maker.tested(self.is_clear(body, node))
            case gast.For():
                if not is_simple(node.target):
                    raise _Stays
                puts_off = isinstance(node.iter, (gast.Call, gast.GeneratorExp))
                node.iter = maker.value(node.iter)
                if body.kinds:
                    self.attempt_items(node, body, puts_off)
                maker.loop(node, body)
            case gast.While():
                maker.loop(self.endless(node, body), body)
            case gast.With() if all(self.lets_pass(item) for item in node.items):
                node.body = self.block(node.body, body)
                maker.add(node)
                maker.tested(self.is_clear(body, node))
            case gast.With():
                begin, attempt = with_to_try(node, self.context)
                maker.add(*self.block([*begin, attempt], body))
                maker.tested(self.is_clear(body, node))
            case gast.Try():
                maker.add(*self.try_statement(node, body))
                maker.tested(self.is_clear(body, node))
            case _:
                raise _Stays
        return maker.made, maker.follows

    def attempt_items(self, node: gast.For, body: _Body, puts_off: bool) -> None:
        """``for t in ops.gone_through(...): x = ops.item(t)``, which may fail.

        Args:
            puts_off: whether it is likely that what is gone through computes its items.
        """
        kinds = thunk(at(load_tuple(copy.deepcopy(body.kinds)), node))
        call = ops_call("gone_through", kinds, node.iter, at(constant(puts_off), node))
        node.iter = at(call, node)
        if not puts_off:
            return
        name = self.context.variable("t")
        item = at(ops_call("item", load(name)), node.target)
        node.body = [at(gast.Assign([node.target], item, None), node.target), *node.body]
        node.target = at(store(name), node.target)

    def raising(self, node: gast.Raise, body: _Body, maker: _Sequence) -> None:
        """``error = ops.raising(sites, X, cause)``"""
        again = getattr(node, "again", None)
        if again is not None:
            passed = ops_call("passed", load(body.sites), *again)
        elif node.exc is None:
            raise _Stays
        else:
            exception = maker.value(node.exc)
            parts = [load(body.sites), exception]
            parts += [maker.value(node.cause)] if node.cause is not None else []
            passed = ops_call("raising", *parts)
        maker.add(*self.leave(body, at(assign(body.error, passed), node)))

    def endless(self, node: gast.While, body: _Body) -> gast.While:
        """``while True: if not test: break``, where the test may fail."""
        if isinstance(node.test, gast.Constant) and node.test.value:
            return node
        if node.orelse:
            raise _Stays
        ends = at(gast.UnaryOp(gast.Not(), node.test), node.test)
        leave = synthetic(at(gast.If(ends, [at(gast.Break(), node.test)], []), node.test))
        return at(gast.While(at(constant(True), node.test), [leave, *node.body], []), node)


class _Sequence:
    """The statements for one statement of a ``try``: of each pair of these the second is done if
    the first succeeds.

    Attributes:
        made: the statements, from the outermost.
    """

    def __init__(self, handlers: _Handlers, body: _Body, node: gast.AST):
        self.handlers, self.body, self.node = handlers, body, node
        self.made: list[gast.AST] = []
        self._inner = self.made  # where statements are added

    def follows(self, made: list[gast.AST], rest: list[gast.AST]) -> list[gast.AST]:
        """``made``, and ``rest`` if that succeeds."""
        self._inner += rest
        if self._inner is not self.made and not self._inner:
            self._inner.append(synthetic(at(gast.Pass(), self.node)))
        return made

    def add(self, *statements: gast.AST) -> None:
        self._inner += statements

    def tested(self, test: gast.AST, is_attempted: bool = False) -> None:
        """What is added from now on is done if the test says so."""
        inner: list[gast.AST] = []
        orelse: list[gast.AST] = []
        if self.body.in_loop:
            orelse = [at(gast.Break(), self.node)]
        branch = synthetic(at(gast.If(test, inner, orelse), self.node))
        branch.is_attempted = is_attempted
        self.add(branch)
        self._inner = inner

    def attempted(self, expression: gast.AST) -> gast.AST:
        """Attempt an expression; returns what stands for its value."""
        if isinstance(expression, (gast.Constant, gast.Lambda)):
            return expression
        if any(isinstance(inner, _UNABLE) for inner in _all_nodes([expression])):
            raise _Stays
        context, body = self.handlers.context, self.body
        ok, value = context.variable("ok"), context.variable("t")
        kinds = thunk(at(load_tuple(copy.deepcopy(body.kinds)), expression))
        call = ops_call("attempted", load(body.sites), kinds, thunk(expression))
        targets = store_tuple([store(ok), store(body.error), store(value)])
        self.add(at(gast.Assign([targets], at(call, expression), None), expression))
        self.handlers.attempts += 1
        self.tested(at(load(ok), expression), is_attempted=True)
        return at(load(value), expression)

    def value(self, node: gast.AST) -> gast.AST:
        """Attempt an expression, what calls are given before the calls."""
        return self.attempted(self.with_operands(node))

    def with_operands(self, node: gast.AST) -> gast.AST:
        """An expression in which the operands of calls have been evaluated."""
        if not any(isinstance(inner, gast.Call) for inner in _all_nodes([node])):
            return node
        evaluate_first(node, self.value, self.kept, self.handlers.scope.is_free)
        return node

    def kept(self, node: gast.AST) -> gast.AST:
        """What stands for what a variable, or an attribute of one, is now."""
        if not isinstance(node, gast.Name):
            return self.attempted(node)
        name = self.handlers.context.variable("t")
        self.add(at(assign(name, node), node))
        return at(load(name), node)

    def operand(self, node: gast.AST) -> gast.AST:
        """What stands for an operand; a variable may be another one later."""
        return node if is_read(node) else self.value(node)

    def before(self, node: gast.AST, *later: gast.AST) -> gast.AST:
        """What stands for an operand that Python evaluates before others."""
        if is_path(node) and not all(map(is_read, later)):
            return self.kept(node)
        return self.operand(node)

    def store(self, targets: Sequence[gast.AST], value: gast.AST) -> None:
        (*_, last) = targets
        if isinstance(last, gast.Tuple | gast.List) and not is_display(value, last):
            value = self.with_operands(value)
            parted = without_star(last, value, self.node)
            if parted is None:
                count = at(constant(len(last.elts)), last)
                parted = at(ops_call("unpacked", count, value), value)
            value = self.attempted(parted)
        else:
            value = self.value(value)
        self.stored(targets, value)

    def stored(self, targets: Sequence[gast.AST], value: gast.AST) -> None:
        """Store a value that is there, which is unpacked if the target is a tuple."""
        (*_, last) = targets
        if all(map(is_simple, targets)):
            self.add(at(gast.Assign(list(targets), value, None), self.node))
            return
        variable = self.handlers.context.variable
        if len(targets) > 1:
            name = variable("t")
            self.add(at(gast.Assign([store(name)], value, None), self.node))
            for target in targets:
                self.stored([target], at(load(name), target))
            return
        match last:
            case gast.Subscript():
                index = as_value(last.slice)
                place = [self.before(last.value, index), self.operand(index)]
                self.attempted(at(ops_call("stored", *place, value), last))
            case gast.Attribute():  # of which a property may make something that fails
                attribute = at(constant(last.attr), last)
                call = ops_call("stored_attribute", self.operand(last.value), attribute, value)
                self.attempted(at(call, last))
            case gast.Tuple() | gast.List():
                names = [variable("t") for _ in last.elts]
                parts = store_tuple(list(map(store, names)))
                self.add(at(gast.Assign([at(parts, last)], value, None), self.node))
                for part, name in zip(last.elts, names):
                    self.stored([part], at(load(name), part))
            case _:
                raise _Stays

    def in_place(self, node: gast.AugAssign) -> None:
        change = IN_PLACE[type(node.op)]
        current: gast.AST
        match node.target:
            case gast.Name():
                current = self.before(at(load(node.target.id), node.target), node.value)
                call = ops_call(change, current, self.operand(node.value))
                new = self.attempted(at(call, node))
                target = at(store(node.target.id), node.target)
                self.add(at(gast.Assign([target], new, None), node))
            case gast.Attribute():
                owner = self.before(node.target.value, node.value)
                attribute = at(gast.Attribute(owner, node.target.attr, gast.Store()), node.target)
                read = copy.deepcopy(attribute)
                read.ctx = gast.Load()
                current = self.attempted(read)
                new = self.attempted(at(ops_call(change, current, self.operand(node.value)), node))
                self.stored([attribute], new)
            case gast.Subscript():
                index = as_value(node.target.slice)
                owner = self.before(node.target.value, index, node.value)
                place = self.before(index, node.value)
                parts = copy.deepcopy((owner, place))
                current = self.attempted(at(gast.Subscript(*parts, gast.Load()), node.target))
                new = self.attempted(at(ops_call(change, current, self.operand(node.value)), node))
                self.attempted(at(ops_call("stored", owner, place, new), node))
            case _:
                raise _Stays

    def compound(self, node: gast.If, body: _Body) -> None:
        node.body = self.handlers.block(node.body, body)
        node.orelse = self.handlers.block(node.orelse, body)
        self.add(node)
        self.tested(self.handlers.is_clear(body, node))

    def loop(self, node: gast.For | gast.While, body: _Body) -> None:
        node.body = self.handlers.block(node.body, body._replace(in_loop=True))
        node.orelse = self.handlers.block(node.orelse, body)
        self.add(node)
        self.tested(self.handlers.is_clear(body, node))


class _RaiseAgain(gast.NodeVisitor):
    """Gives each ``raise`` without an exception in a handler the one that is handled."""

    def __init__(self, handlers: _Handlers, body: _Body, around: _Body | None):
        self.handlers, self.body, self.around = handlers, body, around

    def visit_all(self, statements: Sequence[gast.AST]) -> None:
        for node in statements:
            self.visit(node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        if any(isinstance(n, gast.Raise) and n.exc is None for n in _all_nodes(node.body)):
            raise _Stays

    visit_Lambda = visit_ClassDef = lambda self, node: None

    def visit_Try(self, node: gast.Try) -> None:
        # In its handlers another exception is handled, by then.
        self.visit_all([*node.body, *node.orelse, *node.finalbody])

    def visit_Raise(self, node: gast.Raise) -> None:
        if node.exc is None and not hasattr(node, "again"):
            node.again = [load(self.body.sites), load(self.body.error)]
            if self.around is None:
                node.exc = at(ops_call("reraised", *node.again), node)


def _by_class(node: gast.ExceptHandler) -> list[gast.ExceptHandler]:
    """A handler for each of the classes of one that uses the exception: of exceptions of several
    classes the program could not say which one it is."""
    kinds = node.type.elts if isinstance(node.type, gast.Tuple) else []
    if node.name is None or not 1 < len(kinds) <= _MOST_CLASSES:
        return [node]
    others = [copy.deepcopy(node.body) for _ in kinds[1:]]
    made = [gast.ExceptHandler(kind, node.name, b) for kind, b in zip(kinds, [node.body, *others])]
    return [at(handler, node) for handler in made]


def _all_nodes(nodes: Sequence[gast.AST]) -> list[gast.AST]:
    return [inner for node in nodes for inner in gast.walk(node)]
