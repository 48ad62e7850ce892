"""The command ``python -m benchmarks kernels``: measure, print the tables, write the results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.kernels import measure, report
from benchmarks.kernels.peers import PEERS
from benchmarks.kernels.rows import ROWS

RESULTS = Path(__file__).parents[1] / "results"


def main(arguments: Sequence[str], machine: str) -> None:
    """Run the command; ``machine`` is a line that says what it runs on."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kernels", description=__doc__)
    parser.add_argument("--rows", nargs="+", metavar="row", choices=ROWS, default=list(ROWS))
    parser.add_argument("--peers", nargs="+", metavar="peer", choices=PEERS, default=list(PEERS))
    parser.add_argument("--rounds", type=int, default=15, help="turns of each peer in each row")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="cores for each peer")
    parser.add_argument("--once", action="store_true", help="no second processes: half the time")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE.md",
        default=RESULTS / f"{date.today()}-kernels.md",
        help="the results file; the chart goes beside it (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    results = measure.measure(
        options.peers, options.rows, options.rounds, options.threads, twice=not options.once
    )
    packages = ", ".join(results.versions.values())
    head = [
        f"# Kernels beside other compilers, {date.today()}",
        "",
        f"{machine}; {options.threads} threads for each peer; {packages}.",
        "Each peer in a process of its own, in turns, "
        f"at most {options.rounds} rounds; all from NumPy arrays of the same values and dtypes.",
        "",
    ]
    tables = report.tables(results)
    text = "\n".join([*head, *map(str, tables)])
    print(text)
    options.write.parent.mkdir(exist_ok=True)
    image = options.write.with_suffix(".png")
    try:
        report.chart(results, image, f"{machine}, {options.threads} threads each")
    except ImportError:
        print("no chart: matplotlib is not installed")
    else:
        text += f"\n![times]({image.name})\n"
    options.write.write_text(text)
