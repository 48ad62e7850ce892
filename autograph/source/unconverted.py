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
        final = [n for part in (node.finalbody if is_try else ()) for n in gast.walk(part)]
        leaves = any(isinstance(n, gast.Return) for n in final)
        calls = [i.context_expr for i in node.items] if isinstance(node, gast.With) else ()
        kinds = [kind for call in calls if _is_suppress(call) for kind in call.args]
        kinds += [handler.type for handler in node.handlers] if is_try else ()
        ends = any(isinstance(n, gast.Call) for n in final)
        if not (kinds or leaves or ends):
            continue
        last = max(inner.end_lineno for inner in node.body)
        lines_of_body = node.body[0].lineno + first - 1, last + first - 1
        if kinds or leaves:
            found.append(Handled(*lines_of_body, None if leaves or None in kinds else kinds))
        if ends:
            found.append(Handled(*lines_of_body, None, is_final=True))
    return found


def _is_suppress(call: gast.AST) -> bool:
    called = call.func if isinstance(call, gast.Call) else None
    return "suppress" in (getattr(called, "attr", None), getattr(called, "id", None))
