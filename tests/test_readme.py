"""What README.md shows is what the compiler makes."""

from documents import ROOT, run, sections


def test_example(tmp_path):
    (language, source), (_, expected) = sections("README.md")["Ten lines"]
    assert language == "python"
    assert run(source, tmp_path / "newton.py").rstrip() == expected.rstrip()


def test_there_is_no_other_example():
    blocks = [block for found in sections("README.md").values() for block in found]
    assert blocks == sections("README.md")["Ten lines"]


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
