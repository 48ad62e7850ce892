"""The worked examples in CONTRIBUTING.md hold."""

import pytest
from documents import run, sections

# What the document says its examples leave out.
IMPORTS = "import numpy as np, autograph as ag, ops\n"


@pytest.mark.parametrize(
    "title", ["An operator", "A transform", "A language construct", "A backend"]
)
def test_example(title, tmp_path):
    ((language, source),) = sections("CONTRIBUTING.md")[title]
    assert language == "python"
    assert "\nassert " in source
    run(IMPORTS + source, tmp_path / "example.py")


def test_every_example_is_listed_above():
    found = [title for title, blocks in sections("CONTRIBUTING.md").items() if blocks]
    (listed,) = test_example.pytestmark
    assert found == listed.args[1]
