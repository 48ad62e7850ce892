"""The command ``python -m benchmarks kernels``, or of another suite: measure, print the tables,
write the results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.beside import growth, measure, report
from benchmarks.beside.suite import Suite
from benchmarks.table import Table

RESULTS = Path(__file__).parents[1] / "results"


def main(suite: Suite, arguments: Sequence[str], machine: str) -> None:
    """Run the command; ``machine`` is a line that says what it runs on."""
    parser = argparse.ArgumentParser(f"python -m benchmarks {suite.name}", description=suite.title)
    rows, peers = list(suite.rows), list(suite.peers)
    parser.add_argument("--rows", nargs="+", metavar="row", choices=rows)
    parser.add_argument("--peers", nargs="+", metavar="peer", choices=peers, default=peers)
    parser.add_argument("--rounds", type=int, default=15, help="turns of each peer in each row")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="cores for each peer")
    parser.add_argument("--once", action="store_true", help="no second processes: half the time")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE.md",
        help="the results file; the chart goes beside it (default: of today, in the results)",
    )
    parser.add_argument(
        "--limit", type=float, default=measure.LIMIT, help="seconds for each call of a peer"
    )
    if suite.memory:
        parser.add_argument("--memory", action="store_true", help="what calls hold, instead")
    if suite.scaling:
        parser.add_argument("--scaling", action="store_true", help="sizes and threads, instead")
    options = parser.parse_args(arguments)
    held, growing = (vars(options).get(name, False) for name in ("memory", "scaling"))
    what = "-memory" if held else "-scaling" if growing else ""
    file = options.write or RESULTS / f"{date.today()}-{suite.name}{what}.md"
    file.parent.mkdir(exist_ok=True)
    head = f"{machine}; {options.threads} threads for each peer"
    if held:
        chosen = options.rows or suite.memory
        for tables in growth.memory(suite, options.peers, chosen, options.threads, options.limit):
            write_tables(suite, file, head, tables)
    elif growing:
        cores = (1, options.threads) if options.threads > 1 else (1,)
        for tables in growth.scaling(suite, options.peers, options.rounds, cores, options.limit):
            write_tables(suite, file, machine, tables)
    else:
        chosen = options.rows or suite.usual or rows
        for results in measure.measure(
            *(suite, options.peers, chosen, options.rounds, options.threads),
            twice=not options.once,
            limit=options.limit,
        ):
            write(suite, results, file, head, options.rounds)
    print(file.read_text())


def write_tables(suite: Suite, file: Path, machine: str, tables: Sequence[Table]) -> None:
    """Write a results file of tables alone."""
    parts = [f"# {suite.title}, {date.today()}", f"{machine}.", *map(str, tables)]
    file.write_text("\n\n".join(part.rstrip("\n") for part in parts) + "\n")


def write(suite: Suite, results: measure.Results, file: Path, machine: str, rounds: int) -> None:
    """Write the results file, and the chart if matplotlib is installed."""
    image = file.with_suffix(".png")
    parts = [
        f"# {suite.title}, {date.today()}",
        f"{machine}; {', '.join(results.versions.values())}.\n"
        f"Each peer in a process of its own; they take turns, {rounds} rounds, fewer where calls\n"
        "are long. All begin with NumPy arrays of the same values and dtypes; some that branch on\n"
        "them get others, the same for all peers, at each call.",
        *(str(table) for table in report.tables(suite, results)),
    ]
    try:
        report.chart(suite, results, image, machine)
        parts.append(f"![times]({image.name})\n")
    except ImportError:
        parts.append("No chart: matplotlib is not installed.\n")
    file.write_text("\n\n".join(part.rstrip("\n") for part in parts) + "\n")
