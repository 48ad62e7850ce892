"""Ways to do the same, timed in turn by processes that all make the same calls."""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.table import duration

ROUNDS = 11
Ways = dict[str, Callable[[], object]]
FIRST = "AUTOGRAPH_BENCHMARK_FIRST"  # set where the processes run before all else
PEERS = "AUTOGRAPH_BENCHMARK_PEERS"  # a folder of packages beside our own


def find_peers() -> None:
    """Let packages be found that are installed elsewhere, after those that are here."""
    if os.environ.get(PEERS):
        sys.path.append(os.environ[PEERS])


@contextlib.contextmanager
def first() -> Iterator[None]:
    """Run all threads of this process before all else on the machine, if that is asked for."""

    def let(policy: int, priority: int) -> None:
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(thread.name), policy, os.sched_param(priority))

    if os.environ.get(FIRST) != "1":
        yield
        return
    let(os.SCHED_FIFO, 1)
    try:
        yield
    finally:
        let(os.SCHED_OTHER, 0)


def timed(ways: Ways, seconds: float = 0.02) -> dict[str, list[float]]:
    """Seconds per call of each way, one for each round."""
    from mpi4py import MPI

    counts = {}
    rounds: dict[str, list[float]] = {name: [] for name in ways}
    with first():
        for way in ways.values():
            way()  # compiled before it counts
        for name, way in ways.items():
            way()
            start = time.perf_counter()
            for _ in range(5):
                way()
            each = MPI.COMM_WORLD.bcast((time.perf_counter() - start) / 5)
            counts[name] = max(1, int(seconds / each))
        for _ in range(ROUNDS):
            for name, way in ways.items():
                MPI.COMM_WORLD.Barrier()
                start = time.perf_counter()
                for _ in range(counts[name]):
                    way()
                rounds[name].append((time.perf_counter() - start) / counts[name])
    return rounds


def rows_of(what: str, rounds: dict[str, list[float]], beside: str) -> Iterable[list[str]]:
    """Rows of a table: what, the way, its median and best, and how many times another way's."""
    for way, found in rounds.items():
        times = statistics.median(own / other for own, other in zip(found, rounds[beside]))
        yield [
            what,
            way,
            duration(statistics.median(found)),
            duration(min(found)),
            f"{times:.2f}",
        ]


HEAD = ("what", "way", "median", "best", "times")


def note_on(beside: str) -> str:
    """What a table of such rows says about itself."""
    return (
        f"Time per call in the median of {ROUNDS} rounds and in the best; times that of '{beside}' "
        "in the same round, in the median."
    )
