"""The rows of the table."""

from __future__ import annotations

import numpy as np

from benchmarks.beside.suite import Row

_NODES = 4095


def _children(k: int) -> np.ndarray:
    child = 2 * np.arange(_NODES) + k
    return np.where(child < _NODES, child, -1)


def _numbers(n: int) -> np.ndarray:
    return np.random.default_rng(1).random(n)


def _fibonacci(n: int) -> Row:
    return Row(f"fibonacci {n}", f"Fibonacci number {n}", lambda: (n,), written="fibonacci")


_QUADRATURE = (1.3, 0.0, 5.0, 1e-10)
_ROWS = (
    _fibonacci(20),
    _fibonacci(27),
    Row("takeuchi", "Takeuchi's function of 14, 9, 4", lambda: (14, 9, 4)),
    Row(
        "tree",
        f"sum over a tree of {_NODES} nodes",
        lambda: (_children(1), _children(2), _numbers(_NODES), 0),
    ),
    Row("quicksort", "quick sort of 10000 floats", lambda: (_numbers(10_000),)),
    Row("mergesort", "merge sort of 10000 floats", lambda: (_numbers(10_000),)),
    Row("queens", "8 queens", lambda: (np.zeros(8, dtype=np.int64),)),
    Row("quadrature", "adaptive Simpson rule, sin(k x x)", lambda: _QUADRATURE),
    Row("derivative", "its derivative by k", lambda: _QUADRATURE),
)
ROWS = {row.name: row for row in _ROWS}
