"""How long conversion and the first call take, in functions nothing of which was seen before."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

import autograph as ag
from benchmarks import digits_epoch
from benchmarks.table import Table, duration
from benchmarks.timing import first_calls

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"


def fresh_module(path: Path) -> ModuleType:
    """A module run again: its functions have code that the compiler has not met."""
    spec = importlib.util.spec_from_file_location(f"fresh_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases() -> dict[str, tuple[Path, str, tuple]]:
    """The file, the function and its arguments."""
    a, b = np.linspace(-1.0, 1.0, 50), np.linspace(0.5, 2.0, 50)
    return {
        "newton_sqrt (4 lines)": (SAMPLES / "control_flow.py", "newton_sqrt", (2.0,)),
        "mixed (51 lines)": (HERE / "workloads.py", "mixed", (a, b, 1e-6)),
        "digits epoch with its gradient": (
            SAMPLES / "digits.py",
            "epoch",
            digits_epoch.arguments(batches=1),
        ),
    }


def plain_call(path: Path, name: str, arguments: tuple) -> Callable[[], object]:
    function = getattr(fresh_module(path), name)
    function(*arguments)
    return lambda: function(*arguments)


def conversion(path: Path, name: str) -> Callable[[], object]:
    function = getattr(fresh_module(path), name)
    return lambda: ag.to_graph(function)


def first_call(path: Path, name: str, arguments: tuple) -> Callable[[], object]:
    compiled = ag.to_graph(getattr(fresh_module(path), name))
    return lambda: compiled(*arguments)


def run() -> Table:
    rows = []
    for label, (path, name, arguments) in cases().items():
        timings = first_calls(
            {
                "to_graph": functools.partial(conversion, path, name),
                "first call": functools.partial(first_call, path, name, arguments),
                "plain call": functools.partial(plain_call, path, name, arguments),
            }
        )
        rows.append((label, *(duration(timings.seconds(way)) for way in timings.rounds)))
    return Table(
        "Compile time",
        "`to_graph` converts the source; the first call records the graph, converts what the "
        "function calls, generates the program and runs it. The last column is the uncompiled "
        "function, which in the third row calls a compiled gradient.",
        ("function", "to_graph", "first call", "plain call"),
        rows,
    )
