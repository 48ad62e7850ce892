"""What README.md shows is what the compiler makes."""

import re
import sys

import pytest
from documents import ROOT, run, sections

BLOCKS = [block for found in sections("README.md").values() for block in found]
EXAMPLES = [source for language, source in BLOCKS if language == "python"]
_NAME = re.compile(r"# (\w+\.py)\n")


def file_name(source):
    """The name of the file that an example says it is in."""
    named = _NAME.match(source)
    return named[1] if named else "newton.py"


def shown(text):
    """Without what differs from run to run, times, and what Python 3.10 does not know, columns."""
    text = re.sub(r"\d+(\.\d+)? ms", "... ms", text).rstrip()
    if sys.version_info < (3, 11):
        text = re.sub(r"(\.py:\d+):\d+", r"\1", re.sub(r"\n *\^\n", "\n", text))
    return text


@pytest.mark.parametrize("source", EXAMPLES, ids=file_name)
def test_example(source, tmp_path):
    language, expected = BLOCKS[BLOCKS.index(("python", source)) + 1]
    assert language == "text"
    path = tmp_path / file_name(source)
    log = "debug" if expected.startswith("autograph: ") else ""
    printed = run(source, path, AUTOGRAPH_LOG=log).replace(f"{tmp_path}/", "")
    assert shown(printed) == shown(expected)


def test_every_example_has_its_output():
    assert [language for language, _ in BLOCKS] == ["python", "text"] * len(EXAMPLES)


def test_converted_source_of_the_demo(tmp_path):
    source = f"""\
import sys
import autograph as ag
sys.path.insert(0, {str(ROOT)!r})
from samples import digits
print(ag.to_graph(digits.logits).converted)
"""
    converted = run(source, tmp_path / "show.py").strip()
    assert converted in (ROOT / "README.md").read_text(encoding="utf-8")
