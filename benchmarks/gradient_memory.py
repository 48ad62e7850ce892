"""Peak memory of the gradient of `samples/digits.py` against the same gradient written by hand.

Each figure comes from a process of its own. *Grown* is how far that process grows while it
computes the gradient, results included; compiling, and a small gradient, come before. *Allocated*
is the peak of what Python and NumPy allocate, as `tracemalloc` sees it, and the memory that native
kernels take for the time of a call, as `explain` reports it. For Linux.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np

import autograph as ag
from benchmarks.digits_epoch import numpy_gradient
from benchmarks.loop_memory import forget_peak, size
from benchmarks.table import Table
from samples import digits

IMAGES = (5_000, 20_000, 80_000)
ROUNDS = 3
WAYS = ("by hand", "compiled")
_WARM_UP = 64  # images


def arguments(images: int) -> tuple:
    """Random parameters, images and labels."""
    rng = np.random.default_rng(0)
    params, _ = digits.initial(rng)
    x = rng.random((images, digits.LAYERS[0]))
    return params, x, rng.integers(0, digits.LAYERS[-1], images)


def prepared(way: str, args: tuple) -> tuple[Callable, int]:
    """A function that is ready for some arguments, and the memory of its kernels in bytes."""
    if way == "by hand":
        return numpy_gradient, 0
    compiled = ag.to_graph(digits.loss_and_gradient)
    own = sum(kernel.own for kernel in compiled.explain(*args).kernels)
    return compiled.lower(*args).compile(), own


def measured(way: str, images: int) -> tuple[float, float]:
    """(bytes grown, bytes allocated) of one gradient; runs in a process of its own."""
    small, args = arguments(_WARM_UP), arguments(images)
    prepared(way, small)[0](*small)
    gradient, own = prepared(way, args)
    start = forget_peak()
    value, _ = gradient(*args)
    grown = size("VmHWM") - start
    np.testing.assert_allclose(value, numpy_gradient(*args)[0], rtol=1e-10)
    tracemalloc.start()
    gradient(*args)
    return grown, tracemalloc.get_traced_memory()[1] + own


def _in_process(way: str, images: int) -> tuple[float, float]:
    options = ["--way", way, "--images", str(images)]
    command = [sys.executable, "-m", "benchmarks.gradient_memory", *options]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return tuple(json.loads(ran.stdout.splitlines()[-1]))


def run() -> Table:
    rows = []
    for images in IMAGES:
        rounds = {way: [_in_process(way, images) for _ in range(ROUNDS)] for way in WAYS}
        hand, ours = (tuple(map(statistics.median, zip(*rounds[way]))) for way in WAYS)
        row = [f"{images:,}"]
        for by_hand, compiled in zip(hand, ours):
            row += [f"{by_hand / 2**20:.1f} MiB", f"{compiled / 2**20:.1f} MiB"]
            row.append(f"{compiled / by_hand:.2f}")
        rows.append(row)
    columns = [f"{what}, {how}" for what in ("grown", "allocated") for how in (*WAYS, "ratio")]
    return Table(
        "Memory of the gradient of digits",
        "The loss of samples/digits.py and its gradient, against NumPy by hand. Grown: the "
        "process, while it computes them. Allocated: by NumPy and by kernels, at the peak. The "
        "goal of either ratio is at most 1.3.",
        ("images", *columns),
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--images", type=int)
    options = parser.parse_args()
    print(json.dumps(measured(options.way, options.images)))


if __name__ == "__main__":
    main()
