"""Products with weights of few bits, against float32: one row, as in generation, and 64 rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

KINDS = {"8 bits": {"weights": 8}, "4 bits, groups of 32": {"weights": 4, "group": 32}}


def run() -> Table:
    return Table(
        "Weights of few bits",
        "Time of a layer with a bias and relu, whose weights are a square matrix: of float32, and "
        "stored by `ag.quantize`, with activations as they are. A ratio below 1 means that the few "
        "bits are faster.",
        (
            "rows x size",
            "float32",
            *(f"{kind}{what}" for kind in KINDS for what in ("", ", ratio")),
        ),
        [_row(rows, size) for rows in (1, 64) for size in (512, 1024, 2048, 4096, 8192)],
    )


def _row(rows: int, size: int) -> tuple[str, ...]:
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(size, size)).astype(np.float32) / 32
    bias, x = np.ones(size, np.float32), rng.normal(size=(rows, size)).astype(np.float32)

    def layer(x):
        return np.maximum(x @ weight + bias, 0)

    def called(function: Callable) -> Callable:
        return lambda: function(x)

    ways = {"float32": called(ag.to_graph(layer))}
    for kind, options in KINDS.items():
        ways[kind] = called(ag.quantize(layer, [(x,)], activations=None, **options))
    times = interleaved(ways, rounds=11)
    figures = [
        (duration(times.seconds(kind)), f"{times.ratio(kind, 'float32'):.2f}") for kind in KINDS
    ]
    return (
        f"{rows} x {size}",
        duration(times.seconds("float32")),
        *(figure for pair in figures for figure in pair),
    )
