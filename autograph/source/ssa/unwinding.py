"""Variables whose values an exception would lose.

A branch or a loop is a function that hands its variables back at its end. If an exception leaves it
before, a handler that reads one of them would find an old value.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.source.ssa.liveness import NameSet, StatementEffects
from autograph.source.tree.build import is_internal


def lost_variables(body: Sequence[gast.AST], effects: StatementEffects) -> set[str]:
    """The variables of a function that control flow inside a ``try`` assigns and that are read
    after an exception."""
    found = _Lost(effects)
    found.block(body, frozenset(), frozenset())
    return found.variables


def assigned_in_control_flow(
    statements: Sequence[gast.AST], effects: StatementEffects
) -> list[str]:
    """The variables that branches and loops among some statements assign. The compiler's own are
    left out: they are assigned where nothing can fail any more."""
    found: list[str] = []
    for node in statements:
        match node:
            case gast.If() | gast.While() | gast.For():
                found += [name for name in effects.assigned([node]) if not is_internal(name)]
            case gast.With():
                found += assigned_in_control_flow(node.body, effects)
            case gast.Try():
                parts = [node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody]
                for part in parts:
                    found += assigned_in_control_flow(part, effects)
    return found


class _Lost:
    def __init__(self, effects: StatementEffects):
        self.effects = effects
        self.variables: set[str] = set()

    def block(
        self, statements: Sequence[gast.AST], live_out: NameSet, live_in_loop: NameSet
    ) -> None:
        """Look for them in some statements.

        Args:
            live_out: the variables that are live after the statements.
            live_in_loop: those live at the head or after the end of the loop around them.
        """
        for node, live in zip(statements, self.effects.after_each(statements, live_out)):
            match node:
                case gast.If():
                    self.block(node.body, live, live_in_loop)
                    self.block(node.orelse, live, live_in_loop)
                case gast.While() | gast.For():
                    live = live | self.effects.loop_head(node)
                    self.block(node.body, live, live)
                case gast.With():
                    if node.swallows:
                        self.add(node.body, live)
                    self.block(node.body, live, live_in_loop)
                case gast.Try():
                    self.try_statement(node, live, live_in_loop)

    def try_statement(self, node: gast.Try, live: NameSet, live_in_loop: NameSet) -> None:
        in_final = self.effects.block(node.finalbody).uses
        in_handlers = self.effects.handlers(node, live, live_in_loop)
        self.add(node.body, in_handlers)
        live = live | in_handlers | in_final
        self.block([*node.body, *node.orelse], live, live_in_loop)
        for part in (node.orelse, node.finalbody, *(h.body for h in node.handlers)):
            self.add(part, in_final)
            self.block(part, live, live_in_loop)

    def add(self, statements: Sequence[gast.AST], needed: NameSet) -> None:
        found = assigned_in_control_flow(statements, self.effects)
        self.variables |= needed.intersection(found)
