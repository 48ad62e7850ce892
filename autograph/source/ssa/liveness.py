"""What statements read and assign: the facts that liveness follows from.

For structured code no iteration is needed. With *uses* the variables read before they are assigned
and *kills* those assigned on every path,

    live before = uses | (live after - kills)

and both are put together from the parts: what a conditional kills is what both branches kill, a
loop kills nothing but what its test does, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from autograph.source.tree.build import is_thunk
from autograph.source.tree.scopes import (
    COMPREHENSIONS,
    children,
    evaluated_at_definition,
    free_reads,
    imported_name,
    in_order,
    reads,
)
from ops.core.records import NamedTuple

NameSet = frozenset[str]
NONE: NameSet = frozenset()


class Effects(NamedTuple):
    """What a piece of code does to variables.

    Attributes:
        uses: read before being assigned, on some path.
        kills: assigned on every path that reaches the end.
        falls: whether the end can be reached.
        assigns: assigned on some path, in the order of their first assignment.
    """

    uses: NameSet = NONE
    kills: NameSet = NONE
    falls: bool = True
    assigns: tuple[str, ...] = ()

    def then(self, other: Effects) -> Effects:
        """One after the other."""
        if not self.falls:
            return self
        uses = self.uses | (other.uses - self.kills)
        return Effects(uses, self.kills | other.kills, other.falls, self._assigns(other))

    def join(self, other: Effects) -> Effects:
        """One or the other."""
        if self.falls and other.falls:
            kills = self.kills & other.kills
        else:
            kills = other.kills if other.falls else self.kills
        falls = self.falls or other.falls
        return Effects(self.uses | other.uses, kills, falls, self._assigns(other))

    def maybe(self) -> Effects:
        """Perhaps not at all, or only in part."""
        return Effects(self.uses, assigns=self.assigns)

    def _assigns(self, other: Effects) -> tuple[str, ...]:
        if not (self.assigns and other.assigns):
            return self.assigns or other.assigns
        return tuple(dict.fromkeys(self.assigns + other.assigns))

    def live_before(self, live_after: NameSet) -> NameSet:
        return self.uses | (live_after - self.kills) if self.falls else self.uses


class StatementEffects:
    """Effects of statements, found once each."""

    def __init__(self) -> None:
        self._statements: dict[gast.AST, Effects] = {}

    def block(self, statements: Iterable[gast.AST]) -> Effects:
        """The effects of a list of statements."""
        return self._sequence(self.statement(node) for node in statements)

    def after_each(self, statements: Sequence[gast.AST], live_out: NameSet) -> list[NameSet]:
        """The variables that are live after each of some statements."""
        after = []
        for node in reversed(statements):
            after.append(live_out)
            live_out = self.statement(node).live_before(live_out)
        return after[::-1]

    def statement(self, node: gast.AST) -> Effects:
        """The effects of a statement."""
        if node not in self._statements:
            self._statements[node] = self._statement(node)
        return self._statements[node]

    def assigned(self, statements: Iterable[gast.AST]) -> tuple[str, ...]:
        """The variables that some statements assign, in the order of their first assignment."""
        return self.block(statements).assigns

    def loop_head(self, node: gast.While | gast.For) -> NameSet:
        """The variables that a trip of a loop, or its test, reads from before it."""
        return self._test(node).then(self._trip(node)).uses

    def handlers(self, node: gast.Try, live_after: NameSet, live_in_loop: NameSet) -> NameSet:
        """The variables that are live where an exception arrives in a ``try``.

        Args:
            live_after: those live after the statement.
            live_in_loop: those live at the head or after the end of the loop it stands in, where a
                handler goes that ends in ``continue`` or ``break``.
        """
        final = self.block(node.finalbody)
        live = final.uses
        for handler in node.handlers:
            live_out = live_after
            if handler.leaves:
                live_out = live_in_loop if handler.repeats else NONE
            live |= self._handler(handler).then(final).live_before(live_out)
        return live

    def _statement(self, node: gast.AST) -> Effects:
        match node:
            case gast.If():
                branches = self.block(node.body).join(self.block(node.orelse))
                return self.expression(node.test).then(branches)
            case gast.While():
                test = self._test(node)
                return test.then(self._trip(node).maybe())
            case gast.For():
                start = self.expression(node.iter).then(self._test(node).maybe())
                return start.then(self._trip(node).maybe())
            case gast.With():
                # An exception swallowed by the context manager leaves the block half done.
                items = self._sequence(map(self.expression, node.items))
                return items.then(self.block(node.body).maybe())
            case gast.Try():
                return self._try(node)
            case gast.Return() | gast.Raise():
                return self.expression(node)._replace(falls=False)
        return self.expression(node)

    def _test(self, node: gast.While | gast.For) -> Effects:
        if isinstance(node, gast.While):
            return self.expression(node.test)
        test = getattr(node, "exit_test", None)
        return self.expression(test) if test is not None else Effects()

    def _trip(self, node: gast.While | gast.For) -> Effects:
        body = self.block(node.body)
        return self.expression(node.target).then(body) if isinstance(node, gast.For) else body

    def _try(self, node: gast.Try) -> Effects:
        body = self.block(node.body)
        paths = body.then(self.block(node.orelse))
        for handler in node.handlers:
            paths = paths.join(body.maybe().then(self._handler(handler)))
        final = self.block(node.finalbody)
        return Effects(paths.uses | final.uses).then(paths).then(final)

    def _handler(self, node: gast.ExceptHandler) -> Effects:
        start = self.expression(node.type) if node.type is not None else Effects()
        if node.name is not None:
            start = start.then(self.expression(node.name))
        return start.then(self.block(node.body))

    def expression(self, node: gast.AST) -> Effects:
        """The effects of an expression, or of a statement without blocks."""
        if type(node) in _READING:
            names = _only_read(node)
            if names is not None:
                return Effects(names)
        return self._by_parts(node)

    def _by_parts(self, node: gast.AST) -> Effects:
        """The same, of one that may do more than to read names."""
        match node:
            case gast.Name():
                name = frozenset({node.id})
                match node.ctx:
                    case gast.Store():
                        return _assignment(node.id)
                    case gast.Del():
                        return Effects(uses=name).then(_assignment(node.id))
                return Effects(uses=name)
            case gast.alias():
                return _assignment(imported_name(node))
            case gast.Lambda() if is_thunk(node):
                return self.expression(node.body).maybe()
            case gast.ClassDef():
                return Effects(frozenset(reads([node]))).then(_assignment(node.name))
            case gast.FunctionDef() | gast.Lambda():
                start = self._sequence(map(self.expression, evaluated_at_definition(node)))
                captured = frozenset(free_reads(node))
                if isinstance(node, gast.Lambda):
                    return start.then(Effects(captured))
                return start.then(Effects(captured - {node.name})).then(_assignment(node.name))
            case _ if isinstance(node, COMPREHENSIONS):
                first = self.expression(node.generators[0].iter)
                return first.then(Effects(uses=frozenset(free_reads(node))))
        of_part = self.expression if isinstance(node, gast.stmt) else self._by_parts
        return self._sequence(map(of_part, in_order(node)))

    @staticmethod
    def _sequence(parts: Iterable[Effects]) -> Effects:
        whole = Effects()
        for part in parts:
            whole = whole.then(part)
        return whole


# Expressions that do nothing but to evaluate their operands.
_READING = {
    *(gast.Attribute, gast.BinOp, gast.Call, gast.Compare, gast.Constant, gast.keyword),
    *(gast.List, gast.Name, gast.Slice, gast.Subscript, gast.Tuple, gast.UnaryOp),
}


def _only_read(node: gast.AST) -> NameSet | None:
    """The names in an expression that does nothing but to read them; None if it does more."""
    found: set[str] = set()
    todo = [node]
    for inner in todo:
        kind = type(inner)
        if kind is gast.Name:
            if type(inner.ctx) is not gast.Load:
                return None
            found.add(inner.id)
        elif kind in _READING:
            todo += children(inner)
        else:
            return None
    return frozenset(found)


def _assignment(name: str) -> Effects:
    return Effects(kills=frozenset({name}), assigns=(name,))
