"""Peers take turns: each in its own process, one of them at work at a time.

Own processes, because the libraries bring thread pools and allocators that disturb one another. In
a round every peer gets a turn, so that a change in the machine's speed meets all of them. Where
``/proc`` tells that other programs used the cores meanwhile, the turn is repeated, within limits.
"""

from __future__ import annotations

import os
import pickle
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.beside.cpp import counter
from benchmarks.beside.suite import Row, Suite

PAUSE = 0.02  # seconds between turns, in which the threads of the last one go to sleep
ROUND_SECONDS = 60.0  # the rounds of one row take about this long at most
RETRIES = 3  # of a turn that was disturbed ...
LONG_SECONDS = 0.5  # ... unless it takes longer than this
LIMIT = 300.0  # seconds for whatever a process is asked; then it is ended, and the row goes on
THREAD_VARIABLES = (
    *("AUTOGRAPH_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("NUMBA_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"),
)


@dataclass
class Entry:
    """What was found for one peer in one row; ``reason`` says why there is nothing."""

    reason: str | None = None
    notes: list[str] = field(default_factory=list)
    first: float | None = None  # seconds of the first call
    again: float | None = None  # the same in a second process
    memory: float | None = None  # MiB
    turns: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The median of the turns."""
        return statistics.median(self.turns)


class Peer:
    """A library in a process of its own; it does not know of the others."""

    def __init__(
        self, suite: Suite, name: str, threads: int, cache: Path, timed: bool, limit: float = LIMIT
    ):
        self.name = name
        self._given = (suite, name, threads, cache, timed, limit)
        self._limit = LIMIT  # of its start; then that of what is measured
        environment = dict(os.environ)
        environment.update((variable, str(threads)) for variable in THREAD_VARIABLES)
        home = cache / name
        home.mkdir(exist_ok=True)
        environment.update(
            HOME=str(home),  # Dr.Jit keeps its kernels there
            AUTOGRAPH_CACHE_DIR=str(home / "autograph"),
            TORCHINDUCTOR_CACHE_DIR=str(home / "torch"),
            TF_CPP_MIN_LOG_LEVEL="3",
        )
        if not timed:  # then memory is measured
            environment.update(LD_PRELOAD=counter(cache))
        self._log = (home / "log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "benchmarks.beside.worker", suite.name, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            preexec_fn=lambda: _pin(threads),
        )
        self.version, self.refuses, self.notes = self.ask("describe")
        self._limit = limit

    def ask(self, *request):
        """Have the process do something; `RuntimeError` with its error's text if that fails."""
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
            if not select.select([self._process.stdout], [], [], self._limit)[0]:
                self._process.kill()
                self._process.wait()
                raise RuntimeError(f"takes longer than {self._limit:g} s")
            outcome, answer = pickle.load(self._process.stdout)
        except (BrokenPipeError, EOFError):
            raise RuntimeError("the process ended") from None
        if outcome == "failed":
            raise RuntimeError(answer)
        return answer

    def calibrate(self) -> float:
        """Have the process find how many calls fill a turn; seconds per call."""
        return self.ask("calibrate")

    def turn(self) -> float:
        """Seconds per call; the turn least disturbed of a few, where others use the cores."""
        found = []
        for _ in range(RETRIES):
            time.sleep(PAUSE)
            others = _busy() - self._cpu()
            start = time.perf_counter()
            seconds = self.ask("turn")
            wall = time.perf_counter() - start
            others = _busy() - self._cpu() - others
            found.append((others, seconds))
            if others <= 0.02 + 0.1 * wall or wall > LONG_SECONDS:  # counters have steps of 0.01 s
                break
        return min(found)[1]

    def runs(self) -> bool:
        """Whether the process has not ended, as some libraries end theirs where they fail."""
        return self._process.poll() is None

    def again(self) -> Peer:
        """The same library in another process."""
        self.close()
        return Peer(*self._given)

    def close(self) -> None:
        with suppress(BrokenPipeError):  # it has ended
            self._process.stdin.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()

    def _cpu(self) -> float:
        """Seconds of processor time the process has used."""
        path = Path(f"/proc/{self._process.pid}/stat")
        if not path.exists():
            return 0.0
        fields = path.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _busy() -> float:
    """Seconds that the machine's cores have worked, all together."""
    path = Path("/proc/stat")
    if not path.exists():
        return 0.0
    user, nice, system, _, _, interrupts, soft, stolen = map(
        int, path.read_text().split("\n", 1)[0].split()[1:9]
    )
    ticks = user + nice + system + interrupts + soft + stolen
    return ticks / os.sysconf("SC_CLK_TCK")


def _pin(threads: int) -> None:
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[:threads])


@dataclass
class Results:
    """Versions by peer; entries by row and peer."""

    versions: dict[str, str]
    entries: dict[str, dict[str, Entry]]


def measure(
    suite: Suite,
    names: Sequence[str],
    rows: Sequence[str],
    rounds: int,
    threads: int,
    twice: bool = True,
    limit: float = LIMIT,
) -> Iterator[Results]:
    """Time rows of peers; yield what is known after each row.

    With ``twice``, everything is compiled by one set of processes and again by a second, which
    finds what the first left in caches on disk and is the one that is timed. A process that takes
    longer than ``limit`` seconds for one request is ended, and begins anew with the next row.
    """
    entries = {row: {name: Entry() for name in names} for row in rows}
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory:
        cache = Path(directory)
        if twice:
            with _started(suite, names, threads, cache, False, limit) as peers:
                for row in rows:
                    say(f"first calls: {suite.rows[row].title}")
                    _first_calls(suite.rows[row], peers, entries[row], timed=False)
                    peers[:] = [peer if peer.runs() else peer.again() for peer in peers]
                    _each(peers, "release")
        with _started(suite, names, threads, cache, True, limit) as peers:
            versions = {peer.name: peer.version for peer in peers}
            done: dict[str, dict[str, Entry]] = {}
            for number, row in enumerate(rows, 1):
                say(f"{number} of {len(rows)}: {suite.rows[row].title}")
                found = entries[row]
                _first_calls(suite.rows[row], peers, found, timed=True)
                peers[:] = [peer if peer.runs() else peer.again() for peer in peers]
                _rounds([peer for peer in peers if found[peer.name].reason is None], found, rounds)
                peers[:] = [peer if peer.runs() else peer.again() for peer in peers]
                _each(peers, "release")
                done[row] = {name: found[name] for name in versions}
                yield Results(versions, done)


@contextmanager
def _started(
    suite: Suite, names: Sequence[str], threads: int, cache: Path, timed: bool, limit: float
) -> Iterator[list[Peer]]:
    """The processes of all libraries that can be imported here."""
    peers: list[Peer] = []
    try:
        for name in names:
            try:
                peer = Peer(suite, name, threads, cache, timed, limit)
                if suite.once not in peer.refuses:  # what a library does once, at its first call
                    peer.ask("prepare", suite.once)
            except RuntimeError as error:
                say(f"{name} is left out: {error}")
            else:
                peers.append(peer)
        yield peers
    finally:
        for peer in peers:
            peer.close()


def _first_calls(row: Row, peers: list[Peer], found: dict[str, Entry], timed: bool) -> None:
    """Prepare a row in all processes, and compare the results with NumPy's, or the first."""
    results: dict[str, list[np.ndarray]] = {}
    for peer in peers:
        entry = found[peer.name]
        if row.maker in peer.refuses:
            entry.reason = peer.refuses[row.maker]
        if entry.reason is not None:
            continue
        try:
            seconds, results[peer.name] = peer.ask("prepare", row.name)
            memory = None if timed else peer.ask("memory")
        except RuntimeError as error:
            entry.reason = f"fails: {str(error).strip().splitlines()[0][:120]}"
            say(f"{row.title}: {peer.name} {entry.reason}")
            continue
        if entry.first is None:
            entry.first = seconds
        else:
            entry.again = seconds
        entry.memory = entry.memory if timed else memory
        entry.notes = [peer.notes[row.maker]] if row.maker in peer.notes else []
    if not results:
        return
    reference = next(name for name in ("NumPy", "autograd", *results) if name in results)
    for name, result in results.items():
        entry = found[name]
        if not _agree(row, result, results[reference]):
            entry.reason = f"gives another result than {reference}"
            say(f"{row.title}: {name} {entry.reason}")
        wider = {r.dtype for r in result} - {e.dtype for e in results[reference]}
        entry.notes += [f"gives {dtype.name}" for dtype in wider]
        entry.notes += [row.remark(result)] if row.remark else []


def _agree(row: Row, result: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    try:
        return row.same(result, expected)
    except ValueError:  # not as many numbers
        return False


def _rounds(peers: list[Peer], found: dict[str, Entry], rounds: int) -> None:
    seconds = {peer.name: _asked(peer.calibrate, found[peer.name]) for peer in peers}
    total = sum(each for each in seconds.values() if each is not None)
    rounds = max(5, min(rounds, int(ROUND_SECONDS / max(total, 1e-3))))
    for number in range(rounds):
        first = number % max(len(peers), 1)  # each gets to be the first
        for peer in peers[first:] + peers[:first]:
            entry = found[peer.name]
            if entry.reason is None:
                turn = _asked(peer.turn, entry)
                entry.turns += [] if turn is None else [turn]


def _asked(request: Callable[[], float], entry: Entry) -> float | None:
    """What a process answers; where it fails, the entry says so and has no times."""
    try:
        return request()
    except RuntimeError as error:
        entry.reason = f"fails: {str(error).strip().splitlines()[0][:120]}"
        entry.turns.clear()
        return None


def _each(peers: list[Peer], request: str) -> None:
    for peer in peers:
        peer.ask(request)


def say(text: str) -> None:
    """Tell how far it is."""
    print(f"... {text}", file=sys.stderr, flush=True)
