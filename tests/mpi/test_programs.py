"""Functions for a mesh of processes: the same as the whole computation in one process."""

import pytest

from tests.mpi.launch import launch
from tests.parallel.programs import NAMES


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_same_as_the_whole(count):
    outcome = launch(count, "whole.py", *NAMES, limit=400)
    assert outcome.code == 0, outcome.errors[-3000:]
    assert set(NAMES) == {line.split()[1] for line in outcome.output.splitlines()}


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
    assert "Mesh.processes(data=2, model=2) has 4 parts, but there are 2 processes" in outcome.errors
    assert "mpiexec -n 4" in outcome.errors
