"""The trees that `translate` makes are those that gast's own translators make."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import gast
import pytest

from autograph.source.tree.translate import ToAst, to_gast

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "autograph/source/tree/scopes.py",  # match, comprehensions
    ROOT / "autograph/source/conversion.py",  # try, with, decorators, keywords
    ROOT / "tests/language/test_syntax_programs.py",
]
ODD = """
def f(a, /, b: int = 1, *c, d=lambda x, y=2: x[y], **e) -> "int":
    global g
    a[b] = a[-1][b:c, ::2][...] = *c, -d, not e
    a[b] += a[b] if b else {**e, 1: a[b]}
    x: float = a[c[b]]
    for a[b], k in e:
        continue
    else:
        del a[b]
    while (y := a[b]) and a is not None or 1 < b <= c[b]:
        with a[b] as z, open(f"{a[b]!r:>{b}}"):
            assert a[b], c[b]
    try:
        pass
    except ValueError as error:
        raise error from a[b]
    finally:
        return [v[b] for v in a[b] if v[b]]
    class C:
        def g(self):
            return self[a]
    async def h():
        return [await v[b] async for v in a[b]]
    @a[b]
    def i():
        yield from a[b]
    return a[b], b"", 1j, ...
"""


def definitions():
    found = [node for file in FILES for node in ast.parse(file.read_text()).body]
    return [*found, *ast.parse(ODD).body]


def test_trees_of_gast_are_those_that_gast_makes():
    for node in definitions():
        expected = gast.dump(gast.ast_to_gast(node), include_attributes=True)
        assert gast.dump(to_gast(node), include_attributes=True) == expected


def without_some_positions(tree, seed):
    rng = random.Random(seed)
    for node in gast.walk(tree):
        if isinstance(node, gast.expr) and rng.random() < 0.3:
            for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                node.__dict__.pop(name, None)
    return tree


@pytest.mark.parametrize("seed", [1, 2])
def test_trees_of_python_are_those_that_gast_makes(seed):
    translator = ToAst({}, lambda tree: tree, lambda definition: definition.name == "i")
    for node in definitions():
        one = without_some_positions(gast.ast_to_gast(node), seed)
        other = without_some_positions(gast.ast_to_gast(node), seed)
        module = gast.gast_to_ast(gast.fix_missing_locations(gast.Module([one], [])))
        made = ast.Module([translator.node(other)], [])
        assert ast.dump(made, include_attributes=True) == ast.dump(module, include_attributes=True)
        expected = gast.dump(one, include_attributes=True)
        assert gast.dump(other, include_attributes=True) == expected  # positions are filled in
        compile(made, "<made>", "exec")


class Marked(ast.NodeTransformer):
    def visit_Subscript(self, node):
        self.generic_visit(node)
        return self.of(node)

    def of(self, node):
        if not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(node.value, [node.slice], []), node)


def test_what_changes_is_changed_wherever_it_stands():
    marked = Marked()
    translator = ToAst({ast.Subscript: marked.of}, marked.visit, lambda definition: False)
    for node in definitions():
        plain = gast.gast_to_ast(gast.ast_to_gast(node))
        assert ast.dump(translator.node(gast.ast_to_gast(node))) == ast.dump(marked.visit(plain))
