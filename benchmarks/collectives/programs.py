"""Compiled programs for processes, beside MPI called by hand, PyTorch's gloo and JAX:
``mpiexec -n 2 python -m benchmarks.collectives.programs psum``, and ``peers``.

``heat`` solves the equation of `samples.parallel.halo`; ``step`` prints seconds of a training step
of `samples.parallel.data_parallel`, for as many processes as there are.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
import ops
from autograph import P
from benchmarks.collectives.peers import peers
from benchmarks.collectives.rounds import (
    HEAD,
    Ways,
    find_peers,
    first,
    note_on,
    rows_of,
    timed,
)
from benchmarks.table import Table
from samples.parallel import data_parallel, halo

ROWS = 256  # of a mini-batch, that each process has
LAYERS = (784, 512, 512, 1)


def guard() -> str:
    return "off" if os.environ.get("AUTOGRAPH_COLLECTIVE_GUARD") == "0" else "on"


# -- sums ------------------------------------------------------------------------------------------


def compiled(function: Callable) -> Any:
    return ag.shard_map(function, ag.Mesh.processes(data=-1), P(), P())


def sum_of(x: np.ndarray) -> Ways:
    """Of an argument, which has to stay as it is."""
    from mpi4py import MPI

    own, spec = x.copy(), MPI.FLOAT
    out = np.empty_like(x)
    total = compiled(lambda x: ops.psum(x, "data"))
    return {
        "MPI, in place": lambda: MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, (own, spec), MPI.MAX),
        "MPI": lambda: MPI.COMM_WORLD.Allreduce((x, spec), (out, spec)),
        "autograph": lambda: total(x),
    }


def sum_of_what_is_computed(x: np.ndarray) -> Ways:
    """Of twice an argument: an array that may become the sum."""
    from mpi4py import MPI

    own, spec = x.copy(), MPI.FLOAT
    total = compiled(lambda x: ops.psum(x * np.float32(2), "data"))

    def by_hand() -> None:
        np.multiply(x, np.float32(2), out=own)
        MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, (own, spec))

    return {"NumPy and MPI, in place": by_hand, "autograph": lambda: total(x)}


def sums_of_many(tree: Sequence[np.ndarray]) -> Ways:
    """Of twice each of many arrays."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    whole = np.concatenate(tree)
    ends = np.cumsum([len(x) for x in tree])
    parts = np.split(whole, ends[:-1])
    total = compiled(lambda tree: ops.psum([x * np.float32(2) for x in tree], "data"))

    def by_hand() -> None:
        for x, part in zip(tree, parts):
            np.multiply(x, np.float32(2), out=part)
        comm.Allreduce(MPI.IN_PLACE, whole)

    return {"NumPy and MPI, into one array": by_hand, "autograph": lambda: total(tree)}


def beside_peers() -> list[Table]:
    """Apart from the others, for the threads that they start."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    others = peers(comm.rank, comm.size)
    rows: list[list[str]] = []
    for count in (1, 1000, 1_000_000):
        x = np.ones(count, np.float32)
        ways = {"autograph": sum_of(x)["autograph"]}
        found = timed(ways | {name: way(x) for name, way in others.items()})
        rows += rows_of(f"{count} float32", found, "autograph")
    title = f"Compiled `psum` beside others, {comm.size} processes, guard {guard()}"
    return [Table(title, note_on("autograph"), HEAD, rows)]


def psum() -> list[Table]:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    where = f"{comm.size} processes, guard {guard()}"
    rows: list[list[str]] = []
    computed: list[list[str]] = []
    for count in (1, 1000, 1_000_000):
        x = np.ones(count, np.float32)
        rows += rows_of(f"{count} float32", timed(sum_of(x)), "MPI, in place")
        found = timed(sum_of_what_is_computed(x))
        computed += rows_of(f"2 x, {count} float32", found, "NumPy and MPI, in place")
    many: list[list[str]] = []
    for count, length in ((50, 20), (50, 20_000), (10, 100_000)):
        tree = [np.ones(length, np.float32) for _ in range(count)]
        what = f"2 x, {count} arrays of {length} float32"
        many += rows_of(what, timed(sums_of_many(tree)), "NumPy and MPI, into one array")
    tables = []
    for title, beside, found_rows in (
        ("Compiled `psum` of an argument", "MPI, in place", rows),
        ("Compiled `psum` of what is computed", "NumPy and MPI, in place", computed),
        ("Compiled `psum` of many arrays", "NumPy and MPI, into one array", many),
    ):
        tables.append(Table(f"{title}, {where}", note_on(beside), HEAD, found_rows))
    return tables


# -- the heat equation -----------------------------------------------------------------------------


def heat_by_hand(comm: Any, source: np.ndarray, eps: float, most: int | None = None) -> Any:
    """What `samples.parallel.halo.solve` does, by NumPy and mpi4py.

    Args:
        most: sweeps after which it ends.

    Returns:
        The warmth, the sweeps and the last residual.
    """
    from mpi4py import MPI

    def total(x: float) -> float:
        together[0] = x
        comm.Allreduce(MPI.IN_PLACE, together)
        return float(together[0])

    together = np.zeros(1)
    rows, columns = source.shape
    u, new = np.zeros((rows + 2, columns + 2)), np.zeros((rows + 2, columns + 2))
    change = np.empty_like(source)
    above = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    below = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
    residual, sweeps = total(np.vdot(source, source)), 0
    while residual > eps and sweeps != most:
        comm.Sendrecv(u[-2, 1:-1], below, recvbuf=u[0, 1:-1], source=above)
        comm.Sendrecv(u[1, 1:-1], above, recvbuf=u[-1, 1:-1], source=below)
        inner = new[1:-1, 1:-1]
        np.add(u[:-2, 1:-1], u[2:, 1:-1], out=inner)
        inner += u[1:-1, :-2]
        inner += u[1:-1, 2:]
        inner += source
        inner *= 0.25
        np.subtract(inner, u[1:-1, 1:-1], out=change)
        residual = total(np.vdot(change, change))
        u, new = new, u
        sweeps += 1
    return u[1:-1, 1:-1], sweeps, residual


def heat() -> list[Table]:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    mesh = ag.Mesh.processes(rows=-1)
    solve = ag.shard_map(halo.solve, mesh, (halo.GRID, P()), (halo.GRID, P()))
    rows: list[list[str]] = []
    for length, sweeps in ((64, 200), (256, 100), (1024, 40)):
        row, column = halo.coordinates(length, length)
        source = halo.sources(np.array([0.8, 1.5]), row, column)
        given = ag.put(source, mesh, halo.GRID)
        own = np.ascontiguousarray(given.local)
        with first():
            last = [heat_by_hand(comm, own, 0.0, n)[2] for n in (sweeps - 1, sweeps)]
            eps = float(np.sqrt(last[0] * last[1]))
            by_hand, compiled_ = heat_by_hand(comm, own, eps), solve(given, eps)
        assert by_hand[1] == int(compiled_[1]) == sweeps
        np.testing.assert_allclose(compiled_[0].local, by_hand[0], rtol=1e-10, atol=1e-12)
        ways: Ways = {
            "NumPy and mpi4py": lambda own=own, eps=eps: heat_by_hand(comm, own, eps),
            "autograph": lambda given=given, eps=eps: solve(given, eps),
        }
        what = f"{length} x {length}, {sweeps} sweeps"
        rows += rows_of(what, timed(ways), "NumPy and mpi4py")
    title = f"Heat equation with halo exchange, {comm.size} processes, guard {guard()}"
    return [Table(title, note_on("NumPy and mpi4py"), HEAD, rows)]


# -- training --------------------------------------------------------------------------------------


def step() -> str:
    """Seconds of a step of data-parallel training: the median of the rounds, and the best."""
    mesh = ag.Mesh.processes(data=-1)
    run = ag.shard_map(data_parallel.train, mesh, data_parallel.SPECS, P())
    rng = np.random.default_rng(0)
    to_single = lambda x: np.asarray(x, np.float32)
    params = ag.tree.map(to_single, data_parallel.initial(rng, LAYERS))
    velocity = ag.tree.map(np.zeros_like, params)
    x = to_single(rng.normal(size=(1, ROWS * mesh.size, LAYERS[0])))
    y = to_single(rng.integers(0, 2, (1, ROWS * mesh.size)))
    x, y = (ag.put(each, mesh, P(None, "data")) for each in (x, y))
    rate = np.float32(0.1)
    found = timed({"step": lambda: run(params, velocity, x, y, rate)}, 0.2)["step"]
    return f"{statistics.median(found)} {min(found)}"


def main() -> None:
    find_peers()
    cases: dict[str, Callable] = {"psum": psum, "peers": beside_peers, "heat": heat, "step": step}
    made: Any = cases[sys.argv[1]]()
    mesh_rank = ag.Mesh.processes(data=-1).place["data"]
    if mesh_rank == 0:
        print(made if isinstance(made, str) else "\n".join(map(str, made)), flush=True)


if __name__ == "__main__":
    main()
