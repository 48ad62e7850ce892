"""A program that looks at what each of its lines gives."""

from __future__ import annotations

import ast
from collections.abc import Container

CHECK = "__autograph_check__"  # ``CHECK(value, line)`` gives the value


def with_checks(tree: ast.Module, lines: Container[int]) -> ast.Module:
    """The functions of a program, with a call of `CHECK` for what a line assigns or returns.

    Args:
        tree: the program.
        lines: those of the user's: helpers have none, and are left out.
    """
    functions = [f for f in tree.body if isinstance(f, ast.FunctionDef) and _has(f, lines)]
    checked = [_Checks(lines).visit(function) for function in functions]
    return ast.fix_missing_locations(ast.Module(checked, []))


def _has(function: ast.FunctionDef, lines: Container[int]) -> bool:
    return any(getattr(node, "lineno", None) in lines for node in ast.walk(function))


class _Checks(ast.NodeTransformer):
    def __init__(self, lines: Container[int]):
        self._lines = lines

    def visit_Assign(self, statement: ast.Assign) -> ast.AST:
        if not isinstance(statement.value, (ast.Yield, ast.YieldFrom)):
            statement.value = self._checked(statement.value)
        return statement

    def visit_AugAssign(self, statement: ast.AugAssign) -> list[ast.stmt]:
        changed = ast.parse(ast.unparse(statement.target), mode="eval").body
        for node in ast.walk(changed):
            ast.copy_location(node, statement)
        after = ast.Expr(self._call(changed) if statement.lineno in self._lines else changed)
        return [statement, ast.copy_location(after, statement)]

    def visit_Expr(self, statement: ast.Expr) -> ast.AST:
        if isinstance(statement.value, ast.Call):  # as of a ufunc with ``out``
            statement.value = self._checked(statement.value)
        return statement

    def visit_Return(self, statement: ast.Return) -> ast.AST:
        if statement.value is not None:
            statement.value = self._checked(statement.value)
        return statement

    def visit_Yield(self, expression: ast.Yield) -> ast.AST:
        return expression

    def _checked(self, value: ast.expr) -> ast.expr:
        if value.lineno not in self._lines or isinstance(value, (ast.Name, ast.Constant)):
            return value
        return self._call(value)

    def _call(self, value: ast.expr) -> ast.expr:
        called = ast.Name(CHECK, ast.Load())
        return ast.copy_location(ast.Call(called, [value, ast.Constant(value.lineno)], []), value)
