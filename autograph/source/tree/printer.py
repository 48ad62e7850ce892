"""Tree to text, with the line of the user's source that each statement comes from.

astunparse prints the statements; the standard library's ``ast.unparse`` prints expressions, because
it knows precedence, slices in tuples and nested quotes, which astunparse does not.
"""

from __future__ import annotations

import ast
from io import StringIO
from typing import Any

import gast
from astunparse.unparser import Unparser

from autograph.places import file_name
from autograph.source.tree.build import is_synthetic

COMMENT_COLUMN = 66


def to_text(tree: gast.FunctionDef, file: str) -> str:
    """Print a converted function.

    Args:
        tree: the function, with positions in the user's file.
        file: the name of that file.
    """
    (plain,) = gast.gast_to_ast(gast.Module([tree], [])).body
    commented = {
        id(new): f"# {file_name(file)}:{old.lineno}"
        for old, new in zip(_statements(tree), _statements(plain), strict=True)
        if not is_synthetic(old)
    }
    buffer = StringIO()
    Printer(plain, buffer, commented)
    return buffer.getvalue().strip("\n") + "\n"


def _statements(node: ast.AST) -> list[ast.stmt]:
    found = [node] if isinstance(node, ast.stmt) else []
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, field, ()):
            found += _statements(child)
    return found


class Printer(Unparser):  # type: ignore[misc]  # the library has no types
    """Prints the statements that converted functions consist of.

    Args:
        tree: what to print.
        file: where to.
        comments: by the identity of a statement, what stands behind its first line.
    """

    def __init__(self, tree: ast.AST, file: StringIO, comments: dict[int, str]):
        self.comments = comments
        self.comment = ""
        self.line_start = 0
        super().__init__(tree, file)

    def dispatch(self, tree: ast.AST | list[Any]) -> None:
        if isinstance(tree, ast.expr):
            self.write(ast.unparse(tree))
        elif isinstance(tree, ast.stmt):
            self.comment = self.comments.get(id(tree), "")
            super().dispatch(tree)
            self.end_line()
        else:
            super().dispatch(tree)

    def fill(self, text: str = "") -> None:
        super().fill(text)
        indented = "    " * self._indent + text
        self.line_start = self.f.tell() - len(indented)

    def enter(self) -> None:
        super().enter()
        self.end_line()

    def end_line(self) -> None:
        """Write the comment of the current statement, unless that is done already."""
        if self.comment:
            width = self.f.tell() - self.line_start
            self.write(" " * max(COMMENT_COLUMN - width, 1) + self.comment)
            self.comment = ""

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            self.fill("@" + ast.unparse(decorator))
        self.fill(f"def {node.name}({ast.unparse(node.args)})")
        if node.returns is not None:
            self.write(" -> " + ast.unparse(node.returns))
        self.enter()
        self.dispatch(node.body)
        self.leave()

    def _ClassDef(self, node: ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self.fill("@" + ast.unparse(decorator))
        arguments = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
        self.fill(f"class {node.name}" + (f"({arguments})" if arguments else ""))
        self.enter()
        self.dispatch(node.body)
        self.leave()

    def _Match(self, node: ast.Match) -> None:
        self.fill(f"match {ast.unparse(node.subject)}")
        self.enter()
        for case in node.cases:
            guard = f" if {ast.unparse(case.guard)}" if case.guard else ""
            self.fill(f"case {ast.unparse(case.pattern)}{guard}")
            self.enter()
            self.dispatch(case.body)
            self.leave()
        self.leave()
