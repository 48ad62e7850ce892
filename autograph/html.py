"""Texts that the compiler makes, as notebooks show them: with colours."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

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
        parts.append(html.escape(text[end : token.start()], quote=False))
        shown = html.escape(token.group(), quote=False)
        parts.append(f'<span style="{_STYLES[str(token.lastgroup)]}">{shown}</span>')
        end = token.end()
    parts.append(html.escape(text[end:], quote=False))
    return f'<pre style="{_PRE}">{"".join(parts)}</pre>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of texts as HTML; numbers stand at the right."""
    lines = ["".join(f"<th>{html.escape(text)}</th>" for text in head)]
    for row in rows:
        cells = [
            f'<td style="text-align: {"right" if _NUMBER.fullmatch(text) else "left"}">'
            f"{html.escape(text)}</td>"
            for text in row
        ]
        lines.append("".join(cells))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def escape(text: str) -> str:
    """A text as HTML."""
    return html.escape(text)


def details(summary: str, content: str) -> str:
    """HTML that is shown when one asks for it.

    Args:
        summary: what one clicks on, as text.
        content: HTML.
    """
    return f"<details><summary>{html.escape(summary)}</summary>{content}</details>"


class Shown:
    """What notebooks show as its text, with colours."""

    def _repr_html_(self) -> str:
        return block(str(self))


class SourceText(str):
    """A text of Python that notebooks show with colours, where it is a cell's result."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return block(self)
