"""What README.md and the pages of the guide show is what the compiler makes.

After a change of what it makes, ``UPDATE_DOCUMENTS=1 pytest tests/documents/test_readme.py`` (one
process) writes the new output into the documents; look at the difference.
"""

import os
import re
import sys

import pytest

from autograph.kernels.native import available
from tests.support.documents import blocks, run
from tests.support.tree import ROOT

GUIDE = ("language", "numpy", "transforms", "debugging", "kernels", "seeing")
DOCUMENTS = (
    "README.md",
    *(f"docs/{name}.md" for name in GUIDE),
    *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs/how-it-works").glob("*.md")),
)
BLOCKS = {document: blocks(document) for document in DOCUMENTS}
EXAMPLES = [
    (document, position)
    for document, blocks in BLOCKS.items()
    for position, (language, _) in enumerate(blocks)
    if language == "python"
]
# What is not printed without native code, and what is printed only then.
_NATIVE = re.compile(r"native kernel \w| = lanes\(|no kernels, and why")
_MISSING = re.compile(r"^autograph: no native kernels: .*\n", re.MULTILINE)
# Examples whose output certain versions of Python give: notes on exceptions.
SINCE = {"inverse.py": (3, 11)}
_NAME = re.compile(r"# (\w+\.py)\n")


def file_name(source):
    """The name of the file that an example says it is in."""
    named = _NAME.match(source)
    return named[1] if named else "newton.py"


def shown(text):
    """Without what differs from run to run, times, and what Python 3.10 does not know, columns."""
    text = re.sub(r"\d+(\.\d+)? ms", "... ms", _MISSING.sub("", text)).rstrip()
    if sys.version_info < (3, 11):
        text = re.sub(r"(\.py:\d+):\d+", r"\1", re.sub(r"\n *\^\n", "\n", text))
    return text


def title(example):
    document, position = example
    return file_name(BLOCKS[document][position][1])


@pytest.mark.parametrize("example", EXAMPLES, ids=title)
def test_example(example, tmp_path):
    document, position = example
    (_, source), (language, expected) = BLOCKS[document][position : position + 2]
    assert language == "text"
    if _NATIVE.search(expected) and not available():
        pytest.skip("it shows native code, which there is none of here")
    path = tmp_path / file_name(source)
    if sys.version_info < SINCE.get(path.name, (3, 0)):
        pytest.skip(f"it needs Python {SINCE[path.name]}")
    log = "debug" if expected.startswith("autograph: ") else ""
    printed = run(source, path, AUTOGRAPH_LOG=log).replace(f"{tmp_path}/", "")
    if os.environ.get("UPDATE_DOCUMENTS") and shown(printed) != shown(expected):
        page = ROOT / document
        text = page.read_text(encoding="utf-8")
        old = f"```python\n{source}```\n\n```text\n{expected}```"
        assert text.count(old) == 1
        new = f"```python\n{source}```\n\n```text\n{printed.rstrip()}\n```"
        page.write_text(text.replace(old, new), encoding="utf-8")
        return
    assert shown(printed) == shown(expected)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_example_has_its_output(document):
    languages = [language for language, _ in BLOCKS[document]]
    assert languages == ["python", "text"] * (len(languages) // 2)


def test_converted_source_of_the_demo(tmp_path):
    source = f"""\
import sys
import autograph as ag
sys.path.insert(0, {str(ROOT)!r})
from samples import digits
print(ag.to_graph(digits.logits).converted)
"""
    converted = run(source, tmp_path / "show.py").strip()
    assert converted in (ROOT / "docs/installing.md").read_text(encoding="utf-8")
