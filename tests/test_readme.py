"""The example in README.md prints what the text says it prints."""

from documents import run, sections


def test_example(tmp_path):
    (language, source), (_, expected) = sections("README.md")["Ten lines"]
    assert language == "python"
    assert run(source, tmp_path / "newton.py").rstrip() == expected.rstrip()


def test_there_is_no_other_example():
    blocks = [block for found in sections("README.md").values() for block in found]
    assert blocks == sections("README.md")["Ten lines"]
