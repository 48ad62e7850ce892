"""Our sampler with loops, `samples/nuts_loops.py`, which is one native kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import ops
from benchmarks.samplers.rows import ADAPTING, DRAWS, NAMES, worth
from samples.nuts_loops import loop_sampler
from samples.posteriors import POSTERIORS

PACKAGE = "autograph-compiler"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}


def to_numpy(value: float) -> np.ndarray:
    return np.asarray(value)


def chain(name: str, sampler: Callable = loop_sampler) -> Callable:
    """A call that makes a chain, each with another key."""
    posterior, key = POSTERIORS[name], ops.random.key(0)
    sample = sampler(posterior.log_density)

    def call() -> tuple:
        nonlocal key
        key, own = ops.random.split(key)
        draws, _ = sample(posterior.start, own, DRAWS, ADAPTING)
        return worth(name, draws)

    return call


MAKERS = dict.fromkeys(NAMES, chain)
