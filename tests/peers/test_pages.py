"""What the pages show of other frameworks prints what they say, which is what ours prints.

A block with a title is a framework's. What it prints is the next block of text, which most often
follows a block of ours. Blocks of one framework on one page are one session.
"""

import importlib.util
import re

import pytest

from tests.support.documents import run_session
from tests.support.tree import ROOT

MODULES = {"NumPy": "numpy", "JAX": "jax", "PyTorch": "torch", "numba": "numba"}
EXAMPLE = re.compile(r'^```python title="(\w+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TEXT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    (path.relative_to(ROOT).as_posix(), title)
    for path in sorted((ROOT / "docs").glob("*/*.md"))
    for title in sorted({found[1] for found in EXAMPLE.finditer(path.read_text(encoding="utf-8"))})
]


@pytest.mark.parametrize("page, title", PAGES)
def test_peers(page, title, tmp_path):
    if importlib.util.find_spec(MODULES[title]) is None:
        pytest.skip(f"{MODULES[title]} is not installed; make peers installs it")
    text = (ROOT / page).read_text(encoding="utf-8")
    examples = [found for found in EXAMPLE.finditer(text) if found[1] == title]
    printed = run_session([example[2] for example in examples], tmp_path, JAX_PLATFORMS="cpu")
    for example, output in zip(examples, printed):
        expected = TEXT.search(text, example.end())[1]
        assert output.strip() == expected.strip(), example[2]


def test_there_are_pages():
    assert {title for _, title in PAGES} == set(MODULES)
