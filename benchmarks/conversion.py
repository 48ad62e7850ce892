"""How long the conversion of source takes, by the length and by the depth of the function.

Each round converts a function that no cache has seen. TensorFlow's AutoGraph converts the same
functions, where TensorFlow is installed.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import itertools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import autograph as ag
from benchmarks import workloads
from benchmarks.compile_time import fresh_module
from benchmarks.table import Table, duration
from benchmarks.timing import once_each

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


def by_tensorflow() -> Callable[[FunctionType], object] | None:
    """TensorFlow's conversion, if TensorFlow is installed."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow

    return tensorflow.autograph.to_code


def seconds(
    convert: Callable[[FunctionType], object], text: str, folder: str, rounds: int
) -> float:
    """The median time to convert a function with this text."""
    return once_each(lambda: functools.partial(convert, fresh(text, folder)), rounds)


def run() -> Table:
    texts = {f"{50 * times} lines": repeated(times) for times in (1, 4, 16)}
    texts.update((f"nested {depth} deep", nested(depth)) for depth in (2, 4, 8, 12))
    theirs = by_tensorflow()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for label, text in texts.items():
            lines = text.count("\n")
            ours = seconds(ag.to_graph, text, folder, 11)
            printed = len(ag.to_graph(fresh(text, folder)).converted.splitlines())
            row = [label, duration(ours), duration(ours / lines), f"{printed / lines:.2f}"]
            if theirs is not None and lines <= PATIENCE:
                other = seconds(theirs, text, folder, 3)
                row += [duration(other), f"{ours / other:.2f}"]
            elif theirs is not None:
                row += ["", ""]
            rows.append(row)
    head = ["function", "to_graph", "per line", "lines printed per line"]
    compared = "TensorFlow is not installed"
    if theirs is not None:
        head += ["TensorFlow", "ratio"]
        compared = "TensorFlow's time is that of `tf.autograph.to_code`"
    return Table(
        "Conversion",
        f"From source to the converted function. The goal is 20 ms for 50 lines. {compared}.",
        head,
        rows,
    )
