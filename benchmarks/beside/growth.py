"""What calls hold in memory, each in a process of its own; how times grow with sizes and shrink
with threads."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.beside import measure
from benchmarks.beside.report import OURS
from benchmarks.beside.suite import Suite
from benchmarks.table import Table, duration

NOTHING = "-"
STEP = 0.01  # MiB: less is no difference


def memory(
    suite: Suite, names: Sequence[str], rows: Sequence[str], threads: int, limit: float
) -> Iterator[list[Table]]:
    """The memory of a call of each row and peer; what is known after each row."""
    found: dict[str, dict[str, Held]] = {}
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory:
        for number, row in enumerate(rows, 1):
            title = suite.rows[row].title
            measure.say(f"memory, {number} of {len(rows)}: {title}")
            held = {
                name: _held(suite, name, row, threads, Path(directory), limit) for name in names
            }
            found[title] = held
            yield [_worst(found), _calls(found, names), _peaks(found, names)]


class Held(NamedTuple):
    """MiB that a process holds; None where a row is not written, or fails.

    Attributes:
        call: at most in a call, of what it did not hold before.
        peak: at most until its first call has ended.
        error: why there are none, if it fails.
    """

    call: float | None = None
    peak: float | None = None
    error: str = NOTHING


def _held(suite: Suite, name: str, row: str, threads: int, cache: Path, limit: float) -> Held:
    try:
        peer = measure.Peer(suite, name, threads, cache, timed=False, limit=limit)
    except RuntimeError:
        return Held()
    try:
        if suite.rows[row].maker in peer.refuses:
            return Held()
        peer.ask("prepare", row)
        peak = peer.ask("peak")  # first: to measure a call makes the system forget it
        return Held(peer.ask("memory"), peak)
    except RuntimeError as error:
        return Held(error=str(error).strip().splitlines()[0][:60])
    finally:
        peer.close()


def _worst(found: Mapping[str, Mapping[str, Held]]) -> Table:
    """The rows in which ours holds more than the peer that holds least."""
    rows: list[tuple[float, tuple[str, ...]]] = []
    compared = 0
    for title, held in found.items():
        calls = {name: each.call for name, each in held.items() if each.call is not None}
        ours = calls.pop(OURS, None)
        if ours is None or not calls:
            continue
        compared += 1
        name, least = min(calls.items(), key=lambda item: item[1])
        if ours > least + STEP:
            more = ours - least
            rows.append((more, (title, f"{ours:.2f}", name, f"{least:.2f}", f"{more:.2f}")))
    rows.sort(reverse=True)
    return Table(
        "Where ours holds more than the peer that holds least",
        f"{len(rows)} of {compared} rows; MiB of a call, differences up to {STEP} left out.",
        ("row", OURS, "least", "holds", "more"),
        [row for _, row in rows],
    )


def _calls(found: Mapping[str, Mapping[str, Held]], names: Sequence[str]) -> Table:
    cell = lambda each: each.error if each.call is None else f"{each.call:.2f}"
    return Table(
        "Memory of a call",
        "MiB that a call has from malloc at most, results included: the median of five, after "
        "three calls. Before each, what a library keeps for its next calls is given back where it "
        "has a function for that, as ours has. Stacks do not count. A process for each row and "
        "peer.",
        ("row", *names),
        [(title, *(cell(held[name]) for name in names)) for title, held in found.items()],
    )


def _peaks(found: Mapping[str, Mapping[str, Held]], names: Sequence[str]) -> Table:
    cell = lambda each: each.error if each.peak is None else f"{each.peak:.0f}"
    return Table(
        "Peak of a process",
        "MiB from its start to the end of its first call: what is imported, compiled, and given "
        "is included.",
        ("row", *names),
        [(title, *(cell(held[name]) for name in names)) for title, held in found.items()],
    )


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
