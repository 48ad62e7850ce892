"""What calls hold in memory, each in a process of its own; how times grow with sizes and shrink
with threads."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.beside import measure
from benchmarks.beside.report import OURS
from benchmarks.beside.suite import Suite
from benchmarks.table import Table, duration

NO_MEMORY = "-"


def memory(
    suite: Suite, names: Sequence[str], rows: Sequence[str], threads: int, limit: float
) -> Iterator[Table]:
    """The memory of a call of each row and peer; what is known after each row."""
    done: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory:
        for number, row in enumerate(rows, 1):
            measure.say(f"memory, {number} of {len(rows)}: {suite.rows[row].title}")
            cells = [_held(suite, name, row, threads, Path(directory), limit) for name in names]
            done.append((suite.rows[row].title, *cells))
            yield Table(
                "Memory",
                "MiB by which a process grows at most in a second call; after the stroke, from its "
                "start to its end, what is imported, compiled, and given included. A process for "
                "each row and peer.",
                ("row", *names),
                done,
            )


def _held(suite: Suite, name: str, row: str, threads: int, cache: Path, limit: float) -> str:
    try:
        peer = measure.Peer(suite, name, threads, cache, timed=False, limit=limit)
    except RuntimeError:
        return NO_MEMORY
    try:
        if suite.rows[row].maker in peer.refuses:
            return NO_MEMORY
        peer.ask("prepare", row)
        call, peak = peer.ask("memory"), peer.ask("peak")
    except RuntimeError as error:
        return str(error).strip().splitlines()[0][:60]
    finally:
        peer.close()
    return NO_MEMORY if call is None or peak is None else f"{call:.1f} / {peak:.0f}"


def scaling(
    suite: Suite, names: Sequence[str], rounds: int, cores: Sequence[int], limit: float
) -> Iterator[list[Table]]:
    """Times of each size and number of threads; what is known after each row."""
    rows = [row for sizes in suite.scaling.values() for row in sizes]
    found: dict[int, measure.Results] = {}
    for threads in cores:
        for results in measure.measure(
            suite, names, rows, rounds, threads, twice=False, limit=limit
        ):
            found[threads] = results
            sizes = [_sizes(suite, each, number) for number, each in found.items()]
            yield [*sizes, *_threads(found, suite)]


def _sizes(suite: Suite, results: measure.Results, threads: int) -> Table:
    rows = []
    for name, found in results.entries.items():
        cells = [duration(each.seconds) if each.turns else "-" for each in found.values()]
        others = [each.seconds for peer, each in found.items() if each.turns and peer != OURS]
        ours = found.get(OURS, measure.Entry())
        ratio = f"{ours.seconds / min(others):.2f}" if others and ours.turns else "-"
        rows.append((suite.rows[name].title, *cells, ratio))
    return Table(
        f"Sizes, {threads} threads" if threads > 1 else "Sizes, one thread",
        "Each has about four times the work of the one before.",
        ("row", *results.versions, "ours / fastest"),
        rows,
    )


def _threads(found: dict[int, measure.Results], suite: Suite) -> list[Table]:
    if len(found) < 2:
        return []
    one, more = min(found), max(found)
    rows = []
    for name, entries in found[more].entries.items():
        cells = []
        for peer, entry in entries.items():
            alone = found[one].entries[name].get(peer, measure.Entry())
            both = entry.turns and alone.turns
            cells.append(f"{statistics.median(alone.turns) / entry.seconds:.2f}" if both else "-")
        rows.append((suite.rows[name].title, *cells))
    return [
        Table(
            "Threads",
            f"How many times as fast with {more} threads as with {one}.",
            ("row", *found[more].versions),
            rows,
        )
    ]
