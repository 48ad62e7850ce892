"""The samples run, and the network learns."""

import re
import shutil
import time

import pytest

from tests.support.processes import printed
from tests.support.tree import ROOT

pytest.importorskip("sklearn")

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def samples(tmp_path):
    """A copy of the samples, which write beside themselves."""
    copy = tmp_path / "samples"
    shutil.copytree(ROOT / "samples", copy, ignore=shutil.ignore_patterns("out", "__pycache__"))
    return copy


def run(samples, sample, *arguments):
    """What a sample prints."""
    return printed(samples / sample, *arguments, timeout=300)


def accuracy(printed):
    return float(re.search(r"held out: ([\d.]+)%", printed)[1])


def test_digits_briefly(samples):
    printed = run(samples, "digits.py", "--epochs", "3", "--show")
    for function in ("logits", "loss", "epoch"):
        assert f"def {function}(" in printed
    assert "ops.for_loop(batches" in printed
    assert accuracy(printed) > 80
    assert (samples / "out" / "digits.png").read_bytes().startswith(PNG_SIGNATURE)


@pytest.mark.slow
def test_digits(samples):
    start = time.perf_counter()
    printed = run(samples, "digits.py")
    assert time.perf_counter() - start < 60
    assert accuracy(printed) >= 97


@pytest.mark.parametrize("name", ["g", "newton_sqrt", "rnn", "factorial"])
def test_control_flow(samples, name):
    printed = run(samples, "control_flow.py", name)
    stages = re.split(r"^-{8} (.*?) -+\n", printed, flags=re.MULTILINE)
    titles, texts = stages[1::2], stages[2::2]
    assert titles == [
        f"{name}: {stage}"
        for stage in (
            "the user's source",
            "converted",
            "the graph",
            "the program of the gradient",
            "results",
        )
    ]
    source, converted, graph, program, results = texts
    assert source.strip().startswith(f"def {name}(")
    assert "ops." in converted and "# control_flow.py:" in converted
    assert graph.strip().startswith(f"graph {name}(")
    compile(program, "program", "exec")
    plain, compiled, gradient = re.findall(r"^.*?:\s+(.*)$", results, re.MULTILINE)
    assert plain == compiled
    assert gradient.strip()
