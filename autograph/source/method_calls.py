"""Generator functions that run as they are, but for what they call.

The functions that a generator finds by their names are exchanged for ones whose calls are recorded,
but not its methods, nor what its variables hold: calls of these become those of `ops.call`. What
such a function finds outside is compared at each call then, as everywhere, and what it prints is
printed by the program.
"""

from __future__ import annotations

import ast
import copy
import dis
import types
from typing import Any

from autograph.errors import ChangedSourceError, NoSourceError
from autograph.source.load import in_generators, note, parse_once
from autograph.source.tree.build import OPS
from autograph.source.tree.parse import FUTURE_FLAGS, Parsed, nested_codes
from autograph.source.unconverted import handled_in_source

_ASSIGN_GLOBALS = ("STORE_GLOBAL", "DELETE_GLOBAL")

# By the global variables that are cells; None where the source is not there.
_made: dict[int, dict[frozenset[str], types.CodeType | None]] = {}


def assigned_by_code(function: types.FunctionType) -> frozenset[str]:
    """The global variables that a function, or one in it, assigns."""
    return frozenset(
        step.argval
        for code in nested_codes(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname in _ASSIGN_GLOBALS
    )


def with_recorded_calls(
    function: types.FunctionType, shared: frozenset[str] = frozenset()
) -> types.CodeType:
    """The code of a generator function, with the module of operators as the closure variable `OPS`;
    its own if its source is not there.

    Args:
        shared: the global variables that are closure variables of it, too.

    Raises:
        NoSourceError, ChangedSourceError: there are some, and the source is not there.
    """
    code = function.__code__
    known = _made.get(id(code))
    if known is None:
        known = note(_made, code, {})
    if shared not in known:
        known[shared] = _compiled(function, shared)
    return known[shared] or code


def _compiled(function: types.FunctionType, shared: frozenset[str]) -> types.CodeType | None:
    code = function.__code__
    try:
        parsed = parse_once(function, is_cut=True)
    except (NoSourceError, ChangedSourceError):
        if shared:
            raise
        return None
    assert isinstance(parsed.node, ast.FunctionDef)
    definition = copy.deepcopy(parsed.node)
    cells = [OPS, *code.co_freevars, *sorted(shared)]
    for node in ast.walk(definition):
        if isinstance(node, ast.Global) and not set(cells).isdisjoint(node.names):
            node.__class__ = ast.Nonlocal
    calls = _Calls({*code.co_varnames, *code.co_cellvars}, parsed.node)
    definition.body = [calls.visit(statement) for statement in definition.body]
    module = _around(definition, parsed, cells)
    whole = compile(
        module, code.co_filename, "exec", flags=code.co_flags & FUTURE_FLAGS, dont_inherit=True
    )
    made = next(inner for inner in nested_codes(whole) if inner.co_name == definition.name)
    names = [name for name in ("co_name", "co_qualname") if hasattr(code, name)]  # from 3.11 on
    made = made.replace(**{name: getattr(code, name) for name in names})
    note(in_generators, made, handled_in_source(function))
    return made


def _around(definition: ast.FunctionDef, parsed: Parsed, cells: list[str]) -> ast.Module:
    """A module in which a definition has closure variables, and the private names of its class."""
    definition.name, definition.decorator_list = f"{definition.name}.", []
    module = ast.parse("def factory(): pass")
    factory: Any = module.body[0]
    factory.args.args = [ast.arg(name) for name in cells]
    factory.body = [definition]
    if parsed.class_name is not None:
        owner: Any = ast.parse(f"class {parsed.class_name}: pass").body[0]
        owner.body = [definition]
        factory.body = [owner]
    return ast.fix_missing_locations(module)


class _Calls(ast.NodeTransformer):
    """Exchanges the calls in the body of a function, but not those in functions inside.

    Args:
        variables: what calls by these names are exchanged as well, if the ``function`` defines
            nothing by them.
    """

    def __init__(self, variables: set[str], function: ast.FunctionDef):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        inside = {node.name for node in ast.walk(function) if isinstance(node, kinds)}
        self._variables = variables - inside

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        is_variable = isinstance(called, ast.Name) and called.id in self._variables
        if not (isinstance(called, ast.Attribute) or is_variable):
            return node
        node.args = [called, *node.args]
        name = ast.copy_location(ast.Name(OPS, ast.Load()), called)
        node.func = ast.copy_location(ast.Attribute(name, "call", ast.Load()), called)
        return node

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef
