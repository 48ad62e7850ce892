"""What is chosen for a GPU, beside what would be done otherwise, on the same arrays.

What each takes at least is by the roofline model, see `benchmarks.gpu.rows`: how often its arrays
go through memory, at the speed of a copy. A choice that is far from that, or no faster than the
other way, is to be made anew.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
from autograph.kernels.cuda import entry, printer, split, sums
from autograph.kernels.lowering.rules import gpu_scans
from benchmarks.gpu import device, rows
from benchmarks.gpu.records import FAILED, MEASURED, WRONG, Records
from benchmarks.kernels.programs import elementwise


@contextlib.contextmanager
def _instead(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def one_by_one() -> contextlib.AbstractContextManager:
    """Elements are read and written by themselves."""
    return _instead(entry, "vectors_of", lambda *_: None)


def along_rows() -> contextlib.AbstractContextManager:
    """A thread goes along each chunk of a row."""
    return _instead(gpu_scans.GpuScan, "_has_tiles", lambda *_: False)


def in_three_launches() -> contextlib.AbstractContextManager:
    """The totals of tiles, their running totals, and then all: no block waits for another."""
    return _instead(gpu_scans.GpuScan, "_never_fails", lambda *_: False)


def each_launched() -> contextlib.AbstractContextManager:
    """All blocks of a loop end after each of its steps."""
    return _instead(printer, "of_all_blocks", lambda *_: None)


def added_afterwards() -> contextlib.AbstractContextManager:
    """A launch adds to a product what cuBLASLt could have added."""
    return _instead(sums.Sums, "of", lambda *_: None)


def down_columns() -> contextlib.AbstractContextManager:
    """A thread goes down each column."""
    return _instead(gpu_scans, "_SHORT", 2**62)


@contextlib.contextmanager
def by_launches() -> Iterator[None]:
    """A loop over short steps launches each of them."""
    products = _instead(printer, "with_small_products", lambda kernel: kernel)
    with products, _instead(split, "_PATIENCE", dict.fromkeys(split._PATIENCE, 0)):
        yield


@dataclass(frozen=True)
class Choice:
    """A program, and a way to do without a choice.

    Attributes:
        shapes: of the arguments, which are float32.
        passes: how often the way that is chosen moves as much as the first argument.
        otherwise: what to do in its place.
    """

    title: str
    program: Callable
    shapes: tuple[tuple[int, ...], ...]
    passes: float
    otherwise: Callable[[], contextlib.AbstractContextManager]


def linear(x, w, b):
    """A product of few columns, so that memory takes the longest, and a vector added to rows."""
    return x @ w + b


def _total(x):
    return np.sum(x)


def _along(axis: int) -> Callable:
    return lambda x: np.cumsum(x, axis=axis)


def recurrent(x, w, u, h):
    """A recurrent network: short steps, with small products."""
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u)
    return h


def orbits(x):
    """Lorenz's ring of 1996 by the midpoint rule: short steps, each of which needs all before."""
    for _ in range(200):
        x = x + 0.005 * _change(x + 0.0025 * _change(x))
    return x


def short_orbits(x):
    """The same of a tenth of the steps."""
    for _ in range(20):
        x = x + 0.005 * _change(x + 0.0025 * _change(x))
    return x


def _change(x):
    return np.roll(x, 1) * (np.roll(x, -1) - np.roll(x, 2)) - x + 8


_LONG, _ROWS = (5 * 10**7,), (65536, 1024)
_DRAWN = 2**20  # numbers, at most
CHOICES = (
    Choice("vectors, selu, 5e7", elementwise.selu, (_LONG,), 2, one_by_one),
    Choice("vectors, sum, 5e7", _total, (_LONG,), 1, one_by_one),
    Choice(
        "vectors, layer norm, 65536 x 1024",
        elementwise.layer_norm,
        (_ROWS, (1024,), (1024,)),
        2,
        one_by_one,
    ),
    Choice("looking back, running sum, 5e7", _along(0), (_LONG,), 2, in_three_launches),
    Choice("tiles, running sums, 65536 x 1024", _along(1), (_ROWS,), 2, along_rows),
    Choice("chunks, 1e5 x 100, axis 0", _along(0), ((10**5, 100),), 3, down_columns),
    Choice("chunks, 300 x 1000 x 40, axis 1", _along(1), ((300, 1000, 40),), 3, down_columns),
    Choice(
        "a sum with a product, 2e6 x 32",
        linear,
        ((2 * 10**6, 32), (32, 32), (32,)),
        2,
        added_afterwards,
    ),
    Choice("all blocks, ring of 10000, 20 steps", short_orbits, ((10_000,),), 0, each_launched),
    Choice("one block, ring of 4000, 200 steps", orbits, ((4000,),), 0, by_launches),
    Choice(
        "one block, RNN, 50 steps",
        recurrent,
        ((50, 8, 32), (32, 64), (64, 64), (8, 64)),
        0,
        by_launches,
    ),
)


def main(path: str) -> None:
    """Measure each in both ways."""
    os.environ["AUTOGRAPH_CACHE_DIR"] = ""  # where kernels would be those of the other way
    records = Records(path, "choices")
    device.cupy()
    bandwidth = rows.ceilings(path).bandwidth
    for choice in CHOICES:
        records.begin(choice.title)
        try:
            figures, problem = _measured(choice, bandwidth)
            records.add(choice.title, WRONG if problem else MEASURED, **figures, error=problem)
        except Exception:
            records.add(choice.title, FAILED, error=traceback.format_exc())


def _rehearsed(shape: tuple[int, ...]) -> tuple[int, ...]:
    if shape == _LONG:
        return (600,)
    return (8, *shape[1:]) if math.prod(shape) > 20_000 else shape


def _arguments(shapes: tuple[tuple[int, ...], ...]) -> tuple[Any, ...]:
    """Random numbers on the device. Those of large arrays come again after some: to draw, send and
    compare 5e7 numbers on the host takes seconds of the stage's time."""
    import cupy

    rng, found = np.random.default_rng(0), []
    for shape in shapes:
        # So small that a recurrent network does not double its rounding in each step.
        drawn = rng.standard_normal(min(math.prod(shape), _DRAWN), dtype=np.float32)
        numbers = cupy.asarray(drawn * np.float32(0.1))
        found.append(cupy.resize(numbers, shape))
    return tuple(found)


def _same(found: Any, expected: Any) -> bool:
    """Whether results are as close as those of rows of 1e8 elements, as the device finds."""
    import cupy

    size = float(cupy.max(cupy.abs(expected)))
    return bool(cupy.allclose(found, expected, rtol=1e-3, atol=1e-3 * size))


def _measured(choice: Choice, bandwidth: float) -> tuple[dict[str, Any], str]:
    shapes = choice.shapes
    if device.rehearsing():
        shapes = tuple(_rehearsed(shape) for shape in shapes)
    given = _arguments(shapes)
    figures: dict[str, Any] = {}
    results = []
    ways = (("ms", contextlib.nullcontext), ("ms otherwise", choice.otherwise))
    for name, way in ways:
        with way():
            compiled = ag.to_graph(device.anew(choice.program))
            with device.launches() as made:
                results.append(compiled(*given))
        # A rehearsal's figures mean nothing.
        enough, rounds = (0.0, 1) if device.rehearsing() else (0.05, 3)
        way_of = lambda: compiled(*given)  # noqa: B023
        figures[name] = 1e3 * device.seconds(way_of, enough=enough, rounds=rounds)
        figures[f"launches{name[2:]}"] = len(made)
    figures["least ms"] = 1e3 * choice.passes * given[0].nbytes / bandwidth
    if _same(*results):
        return figures, ""
    host = device.on_host(tuple(results))
    return figures, f"{host[0]!r}\nin the place of\n{host[1]!r}"


if __name__ == "__main__":
    main(sys.argv[1])
