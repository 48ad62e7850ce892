"""What a call of a compiled function costs beyond the work it does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved


def sine(x):
    return np.sin(x)


def sine_of_one(tree):
    return np.sin(tree["layers"][0])


def nested_arrays() -> dict:
    """Ten arrays in lists, tuples and dicts."""
    layers = [np.full(1, float(i)) for i in range(5)]
    return {"layers": layers, "pair": (np.ones(1), np.ones(1)), "more": {"m": [np.ones(1)] * 3}}


def cases() -> dict[str, tuple[Callable, object]]:
    return {
        "np.sin of one element": (sine, np.ones(1)),
        "the same, ten arrays nested": (sine_of_one, nested_arrays()),
    }


def run() -> Table:
    rows = []
    for name, (function, argument) in cases().items():
        compiled = ag.to_graph(function)
        timings = interleaved(
            {
                "plain": lambda function=function, argument=argument: function(argument),
                "compiled": lambda compiled=compiled, argument=argument: compiled(argument),
            }
        )
        rows.append(
            (
                name,
                duration(timings.seconds("plain")),
                duration(timings.seconds("compiled")),
                duration(timings.difference("compiled", "plain")),
                f"{timings.ratio('compiled', 'plain'):.1f}",
            )
        )
    return Table(
        "Call overhead",
        "A cached call of a function of one operator. The goal is an overhead of at most 10 us.",
        ("call", "plain NumPy", "compiled", "overhead", "ratio"),
        rows,
    )
