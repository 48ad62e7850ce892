"""The worked examples in CONTRIBUTING.md hold."""

import re

import pytest
from documents import ROOT, run, sections

PRELUDE = "import numpy as np, autograph as ag, ops\n"  # what the document says it leaves out
EXAMPLES = {title: blocks for title, blocks in sections("CONTRIBUTING.md").items() if blocks}


def test_the_examples_are_found():
    kinds = ["An operator", "A transform", "A language construct", "A backend"]
    assert list(EXAMPLES) == kinds


@pytest.mark.parametrize("title", EXAMPLES)
def test_example(title, tmp_path):
    ((language, source),) = EXAMPLES[title]
    assert language == "python"
    assert "\nassert " in source
    run(PRELUDE + source, tmp_path / "example.py")


def test_the_files_it_names_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    cells = [row.split("|")[2] for row in re.findall(r"^\| [^|]+\|[^|]+\|", text, re.MULTILINE)]
    named = set(re.findall(r"`(\w+)`", " ".join(cells)))
    assert "containers" in named
    paths = [*(ROOT / "autograph").rglob("*.py"), *(ROOT / "ops").rglob("*.py")]
    assert named <= {name for path in paths for name in (path.stem, path.parent.name)}


def test_every_file_of_operators_is_in_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in (ROOT / "ops").glob("[a-z]*"):
        assert f"`{path.stem}`" in text, path
