"""Recursive functions and their gradients, against the functions themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

DEPTH = 500


def chain(x, n):
    """Direct recursion."""
    if n == 0:
        return x
    return np.sin(chain(x, n - 1)) * x


def ping(x, n):
    """Mutual recursion, with `pong`."""
    if n == 0:
        return x
    return 0.5 * pong(x, n - 1) + x * x


def pong(x, n):
    if n == 0:
        return x * x
    return np.cos(ping(x, n - 1)) * x


def tree(x, depth):
    """A binary tree: two calls at each level."""
    if depth == 0:
        return np.sin(x)
    return tree(x * 0.9, depth - 1) * tree(x * 1.1, depth - 1) + x


def steps(w, x, n):
    """Direct recursion with arrays, as a network of ``n`` layers with the same weights."""
    if n == 0:
        return np.sum(x)
    return steps(w, np.tanh(w @ x), n - 1)


def cases() -> dict[str, tuple[Callable, tuple, int]]:
    """The function, its arguments, and which of them the gradient is by."""
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(64, 64)) / 8.0, rng.normal(size=64)
    return {
        f"direct, {DEPTH} deep": (chain, (0.9, DEPTH), 0),
        f"mutual, {DEPTH} deep": (ping, (0.9, DEPTH), 0),
        "tree of 511 calls": (tree, (0.9, 8), 0),
        f"a network {DEPTH} deep, by its input": (steps, (w, x, DEPTH), 1),
        f"a network {DEPTH} deep, by its weights": (steps, (w, x, DEPTH), 0),
    }


def run() -> Table:
    rows = []
    for name, (function, args, position) in cases().items():
        compiled, gradient = ag.to_graph(function), ag.grad(function, position)
        np.testing.assert_allclose(compiled(*args), function(*args), rtol=1e-9)
        timings = interleaved(
            {
                "Python": lambda function=function, args=args: function(*args),
                "compiled": lambda compiled=compiled, args=args: compiled(*args),
                "gradient": lambda gradient=gradient, args=args: gradient(*args),
            }
        )
        ratio = f"{timings.ratio('gradient', 'compiled'):.2f}"
        rows.append((name, *(duration(timings.seconds(way)) for way in timings.rounds), ratio))
    return Table(
        "Recursion",
        "The gradient computes the value as well. The goal is at most 5 times the compiled "
        "function; the last column is that ratio. By the weights, each level adds an outer product "
        "of 64 by 64 numbers to the gradient, which takes as long when it is written by hand.",
        ("function", "Python", "compiled", "gradient", "ratio"),
        rows,
    )
