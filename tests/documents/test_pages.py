"""The start, the tutorials, the how-to pages and the gallery: what they show is what is printed.

The blocks of a page are one session, like the cells of a notebook. A block that prints something
is followed by what it prints, which ``UPDATE_DOCUMENTS=1 pytest tests/documents/test_pages.py``
writes. Blocks with a title show how something is written with another framework: `tests/peers` runs
them.
"""

import importlib.util
import os
import re

import pytest

from autograph.kernels.native import available
from tests.documents.test_readme import shown
from tests.support.documents import run_session
from tests.support.tree import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("start.md", "gallery.md", "tutorials/*.md", "how-to/*.md")
    for path in (ROOT / "docs").glob(pattern)
)
# A block of Python, and the block of text after it if there is nothing but empty lines between.
EXAMPLE = re.compile(r"^```python\n(.*?)^```$(\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
# What a page says at its top that it needs.
NEEDS = re.compile(r"<!-- needs: (.*?) -->")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path):
    text = text_of(page)
    needed = NEEDS.findall(text)
    for name in " ".join(needed).split():
        if name == "kernels":
            if not available():
                pytest.skip("it shows native code, which there is none of here")
        elif importlib.util.find_spec(name) is None:
            pytest.skip(f"it needs {name}")
    examples = list(EXAMPLE.finditer(text))
    printed = run_session([example[1] for example in examples], tmp_path)
    if os.environ.get("UPDATE_DOCUMENTS"):
        for example, output in reversed(list(zip(examples, printed))):
            block = f"```python\n{example[1]}```"
            if output.strip():
                block += f"\n\n```text\n{output.strip()}\n```"
            text = text[: example.start()] + block + text[example.end() :]
        (ROOT / page).write_text(text, encoding="utf-8")
        return
    for example, output in zip(examples, printed):
        assert shown(output) == shown(example[3] or ""), example[1]


def test_the_gallery_shows_its_programs():
    """The functions and constants in it are those of the files."""
    files = "".join(path.read_text() for path in (ROOT / "samples").glob("**/*.py"))
    for example in EXAMPLE.finditer(text_of("docs/gallery.md")):
        for part in re.split(r"\n\n\n|\n\n(?=\w)", example[1].strip()):
            if not part.startswith(("import ", "from ", "print(")):
                assert part in files, part


def test_there_are_pages():
    assert len(PAGES) > 20


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    for link in LINK.findall(text_of(page)):
        assert ((ROOT / page).parent / link).exists(), link
