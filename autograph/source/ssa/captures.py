"""Variables that an inner function reads and that may be assigned after it was made.

Python reads such a variable when the function is called, so no single version of it will do.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.source.tree.build import is_consumed, is_native, is_thunk
from autograph.source.tree.scopes import (
    COMPREHENSIONS,
    bindings,
    body_of,
    children,
    evaluated_at_definition,
    free_reads,
    reads,
)


def rebound_captures(node: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The variables of a function that may be assigned after an inner function, which reads them
    when it is called, was made."""
    found = _Captures()
    found.block(body_of(node))
    return found.rebound


def captured_later(node: gast.AST) -> set[str]:
    """The names that functions made in an expression read when they are called."""
    found = _Captures()
    found.children(node)
    return found.captured


class _Captures:
    def __init__(self) -> None:
        self.captured: set[str] = set()
        self.rebound: set[str] = set()

    def block(self, nodes: Iterable[gast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: gast.AST) -> None:
        kind = type(node)
        if kind is gast.Constant or (kind is gast.Name and type(node.ctx) is gast.Load):
            return  # the most frequent ones, which bind nothing
        match node:
            case gast.While() | gast.For():
                # What one trip captures, the next may assign.
                self.children(node)
                self.bind(bindings([node]))
            case gast.FunctionDef() | gast.ClassDef():
                self.block(evaluated_at_definition(node))
                self.bind([node.name])
                self.captured |= reads([node]) if is_native(node) else free_reads(node)
            case gast.Lambda() if not (is_thunk(node) or is_consumed(node)):
                self.block(evaluated_at_definition(node))
                self.captured |= free_reads(node)
            case gast.GeneratorExp() if not is_consumed(node):
                self.visit(node.generators[0].iter)
                self.captured |= free_reads(node)
            case gast.Name() | gast.alias():
                self.bind(bindings([node]))
            case _:
                self.children(node)

    def children(self, node: gast.AST) -> None:
        if isinstance(node, COMPREHENSIONS):
            inner = _Captures()
            inner.block(children(node))
            self.captured |= inner.captured
        elif isinstance(node, gast.Assign | gast.NamedExpr):
            self.visit(node.value)
            self.block(node.targets if isinstance(node, gast.Assign) else [node.target])
        else:
            self.block(children(node))

    def bind(self, names: Iterable[str]) -> None:
        self.rebound |= self.captured.intersection(names)
