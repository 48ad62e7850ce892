"""Timing several ways of doing the same thing so that they can be compared.

The ways are timed in turn, round after round, so that a change in the machine's speed meets all of
them. A ratio is the median over the rounds of the ratio within a round.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

BATCH_SECONDS = 0.01  # a batch of calls takes about this long, far above the clock's resolution


@dataclass
class Timings:
    """Seconds per call of each way, one entry for each round."""

    rounds: dict[str, list[float]]

    def seconds(self, name: str) -> float:
        """The median of one way."""
        return statistics.median(self.rounds[name])

    def ratio(self, name: str, reference: str) -> float:
        """How many times as long as ``reference`` a way takes."""
        pairs = zip(self.rounds[name], self.rounds[reference])
        return statistics.median(seconds / base for seconds, base in pairs)

    def difference(self, name: str, reference: str) -> float:
        """How many seconds longer than ``reference`` a way takes."""
        pairs = zip(self.rounds[name], self.rounds[reference])
        return statistics.median(seconds - base for seconds, base in pairs)


def interleaved(ways: Mapping[str, Callable[[], object]], rounds: int = 31) -> Timings:
    """Time functions of no arguments in turn. Each is called once beforehand."""
    batches = {name: _batch_size(way) for name, way in ways.items()}
    measured: dict[str, list[float]] = {name: [] for name in ways}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, way in ways.items():
                measured[name].append(_time(way, batches[name]))
    finally:
        if collecting:
            gc.enable()
    return Timings(measured)


def first_calls(
    makers: Mapping[str, Callable[[], Callable[[], object]]], rounds: int = 15
) -> Timings:
    """Time the first call of what each maker, which is not timed, returns, in turn."""
    measured: dict[str, list[float]] = {name: [] for name in makers}
    for _ in range(rounds):
        for name, make in makers.items():
            measured[name].append(_time(make(), 1))
    return Timings(measured)


def _batch_size(way: Callable[[], object]) -> int:
    way()
    return max(1, round(BATCH_SECONDS / max(_time(way, 1), 1e-7)))


def _time(way: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        way()
    return (time.perf_counter() - start) / calls
