"""Texts that the compiler makes, as notebooks show them: with colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ops.core.records import NamedTuple

_KEYWORDS = (
    "and|as|assert|body|break|captures|class|cond|continue|def|define|elif|else|except|finally|for|"
    "from|global|graph|if|import|in|is|lambda|nonlocal|not|or|pass|raise|ret|return|test|then|try|"
    "while|with|yield"
)
_STYLES = {
    "comment": "color: #6a737d",
    "string": "color: #0b6e4f",
    "keyword": "color: #8250df; font-weight: 600",
    "number": "color: #0550ae",
}
_NUMBER = re.compile(r"-?[\d.,]+(?:e[+-]?\d+)?%?")
FONT = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
_LONGEST, _LINE = 160, 22  # pixels of the longest bar, and of a line of a picture
_PRE = "overflow-x: auto; white-space: pre; line-height: 1.35; font-size: 90%"


def block(text: str, comment: str = "#") -> str:
    """A text as HTML, which shows it as it is, with colours.

    Args:
        comment: what comments begin with, up to the end of the line.
    """
    tokens = re.compile(
        rf"(?P<string>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")"
        rf"|(?P<comment>{re.escape(comment)}[^\n]*)"
        rf"|(?P<keyword>\b(?:{_KEYWORDS})\b)"
        rf"|(?P<number>(?<![\w.%])\d+(?:\.\d*)?(?:e[+-]?\d+)?\b)"
    )
    parts, end = [], 0
    for token in tokens.finditer(text):
        parts.append(escape(text[end : token.start()], quote=False))
        shown = escape(token.group(), quote=False)
        parts.append(f'<span style="{_STYLES[str(token.lastgroup)]}">{shown}</span>')
        end = token.end()
    parts.append(escape(text[end:], quote=False))
    return f'<pre style="{_PRE}">{"".join(parts)}</pre>'


class Bar(NamedTuple):
    """A cell of a table that shows a share of 1, as a bar."""

    share: float
    colour: str


def plain(text: str) -> str:
    """A text as HTML, which shows it as it is."""
    return f'<pre style="{_PRE}">{escape(text, quote=False)}</pre>'


def table(head: Sequence[str], rows: Iterable[Sequence[str | Bar]]) -> str:
    """Rows of texts and bars as HTML; numbers stand at the right."""
    lines = ["".join(f'<th style="text-align: left">{escape(text)}</th>' for text in head)]
    lines += ["".join(map(_cell, row)) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(content: str | Bar) -> str:
    if isinstance(content, Bar):
        shape = f"width: {_LONGEST * content.share:.1f}px; height: 0.9em"
        bar = f'<div style="{shape}; background: {content.colour}"></div>'
        return f'<td style="text-align: left; min-width: {_LONGEST}px">{bar}</td>'
    side = "right" if _NUMBER.fullmatch(content) else "left"
    return f'<td style="text-align: {side}">{escape(content)}</td>'


def bars(title: str, rows: Sequence[tuple[float, str, str]]) -> str:
    """A picture in SVG: a bar for each share of 1, with its colour and its text."""
    height = _LINE * (len(rows) + 2)
    parts = [f'<text x="10" y="{_LINE}" font-weight="600">{escape(title)}</text>']
    for number, (share, colour, text) in enumerate(rows, 2):
        y = _LINE * number
        parts.append(
            f'<text x="60" y="{y}" text-anchor="end">{share:.1%}</text>'
            f'<rect x="70" y="{y - 13}" width="{max(_LONGEST * share, 0.5):.1f}" height="16" '
            f'fill="{colour}"/>'
            f'<text x="{80 + _LONGEST}" y="{y}" xml:space="preserve">{escape(text)}</text>'
        )
    widest = max((len(text) for _, _, text in rows), default=0)
    width = max(100 + _LONGEST + 8 * widest, 20 + 8 * len(title))
    return picture(width, height, "".join(parts))


def picture(width: float, height: float, content: str) -> str:
    """A picture in SVG, which is as large as it is and scales."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}" font-size="13">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{content}</svg>'
    )


def page(title: str, content: str) -> str:
    """A page by itself."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f'</title></head><body style="font-family: sans-serif">{content}</body></html>\n'
    )


def escape(text: str, quote: bool = True) -> str:
    """A text as HTML.

    Args:
        quote: whether it may stand in an attribute.
    """
    import html  # of which most programs need nothing

    return html.escape(text, quote)


def details(summary: str, content: str) -> str:
    """HTML that is shown when one asks for it.

    Args:
        summary: what one clicks on, as text.
        content: HTML.
    """
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


class Shown:
    """What notebooks show as its text, with colours, and IPython in a terminal as it is."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return block(str(self))


class SourceText(str):
    """A text of Python that notebooks show with colours, where it is a cell's result."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return block(self)
