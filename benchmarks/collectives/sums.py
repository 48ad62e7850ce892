"""Sums by the communicator that programs call:
``mpiexec -n 2 python -m benchmarks.collectives.sums``.

``AUTOGRAPH_COLLECTIVE_GUARD=0`` takes the guard away.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from autograph.parallel.mpi import Call, Communicator, world
from benchmarks.collectives.rounds import HEAD, Ways, note_on, rows_of, timed
from benchmarks.table import Table

WHAT = Call("psum", f"{__file__}:1")


def ways_for(x: np.ndarray, processes: Communicator) -> Ways:
    """The sum of one array."""
    from mpi4py import MPI

    comm, datatype = MPI.COMM_WORLD, MPI.FLOAT
    out, own, same = np.empty_like(x), np.zeros_like(x), x.copy()
    sent, received, both = (x, datatype), (out, datatype), (same, datatype)
    return {
        "MPI, in place": lambda: comm.Allreduce(MPI.IN_PLACE, both, MPI.MAX),
        "MPI": lambda: comm.Allreduce(sent, received),
        "autograph": lambda: processes.sum([x], WHAT),
        "autograph, donated": lambda: processes.sum([own], WHAT, donate=True),
    }


def tree_ways(tree: Sequence[np.ndarray], processes: Communicator) -> Ways:
    """The sums of many arrays."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    whole = np.concatenate(tree)
    ends = np.cumsum([len(x) for x in tree])[:-1]

    def packed() -> list[np.ndarray]:
        together = np.concatenate(tree)
        comm.Allreduce(MPI.IN_PLACE, together)
        return np.split(together, ends)

    return {
        "MPI, of one array": lambda: comm.Allreduce(MPI.IN_PLACE, whole, MPI.MAX),
        "MPI, packed and unpacked": packed,
        "MPI, one by one": lambda: [comm.Allreduce(MPI.IN_PLACE, x, MPI.MAX) for x in tree],
        "autograph": lambda: processes.sum(tree, WHAT),
    }


def main() -> None:
    processes = world()
    guard = "off" if os.environ.get("AUTOGRAPH_COLLECTIVE_GUARD") == "0" else "on"
    rows: list[list[str]] = []
    for count in (1, 1000, 1_000_000):
        found = timed(ways_for(np.ones(count, np.float32), processes))
        rows += rows_of(f"{count} float32", found, "MPI, in place")
    trees: list[list[str]] = []
    for count, length in ((50, 20), (50, 20_000)):
        found = timed(tree_ways([np.ones(length, np.float32) for _ in range(count)], processes))
        trees += rows_of(f"{count} arrays of {length} float32", found, "MPI, of one array")
    if processes.rank == 0:
        for beside, found_rows in (("MPI, in place", rows), ("MPI, of one array", trees)):
            title = f"`Communicator.sum`, {processes.size} processes, guard {guard}"
            print(Table(title, note_on(beside), HEAD, found_rows))


if __name__ == "__main__":
    main()
