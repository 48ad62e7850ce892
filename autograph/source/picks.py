"""Reads of elements in compiled code: ``x[i]`` is ``ops.item_of(x, i)``.

Tuples, texts and dicts of Python's own ask an index for a plain number, and cannot be given one
known only at run time. This is the last step, after which nothing is printed: converted source
shows ``x[i]``, which means the same.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

import gast

from autograph.source.tree.translate import ToAst


def looked_up_by_ops(
    tree: gast.Module, ops_alias: str, native: Collection[tuple[str, int]]
) -> ast.Module:
    """A module, in Python's own tree, whose reads of elements by what may be a value of the run are
    calls. Nodes of the given one get a position where they have none.

    Args:
        native: the names and first lines of the definitions that stay as they are.
    """
    reads = _Reads(ops_alias, native)
    translator = ToAst({ast.Subscript: reads.of}, reads.visit, reads.stays)
    return ast.Module([translator.node(statement) for statement in tree.body], [])


class _Reads(ast.NodeTransformer):
    def __init__(self, ops_alias: str, native: Collection[tuple[str, int]]):
        self._ops_alias = ops_alias
        self._native = native

    def stays(self, node: Any) -> bool:
        """Whether a definition, in either of the trees, stays as it is."""
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return (node.name, first) in self._native

    def of(self, node: ast.Subscript) -> ast.AST:
        """What comes in the place of an element."""
        if not isinstance(node.ctx, ast.Load) or not _may_be_of_the_run(node.slice):
            return node
        read = ast.Attribute(ast.Name(self._ops_alias, ast.Load()), "item_of", ast.Load())
        call = ast.Call(read, [node.value, node.slice], [])
        for part in (read.value, read, call):
            ast.copy_location(part, node)
        return call

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        return self.of(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node if self.stays(node) else self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _may_be_of_the_run(index: ast.expr) -> bool:
    """Whether an index may be a number known only at run time, or several with one."""
    if isinstance(index, ast.Tuple):
        are_values = not any(isinstance(part, (ast.Slice, ast.Starred)) for part in index.elts)
        return are_values and any(map(_may_be_of_the_run, index.elts))
    if isinstance(index, ast.UnaryOp):
        index = index.operand
    return not isinstance(index, (ast.Constant, ast.Slice))
