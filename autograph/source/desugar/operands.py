"""The operands of an expression, in the order in which Python evaluates them.

Where operands become statements of their own, those that stay in the expression are read after
them. So what a variable or an attribute held before has to be kept, and what is spread into
arguments (``f(*xs, g())``) taken apart: calls that come later may change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from autograph.source.desugar.expressions import dotted
from autograph.source.desugar.shapes import is_path
from autograph.source.tree.build import at
from ops.core.records import NamedTuple


class _Operand(NamedTuple):
    """Where an operand stands: as an attribute of a node, or in a list; ``display``: makes the
    list or dict of what is spread."""

    holder: Any
    key: Any
    display: Callable[[gast.AST], gast.AST] | None = None

    @property
    def node(self) -> gast.AST:
        node: gast.AST
        in_list = isinstance(self.holder, list)
        node = self.holder[self.key] if in_list else getattr(self.holder, self.key)
        return node

    def put(self, node: gast.AST) -> None:
        if isinstance(self.holder, list):
            self.holder[self.key] = node
        else:
            setattr(self.holder, self.key, node)


def evaluate_first(
    expression: gast.AST,
    evaluated: Callable[[gast.AST], gast.AST],
    kept: Callable[[gast.AST], gast.AST],
    is_free: Callable[[str], bool],
) -> None:
    """Let the operands of an expression be evaluated before it, but for variables and constants.

    Args:
        evaluated: makes statements that evaluate an operand; returns what stands for it.
        kept: does so for a variable, or an attribute of one, that something later may change.
        is_free: whether a name is none of the function's own.
    """
    operands = list(_operands(expression, is_free))
    while operands and is_read(operands[-1].node):  # it is read where it stands
        operands.pop()
    for place, operand in enumerate(operands, 1):
        node = operand.node
        if operand.display is not None and place < len(operands):
            operand.put(evaluated(at(operand.display(node), node)))
        elif not is_read(node):
            operand.put(evaluated(node))
        elif is_path(node):
            operand.put(kept(node))


def is_read(node: gast.AST) -> bool:
    """Whether an operand needs no statement of its own."""
    return isinstance(node, gast.Constant) or is_path(node)


def _operands(node: gast.AST, is_free: Callable[[str], bool]) -> Iterator[_Operand]:
    match node:
        case gast.Call() if not any(isinstance(a, gast.GeneratorExp) for a in node.args):
            path = dotted(node.func)
            is_named = bool(path) and is_free(path[0])  # a function of a module, known by its name
            if isinstance(node.func, gast.Attribute) and not is_path(node.func):
                yield _Operand(node.func, "value")
            elif not is_named:
                yield _Operand(node, "func")
            if not (isinstance(node.func, gast.Name) and node.func.id == "super"):
                yield from _items(node.args)
                for keyword in node.keywords:
                    yield _Operand(keyword, "value", _dict_of if keyword.arg is None else None)
        case gast.Tuple():
            yield from _items(node.elts)
        case gast.BinOp():
            yield from (_Operand(node, "left"), _Operand(node, "right"))
        case gast.UnaryOp():
            yield _Operand(node, "operand")
        case gast.Compare() if len(node.ops) == 1:
            yield from (_Operand(node, "left"), _Operand(node.comparators, 0))


def _items(nodes: list[gast.AST]) -> Iterator[_Operand]:
    for place, node in enumerate(nodes):
        if isinstance(node, gast.Starred):
            yield _Operand(node, "value", _list_of)
        else:
            yield _Operand(nodes, place)


def _list_of(node: gast.AST) -> gast.AST:
    return gast.List([at(gast.Starred(node, gast.Load()), node)], gast.Load())


def _dict_of(node: gast.AST) -> gast.AST:
    return gast.Dict([None], [node])
