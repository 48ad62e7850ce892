"""The examples in the Markdown files of the root, and running them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.processes import file_of, printed
from tests.support.tree import ROOT

_SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sections(document: str) -> dict[str, list[tuple[str, str]]]:
    """For each section of a document, by title, its fenced blocks as (language, text)."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return {title: _BLOCK.findall(body) for title, body in _SECTION.findall(text)}


def blocks(document: str) -> list[tuple[str, str]]:
    """All fenced blocks of a document as (language, text)."""
    return _BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))


def run(source: str, path: Path, **environment: str) -> str:
    """What ``source`` prints as a program in the file ``path``, also to standard error. It
    imports the packages of this tree."""
    file_of(path, source)
    return printed(path.name, folder=path.parent, together=True, **environment)
