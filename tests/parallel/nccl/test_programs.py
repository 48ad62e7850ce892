"""Whole programs with CuPy arrays, by processes that find each other as those of torchrun do."""

import os
import socket
import subprocess
import sys

import pytest

from tests.parallel.programs import NAMES
from tests.support.tree import ROOT

# Directions are lanes of the second derivative, which go different ways in a callee.
HERE = [name for name in NAMES if name != "recursion_of_all"]


def run(count, *names, script="whole.py"):
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    known = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "WORLD_SIZE": str(count)}
    environment = {**os.environ, **known, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    environment["AUTOGRAPH_COLLECTIVE_TIMEOUT"] = "60"
    command = [sys.executable, f"tests/parallel/nccl/{script}", *names]
    started = [
        subprocess.Popen(
            command,
            cwd=ROOT,
            env={**environment, "RANK": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(count)
    ]
    try:
        ended = [process.communicate(timeout=400) for process in started]
    finally:
        for process in started:
            process.kill()
    for rank, (process, (output, errors)) in enumerate(zip(started, ended)):
        assert process.returncode == 0, errors[-3000:]
        assert f"rank {rank}:" in output and "calls of NCCL" in output


@pytest.mark.slow
def test_a_program_with_its_gradients():
    run(2, "mean_loss", "--gradients")


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 4])
def test_all_programs_with_their_derivatives(count):
    run(count, *HERE)


@pytest.mark.costly
@pytest.mark.parametrize(
    "happens",
    ["nothing", *(pytest.param(x, marks=pytest.mark.slow) for x in ("moves", "refuses", "late"))],
)
def test_a_step_as_one_graph_with_its_collectives(happens):
    run(2, happens, script="captured.py")


@pytest.mark.slow
def test_a_step_of_four_as_one_graph():
    run(4, "nothing", script="captured.py")
