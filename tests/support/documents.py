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


# One block after the other, in one session, as the cells of a notebook; each in a file of its own,
# so that what is printed of places is the block's.
_SESSION = """\
import sys
for number, name in enumerate(sys.argv[1:]):
    print(f"{BREAK}{number}", flush=True)
    with open(name, encoding="utf-8") as file:
        exec(compile(file.read(), name, "exec"), globals())
    sys.stdout.flush()
"""
_BREAK = "-- block "
_NAME = re.compile(r"# (\w+\.py)\n")


def run_session(sources: list[str], folder: Path, **environment: str) -> list[str]:
    """What each of the programs prints, also to standard error, of which each goes on where the one
    before it ended. A program that begins with a comment such as ``# name.py`` is in that file."""
    names = []
    for number, source in enumerate(sources):
        named = _NAME.match(source)
        names.append(named[1] if named else f"block_{number}.py")
        file_of(folder / names[-1], source)
    assert len(set(names)) == len(names), f"two blocks of one name: {names}"
    session = file_of(folder / "session.py", _SESSION.replace("{BREAK}", _BREAK))
    text = printed(session.name, *names, folder=folder, together=True, **environment)
    parts = re.split(rf"^{_BREAK}\d+\n", text, flags=re.MULTILINE)
    return [part.replace(f"{folder}/", "") for part in parts[1:]]
