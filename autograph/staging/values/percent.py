"""Formatting with ``%``, as the templates of `str.format` that give the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import located_error
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
                f"'{self.text}' cannot format a value that is only known when the program runs",
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
