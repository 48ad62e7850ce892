"""The worked examples in CONTRIBUTING.md hold."""

import re

import pytest
from documents import run, sections

# What the document says its examples leave out; and modules of the package may be among them.
PRELUDE = """\
import numpy as np, autograph as ag, ops
import autograph.transforms
autograph.transforms.__path__.append(".")
"""


@pytest.mark.parametrize(
    "title", ["An operator", "A transform", "A language construct", "A backend"]
)
def test_example(title, tmp_path):
    *modules, (_, source) = sections("CONTRIBUTING.md")[title]
    for _, module in modules:
        name = re.match(r"# autograph/transforms/(\w+\.py)\n", module)[1]
        (tmp_path / name).write_text(module)
    assert "\nassert " in source
    run(PRELUDE + source, tmp_path / "example.py")


def test_every_example_is_listed_above():
    found = [title for title, blocks in sections("CONTRIBUTING.md").items() if blocks]
    (listed,) = test_example.pytestmark
    assert found == listed.args[1]
