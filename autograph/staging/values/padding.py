"""Texts of one value with blanks around it: ``f"{x:.2f}".rjust(8)`` is ``f"{x:>8.2f}"``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

# A template that has one field and nothing else, which says nothing of how wide it is.
_FIELD = re.compile(r"\{(![sr])?(?::([+\- ]?)((?:[,_])?(?:\.\d+)?[a-zA-Z%]?))?\}")
_ALIGNED = {"ljust": "<", "rjust": ">", "center": "^"}


def padded(template: Any, name: str) -> Callable[..., str | None] | None:
    """What gives the template that a method of texts makes of one, given whether `str` of the value
    is the same as `format`, a width, and a filling character; None if there is none."""
    field = _FIELD.fullmatch(template) if isinstance(template, str) else None
    if field is None or name not in _ALIGNED:
        return None
    conversion, sign, rest = field.groups("")
    return functools.partial(_aligned, name, conversion, sign, rest)


def _aligned(
    name: str,
    conversion: str,
    sign: str,
    rest: str,
    is_shown: bool,
    width: int,
    fill: str = " ",
) -> str | None:
    if type(fill) is not str or len(fill) != 1:
        raise TypeError("The fill character must be exactly one character long")
    # `str.center` puts the blank that is left over to the left if the width is odd, `format` never.
    if fill in "{}" or (name == "center" and width % 2):
        return None
    if width <= 0:
        return f"{{{conversion}{':' + sign + rest if sign + rest else ''}}}"
    if is_shown and not (conversion or sign or rest):  # the text of True is not that of a number
        conversion = "!s"
    return f"{{{conversion}:{fill}{_ALIGNED[name]}{sign}{width}{rest}}}"
