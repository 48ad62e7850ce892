"""Plots of what was measured, as SVG: read from the tables in benchmarks/results."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

# Texts stay texts, and the same numbers give the same file.
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "autograph",
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
COLOURS = {
    "autograph": "#3f51b5",
    "NumPy": "#9e9e9e",
    "autograd": "#8d6e63",
    "JAX": "#ef6c00",
    "torch": "#d32f2f",
    "TensorFlow": "#fbc02d",
    "numba": "#00897b",
    "Dr.Jit": "#7b1fa2",
}
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_TIME = re.compile(r"([\d.e+]+) (us|ms|s)\b")


def draw(results: Path, folder: Path) -> list[Path]:
    """Draw all plots into a folder; gives their files."""
    folder.mkdir(parents=True, exist_ok=True)
    latest = max(results.glob("*-[0-9][0-9]-kernels.md"))
    convolutions = max(results.glob("*-convolution.md"))
    loops = max(results.glob("*-loops.md"))
    with plt.rc_context(STYLE):
        return [
            _beside(_table(latest, "Warm calls"), folder / "warm-calls.svg"),
            _beside(_table(latest, "First calls"), folder / "first-calls.svg"),
            _beside(_table(convolutions, "Warm calls"), folder / "convolution.svg"),
            _memory(_table(loops, "Memory and time"), folder / "loop-memory.svg"),
        ]


def _table(file: Path, title: str) -> list[list[str]]:
    """The cells of the table below a title, its head first."""
    section = re.split(rf"^## {title}.*$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    lines = re.findall(r"^\|(.*)\|$", section.partition("\n## ")[0], re.MULTILINE)
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [row for row in rows if not set(row[0]) <= set("- :")]


def _seconds(cell: str) -> float | None:
    found = _TIME.match(cell)
    return float(found[1]) * _UNITS[found[2]] if found else None


def _beside(table: list[list[str]], file: Path) -> Path:
    """Times of each row, as many times as long as ours: a mark for each library."""
    head, *rows = table
    peers = [name for name in head[1:] if name not in ("fastest peer", "ours / fastest")]
    figure, axes = plt.subplots(figsize=(9, 0.36 * len(rows) + 1.0))
    for column, peer in enumerate(peers, 1):
        points = [
            (found / ours, height)
            for height, row in enumerate(reversed(rows))
            if (found := _seconds(row[column])) and (ours := _seconds(row[1]))
        ]
        style = {"marker": "|", "s": 320, "linewidths": 3} if column == 1 else {"s": 42}
        if not points:
            continue
        axes.scatter(*zip(*points), color=COLOURS[peer], label=peer, zorder=3, **style)
    axes.axvline(1.0, color=COLOURS["autograph"], linewidth=1)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.5), max(high, 10.0))
    axes.xaxis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0) if high < 100 else (1.0,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
    axes.set_xlabel("times as long as autograph (left of the line: faster)")
    axes.grid(axis="both", color="#eeeeee")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.35, 1.0), frameon=False)
    return _saved(figure, file)


def _memory(table: list[list[str]], file: Path) -> Path:
    """Memory and time of the gradient of a loop against its number of steps."""
    head, *rows = table
    steps = [int(cell.partition(" ")[0].replace(",", "")) for cell in head[1:]]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.6))
    for i, (name, *cells) in enumerate(rows):
        memory = [float(cell.partition(" MiB")[0]) for cell in cells]
        times = [_seconds(cell.partition(", ")[2]) for cell in cells]
        style = {
            "color": f"C{i % 10}",
            "linestyle": "--" if name.startswith(("JAX", "Equinox")) else "-",
            "marker": "o",
            "markersize": 3,
        }
        left.plot(steps, memory, label=name, **style)
        right.plot(steps, times, **style)
    left.set_ylim(-0.02, 2000.0)
    for axes, label in ((left, "memory, MiB"), (right, "time, s")):
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=0.1) if axes is left else axes.set_yscale("log")
        axes.set_xlabel("steps of the loop")
        axes.set_ylabel(label)
        axes.grid(color="#eeeeee")
    figure.legend(ncols=3, loc="outside upper center", frameon=False)
    figure.subplots_adjust(top=0.76, wspace=0.3)
    return _saved(figure, file)


def _saved(figure: plt.Figure, file: Path) -> Path:
    figure.savefig(file, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    return file
