"""Memory and time of the gradient of a loop against its number of steps, for each way to keep what
the backward pass needs, beside JAX and Equinox where these are installed.

Each figure comes from a process of its own, which first compiles and runs a short loop (JAX: also
the long one, which it compiles anew). Memory is how far the process then grows: what was freed
before and is used again does not show, so small figures are too small. For Linux.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.table import Table, duration

SIZE = 64  # floats in the state
STEPS = (100, 1_000, 10_000, 100_000, 1_000_000)
ROUNDS = 3
LIMIT = 240.0  # seconds; what takes longer is left out
PLOT = Path(__file__).parent / "results" / "loop_memory.png"
_WARM_UP = 10


# -- the loop, as each of them has it --------------------------------------------------------------


def known(x, steps):
    """The number of trips is known when the loop begins."""
    for _ in range(steps):
        x = x + 0.001 * np.sin(x)
    return np.sum(x)


def unknown(x, steps):
    """It is not."""
    t = 0.0
    while t < steps:
        x = x + 0.001 * np.sin(x)
        t = t + 1.0
    return np.sum(x)


def _ours(loop: Callable, mode: object) -> Callable:
    import autograph as ag

    function = loop if mode is None else ag.checkpoint(loop, loops=mode)
    gradient = ag.grad(function)
    return lambda steps: gradient(np.ones(SIZE), steps)


def _jax_scan(nested: bool) -> Callable:
    """`scan`, with the square root of the steps inside a `jax.checkpoint` if ``nested``."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def step(x, _):
        return x + 0.001 * jnp.sin(x), None

    def loop(x, steps):
        if not nested:
            return jnp.sum(jax.lax.scan(step, x, None, steps)[0])
        inner = max(1, round(steps**0.5))

        @jax.checkpoint
        def several(x, _):
            return jax.lax.scan(step, x, None, inner)[0], None

        x, _ = jax.lax.scan(several, x, None, steps // inner)
        x, _ = jax.lax.scan(step, x, None, steps - steps // inner * inner)
        return jnp.sum(x)

    gradient = jax.jit(jax.grad(loop), static_argnums=1)
    return lambda steps: gradient(jnp.ones(SIZE), steps).block_until_ready()


def _equinox() -> Callable:
    """Its checkpointed `while_loop`, for a number of steps known only when it runs."""
    import equinox.internal as eqxi
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def loop(x, steps, most):
        def test(state):
            return state[1] < steps

        def body(state):
            x, t = state
            return x + 0.001 * jnp.sin(x), t + 1.0

        x, _ = eqxi.while_loop(test, body, (x, 0.0), max_steps=most, kind="checkpointed")
        return jnp.sum(x)

    gradient = jax.jit(jax.grad(loop), static_argnums=2)
    return lambda steps: gradient(jnp.ones(SIZE), float(steps), steps).block_until_ready()


MODES: dict[str, Callable[[], Callable]] = {
    "for, all kept": lambda: _ours(known, None),
    'for, loops="sqrt"': lambda: _ours(known, "sqrt"),
    'for, loops="log"': lambda: _ours(known, "log"),
    "for, loops=10": lambda: _ours(known, 10),
    "while, all kept": lambda: _ours(unknown, None),
    'while, loops="sqrt"': lambda: _ours(unknown, "sqrt"),
    "while, loops=10": lambda: _ours(unknown, 10),
    "JAX scan": lambda: _jax_scan(False),
    "JAX scan, checkpoint of sqrt": lambda: _jax_scan(True),
    "Equinox checkpointed while": _equinox,
}


def available() -> list[str]:
    """The modes whose packages are installed."""
    needed = {"JAX": "jax", "Equinox": "equinox"}
    return [
        mode
        for mode in MODES
        if all(importlib.util.find_spec(m) for name, m in needed.items() if mode.startswith(name))
    ]


# -- measuring -------------------------------------------------------------------------------------


def measured(mode: str, steps: int) -> tuple[float, float]:
    """(bytes, seconds) of one gradient; runs in a process of its own."""
    gradient = MODES[mode]()
    gradient(_WARM_UP)
    if mode.startswith(("JAX", "Equinox")):
        gradient(steps)  # compiles for this number of steps, which is not what is measured
    start = forget_peak()
    begun = time.perf_counter()
    gradient(steps)
    seconds = time.perf_counter() - begun
    return size("VmHWM") - start, seconds


def forget_peak() -> int:
    """The size of this process now, in bytes; its peak starts anew from there (Linux only)."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    return size("VmRSS")


def size(field: str) -> int:
    """A size of this process, in bytes: VmRSS is that of now, VmHWM its peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(field))
    return int(line.split()[1]) * 1024


def _in_process(mode: str, steps: int) -> tuple[float, float] | None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.loop_memory",
        "--mode",
        mode,
        "--steps",
        str(steps),
    ]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    except subprocess.TimeoutExpired:
        return None
    return tuple(json.loads(ran.stdout.splitlines()[-1]))


def results() -> dict[tuple[str, int], tuple[float, float] | None]:
    """(bytes, seconds) by mode and steps, medians of rounds in which all take turns."""
    rounds: dict[tuple[str, int], list] = {}
    for turn in range(ROUNDS):
        for steps in STEPS:
            for mode in available():
                found = rounds.setdefault((mode, steps), [])
                if None in found or (turn and steps > 100_000):
                    continue  # too slow, or long enough to be measured once
                found.append(_in_process(mode, steps))
                print(f"  {mode}, {steps} steps: {found[-1]}", file=sys.stderr, flush=True)
    return {
        key: None if None in found else tuple(map(statistics.median, zip(*found)))
        for key, found in rounds.items()
    }


def run() -> Table:
    found = results()
    if importlib.util.find_spec("matplotlib"):
        plot(found, PLOT)
    rows = []
    for mode in available():
        cells = []
        for steps in STEPS:
            value = found[mode, steps]
            shown = f"more than {LIMIT:.0f} s"
            if value is not None:
                shown = f"{value[0] / 2**20:.1f} MiB, {duration(value[1])}"
            cells.append(shown)
        rows.append((mode, *cells))
    return Table(
        "Memory and time of the gradient of a loop",
        f"A state of {SIZE} floats, one sine per step. Memory: how far the process grows "
        "while the gradient runs; memory that was freed before is used again and not counted.",
        ("way", *(f"{steps:,} steps" for steps in STEPS)),
        rows,
    )


def plot(found: dict[tuple[str, int], tuple[float, float] | None], path: Path) -> None:
    """Draw memory, and time, against steps."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
    sides = ((axes[0], 0, 2**20, "MiB", 0.1), (axes[1], 1, 1, "seconds", 0.0))
    for axis, position, scale, label, least in sides:
        for mode in available():
            values = [(n, found[mode, n]) for n in STEPS]
            points = [(n, max(v[position] / scale, least)) for n, v in values if v]
            style = "--" if mode.startswith(("JAX", "Equinox")) else "-"
            axis.loglog(*zip(*points), style, marker="o", label=mode)
        axis.set(xlabel="steps", ylabel=label)
        axis.grid(alpha=0.3)
    axes[0].set_title("memory of the gradient")
    axes[1].set_title("time of the gradient")
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--steps", type=int)
    options = parser.parse_args()
    print(json.dumps(measured(options.mode, options.steps)))


if __name__ == "__main__":
    main()
