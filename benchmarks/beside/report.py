"""The results as Markdown tables and as a bar chart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.beside.measure import Entry, Results
from benchmarks.beside.suite import Suite
from benchmarks.table import Table, duration

OURS = "autograph"


def tables(suite: Suite, results: Results) -> list[Table]:
    """Warm calls, ratios, first calls, memory, and what is refused."""
    entries = [entry for found in results.entries.values() for entry in found.values()]
    memory = [_memory(suite, results)] if any(entry.memory is not None for entry in entries) else []
    return [
        _times(suite, results),
        _first_calls(suite, results),
        *memory,
        _remarks(suite, results),
    ]


def _times(suite: Suite, results: Results) -> Table:
    def cell(entry: Entry, ours: Entry) -> str:
        if not ours.turns or entry is ours:
            return duration(entry.seconds)
        return f"{duration(entry.seconds)} ({entry.seconds / ours.seconds:.2g})"

    rows = []
    for name, found in results.entries.items():
        ours = found.get(OURS, Entry())
        measured = {peer: entry for peer, entry in found.items() if entry.turns}
        others = {peer: entry.seconds for peer, entry in measured.items() if peer != OURS}
        fastest = min(others, key=others.get) if others else ""
        cells = [cell(entry, ours) if entry.turns else "-" for entry in found.values()]
        best = f"{fastest} {duration(others[fastest])}" if others else "-"
        ratio = f"{ours.seconds / others[fastest]:.2f}" if others and ours.turns else "-"
        rows.append((suite.rows[name].title, *cells, best, ratio))
    return Table(
        "Warm calls",
        "Medians. In brackets: how many times as long as autograph, in the same run. The last "
        "column is autograph's time over that of the fastest peer; the goal is at most 1.",
        ("row", *results.versions, "fastest peer", "ours / fastest"),
        rows,
    )


def _first_calls(suite: Suite, results: Results) -> Table:
    def cell(entry: Entry) -> str:
        found = [seconds for seconds in (entry.first, entry.again) if seconds is not None]
        return " / ".join(map(duration, found)) or "-"

    return _table(
        suite,
        results,
        "First calls",
        "Tracing, compiling and the first run; what a library does once in a process is done "
        "before. After the stroke: in a second process, with what the first left on disk.",
        cell,
    )


def _memory(suite: Suite, results: Results) -> Table:
    def cell(entry: Entry) -> str:
        return "-" if entry.memory is None else f"{entry.memory:.1f}"

    return _table(
        suite,
        results,
        "Memory of a call",
        "MiB by which the process grows at most while a second call runs. Memory that a library "
        "keeps from the first call for itself does not show.",
        cell,
    )


def _table(
    suite: Suite, results: Results, title: str, note: str, cell: Callable[[Entry], str]
) -> Table:
    rows = [
        (suite.rows[name].title, *map(cell, found.values()))
        for name, found in results.entries.items()
    ]
    return Table(title, note, ("row", *results.versions), rows)


def _remarks(suite: Suite, results: Results) -> Table:
    rows = []
    for name, found in results.entries.items():
        for peer, entry in found.items():
            if entry.reason:
                rows.append((suite.rows[name].title, peer, f"not timed: {entry.reason}"))
            rows += [(suite.rows[name].title, peer, note) for note in entry.notes]
    return Table(
        "What is not timed, and how a row was written where a library has no direct way",
        "The results of a row are compared before they are timed.",
        ("row", "peer", "remark"),
        rows or [("-", "-", "-")],
    )


def chart(suite: Suite, results: Results, path: Path, title: str) -> None:
    """Bars of every row and peer on a logarithmic scale; needs matplotlib."""
    from matplotlib.figure import Figure

    peers = list(results.versions)
    figure = Figure(figsize=(11, 0.11 * (len(peers) + 1) * len(results.entries) + 1.5))
    axes = figure.subplots()
    height = 0.85 / len(peers)
    for position, peer in enumerate(peers):
        places, values = [], []
        for row, found in enumerate(results.entries.values()):
            if found[peer].turns:
                places.append(row + (position - (len(peers) - 1) / 2) * height)
                values.append(found[peer].seconds * 1e3)
        color = "black" if peer == OURS else f"C{position}"
        axes.barh(places, values, height, label=peer, color=color)
    axes.set_xscale("log")
    axes.set_xlabel("milliseconds per call, logarithmic; shorter is better")
    axes.set_yticks(
        range(len(results.entries)), [suite.rows[name].title for name in results.entries]
    )
    axes.set_ylim(len(results.entries) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_title(title, fontsize=9, pad=30)
    axes.legend(ncols=len(peers), fontsize=7, loc="lower center", bbox_to_anchor=(0.35, 1.0))
    figure.tight_layout()
    figure.savefig(path, dpi=110)
