"""Memory and time of the gradient of a long loop that keeps within a budget, beside checkpoints
chosen by hand, and JAX and Equinox where these are installed.

A budget is a tenth or a hundredth of what the loop leaves without one. As in
`benchmarks.loop_memory`, each figure comes from a process of its own, which first compiles and runs
a short loop, and memory is how far the process then grows. For Linux.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.loop_memory import forget_peak, known, size, unknown
from benchmarks.table import Table, duration

ROUNDS = 3
LIMIT = 90.0  # seconds; what takes longer is left out
_WARM_UP = 10


class Case(NamedTuple):
    """A state of so many floats, one of Python's numbers if there are none, and the trips."""

    floats: int
    trips: int

    @property
    def state(self) -> np.ndarray | float:
        return np.ones(self.floats) if self.floats else 1.0

    @property
    def left(self) -> int:
        """What all trips leave, in bytes: in each a record of the state."""
        return self.trips * 8 * (1 + max(self.floats, 1))

    def __str__(self) -> str:
        state = f"{self.floats:,} floats" if self.floats else "a number"
        return f"{state}, {self.trips:,} trips"


CASES = (Case(0, 1_000_000), Case(0, 10_000_000), Case(64, 1_000_000), Case(125_000, 2_000))


def _ours(loop: Callable, **options: object) -> Callable:
    import autograph as ag

    loops = options.pop("loops", None)
    function = loop if loops is None else ag.checkpoint(loop, loops=loops)
    gradient = ag.grad(function, **options)
    return lambda state, trips: gradient(state, trips)


def _within(loop: Callable, part: int) -> Callable[[Case], Callable]:
    return lambda case: _ours(loop, memory=case.left // part)


def _equinox(case: Case) -> Callable:
    import equinox.internal as eqxi
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def loop(x, steps, most):
        body = lambda state: (state[0] + 0.001 * jnp.sin(state[0]), state[1] + 1.0)
        test = lambda state: state[1] < steps
        x, _ = eqxi.while_loop(test, body, (x, 0.0), max_steps=most, kind="checkpointed")
        return jnp.sum(x)

    gradient = jax.jit(jax.grad(loop), static_argnums=2)
    return lambda state, trips: gradient(state, float(trips), trips).block_until_ready()


def _jax(case: Case) -> Callable:
    """`scan` of `scan`, the inner one, of the square root of the trips, in a `jax.checkpoint`."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    step = lambda x, _: (x + 0.001 * jnp.sin(x), None)

    def loop(x, trips):
        inner = max(1, round(trips**0.5))
        several = jax.checkpoint(lambda x, _: jax.lax.scan(step, x, None, inner))
        x, _ = jax.lax.scan(several, x, None, trips // inner)
        return jnp.sum(jax.lax.scan(step, x, None, trips - trips // inner * inner)[0])

    gradient = jax.jit(jax.grad(loop), static_argnums=1)
    return lambda state, trips: gradient(state, trips).block_until_ready()


WAYS: dict[str, Callable[[Case], Callable]] = {
    "while, no budget": lambda case: _ours(unknown),
    "while, a tenth": _within(unknown, 10),
    "while, a hundredth": _within(unknown, 100),
    'while, loops="sqrt"': lambda case: _ours(unknown, loops="sqrt"),
    "while, loops=100": lambda case: _ours(unknown, loops=100),
    "for, no budget": lambda case: _ours(known),
    "for, a hundredth": _within(known, 100),
    "JAX scan, checkpoint of sqrt": _jax,
    "Equinox checkpointed while": _equinox,
}
_NEEDED = {"JAX": "jax", "Equinox": "equinox"}


def available() -> list[str]:
    """The ways whose packages are installed."""
    return [
        way
        for way in WAYS
        if all(importlib.util.find_spec(m) for name, m in _NEEDED.items() if way.startswith(name))
    ]


def measured(way: str, case: Case) -> tuple[float, float]:
    """(bytes, seconds) of one gradient; runs in a process of its own."""
    gradient = WAYS[way](case)
    gradient(case.state, _WARM_UP)
    if way.startswith(tuple(_NEEDED)):
        gradient(case.state, case.trips)  # compiles for this number, which is not measured
    start = forget_peak()
    begun = time.perf_counter()
    gradient(case.state, case.trips)
    seconds = time.perf_counter() - begun
    return size("VmHWM") - start, seconds


def _in_process(way: str, number: int) -> tuple[float, float] | None:
    options = ["--way", way, "--case", str(number)]
    command = [sys.executable, "-m", "benchmarks.memory_budget", *options]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    except subprocess.TimeoutExpired:
        return None
    return tuple(json.loads(ran.stdout.splitlines()[-1]))


def _shown(way: str, number: int) -> str:
    found = []
    for _ in range(ROUNDS):
        found.append(_in_process(way, number))
        print(f"  {way}, {CASES[number]}: {found[-1]}", file=sys.stderr, flush=True)
        if found[-1] is None:
            return f"more than {LIMIT:.0f} s"
    nbytes, seconds = map(statistics.median, zip(*found))
    return f"{nbytes / 2**20:.1f} MiB, {duration(seconds)}"


def run() -> Table:
    rows = [(way, *(_shown(way, number) for number in range(len(CASES)))) for way in available()]
    left = ("it leaves", *(f"{case.left / 2**20:.1f} MiB" for case in CASES))
    return Table(
        "Memory and time of the gradient of a loop with a budget",
        "One sine per trip. Memory: how far the process grows while the gradient runs. The first "
        "row is what the trips leave in a native kernel without a budget, of which a budget is a "
        "part. JAX and Equinox compile for each number of trips, which is not counted.",
        ("way", *map(str, CASES)),
        [left, *rows],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--case", type=int)
    options = parser.parse_args()
    print(json.dumps(measured(options.way, CASES[options.case])))


if __name__ == "__main__":
    main()
