"""Makes a program smaller that shows a difference: statements and parts of expressions are left out
as long as it still does."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator


def reduced(text: str, fails: Callable[[str], bool]) -> str:
    """The smallest text found by leaving out one thing after the other.

    Args:
        fails: whether a program still shows the difference.
    """
    text = ast.unparse(ast.parse(text))
    while True:
        smaller = next((t for t in _smaller(text) if fails(t)), None)
        if smaller is None:
            return text
        text = smaller


def _smaller(text: str) -> Iterator[str]:
    """Smaller programs, the smallest ones first."""
    tree = ast.parse(text)
    changes = [
        (-_size(node), number, change)
        for number, node in enumerate(ast.walk(tree))
        for change in _changes(node)
    ]
    for _, number, change in sorted(changes, key=lambda c: c[:2]):
        other = copy.deepcopy(tree)
        change(next(n for i, n in enumerate(ast.walk(other)) if i == number))
        yield ast.unparse(ast.fix_missing_locations(other))


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _changes(node: ast.AST) -> Iterator[Callable[[ast.AST], None]]:
    """What can be done to a node: each changes the same node of a copy."""
    for field, content in ast.iter_fields(node):
        if isinstance(content, list) and content and isinstance(content[0], ast.stmt):
            for i, each in enumerate(content):
                if isinstance(each, ast.Return) and i == len(content) - 1 and i:
                    continue
                yield lambda n, f=field, i=i: _leave_out(n, f, i)
                if getattr(each, "body", None) and not isinstance(each, ast.FunctionDef):
                    yield lambda n, f=field, i=i: _unwrap(n, f, i)
        elif isinstance(content, ast.expr) and not isinstance(content, (ast.Name, ast.Constant)):
            inner = [c for c in ast.iter_child_nodes(content) if isinstance(c, ast.expr)]
            for i in range(len(inner)):
                yield lambda n, f=field, i=i: setattr(n, f, _inner(getattr(n, f), i))
        elif isinstance(content, list) and content and isinstance(content[0], ast.expr):
            for k, each in enumerate(content):
                inner = [c for c in ast.iter_child_nodes(each) if isinstance(c, ast.expr)]
                for i in range(len(inner)):
                    yield lambda n, f=field, k=k, i=i: _replace(getattr(n, f), k, i)


def _leave_out(node: ast.AST, field: str, i: int) -> None:
    block = getattr(node, field)
    del block[i]
    if not block and field == "body" and not isinstance(node, ast.Module):
        block.append(ast.Pass())


def _unwrap(node: ast.AST, field: str, i: int) -> None:
    block = getattr(node, field)
    block[i : i + 1] = block[i].body


def _inner(expression: ast.expr, i: int) -> ast.expr:
    return [c for c in ast.iter_child_nodes(expression) if isinstance(c, ast.expr)][i]


def _replace(expressions: list[ast.expr], k: int, i: int) -> None:
    expressions[k] = _inner(expressions[k], i)
