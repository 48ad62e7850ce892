"""Reads of elements in compiled code: ``x[i]`` is ``ops.item_of(x, i)``.

Tuples, texts and dicts of Python's own ask an index for a plain number, and cannot be given one
that only the run knows. This is the last step, after which nothing is printed: converted source
shows ``x[i]``, which means the same.
"""

from __future__ import annotations

import ast
from collections.abc import Collection


def looked_up_by_ops(
    tree: ast.Module, ops_alias: str, native: Collection[tuple[str, int]]
) -> ast.Module:
    """A module whose reads of elements by what may be a value of the run are calls.

    Args:
        tree: of which the nodes are changed.
        native: the names and first lines of the definitions that stay as they are.
    """
    return _Reads(ops_alias, native).visit(tree)


class _Reads(ast.NodeTransformer):
    def __init__(self, ops_alias: str, native: Collection[tuple[str, int]]):
        self._ops_alias = ops_alias
        self._native = native

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not _may_be_of_the_run(node.slice):
            return node
        read = ast.Attribute(ast.Name(self._ops_alias, ast.Load()), "item_of", ast.Load())
        call = ast.Call(read, [node.value, node.slice], [])
        for part in (read.value, read, call):
            ast.copy_location(part, node)
        return call

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return node if (node.name, first) in self._native else self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _may_be_of_the_run(index: ast.expr) -> bool:
    """Whether an index may be a number that only the run knows."""
    if isinstance(index, ast.UnaryOp):
        index = index.operand
    return not isinstance(index, (ast.Constant, ast.Slice, ast.Tuple))
