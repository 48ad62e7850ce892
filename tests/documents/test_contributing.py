"""The worked examples in CONTRIBUTING.md hold."""

import ast
import re

import pytest

from tests.support.documents import run, sections
from tests.support.tree import ROOT

PRELUDE = "import numpy as np, autograph as ag, ops\n"  # what the document says it leaves out
EXAMPLES = {title: blocks for title, blocks in sections("CONTRIBUTING.md").items() if blocks}


def test_the_examples_are_found():
    kinds = ["An operator", "A pass", "A pass over kernels", "A transform"]
    kinds += ["An operator with regions", "A language construct", "A backend"]
    assert list(EXAMPLES) == kinds


@pytest.mark.parametrize("title", EXAMPLES)
def test_example(title, tmp_path):
    ((language, source),) = EXAMPLES[title]
    assert language == "python"
    assert "\nassert " in source
    run(PRELUDE + source, tmp_path / "example.py")


FOLDERS = sorted(
    path.parent.relative_to(ROOT).as_posix()
    for top in ("autograph", "ops")
    for path in (ROOT / top).rglob("*.py")
)


@pytest.mark.parametrize("folder", sorted(set(FOLDERS) - {"autograph"}))
def test_every_folder_says_what_lives_there_and_is_in_the_list(folder):
    assert ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())), folder
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`{folder}/`" in text or f"`{folder.rpartition('/')[2]}/`" in text


def test_the_folders_it_names_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w/]+)/` \|(.*)\|[^|]*\|$", text, re.MULTILINE)
    assert len(rows) > 5
    for folder, about in rows:
        for inner in re.findall(r"`(\w+)/`", about):
            assert (ROOT / folder / inner).is_dir(), inner
