"""How long whole processes take: scripts as users write them, uncompiled, and compiled with an
empty cache on the disk and with a filled one.

The scripts are those in the folder ``scripts``, after examples that HIPS autograd publishes. One
text runs in all three ways: uncompiled with NumPy, or with the package `autograd` if it takes
gradients. What they print is compared. Processor time of the whole process counts, imports
included, with one thread for BLAS; the least of some rounds, in which the ways take turns.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.table import Table

HERE = Path(__file__).parent / "scripts"
ROUNDS = 3
WAYS = ("uncompiled", "empty", "filled")

_NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:e[-+]?\d+)?")


def scripts() -> list[Path]:
    """Those that can run here: without `autograd` only those that take no gradients."""
    found = sorted(path for path in HERE.glob("*.py") if path.stem != "either")
    if find_spec("autograd"):
        return found
    return [path for path in found if "grad" not in path.read_text()]


def once(path: Path, way: str, cache: Path) -> tuple[float, str]:
    """Seconds of processor time of a process, and what it prints."""
    environment = dict(os.environ, AUTOGRAPH_CACHE_DIR=str(cache), OPENBLAS_NUM_THREADS="1")
    environment["PYTHONPATH"] = str(HERE.parents[1])
    environment["SCRIPTS"] = "plain" if way == "uncompiled" else ""
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as for users
    command = [sys.executable, "-W", "ignore", str(path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{path.name} fails, {way}")
    return usage.ru_utime + usage.ru_stime, printed


def agree(found: str, expected: str) -> bool:
    """Whether two prints are the same but for the rounding of numbers."""
    if _NUMBER.sub("#", found).split() != _NUMBER.sub("#", expected).split():
        return False
    pairs = zip(_NUMBER.findall(found), _NUMBER.findall(expected))
    return all(abs(float(x) - float(y)) <= 1e-4 * max(1.0, abs(float(y))) for x, y in pairs)


def measured(path: Path) -> dict[str, float]:
    """The least seconds of each way.

    Raises:
        RuntimeError: a way prints something else than another.
    """
    least = dict.fromkeys(WAYS, float("inf"))
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            expected = ""
            for way in WAYS:
                seconds, printed = once(path, way, Path(cache))
                expected = expected or printed
                if not agree(printed, expected):
                    raise RuntimeError(f"{path.name} prints something else, {way}:\n{printed}")
                least[way] = min(least[way], seconds)
    return least


def run() -> Table:
    rows = []
    for path in scripts():
        print(f"... {path.stem}", file=sys.stderr, flush=True)
        title = path.read_text().split('"""')[1].strip().split("\n")[0].rstrip(".")
        plain, empty, filled = measured(path).values()
        goal = 1.2 * plain + 0.3
        over = [f"{s - goal:+.2f}" if s > goal else "" for s in (empty, filled)]
        rows.append((title, *(f"{s:.2f}" for s in (plain, empty, filled, goal)), *over))
    return Table(
        "Whole scripts",
        "Seconds of processor time of whole processes, imports included, the least of "
        f"{ROUNDS} rounds in turns: uncompiled (NumPy, or the package autograd for gradients), "
        "compiled with an empty cache on the disk, and in the next process. The goal is 1.2 times "
        "uncompiled and 0.3 s; the last columns tell what is above it.",
        ("script", "uncompiled", "empty", "filled", "goal", "empty above", "filled above"),
        rows,
    )
