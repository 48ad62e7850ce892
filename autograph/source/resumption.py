"""Generator functions, cut at their yields into functions that end.

A generator is left at a ``yield`` and entered there again. What it does from there to the next
``yield`` is a *step*, an ordinary function: of what it needs, to where it stands then, the value
and what it needs there.

    def odd(n):                 def odd_0(n):                   def odd_1(k, n):
        k = 1                       k = 1                           k += 2
        while k < n:                while k < n:                    while k < n:
            yield k                     return 1, k, k, n               return 1, k, k, n
            k += 2                      k += 2                          k += 2
                                    return 0, <undefined>, k, n     return 0, <undefined>, k, n

The first step begins where the function does, step ``i`` behind its yield number ``i``, which is
counted from 1; the place 0 is the end. A loop around a yield follows the rest of its own body. This
is how generators are compiled elsewhere, too, but that each place is a function here instead of the
target of a jump, so that what is left is structured code.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import gast

from autograph.source.desugar.patterns import match_to_if
from autograph.source.load import Resumption
from autograph.source.ssa.exits import is_endless
from autograph.source.ssa.versions import names_in
from autograph.source.tree.build import (
    arguments,
    assign,
    at,
    constant,
    function_def,
    load,
    ops_call,
    store,
    store_tuple,
    synthetic,
)
from autograph.source.tree.context import Context
from autograph.source.tree.scopes import (
    BLOCKS,
    bindings,
    free_reads,
    own_nodes,
    own_statements,
    parameters,
    reads,
    walk,
)

PLACE, VALUE, SENT = "place.g", "value.g", "sent.g"
_YIELDS = (gast.Yield, gast.YieldFrom)
# Built-ins that are done with a generator expression when they return.
_DONE_AT_ONCE = {"sum", "min", "max", "any", "all", "list", "tuple", "set", "sorted", "dict"}
_FIX = "write it so, or make a list of what it yields and return that"


class Generator:
    """A generator function.

    Args:
        tree: its definition, which is changed.
        context: of the conversion.
        is_builtin: whether a name means a built-in there.

    Raises:
        UnsupportedConstructError: it can't be cut.
    """

    def __init__(self, tree: gast.FunctionDef, context: Context, is_builtin: Callable[[str], bool]):
        self.tree = tree
        self.context = context
        self.is_builtin = is_builtin
        self.taken = names_in(tree)
        self.yields: list[gast.Return] = []
        self.loops = 0
        self.params = [parameter.id for parameter in parameters(tree.args)]
        self.local = {*self.params, *bindings(tree.body)}
        self._check_scopes()
        self._name_owners()
        self.body = self.block(tree.body)
        self.needs = tuple(self._needs())
        self.kept = sorted({name for names in self.needs for name in names})

    @property
    def resumption(self) -> Resumption:
        """How it is cut."""
        return Resumption(tuple(self.params), self.needs)

    def step(self, place: int) -> gast.FunctionDef:
        """The definition of one of its steps, with its parameters by position: those of the
        function for the first, for the others what is kept, then what is sent."""
        body: list[gast.AST] = [self._start(PLACE, constant(0))]
        if place == 0:
            params = self.params
            rest = copy.deepcopy(self.body)
        else:
            names = {name: self._parameter(name) for name in (*self.kept, SENT)}
            params = list(names.values())
            inner = ((name, param) for name, param in names.items() if name != param)
            body += [self._start(name, load(param)) for name, param in inner]
            rest = self._after(self.body, place) or []
        body += _without_loops(rest)
        made = at(function_def(self.tree.name, arguments(params), body), self.tree)
        made.hands_back = (PLACE, VALUE, *self.kept)
        return made

    def _start(self, name: str, value: gast.AST) -> gast.AST:
        return synthetic(at(assign(name, value), self.tree))

    def _parameter(self, name: str) -> str:
        """The parameter for a variable: its own name, if that can be written."""
        if "." not in name:
            return name
        found = name.replace(".g", "_")
        while found in self.taken:
            found += "_"
        return found

    # -- statements with yields --------------------------------------------------------------------

    def block(self, statements: Sequence[gast.AST]) -> list[gast.AST]:
        """Statements in which every yield returns."""
        return [new for node in statements for new in self.statement(node)]

    def statement(self, node: gast.AST) -> list[gast.AST]:
        has_yields = _has_yields([node])
        match node:
            case gast.Return():
                return self.returned(node)
            case gast.Expr(value=gast.Yield() as found):
                return self.left(found, [], node)
            case gast.Assign(value=gast.Yield() as found):
                self.refuse_yields(node.targets)
                return self.left(found, [gast.Assign(node.targets, load(SENT), None)], node)
            case gast.AnnAssign(value=gast.Yield() as found):
                self.refuse_yields([node.target])
                return self.left(found, [gast.Assign([node.target], load(SENT), None)], node)
            case gast.AugAssign(target=gast.Name(), value=gast.Yield() as found):
                # The variable is read before, but nobody else assigns it.
                then = gast.AugAssign(node.target, node.op, load(SENT))
                return self.left(found, [then], node)
            case gast.Expr(value=gast.YieldFrom() as found):
                item = f"item.g{self.loops}"
                body = [at(gast.Expr(at(gast.Yield(load(item)), node)), node)]
                target = at(store(item), node)
                return self.statement(at(gast.For(target, found.value, body, [], None), node))
            case gast.Match() if has_yields:
                return self.block(match_to_if(node, self.context))
            case gast.For() if has_yields:
                return self.loop(node)
            case gast.While() | gast.If():
                self.refuse_yields([node.test])
            case gast.Try() | gast.With() if has_yields:
                kind = "try" if isinstance(node, gast.Try) else "with"
                self.refuse(node, f"a 'yield' in a '{kind}' statement", "yield behind it")
            case _ if has_yields:
                self.refuse_yields([node])
        is_definition = isinstance(node, gast.FunctionDef | gast.ClassDef)
        for field in () if is_definition else BLOCKS:
            if getattr(node, field, None):
                setattr(node, field, self.block(getattr(node, field)))
        for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            inner.body = self.block(inner.body)
        return [node]

    def returned(self, node: gast.Return) -> list[gast.AST]:
        """What is done for a return: who goes through a generator sees nothing of the value."""
        value, node.value = node.value, None
        if value is None or isinstance(value, gast.Constant):
            return [node]
        self.refuse_yields([value])
        return [at(gast.Expr(value), node), node]

    def left(self, found: gast.Yield, then: list[gast.AST], node: gast.AST) -> list[gast.AST]:
        """What is done for a yield.

        Args:
            then: what is done with what is sent.
        """
        self.refuse_yields([found.value] if found.value else [])
        leave = synthetic(at(gast.Return(None), node))
        self.yields.append(leave)
        leave.place = len(self.yields)
        leave.then = [at(statement, node) for statement in then]
        value = at(assign(VALUE, found.value or constant(None)), node)
        return [value, synthetic(at(assign(PLACE, constant(leave.place)), node)), leave]

    def loop(self, node: gast.For) -> list[gast.AST]:
        """A ``for`` that is left and entered again: its iterator is a value, see `ops.walk`.

        walk, go = ops.walk(iterable), True
        while go:
            there, item, walk = ops.walked(walk)
            if there:
                target = item
                ...
            else:
                go = False
        """
        if not self.is_builtin("iter") or "iter" in self.local:
            self.refuse(node, "a 'yield' in a loop where 'iter' is a variable", "rename that one")
        self.refuse_yields([node.iter])
        number, self.loops = self.loops, self.loops + 1
        walk, there, item, go = (f"{name}.g{number}" for name in ("walk", "there", "item", "go"))
        if isinstance(node.iter, gast.Call):
            made = ops_call("walk", node.iter.func, *node.iter.args)
            made.keywords = node.iter.keywords
        else:
            made = ops_call("walk", load("iter"), node.iter)
        start = at(assign(walk, at(made, node.iter)), node.iter)
        taken = store_tuple([store(there), store(item), store(walk)])
        advance = synthetic(at(assign(taken, ops_call("walked", load(walk))), node.iter))
        bound = at(gast.Assign([node.target], load(item), None), node.target)
        body, orelse = [synthetic(bound), *self.block(node.body)], self.block(node.orelse)
        end = [synthetic(at(assign(go, constant(False)), node))]
        trip = [advance, synthetic(at(gast.If(load(there), body, end), node))]
        loop = at(gast.While(load(go), trip, orelse), node)
        loop.starts = [synthetic(at(assign(go, constant(True)), node))]
        return [start, *copy.deepcopy(loop.starts), loop]

    def refuse_yields(self, nodes: Sequence[gast.AST]) -> None:
        for found in own_nodes(nodes):
            if isinstance(found, _YIELDS):
                fix = "make it a statement of its own: x = yield value"
                self.refuse(found, "a 'yield' in an expression", fix)

    def refuse(self, node: gast.AST, what: str, fix: str = _FIX) -> None:
        self.context.refuse(
            node,
            f"{what} is not supported where it is known only at run time how far a generator goes",
            fix,
            "AG0585",
        )

    # -- what follows a yield ----------------------------------------------------------------------

    def _after(self, statements: Sequence[gast.AST], place: int) -> list[gast.AST] | None:
        """What is done behind a yield until some statements end; None if it is not in them."""
        for number, node in enumerate(statements):
            found = self._after_in(node, place)
            if found is not None:
                return [*found, *copy.deepcopy(list(statements[number + 1 :]))]
        return None

    def _after_in(self, node: gast.AST, place: int) -> list[gast.AST] | None:
        if isinstance(node, gast.Return) and getattr(node, "place", None) == place:
            return copy.deepcopy(node.then)
        if not isinstance(node, gast.If | gast.For | gast.While):
            return None
        rest = self._after(node.body, place)
        if rest is None or isinstance(node, gast.If):
            return self._after(node.orelse, place) if rest is None else rest
        again = [*getattr(node, "starts", []), node]
        again = copy.deepcopy(again)
        if not _leaves_loop(rest):
            return [*rest, *again]
        # The rest of the trip, which may be left as a trip: it is one, of a loop of one.
        once = at(store(f"once.g{place}"), node)
        single = at(gast.Tuple([constant(0)], gast.Load()), node)
        return [synthetic(at(gast.For(once, single, rest, again, None), node))]

    # -- variables ---------------------------------------------------------------------------------

    def _name_owners(self) -> None:
        """Write ``super()`` with its arguments: the first parameter of a step is another one."""
        first = [*self.tree.args.posonlyargs, *self.tree.args.args][:1]
        for node in own_nodes(self.tree.body):
            match node:
                case gast.Call(func=gast.Name(id="super"), args=[]) if first and self.is_builtin(
                    "super"
                ):
                    node.args = [at(load(name), node) for name in ("__class__", first[0].id)]

    def _check_scopes(self) -> None:
        times = Counter([*bindings(self.tree.body), *self.params])
        for node in own_statements(self.tree):
            if isinstance(node, gast.Nonlocal):
                is_global = getattr(node, "is_global", False)
                self.refuse(node, f"'{'global' if is_global else 'nonlocal'}' in a generator")
            if isinstance(node, gast.Delete) and any(
                isinstance(t, gast.Name) for t in node.targets
            ):
                self.refuse(node, "deleting a variable of a generator", "assign None instead")
        done = set()
        for node in walk(self.tree):
            called = node.func if isinstance(node, gast.Call) else None
            name = called.id if isinstance(called, gast.Name) else None
            if name in _DONE_AT_ONCE and self.is_builtin(name):
                done.update(node.args)
            is_function = isinstance(node, gast.FunctionDef | gast.Lambda | gast.GeneratorExp)
            if not is_function or node is self.tree or node in done:
                continue
            for name in sorted(free_reads(node)):
                if times[name] > 1:
                    self.refuse(
                        node,
                        f"a function in a generator that sees '{name}' change",
                        f"give it the value: a parameter with the default {name}={name}",
                    )

    def _needs(self) -> Iterator[tuple[str, ...]]:
        """What the step needs that begins at each yield.

        Raises:
            UnsupportedConstructError: it may have no value there.
        """
        local = {*self.params, *bindings(self.body)} - {PLACE, VALUE, SENT}
        before = _Assigned()
        before.block(self.body, frozenset(self.params))
        for leave in self.yields:
            after = _Assigned()
            after.block(self._after(self.body, leave.place) or (), frozenset())
            needed = after.exposed & local
            for name in sorted(needed - before.at_yields.get(leave.place, needed)):
                self.refuse(
                    leave,
                    f"a variable that may have no value at a 'yield' ('{name}')",
                    f"assign '{name}' before it on every path",
                )
            yield tuple(sorted(needed))


def _has_yields(nodes: Iterable[gast.AST]) -> bool:
    return any(isinstance(node, _YIELDS) for node in own_nodes(nodes))


def _without_loops(statements: Iterable[gast.AST]) -> list[gast.AST]:
    """Statements in which no loop is one that makes a trip at most, since that leaves the
    function."""
    done: list[gast.AST] = []
    for node in statements:
        for field in ("body", "orelse"):
            if isinstance(node, gast.If | gast.While | gast.For):
                setattr(node, field, _without_loops(getattr(node, field)))
        if not isinstance(node, gast.While):
            done.append(node)
        elif hasattr(node, "starts"):
            advance, trip = node.body
            if _is_once(trip.body):
                trip.orelse = node.orelse
                done += [advance, trip]
            else:
                done.append(node)
        elif not _is_once(node.body):
            done.append(node)
        elif is_endless(node):
            done += node.body
        else:
            done.append(at(gast.If(node.test, node.body, node.orelse), node))
    return done


def _is_once(statements: Sequence[gast.AST]) -> bool:
    """Whether the body of a loop always leaves the function."""
    return not (_falls(statements) or _leaves_loop(statements))


def _falls(statements: Sequence[gast.AST]) -> bool:
    """Whether the end of some statements may be reached."""
    for node in statements:
        if isinstance(node, gast.Return | gast.Raise | gast.Break | gast.Continue):
            return False
        if isinstance(node, gast.If) and not (_falls(node.body) or _falls(node.orelse)):
            return False
        if is_endless(node) and not _leaves_loop(node.body):
            return False
    return True


def _leaves_loop(statements: Iterable[gast.AST]) -> bool:
    """Whether there is a ``break`` or ``continue`` for a loop around some statements."""
    for node in statements:
        if isinstance(node, gast.Break | gast.Continue):
            return True
        inside = [] if isinstance(node, gast.For | gast.While) else [getattr(node, "body", [])]
        inside += [getattr(node, "orelse", []), getattr(node, "finalbody", [])]
        inside += [part.body for part in getattr(node, "handlers", ())]
        inside += [part.body for part in getattr(node, "cases", ())]
        if isinstance(node, gast.stmt) and any(
            _leaves_loop(part) for part in inside if isinstance(part, list)
        ):
            return True
    return False


class _Assigned:
    """Which variables surely have a value where.

    Attributes:
        at_yields: those at each yield, by its place.
        exposed: those that are read where they may not have been assigned.
    """

    def __init__(self) -> None:
        self.at_yields: dict[int, frozenset[str]] = {}
        self.exposed: set[str] = set()
        self.breaks: list[list[frozenset[str]]] = []

    def block(self, statements: Iterable[gast.AST], known: frozenset[str]) -> frozenset[str] | None:
        """Go through statements.

        Args:
            known: the variables that have a value before them.

        Returns:
            Those that have one behind them, None if nothing gets there.
        """
        found: frozenset[str] | None = known
        for node in statements:
            if found is None:
                return None
            found = self.statement(node, found)
        return found

    def statement(self, node: gast.AST, known: frozenset[str]) -> frozenset[str] | None:
        match node:
            case gast.Return():
                if hasattr(node, "place"):
                    self.at_yields[node.place] = known
                return None
            case gast.Raise():
                self.read([node], known)
                return None
            case gast.Break():
                self.breaks[-1].append(known)
                return None
            case gast.Continue():
                return None
            case gast.If():
                self.read([node.test], known)
                return _met([self.block(part, known) for part in (node.body, node.orelse)])
            case gast.While() | gast.For():
                return self.loop(node, known)
            case gast.With() | gast.Try() | gast.Match():
                return self.others(node, known)
            case gast.AugAssign():
                self.read([node.target, node.value], known)
                if isinstance(node.target, gast.Name) and node.target.id not in known:
                    self.exposed.add(node.target.id)
        self.read([node], known)
        return known | set(bindings([node]))

    def loop(self, node: gast.While | gast.For, known: frozenset[str]) -> frozenset[str] | None:
        is_for = isinstance(node, gast.For)
        self.read([node.iter, node.target] if is_for else [node.test], known)
        endless = is_endless(node)
        self.breaks.append([])
        self.block(node.body, known | set(bindings([node.target])) if is_for else known)
        breaks = self.breaks.pop()
        return _met([*breaks, None if endless else self.block(node.orelse, known)])

    def others(self, node: gast.AST, known: frozenset[str]) -> frozenset[str]:
        """Statements of which it is not looked for what they assign on every path."""
        if isinstance(node, gast.With):
            items = node.items
            self.read(items, known)
            inside = known | set(bindings(items))
            self.block(node.body, inside)
            return inside
        if isinstance(node, gast.Match):
            self.read([node.subject], known)
            for case in node.cases:
                bound = known | set(bindings([case.pattern]))
                self.read([case.guard] if case.guard else [], bound)
                self.block(case.body, bound)
            return known
        self.block(node.body, known)
        for handler in node.handlers:
            self.read([handler.type] if handler.type else [], known)
            name = {handler.name.id} if handler.name is not None else set()
            self.block(handler.body, known | name)
        self.block(node.orelse, known)
        return self.block(node.finalbody, known) or known

    def read(self, nodes: Iterable[gast.AST], known: frozenset[str]) -> None:
        self.exposed |= reads(nodes) - known


def _met(paths: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """What is known on all paths that get somewhere."""
    found: frozenset[str] | None = None
    for path in paths:
        if path is not None:
            found = path if found is None else found & path
    return found
