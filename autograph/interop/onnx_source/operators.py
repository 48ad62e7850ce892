"""The function that a node calls: found by the name of its operator, and written as text."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from autograph.interop import onnx_operators

_WIDEST = 88  # of what is written in place of a call


class GivenArgument(NamedTuple):
    """What a parameter of an operator's function is given, as text."""

    name: str
    text: str
    by_name: bool


class TakenParameter(NamedTuple):
    """A parameter of an operator's function.

    Attributes:
        kind: of `inspect.Parameter`.
        marked: what its annotation says of it, see `onnx_operators.marks`.
    """

    name: str
    kind: Any
    default: Any
    marked: str


def names_of_functions() -> set[str]:
    """The names of all operators' functions."""
    return {name for family in onnx_operators.FAMILIES for name in _own(family)}


def find(operator: str, version: int) -> Callable[..., Any] | None:
    """The function of an operator of ONNX, as of a version of the operator set; None if there is
    none. What an operator meant before version N has the name ``Operator_before_N``."""
    for family in onnx_operators.FAMILIES:
        own = _own(family)
        if operator in own and "_" not in operator:
            older = re.compile(rf"{re.escape(operator)}_before_(\d+)")
            found = [(int(m[1]), name) for name in own if (m := older.fullmatch(name))]
            fitting = [(until, name) for until, name in found if version < until]
            return own[min(fitting)[1] if fitting else operator]
    return None


@functools.lru_cache(maxsize=64)
def _own(family: Any) -> dict[str, Callable[..., Any]]:
    """The functions that a module of operators has: their names begin with capitals."""
    return {
        name: item
        for name, item in vars(family).items()
        if inspect.isfunction(item) and item.__module__ == family.__name__ and name[0].isupper()
    }


@functools.lru_cache(maxsize=512)
def parameters(function: Callable[..., Any]) -> tuple[TakenParameter, ...]:
    """What an operator's function takes."""
    return tuple(
        TakenParameter(p.name, p.kind, p.default, str(p.annotation))
        for p in inspect.signature(function).parameters.values()
    )


def decisive(function: Callable[..., Any], inputs: Sequence[str]) -> set[str]:
    """Those inputs of a node that decide shapes."""
    taken = [p for p in parameters(function) if p.kind is not p.kind.KEYWORD_ONLY]
    return {name for p, name in zip(taken, inputs) if "Known" in p.marked}


def call_text(function: Callable[..., Any], arguments: list[GivenArgument]) -> tuple[str, bool]:
    """A call of an operator's function, or what the function returns, if that is one expression of
    NumPy; and whether it is a call."""
    given = ", ".join(f"{a.name}={a.text}" if a.by_name else a.text for a in arguments)
    call = f"{function.__name__}({given})"
    short = _in_place(function, arguments)
    if short is not None and len(short) <= max(_WIDEST, len(call)):
        return short, False
    return call, True


@functools.lru_cache(maxsize=512)
def _expression(function: Callable[..., Any]) -> ast.expr | None:
    """What a function returns, if it does nothing else than return an expression that can stand
    elsewhere: of NumPy, `ops` and built-in functions, without names of its own."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    body = [s for s in definition.body if not _is_docstring(s)]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    found = body[0].value
    known = {"np", "ops", *[p.name for p in parameters(function)]}
    for node in ast.walk(found):
        if isinstance(node, (ast.Lambda, ast.comprehension, ast.NamedExpr)):
            return None
        if isinstance(node, ast.Name) and not (node.id in known or hasattr(builtins, node.id)):
            return None
    return found


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Substitution(ast.NodeTransformer):
    def __init__(self, replaced: Mapping[str, ast.expr]):
        self._replaced = replaced

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._replaced.get(node.id, node)


def _in_place(function: Callable[..., Any], arguments: list[GivenArgument]) -> str | None:
    found = _expression(function)
    if found is None:
        return None
    replaced: dict[str, ast.expr] = {}
    for parameter in parameters(function):
        given = [a.text for a in arguments if a.name == parameter.name]
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            text = f"({given[0]},)" if len(given) == 1 else f"({', '.join(given)})"
        elif given:
            (text,) = given
        else:
            text = repr(parameter.default)
        replaced[parameter.name] = ast.parse(text, mode="eval").body
    copied = ast.parse(ast.unparse(found), mode="eval").body
    return ast.unparse(_Substitution(replaced).visit(copied))
