"""The samples on several processes: one process in value, gradient and second order; what is
printed, once."""

import re
import shutil

import pytest

from samples.parallel import (
    data_parallel,
    halo,
    pipeline,
    sharded_weights,
    sweep,
    tensor_parallel,
)
from tests.mpi.launch import launch
from tests.parallel.sample_cases import CASES
from tests.support.tree import ROOT

SAMPLES = ROOT / "samples"


# The programs of all numbers of processes are the same, so those of two are compiled.
@pytest.mark.parametrize("count, kernels", [(2, "1"), (3, "0"), (4, "0")])
def test_processes_are_the_plain_computation(count, kernels):
    outcome = launch(count, "whole_samples.py", limit=900, AUTOGRAPH_KERNELS=kernels)
    assert outcome.code == 0, outcome.errors
    for name in CASES:
        assert outcome.output.count(f": {name}\n") == count


PRINTED = {
    data_parallel: "--epochs 10",
    sharded_weights: "--rounds 5",
    tensor_parallel: "--rounds 5 --sequences 4 --data 1",
    pipeline: "--rounds 5 --micro-batches 3",
    halo: "--rows 6 --columns 5 --eps 1e-10",
    sweep: "--values 4 --end 2",
}


@pytest.mark.parametrize("module", PRINTED)
def test_one_process_prints_what_lanes_do(module, monkeypatch, capsys):
    monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
    arguments = PRINTED[module].split()
    path = SAMPLES / "parallel" / f"{module.__name__.rpartition('.')[2]}.py"
    outcome = launch(2, path, "--processes", *arguments, limit=300)
    assert outcome.code == 0, outcome.errors
    monkeypatch.setattr("sys.argv", ["sample", "--parts", "2", *arguments])
    module.main()
    expected = capsys.readouterr().out
    assert comparable(outcome.output) == comparable(expected)


def comparable(text):
    """What a sample prints, but for what has to differ: the mesh, what one process keeps, and
    numbers that are zero but for rounding."""
    text = re.sub(r"Mesh\.\w+|kept by .*?: \d+", "", text)
    return re.sub(r"\d\.\d+e-\d+", "0", text)


def test_digits_train_as_on_one_process(tmp_path):
    for library in ("sklearn", "tqdm", "matplotlib"):
        pytest.importorskip(library)
    shutil.copy(SAMPLES / "digits.py", tmp_path)  # it writes beside itself
    losses = []
    for count in (1, 2):
        outcome = launch(count, tmp_path / "digits.py", "--epochs", 2, "--processes", limit=300)
        assert outcome.code == 0, outcome.errors
        assert outcome.output.count("accuracy on the 450 images") == 1
        assert outcome.errors.count("100%|") <= 2  # one bar, which may be drawn twice
        losses.append(re.findall(r"loss=([\d.]+)", outcome.errors)[-1])
    assert losses[0] == losses[1]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_messages_and_bytes_are_those_of_the_docstrings(count):
    outcome = launch(count, "sample_messages.py", limit=300, AUTOGRAPH_KERNELS="0")
    assert outcome.code == 0, outcome.errors
    assert outcome.output.count("process ") == 7 * count
