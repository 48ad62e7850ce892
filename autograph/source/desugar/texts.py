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

from collections.abc import Callable, Sequence

import gast

from autograph.source.tree.build import at, constant, ops_call
from ops.core.records import NamedTuple

_CONVERSIONS = {-1: "", ord("s"): "!s", ord("r"): "!r", ord("a"): "!a"}


class _Field(NamedTuple):
    """``{x!r:>{width}}`` in an f-string.

    Attributes:
        template: the same in a template of `str.format`.
        values: what goes into it, ``x`` and ``width``.
        is_plain: whether no braces stand in its specification.
    """

    template: str
    values: list[gast.AST]
    is_plain: bool = True

    def made_first(self, others: Sequence[_Field]) -> _Field:
        """The field for a text that is made before ``others`` are evaluated, if that matters.

        What is formatted with a specification and no conversion is a number.
        """
        is_number = ":" in self.template and not self.template.startswith("{!")
        if is_number or not any(_has_call(value) for other in others for value in other.values):
            return self
        value = at(ops_call("text", constant(self.template), *self.values), self.values[0])
        return _Field("{}", [value])


def from_fstring(node: gast.JoinedStr, rewrite: Callable[[gast.AST], gast.AST]) -> gast.AST:
    """The call that stands for an f-string.

    One without values stays as it is, and so does one with braces in a format specification.

    Args:
        node: the f-string as the user wrote it.
        rewrite: gives the core form of a value in it.
    """
    parts = _parts(node, rewrite)
    fields = [part for part in parts if isinstance(part, _Field)]
    if not fields or not all(field.is_plain for field in fields):
        return node
    template, values = "", []
    for part in parts:
        if isinstance(part, _Field):
            fields = fields[1:]
            part = part.made_first(fields)
            values += part.values
            template += part.template
        else:
            template += part
    return at(ops_call("text", constant(template), *values), node)


def _parts(node: gast.JoinedStr, rewrite: Callable[[gast.AST], gast.AST]) -> list[str | _Field]:
    """The texts of an f-string, with braces doubled, and its fields."""
    parts: list[str | _Field] = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            parts.append(part.value.replace("{", "{{").replace("}", "}}"))
            continue
        part.value = rewrite(part.value)
        template, values, is_plain = _CONVERSIONS[part.conversion], [part.value], True
        if part.format_spec is not None:
            template += ":"
            for piece in _parts(part.format_spec, rewrite):
                if isinstance(piece, _Field):
                    template += piece.template
                    values += piece.values
                else:
                    template += piece
                    is_plain = is_plain and "{" not in piece and "}" not in piece
        parts.append(_Field(f"{{{template}}}", values, is_plain))
    return parts


def _has_call(node: gast.AST) -> bool:
    """Whether evaluating an expression may change a value evaluated before."""
    return any(
        isinstance(part, gast.Call)
        and isinstance(part.func, gast.Attribute)
        and part.func.attr == "call"
        for part in gast.walk(node)
    )


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
