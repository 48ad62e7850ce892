"""Functions for a mesh of processes: the same as the whole computation in one process."""

import pytest

from tests.mpi.launch import launch
from tests.parallel import sums
from tests.parallel.programs import NAMES
from tests.support.tree import ROOT


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_same_as_the_whole(count):
    outcome = launch(count, "whole.py", *NAMES, limit=400)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert set(NAMES) == {line.split()[1] for line in outcome.output.splitlines()}


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("size", ["large", "packed"])
def test_sums_in_place(count, size):
    outcome = launch(count, "sums.py", size, limit=200)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert outcome.output.count("done") == len([*sums.IN_PLACE, *sums.COPIED, 1, 1])


def test_arguments_are_compared_at_every_call_if_that_is_asked_for():
    outcome = launch(2, "arguments.py", limit=100, AUTOGRAPH_CHECK_ARGUMENTS="1")
    assert "argument w is not the same in processes 0 and 1" in outcome.errors
    assert "second call" not in outcome.output


def test_arguments_are_compared_at_the_first_call():
    outcome = launch(2, "arguments.py", limit=100)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert "second call" in outcome.output


def test_arrays_on_a_mesh_of_processes():
    outcome = launch(4, "arrays.py", limit=100)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert outcome.output.count("as expected") == 4


def test_a_mesh_of_another_number_of_processes():
    outcome = launch(2, "arrays.py", limit=100)
    assert (
        "Mesh.processes(data=2, model=2) has 4 parts, but there are 2 processes" in outcome.errors
    )
    assert "mpiexec -n 4" in outcome.errors


@pytest.mark.parametrize("count", [2, 4])
def test_cupy_arrays_meet_over_nccl_that_mpi_starts(count):
    """On a stand-in for CuPy and NCCL."""
    folder = ROOT / "tests/parallel/nccl"
    outcome = launch(count, "whole.py", "mean_loss", "moved_around", limit=400, folder=folder)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert outcome.output.count("calls of NCCL") == count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_random_programs(count):
    """As plain Python computes them for all parts in lock-step, see `tests.fuzz.spmd`."""
    outcome = launch(count, "random_programs.py", "0", "5", limit=400)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert "'same values'" in outcome.output
