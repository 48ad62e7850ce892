"""Collectives between processes, beside MPI called by hand and PyTorch's gloo, if it is there.

Not one of ``python -m benchmarks``, for it needs a launcher: ``mpiexec -n 2 python -m
benchmarks.collectives``, and, without one, ``python -m benchmarks.collectives --endings``.

The ways are timed in turn, round after round; a time is the median of the rounds, and that of the
best round is beside it, for on a machine with other work the median is that of the work.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from autograph.parallel.mpi import Call, Communicator, world
from benchmarks.machine import machine
from benchmarks.table import Table, duration

ROUNDS = 11
WHAT = Call("psum", f"{__file__}:1")
Ways = dict[str, Callable[[], object]]


def timed(ways: Ways, seconds: float = 0.02) -> dict[str, list[float]]:
    """Seconds per call of each way, one for each round; all processes make the same calls."""
    from mpi4py import MPI

    counts = {}
    for name, way in ways.items():
        way()
        start = time.perf_counter()
        for _ in range(5):
            way()
        each = MPI.COMM_WORLD.bcast((time.perf_counter() - start) / 5)
        counts[name] = max(1, int(seconds / each))
    rounds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            MPI.COMM_WORLD.Barrier()
            start = time.perf_counter()
            for _ in range(counts[name]):
                way()
            rounds[name].append((time.perf_counter() - start) / counts[name])
    return rounds


def ways_for(x: np.ndarray, processes: Communicator, gloo: Any) -> Ways:
    """The sum of one array."""
    from mpi4py import MPI

    comm, datatype = MPI.COMM_WORLD, MPI.FLOAT
    out, own = np.empty_like(x), x.copy()
    sent, received, both = (x, datatype), (out, datatype), (own, datatype)
    ways: Ways = {
        "MPI": lambda: comm.Allreduce(sent, received),
        "MPI, in place": lambda: comm.Allreduce(MPI.IN_PLACE, both, MPI.MAX),
        "autograph": lambda: processes.sum([x], WHAT),
        "autograph, donated": lambda: processes.sum([own], WHAT, donate=True),
    }
    own[:] = 0
    if gloo is not None:
        ways["gloo"] = gloo(x)
    return ways


def tree_ways(tree: Sequence[np.ndarray], processes: Communicator) -> Ways:
    """The sums of many arrays, and of one as large as all."""
    from mpi4py import MPI

    whole = np.concatenate([x.reshape(-1) for x in tree])

    return {
        "MPI, of one array": lambda: MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, whole, MPI.MAX),
        "MPI, one by one": lambda: [
            MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, x, MPI.MAX) for x in tree
        ],
        "autograph": lambda: processes.sum(tree, WHAT),
        "autograph, one by one": lambda: [processes.sum([x], WHAT) for x in tree],
    }


def gloo_of(processes: Communicator) -> Any:
    """PyTorch's sums between the same processes; None where it is not installed."""
    if find_spec("torch") is None:
        return None
    import torch
    from torch import distributed

    torch.set_num_threads(1)
    path = Path(tempfile.gettempdir(), f"gloo-{os.environ.get('PMIX_NAMESPACE', os.getppid())}")
    distributed.init_process_group(
        "gloo", init_method=f"file://{path}", rank=processes.rank, world_size=processes.size
    )

    def way(x: np.ndarray) -> Callable[[], object]:
        tensor = torch.from_numpy(x.copy())
        return lambda: distributed.all_reduce(tensor, op=distributed.ReduceOp.MAX)

    return way


ENDINGS = """
import os, signal, sys, time
import numpy as np
from autograph.parallel.mpi import Call, world
processes, x = world(), np.ones(3)
what = Call("psum", "endings.py:1")
processes.sum([x], what)
if processes.rank == 1:
    time.sleep(0.5)
    print(time.time(), flush=True)
    if sys.argv[1] == "raises": raise ValueError
    if sys.argv[1] == "leaves": sys.exit()
    if sys.argv[1] == "is killed": os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[1] == "calls another": processes.gather(x, what)
processes.sum([x], what)
"""


def endings() -> Table:
    """How long all take to end after something happens to one."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "endings.py")
        path.write_text(ENDINGS)
        for case in ("raises", "leaves", "is killed", "calls another"):
            found = []
            for _ in range(3):
                command = ["mpiexec", "-n", "2", sys.executable, str(path), case]
                ran = subprocess.run(command, capture_output=True, text=True)
                found.append(time.time() - float(ran.stdout.split()[0]))
            rows.append([case, ", ".join(f"{seconds:.2f} s" for seconds in found)])
    note = "From what happens to the end of `mpiexec`, three times."
    return Table("One of two processes ends, and the other waits in `psum`", note, ["", ""], rows)


def sums(processes: Communicator) -> Table:
    """The sums of arrays, small and large, and of many."""
    gloo = gloo_of(processes)
    measured = {
        f"{count} float32": timed(ways_for(np.ones(count, np.float32), processes, gloo))
        for count in (1, 1000, 1_000_000)
    }
    for count, length in ((50, 20), (50, 20_000)):
        tree = [np.ones(length, np.float32) for _ in range(count)]
        measured[f"{count} arrays of {length} float32"] = timed(tree_ways(tree, processes))
    rows = []
    for what, rounds in measured.items():
        for way, found in rounds.items():
            rows.append([what, way, duration(statistics.median(found)), duration(min(found))])
    guard = "off" if os.environ.get("AUTOGRAPH_COLLECTIVE_GUARD") == "0" else "on"
    return Table(
        f"Sums between {processes.size} processes, guard {guard}",
        f"Time per call in the median of {ROUNDS} rounds, and in the best.",
        ["what", "way", "median", "best"],
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endings", action="store_true", help="how long all take to end")
    parser.add_argument("--first", action="store_true", help="before all else on the machine")
    options = parser.parse_args()
    if options.endings:
        print(endings())
        return
    processes = world()
    if options.first:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    table = sums(processes)
    if options.first:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    if processes.rank == 0:
        from mpi4py import MPI

        mpi = MPI.Get_library_version().partition(",")[0]
        installed = [name for name in ("numpy", "mpi4py", "torch") if find_spec(name)]
        versions = ", ".join(f"{name} {version(name)}" for name in installed)
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"{date.today()}; {machine()}; {mpi}, {versions}; load {load}\n\n{table}")


if __name__ == "__main__":
    main()
