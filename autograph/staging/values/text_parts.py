"""Texts in which those of lists are joined are printed part by part."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import ops
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.joined_texts import JoinedTexts
from autograph.staging.values.text import GraphText


def holds_joined(content: Any) -> bool:
    """Whether a text has such texts in it."""
    return isinstance(content, GraphText) and any(
        isinstance(value, JoinedTexts) for value in content.values
    )


def in_parts(content: Any, write: Callable[..., None]) -> None:
    """Write what is shown of something, part by part.

    Args:
        write: writes a text, or a text behind another one.
    """
    if not holds_joined(content):
        write(content)
        return
    if not isinstance(content.template, str):
        content.refuse()
    values = iter(content.values)
    for literal, name, spec, conversion in string.Formatter().parse(content.template):
        if literal:
            write(literal)
        if name is None:
            continue
        value = next(values)
        if isinstance(value, JoinedTexts):
            _write_items(value, write)
        else:
            field = (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
            write(GraphText("{" + field + "}", [value]))


def _write_items(joined: JoinedTexts, write: Callable[..., None]) -> None:
    def write_one(numbered: Any) -> tuple:
        place, item = numbered
        behind = lambda: write(joined.separator, item)
        ops.cond(ops.greater(place, 0), behind, lambda: write(item))
        return ()

    ops.for_loop(recorder().call(enumerate, (joined.items,), {}), write_one, ())
