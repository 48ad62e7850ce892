"""How long derivatives take to compile, by their order and by the length of the function."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import numpy as np

import autograph as ag
from autograph.graph.graph import Module, walk
from benchmarks.compile_time import fresh_module
from benchmarks.table import Table, duration
from benchmarks.timing import first_calls

ORDERS = (1, 2, 3, 6)
LENGTHS = (50, 200, 800)


def straight(x):
    return np.sin(x) * np.exp(x) / (1.0 + x * x)


def conditional(x):
    if x > 0.5:
        y = np.sin(x) * x
    else:
        y = np.exp(x)
    return y * y


def while_loop(x):
    y = x
    while y < 10.0:
        y = y * y + 0.5 * x
    return y


def for_loop(x):
    y = x
    for _ in range(5):
        y = np.sin(y) + x
    return y


def recursion(x, n=3):
    if n < 1:
        return x
    return np.sin(recursion(x, n - 1)) * x


FUNCTIONS = (straight, conditional, while_loop, for_loop, recursion)


def long_function(lines: int) -> FunctionType:
    """A function of one statement per line."""
    statements = "".join(f"    y = np.tanh(y * x + {k}.5)\n" for k in range(lines))
    text = f"import numpy as np\n\n\ndef long(x):\n    y = x\n{statements}    return y\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.py")
        path.write_text(text)
        function = fresh_module(path).long
        ag.to_graph(function)  # reads the source while it is there
    return function


def derivative(function: FunctionType, order: int) -> Callable:
    """A derivative of another function object with the same code: what is compiled of a function is
    remembered with it."""
    another = FunctionType(function.__code__, function.__globals__, function.__name__)
    another.__defaults__ = function.__defaults__
    found: Callable = another
    for _ in range(order):
        found = ag.grad(found)
    return found


def first_call(function: FunctionType, order: int) -> Callable[[], object]:
    compiled = derivative(function, order)
    return lambda: compiled(0.7)


def size(module: Module) -> int:
    """How many nodes a module has."""
    return sum(1 for graph in (module.main, *module.graphs.values()) for _ in walk(graph))


def times(function: FunctionType, orders: tuple[int, ...]) -> list[str]:
    """The number of nodes and the time of the first call, for each order."""
    makers = {str(k): functools.partial(first_call, function, k) for k in orders}
    first_calls(makers, rounds=1)  # the source is converted once
    timings = first_calls(makers, rounds=5)
    return [
        f"{size(derivative(function, k).graph(0.7))} / {duration(timings.seconds(str(k)))}"
        for k in orders
    ]


def run() -> Table:
    rows = [[function.__name__, *times(function, ORDERS)] for function in FUNCTIONS]
    for lines in LENGTHS:
        found = times(long_function(lines), ORDERS[:2])
        rows.append([f"{lines} lines", *found, *[""] * (len(ORDERS) - len(found))])
    return Table(
        "Derivatives of higher order",
        "Nodes of the graph of the derivative, and the time of the first call. The goals are less "
        "than a second for the sixth derivative, and a time in proportion to the length.",
        ("function", *(f"order {k}" for k in ORDERS)),
        rows,
    )
