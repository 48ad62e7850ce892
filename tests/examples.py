"""The Python examples in a Markdown file, and running them."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]

_BLOCK = re.compile(r"^## (?P<title>.*?)$|^```(?P<kind>python|text)\n(?P<text>.*?)^```$", re.M | re.S)
_FILE = re.compile(r"# (\w+\.py)\n")


@dataclass
class Example:
    """A Python block that is followed by its output.

    Attributes:
        title: of the section it stands in.
        source: the block.
        output: what the document says it prints.
        modules: blocks before it, in the same section, that begin with the name of a file and are
            not followed by an output.
    """

    title: str
    source: str
    output: str
    modules: dict[str, str] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The name in the block's first line, or one of our own."""
        named = _FILE.match(self.source)
        return named[1] if named else "example.py"

    def run(self, directory: Path) -> str:
        """What the example prints, run as a file in ``directory``."""
        for name, source in {**self.modules, self.file: self.source}.items():
            (directory / name).write_text(source)
        command = [sys.executable, self.file]
        result = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        return result.stdout


def examples(document: Path) -> list[Example]:
    """All examples of a document. A Python block without output has to be a named module."""
    found: list[Example] = []
    title, waiting = "", []
    for block in _BLOCK.finditer(document.read_text()):
        if block["title"] is not None:
            assert not waiting, f"{document.name}: an example of '{title}' has no output"
            title = block["title"]
        elif block["kind"] == "python":
            waiting.append(block["text"])
        elif waiting:
            *before, source = waiting
            modules = {_FILE.match(text)[1]: text for text in before}
            found.append(Example(title, source, block["text"], modules))
            waiting = []
    assert not waiting, f"{document.name}: the last example has no output"
    return found
