"""How long conversion and the first call take, in functions nothing of which was seen before."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np

import autograph as ag
from benchmarks import array_lines, digits_epoch
from benchmarks.table import Table, duration
from benchmarks.timing import first_calls

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
ROUNDS = 5

# What a new process does: it prints the processor time beyond the imports.
_PROCESS = """
import importlib.util, pickle, sys, time
import numpy
import autograph
path, name, how, arguments = sys.argv[1:]
spec = importlib.util.spec_from_file_location("measured", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
with open(arguments, "rb") as file:
    given = pickle.load(file)
start = time.process_time()
getattr(autograph, how)(getattr(module, name))(*given)
print(time.process_time() - start)
"""


class Case(NamedTuple):
    """A function.

    Attributes:
        path: of its file.
        name: of the function.
        arguments: of a call.
        how: what makes the compiled function of it, ``"to_graph"`` or ``"grad"``.
    """

    path: Path
    name: str
    arguments: tuple
    how: str = "to_graph"


def fresh_module(path: Path) -> ModuleType:
    """A module run again: its functions have code that the compiler has not met."""
    spec = importlib.util.spec_from_file_location(f"fresh_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(folder: Path) -> dict[str, Case]:
    """What is measured; what has no file yet gets one in a folder."""
    a, b = np.linspace(-1.0, 1.0, 50), np.linspace(0.5, 2.0, 50)
    found = {
        "newton_sqrt (4 lines)": Case(SAMPLES / "control_flow.py", "newton_sqrt", (2.0,)),
        "a sum (2 lines)": Case(HERE / "workloads.py", "small", (a, b)),
        "its gradient": Case(HERE / "workloads.py", "small", (a, b), "grad"),
        "mixed (51 lines)": Case(HERE / "workloads.py", "mixed", (a, b, 1e-6)),
    }
    for lines in (50, 800):
        path = folder / f"array_lines_{lines}.py"
        path.write_text(array_lines.text(lines))
        arrays = Case(path, "f", array_lines.arguments())
        found[f"array code ({lines} lines)"] = arrays
        found[f"its gradient ({lines} lines)"] = arrays._replace(how="grad")
    epoch = digits_epoch.arguments(batches=1)
    found["digits epoch with its gradient"] = Case(SAMPLES / "digits.py", "epoch", epoch)
    return found


def plain_call(case: Case) -> Callable[[], object]:
    function = getattr(fresh_module(case.path), case.name)
    function(*case.arguments)
    return lambda: function(*case.arguments)


def conversion(case: Case) -> Callable[[], object]:
    function = getattr(fresh_module(case.path), case.name)
    return lambda: ag.to_graph(function)


def first_call(case: Case) -> Callable[[], object]:
    compiled = getattr(ag, case.how)(getattr(fresh_module(case.path), case.name))
    return lambda: compiled(*case.arguments)


def in_processes(case: Case) -> tuple[float, float]:
    """Seconds of processor time of the first call in a process with nothing on the disk, and in the
    next one."""
    empty: list[float] = []
    filled: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        arguments = Path(folder, "arguments")
        arguments.write_bytes(pickle.dumps(case.arguments))
        command = [sys.executable, "-c", _PROCESS, str(case.path), case.name, case.how, arguments]
        environment = dict(os.environ)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as for users
        for number in range(ROUNDS + 1):
            environment["AUTOGRAPH_CACHE_DIR"] = str(Path(folder, f"cache{number}"))
            for found in (empty, filled):
                printed = subprocess.run(
                    command, env=environment, cwd=HERE.parent, check=True, capture_output=True
                )
                found.append(float(printed.stdout.split()[-1]))
    # The first time Python compiles the modules.
    return statistics.median(empty[1:]), statistics.median(filled[1:])


@contextlib.contextmanager
def nothing_kept() -> Iterator[None]:
    """No function finds on disk what an earlier round has made."""
    before = os.environ.get("AUTOGRAPH_CACHE_DIR")
    os.environ["AUTOGRAPH_CACHE_DIR"] = ""
    try:
        yield
    finally:
        del os.environ["AUTOGRAPH_CACHE_DIR"]
        if before is not None:
            os.environ["AUTOGRAPH_CACHE_DIR"] = before


def run() -> Table:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for label, case in cases(Path(folder)).items():
            with nothing_kept():
                timings = first_calls(
                    {
                        "to_graph": functools.partial(conversion, case),
                        "first call": functools.partial(first_call, case),
                        "plain call": functools.partial(plain_call, case),
                    },
                    ROUNDS,
                )
            seconds = [timings.seconds(way) for way in timings.rounds]
            rows.append((label, *map(duration, (*seconds, *in_processes(case)))))
    return Table(
        "Compile time",
        "`to_graph` converts the source; the first call records the graph, converts what the "
        "function calls, generates the program and runs it. The plain call is that of the "
        "uncompiled function, which in the last row calls a compiled gradient. The other columns "
        "are processor time of `to_graph` and the first call in a new process, beyond the imports "
        "of NumPy and autograph, with nothing on the disk, and in the next process.",
        ("function", "to_graph", "first call", "plain call", "empty cache", "filled cache"),
        rows,
    )
