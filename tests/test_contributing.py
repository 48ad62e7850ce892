"""The examples in README.md and CONTRIBUTING.md print what the text says they print."""

import pytest
from examples import ROOT, examples

FOUND = {
    f"{name}-{number}": example
    for name in ("README.md", "CONTRIBUTING.md")
    for number, example in enumerate(examples(ROOT / name), 1)
}


@pytest.mark.parametrize("name", FOUND)
def test_example(name, tmp_path):
    assert FOUND[name].run(tmp_path).rstrip() == FOUND[name].output.rstrip()


def test_every_guide_is_there():
    titles = [example.title for example in FOUND.values()]
    for title in ("An operator", "A transform", "A language construct", "A backend"):
        assert title in titles
