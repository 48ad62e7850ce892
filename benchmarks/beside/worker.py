"""One library in a process of its own, which does what the parent asks.

    python -m benchmarks.beside.worker kernels JAX

Requests and answers are pickled tuples over standard input and output. A request is the name of a
function below and its arguments; the answer is "done" and what it returned, or "failed" and the
error as text. What a library prints goes to standard error.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.beside.suite import suite_of

BATCH_SECONDS = 0.02  # what a turn takes at least, far above the clock's resolution
LONG_SECONDS = 0.2  # calls that take so long need no call before them to warm the caches
SETTLING_SECONDS = 0.3
CALLS_BEFORE_MEMORY, CALLS_OF_MEMORY = 2, 5  # the first touch code, and what is there to stay


class Worker:
    """One peer, and the call of the row that is being measured."""

    def __init__(self, suite: str, name: str):
        self.suite = suite_of(suite)
        self.peer = importlib.import_module(f"benchmarks.{suite}.peers.{self.suite.peers[name]}")
        self.call: Callable[[], object] | None = None
        self.batch = 1
        self.warm_up = True

    def describe(self) -> tuple[str, dict[str, str], dict[str, str]]:
        """The version, the rows that are refused and why, and the notes."""
        package = self.peer.PACKAGE
        of_its_own = getattr(self.peer, "VERSION", None)  # of what is no package of Python
        return of_its_own or f"{package} {version(package)}", self.peer.REFUSES, self.peer.NOTES

    def prepare(self, row: str) -> tuple[float, list[np.ndarray]]:
        """Make a row's call: the seconds of the first one, and its results as NumPy arrays."""
        given = self.suite.rows[row]
        others = given.others()
        others = {"others": others} if others else {}
        call = self.peer.MAKERS[given.maker](*given.arguments(), **others)
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        self.call = call
        return seconds, [np.asarray(self.peer.to_numpy(leaf)) for leaf in _leaves(result)]

    def calibrate(self) -> float:
        """Find how many calls fill a turn; the seconds per call.

        What is called often has been optimised by then, by compilers that do so while others run.
        """
        self._settle()
        self.batch, seconds = 1, self._time(1)
        while seconds * self.batch < BATCH_SECONDS and self.batch < 1_000_000:
            self.batch = max(2 * self.batch, int(BATCH_SECONDS / max(seconds, 1e-7)))
            seconds = self._time(self.batch)
        self.warm_up = seconds < LONG_SECONDS
        return seconds

    def _settle(self) -> None:
        """Call until a compiler has what it waits for."""
        end = time.perf_counter() + SETTLING_SECONDS
        while time.perf_counter() < end:
            self.call()
        time.sleep(SETTLING_SECONDS)

    def turn(self) -> float:
        """The seconds per call of one batch, after a call that warms the caches again."""
        if self.warm_up:
            self.call()
        return self._time(self.batch)

    def memory(self) -> float | None:
        """How many MiB a call holds at most: the median of a few, before each of which the library
        gives back what it keeps. None if nothing counts them; see `held.c`."""
        counter = ctypes.CDLL(None)
        if not hasattr(counter, "held_begin"):
            return None
        counter.held_begin.restype = counter.held_most.restype = ctypes.c_long
        found = []
        for _ in range(CALLS_BEFORE_MEMORY + CALLS_OF_MEMORY):
            gc.collect()
            getattr(self.peer, "give_back", lambda: None)()
            before = counter.held_begin()
            self.call()
            found.append(counter.held_most() - before)
        return statistics.median(found[CALLS_BEFORE_MEMORY:]) / 2**20

    def peak(self) -> float | None:
        """How many MiB the process has held at most since it began. Only on Linux."""
        return _status("VmHWM") if Path("/proc/self/status").exists() else None

    def release(self) -> None:
        """Forget the row's call and its arrays."""
        self.call = None
        gc.collect()

    def _time(self, calls: int) -> float:
        call = self.call
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(calls):
                call()
            return (time.perf_counter() - start) / calls
        finally:
            gc.enable()


def _leaves(tree: object) -> list:
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in _leaves(tree[key])]
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in _leaves(part)]
    return [tree]


def _status(field: str) -> float:
    """A field of the process's status, in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise KeyError(field)


def main() -> None:
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    worker = None
    while True:
        try:
            name, *args = pickle.load(requests)
        except EOFError:
            return
        try:
            if worker is None:
                worker = Worker(sys.argv[1], sys.argv[2])
            answer = "done", getattr(worker, name)(*args)
        except Exception as error:
            answer = "failed", f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
