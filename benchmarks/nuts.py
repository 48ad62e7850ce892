"""The No-U-Turn Sampler of `samples/nuts.py`: how soon the first draw is there, and the moments.

The moments are those of one chain each; what they are known to be says `samples/posteriors.py`.
"""

from __future__ import annotations

import time

import ops
from benchmarks.table import Table, duration
from samples.nuts import mean_and_error, sampler
from samples.posteriors import POSTERIORS

DRAWS, ADAPTING = 500, 300


def run() -> Table:
    sample = sampler(POSTERIORS["student"].log_density)
    sample(POSTERIORS["student"].start, ops.random.key(0), 1, 0)  # imports what is used
    return Table(
        "No-U-Turn Sampler",
        "Seconds, and in brackets seconds of processor time, from the definition of a function to "
        "its first draw, compilation included (with AUTOGRAPH_CACHE_DIR empty); the time of a step "
        f"of a chain of {DRAWS} draws after {ADAPTING} that adapt it, again with processor time; "
        "the mean of a statistic with its standard error, and what it is known to be.",
        ("posterior", "first draw", "a step", "steps", "mean", "known"),
        [_row(name) for name in POSTERIORS],
    )


def _row(name: str) -> tuple[str, ...]:
    posterior, key = POSTERIORS[name], ops.random.key(3)
    first = _seconds(
        lambda: (sample := sampler(posterior.log_density), sample(posterior.start, key, 1, 0))
    )[0]
    sample = sampler(posterior.log_density)
    sample(posterior.start, key, DRAWS, 1)
    (seconds, processor), (draws, steps) = _seconds(
        lambda: sample(posterior.start, key, DRAWS, ADAPTING)
    )
    mean, error = mean_and_error(posterior.statistic(draws))
    return (
        name,
        f"{duration(first[0])} ({duration(first[1])})",
        f"{duration(seconds / steps)} ({duration(processor / steps)})",
        str(steps),
        f"{mean:.3f} +- {error:.3f}",
        f"{posterior.mean():.3f}",
    )


def _seconds(function):
    """How long a call takes, by the clock and of the processor, and what it returns."""
    wall, processor = time.perf_counter(), time.process_time()
    result = function()
    return (time.perf_counter() - wall, time.process_time() - processor), result
