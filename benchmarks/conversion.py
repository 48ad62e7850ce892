"""How long the conversion of source takes, by the length and by the depth of the function.

Each round converts a function that no cache has seen. TensorFlow's AutoGraph converts the same
functions, where TensorFlow is installed.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import itertools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType

import autograph as ag
from benchmarks import workloads
from benchmarks.compile_time import fresh_module
from benchmarks.table import Table, duration
from benchmarks.timing import Timings, first_calls

ROUNDS = 11
PATIENCE = 250  # lines, up to which TensorFlow takes seconds
_numbers = itertools.count()


def repeated(times: int) -> str:
    """The source of `workloads.mixed` with its body several times over."""
    lines = inspect.getsource(workloads.mixed).splitlines()
    return "\n".join([lines[0], *lines[1:-1] * times, lines[-1], ""])


def nested(depth: int) -> str:
    """A function of loops and conditionals in one another; every level changes two variables."""
    lines = ["def nested(x, n):", "    y = 0.0"]
    for level in range(1, depth + 1):
        header = ("for i in range(n):", "if x > y:", "while y < n:")[level % 3]
        margin = "    " * level
        lines += [margin + header, f"{margin}    y = y + 1.0", f"{margin}    x = x * 0.5"]
    return "\n".join([*lines, "    return x + y", ""])


def fresh(text: str, folder: str) -> FunctionType:
    """The function that ``text`` defines, under a name and in a file of its own."""
    name = f"f{next(_numbers)}"
    path = Path(folder, f"{name}.py")
    original = text[len("def ") : text.index("(")]
    path.write_text("import numpy as np\n\n\n" + text.replace(original, name, 1))
    return getattr(fresh_module(path), name)


def tensorflow() -> ModuleType | None:
    """TensorFlow, if it is installed."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    return importlib.import_module("tensorflow")


def times(text: str, folder: str, theirs: Callable[[FunctionType], object] | None) -> Timings:
    """How long we take to convert functions with this text, and ``theirs`` if it is given."""

    def maker(convert: Callable[[FunctionType], object]) -> Callable[[], Callable[[], object]]:
        return lambda: functools.partial(convert, fresh(text, folder))

    makers = {"ours": maker(ag.to_graph)}
    if theirs is not None:
        makers["theirs"] = maker(theirs)
    return first_calls(makers, ROUNDS)


def run() -> Table:
    texts = {f"{50 * times} lines": repeated(times) for times in (1, 4, 16)}
    texts.update((f"nested {depth} deep", nested(depth)) for depth in (2, 4, 8, 12))
    other = tensorflow()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for label, text in texts.items():
            lines = text.count("\n")
            compared = other is not None and lines <= PATIENCE
            timings = times(text, folder, other.autograph.to_code if compared else None)
            ours = timings.seconds("ours")
            printed = len(ag.to_graph(fresh(text, folder)).converted.splitlines())
            row = [label, duration(ours), duration(ours / lines), f"{printed / lines:.2f}"]
            if compared:
                row += [
                    duration(timings.seconds("theirs")),
                    f"{timings.ratio('ours', 'theirs'):.2f}",
                ]
            elif other is not None:
                row += ["", ""]
            rows.append(row)
    head = ["function", "to_graph", "per line", "lines printed per line"]
    note = "TensorFlow is not installed"
    if other is not None:
        head += ["TensorFlow", "ratio"]
        note = f"TensorFlow {other.__version__} converts by `tf.autograph.to_code`"
    return Table(
        "Conversion",
        f"From source to the converted function. The goal is 20 ms for 50 lines. {note}.",
        head,
        rows,
    )
