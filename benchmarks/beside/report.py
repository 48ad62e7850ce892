"""The results as Markdown tables and as a bar chart."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.beside.measure import Entry, Results
from benchmarks.beside.suite import Suite
from benchmarks.table import Table, duration

OURS = "autograph"
WORST = 10
MANY = 12  # as many rows of which the same is said are not named


def tables(suite: Suite, results: Results) -> list[Table]:
    """Means of families, warm calls, ratios, first calls, memory, and what is refused."""
    entries = [entry for found in results.entries.values() for entry in found.values()]
    memory = [_memory(suite, results)] if any(entry.memory is not None for entry in entries) else []
    families = [_means(suite, results), _worst(suite, results)] if suite.families else []
    return [
        *families,
        _times(suite, results),
        _first_calls(suite, results),
        *memory,
        _remarks(suite, results),
    ]


def ratios(found: Mapping[str, Entry]) -> dict[str, float]:
    """Our time in a row over that of each peer that was timed; none if ours was not."""
    ours = found.get(OURS, Entry())
    if not ours.turns:
        return {}
    others = {peer: entry for peer, entry in found.items() if entry.turns and peer != OURS}
    return {peer: ours.seconds / entry.seconds for peer, entry in others.items()}


def worst(results: Results) -> list[str]:
    """The rows with a peer, from that in which we are slowest beside the fastest."""
    beside = {name: ratios(found) for name, found in results.entries.items()}
    beside = {name: each for name, each in beside.items() if each}
    return sorted(beside, key=lambda name: max(beside[name].values()), reverse=True)


def _means(suite: Suite, results: Results) -> Table:
    def cell(rows: Sequence[str], peer: str | None) -> str:
        found = []
        for row in rows:
            each = ratios(results.entries.get(row, {}))
            if peer is None and each:
                found.append(max(each.values()))
            elif peer in each:
                found.append(each[peer])
        return f"{statistics.geometric_mean(found):.2f} ({len(found)})" if found else "-"

    peers = [*(peer for peer in results.versions if peer != OURS), None]
    families = dict(suite.families) | {"all": list(results.entries)}
    return Table(
        "Means",
        "Geometric means of our time over a peer's, below 1 where ours is shorter. In brackets: "
        "how many rows both have.",
        ("family", *(peer or "fastest peer of each row" for peer in peers)),
        [(family, *(cell(rows, peer) for peer in peers)) for family, rows in families.items()],
    )


def _worst(suite: Suite, results: Results) -> Table:
    rows = []
    for name in worst(results)[:WORST]:
        found = results.entries[name]
        beside = ratios(found)
        fastest = max(beside, key=beside.__getitem__)
        ours, its = duration(found[OURS].seconds), duration(found[fastest].seconds)
        rows.append((suite.rows[name].title, ours, fastest, its, f"{beside[fastest]:.2f}"))
    return Table(
        "Where ours is slowest beside the fastest peer",
        f"The {WORST} worst rows.",
        ("row", "autograph", "fastest peer", "its time", "ours / its"),
        rows or [("-",) * 5],
    )


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
        "MiB that a call has from malloc at most, results included. Memory that a library keeps "
        "from its first calls for itself does not show.",
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
    found: dict[tuple[str, str], list[str]] = {}  # rows by what is said of which peer
    for name, entries in results.entries.items():
        for peer, entry in entries.items():
            reasons = [f"not timed: {entry.reason}"] if entry.reason else []
            for remark in (*reasons, *entry.notes):
                found.setdefault((peer, remark), []).append(suite.rows[name].title)
    rows = []
    for (peer, remark), titles in found.items():
        if len(titles) > MANY:
            rows.append((f"{len(titles)} rows", peer, remark))
        else:
            rows += [(title, peer, remark) for title in titles]
    return Table(
        "What is not timed, and how a row was written where a library has no direct way",
        "The results of a row are compared before they are timed.",
        ("row", "peer", "remark"),
        rows or [("-", "-", "-")],
    )


def chart(suite: Suite, results: Results, path: Path, title: str) -> None:
    """Bars of every row and peer on a logarithmic scale; needs matplotlib."""
    from matplotlib.figure import Figure

    if suite.families:
        dots(suite, results, path, title)
        return
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


def dots(suite: Suite, results: Results, path: Path, title: str) -> None:
    """Where there are many rows: each peer as a dot on a row's line, at its time over ours, and
    the worst rows as bars below; needs matplotlib."""
    from matplotlib.figure import Figure

    peers = [peer for peer in results.versions if peer != OURS]
    names, low = list(results.entries), worst(results)[:WORST]
    figure = Figure(figsize=(11, 0.2 * (len(names) + 2 * len(low)) + 2.5))
    heights = [len(names), 2 * max(len(low), 1)]
    above, below = figure.subplots(2, gridspec_kw={"height_ratios": heights})
    for axes, rows in ((above, names), (below, low)):
        beside = [ratios(results.entries[row]) for row in rows]
        for position, peer in enumerate(peers):
            places = [place for place, each in enumerate(beside) if peer in each]
            values = [1.0 / each[peer] for each in beside if peer in each]
            color = f"C{position}"
            if axes is above:
                axes.plot(values, places, "o", markersize=5, color=color, label=peer)
            else:
                height = 0.8 / len(peers)
                places = [place + (position - (len(peers) - 1) / 2) * height for place in places]
                axes.barh(places, values, height, color=color)
        axes.axvline(1.0, color="black", linewidth=1)
        axes.set_xscale("log")
        axes.set_yticks(range(len(rows)), [suite.rows[row].title for row in rows], fontsize=7)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
    above.set_title(title, fontsize=9, pad=26)
    above.legend(ncols=len(peers), fontsize=7, loc="lower center", bbox_to_anchor=(0.35, 1.0))
    below.set_title(f"the {len(low)} rows in which ours is slowest beside the fastest", fontsize=8)
    below.set_xlabel("times as long as autograph, logarithmic; left of the line is faster")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
