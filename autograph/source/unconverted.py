"""What is read in the source of functions that run as they are: generators."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types

import gast

from autograph.source.load import Handled, in_generators, note


def handled_in_source(function: types.FunctionType) -> list[Handled]:
    """The `Handled` in a function that is not converted; all of it if its source can't be read."""
    code = function.__code__
    found = in_generators.get(id(code))
    return note(in_generators, code, _read(code)) if found is None else found


def _read(code: types.CodeType) -> list[Handled]:
    try:
        lines, first = inspect.getsourcelines(code)
        module = gast.ast_to_gast(ast.parse(textwrap.dedent("".join(lines))))
    except (OSError, SyntaxError):
        return [Handled(0, sys.maxsize, None)]
    found = []
    for node in gast.walk(module):
        is_try = isinstance(node, gast.Try)
        final = node.finalbody if is_try else ()
        ends = any(isinstance(n, gast.Call) for part in final for n in gast.walk(part))
        calls = [i.context_expr for i in node.items] if isinstance(node, gast.With) else ()
        kinds = [kind for call in calls if _is_suppress(call) for kind in call.args]
        kinds += [handler.type for handler in node.handlers] if is_try else ()
        if ends or kinds:
            last = max(inner.end_lineno for inner in node.body)
            begin = node.body[0].lineno
            catches_all = ends or None in kinds
            found.append(
                Handled(begin + first - 1, last + first - 1, None if catches_all else kinds)
            )
    return found


def _is_suppress(call: gast.AST) -> bool:
    called = call.func if isinstance(call, gast.Call) else None
    return "suppress" in (getattr(called, "attr", None), getattr(called, "id", None))
