"""The examples in the Markdown files of the root, and running them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

_SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sections(document: str) -> dict[str, list[tuple[str, str]]]:
    """For each section of a document, by title, its fenced blocks as (language, text)."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return {title: _BLOCK.findall(body) for title, body in _SECTION.findall(text)}


def run(source: str, path: Path, **environment: str) -> str:
    """What ``source`` prints as a program in the file ``path``, also to standard error. It
    imports the packages of this tree."""
    path.write_text(source, encoding="utf-8")
    command = [sys.executable, path.name]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {"PYTHONPATH": os.pathsep.join(paths), **environment}
    ran = subprocess.run(
        command,
        cwd=path.parent,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout
