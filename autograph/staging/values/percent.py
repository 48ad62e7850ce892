"""Formatting with ``%``, as the templates of `str.format` that give the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.errors import located
from autograph.staging.ground.examples import example
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.text import GraphText, field_text, joined, to_repr, to_text
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple

_FIELD = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?"
    r"(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.)",
    re.DOTALL,
)


class ConversionSpecifier(NamedTuple):
    """``%(key)-8.3f``: what a ``%`` starts. ``text`` is the whole of it without the key."""

    key: str | None
    flags: str
    width: str | None
    precision: str | None
    kind: str

    @property
    def text(self) -> str:
        precision = "" if self.precision is None else f".{self.precision}"
        return f"%{self.flags}{self.width or ''}{precision}{self.kind}"

    def as_format(self) -> str:
        """The field of a `str.format` template that gives the same text of a number or array.

        Raises:
            ConcreteValueError: there is none.
        """
        is_text, is_float = self.kind in "rsa", self.kind in "eEfFgG"
        unlike = "0" in self.flags and is_float  # of infinity
        unlike = unlike or (self.precision is not None and not is_float and not is_text)
        if self.kind == "c" or "*" in (self.width, self.precision) or unlike:
            raise located_error(
                ConcreteValueError,
                f"'{self.text}' cannot format a value known only at run time",
                id="AG0306",
                fix="use an f-string",
            )
        align = "<" if "-" in self.flags else ">" if is_text and self.width else ""
        sign = "+" if "+" in self.flags else " " if " " in self.flags else ""
        zero = "0" if "0" in self.flags and not align and not is_text else ""
        hash = "#" if "#" in self.flags else ""
        precision = "" if self.precision is None else f".{self.precision or 0}"
        numeric = "" if is_text else sign + hash + zero
        kind = "" if is_text else "d" if self.kind in "iu" else self.kind
        spec = align + numeric + (self.width or "") + precision + kind
        conversion = f"!{self.kind}" if is_text else ""
        return "{" + conversion + (f":{spec}" if spec else "") + "}"


def parse(template: str) -> Iterator[str | ConversionSpecifier]:
    """The texts and fields of a template, in order; ``%%`` is a text.

    Raises:
        ValueError: a ``%`` starts nothing.
    """
    end = 0
    for match in _FIELD.finditer(template):
        yield _checked(template[end : match.start()])
        end = match.end()
        yield "%" if match["kind"] == "%" else ConversionSpecifier(**match.groupdict())
    yield _checked(template[end:])


def _checked(text: str) -> str:
    if "%" in text:
        raise ValueError("incomplete format")
    return text


def from_percent(template: str, args: Any) -> str | GraphText:
    """``template % args``."""
    items = iter(args if isinstance(args, tuple) else (args,))
    parts: list[str | GraphText] = []
    used = False
    for part in parse(template):
        if isinstance(part, str):
            parts.append(part)
            continue
        if part.key is not None:
            value, used = args[part.key], True
        else:
            if part.width == "*":
                part = part._replace(width=str(_size(_next(items))))
            if part.precision == "*":
                part = part._replace(precision=str(_size(_next(items))))
            value = _next(items)
        parts.append(_percent_field(part, recorder().defined(value)))
    if not used and not isinstance(args, dict) and next(items, None) is not None:
        raise TypeError("not all arguments converted during string formatting")
    return joined(parts)


def _size(value: Any) -> int:
    """A width or precision, which becomes part of the signature: a Python int, not one of
    NumPy's."""
    shown = example(value) if isinstance(value, GraphArray) else value
    if not isinstance(shown, int):
        raise TypeError("* wants int")
    return value.__index__()


def _next(items: Any) -> Any:
    for item in items:
        return item
    raise TypeError("not enough arguments for format string")


@raises_as_python
def _percent_field(field: ConversionSpecifier, value: Any) -> str | GraphText:
    if field.text == "%s":
        return to_text(value)
    if isinstance(value, GraphArray):
        with located():
            field.text % (example(value),)  # Python's own error, if it can't be formatted so
        template = field.as_format()
        if field.kind in "diu" and value.dtype.kind == "f":
            value = ops.cast(value, dtype="int64", weak=True)
        return field_text(template, value)
    if field.kind not in "rsa":
        return field.text % (value,)
    text = to_text(value) if field.kind == "s" else to_repr(value)
    if not isinstance(text, GraphText):
        return field.text % (value,)
    if field.text[1:-1]:
        text.refuse()
    return text
