"""Texts: f-strings and ``%`` as calls, so that values known only at run time can go into them.

======================  ================================
``f"x = {x:.3f}"``      ``ops.text('x = {:.3f}', x)``
``"x = %.3f" % x``      ``ops.percent('x = %.3f', x)``
======================  ================================

An f-string turns each value into text before it evaluates the next one, which matters if that one
changes it: ``f"{stack} {stack.pop()}"`` becomes ``ops.text('{} {}', ops.text('{}', stack),
ops.call(stack.pop))``.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autograph.source.build import at, constant, ops_call

_CONVERSIONS = {-1: "", ord("s"): "!s", ord("r"): "!r", ord("a"): "!a"}


def from_fstring(node: gast.JoinedStr, rewrite: Callable[[gast.AST], gast.AST]) -> gast.AST:
    """The call that stands for an f-string.

    One without values stays as it is, and so does one with braces in a format specification.

    Args:
        node: the f-string as the user wrote it.
        rewrite: gives the core form of a value in it.
    """
    values: list[gast.AST] = []
    template = _template(node, rewrite, values)
    if template is None or not values:
        return node
    for position in range(len(values) - 1):
        if any(_may_change(value) for value in values[position + 1 :]):
            values[position] = _at_once(values[position])
    return at(ops_call("text", constant(template), *values), node)


def _template(
    node: gast.JoinedStr, rewrite: Callable[[gast.AST], gast.AST], values: list[gast.AST]
) -> str | None:
    """The template of `str.format` for an f-string, if there is one; ``values`` gets what goes
    into it."""
    parts: list[str] = []
    supported = True
    for part in node.values:
        if isinstance(part, gast.Constant):
            parts.append(part.value.replace("{", "{{").replace("}", "}}"))
            continue
        part.value = rewrite(part.value)
        values.append(part.value)
        spec = ""
        if part.format_spec is not None:
            spec = _template(part.format_spec, rewrite, values)
            braces = any("{" in text or "}" in text for text in _constants(part.format_spec))
            supported = supported and spec is not None and not braces
        parts.append("{" + _CONVERSIONS[part.conversion] + (f":{spec}" if spec else "") + "}")
    return "".join(parts) if supported else None


def _constants(node: gast.JoinedStr) -> list[str]:
    return [part.value for part in node.values if isinstance(part, gast.Constant)]


def _may_change(node: gast.AST) -> bool:
    """Whether evaluating an expression may change a value evaluated before."""
    return any(isinstance(part, gast.Call | gast.NamedExpr) for part in gast.walk(node))


def _at_once(node: gast.AST) -> gast.AST:
    """A value that is turned into text before what follows is evaluated, if that could matter."""
    if isinstance(node, gast.Constant):
        return node
    return at(ops_call("text", constant("{}"), node), node)


def from_percent(node: gast.BinOp) -> gast.AST:
    """The call that stands for formatting a literal with ``%``."""
    return at(ops_call("percent", node.left, node.right), node)


def is_percent(node: gast.AST) -> bool:
    """Whether an expression formats a literal with ``%``."""
    return (
        isinstance(node, gast.BinOp)
        and isinstance(node.op, gast.Mod)
        and isinstance(node.left, gast.Constant | gast.JoinedStr)
        and isinstance(getattr(node.left, "value", ""), str)
    )
