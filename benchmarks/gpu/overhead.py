"""What a call costs, what a graph of launches saves, trips of loops, and other grids.

The grids are those of the three rows that were the furthest from the least time.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autograph as ag
from autograph.kernels.cuda import launch
from benchmarks.gpu import device, rows
from benchmarks.gpu.records import FAILED, MEASURED, RIGHT, WRONG, Records, read
from benchmarks.gpu.smoke import difference

_TRIPS = 20 if device.rehearsing() else 500


def waves(x):
    """Two functions of each element."""
    return np.sin(x) * 2.0


def cooled(x):
    """A loop whose trips need all of the array before."""
    n = 0
    while n < _TRIPS:
        x = 0.5 * x + 0.25 * (np.roll(x, 1) + np.roll(x, -1))
        n += 1
    return x


def diffused(u):
    """A loop of the host's, each trip of which is some launches."""
    for _ in range(5):
        u = u.copy()
        u[1:-1] += 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u


def main(path: str) -> None:
    """Measure each."""
    records = Records(path, "overhead")
    cupy = device.cupy()
    small = device.rehearsing()
    checks: list[tuple[str, Callable[[], dict[str, Any]]]] = [
        ("a call", lambda: _call(cupy)),
        ("while in one block, per trip", lambda: _trip(100 if small else 1000)),
        ("while on the host, per trip", lambda: _trip(9000 if small else 1_000_000)),
        ("while as a node, per trip", lambda: _trip(9000 if small else 1_000_000, "1")),
    ]
    checks += [
        ("a graph of launches", lambda: _replayed(cupy, same=True)),
        ("a graph, arguments copied", lambda: _replayed(cupy, same=False)),
    ]
    if not small:
        for title in _worst(path):
            checks.append((f"grids, {title}", lambda title=title: _grids(title)))
    for name, check in checks:
        records.begin(name)
        try:
            records.add(name, MEASURED, **check())
        except Exception:
            records.add(name, FAILED, error=traceback.format_exc())
    name = "a kernel that gives up"
    records.begin(name)
    problem = _gives_up(cupy)
    records.add(name, WRONG if problem else RIGHT, error=problem)


def _call(cupy: Any) -> dict[str, Any]:
    """Microseconds of a call with 1000 elements, until it is launched and until it is done."""
    x, compiled = cupy.ones(1000), ag.to_graph(waves)
    plain = lambda: cupy.sin(x) * 2.0
    plain(), compiled(x)

    def until_done():
        compiled(x)
        device.wait()

    return {
        "us": 1e6 * device.seconds(lambda: compiled(x)),
        "us until it is done": 1e6 * device.seconds(until_done),
        "us of CuPy": 1e6 * device.seconds(plain),
    }


def _trip(n: int, graphs: str = "0") -> dict[str, Any]:
    """Microseconds of each trip of a loop over an array.

    Args:
        graphs: "1" if the device may decide whether there is another trip.
    """
    x = device.on_device(np.linspace(0.0, 1.0, n))
    with _setting(graphs):
        compiled = ag.to_graph(device.anew(cooled))
        with device.launches() as made:
            compiled(x)
        for _ in range(3):
            compiled(x)
        each = 1e6 * device.seconds(lambda: compiled(x), rounds=3) / _TRIPS
    return {"us": each, "elements": n, "launches": len(made)}


@contextlib.contextmanager
def _setting(graphs: str) -> Iterator[None]:
    """Functions that are called here for the first time have graphs, or none."""
    before = os.environ.get("AUTOGRAPH_CUDA_GRAPHS", "1")
    os.environ["AUTOGRAPH_CUDA_GRAPHS"] = graphs
    try:
        yield
    finally:
        os.environ["AUTOGRAPH_CUDA_GRAPHS"] = before


def _replayed(cupy: Any, same: bool) -> dict[str, Any]:
    """Microseconds of a call of some launches, with and without a graph of them.

    Args:
        same: whether arguments and results are where they were; else they are copied.
    """
    given = [cupy.asarray(np.linspace(0.0, k + 1.0, 5000)) for k in range(1 if same else 40)]
    found: dict[str, Any] = {}
    results = []
    for name, wanted in (("us", "1"), ("us without a graph", "0")):
        with _setting(wanted):
            compiled, turn = ag.to_graph(device.anew(diffused)), itertools.cycle(given)
            for x in given * 4:
                compiled(x)
            found[name] = 1e6 * device.seconds(lambda: compiled(next(turn)))  # noqa: B023
            results.append(device.on_host(compiled(given[-1])))
    if problem := difference(results[0], results[1], 1e-12):
        raise AssertionError(f"the graph has another result: {problem}")
    with device.launches() as made:
        compiled(given[0])
    return {**found, "launches": len(made)}


def _worst(path: str) -> list[str]:
    known = [r for r in read(path) if r["stage"] == "rows" and "of the least" in r]
    known.sort(key=lambda r: -r["of the least"])
    return [r["name"] for r in known[:3]]


def _grids(title: str) -> dict[str, Any]:
    """Milliseconds with other numbers of blocks than those that the device holds at once."""
    row = next(x for x in rows.ROWS if x.title == title)
    compiled, given = rows.transformed(row.name), device.on_device(row.arguments(1.0))
    compiled(*given)
    original = launch._resident
    found = {}
    try:
        for factor in (0.25, 0.5, 1, 2, 4):
            launch._resident = lambda *x, factor=factor: max(int(original(*x) * factor), 1)  # type: ignore[assignment]
            taken = device.seconds(lambda: compiled(*given), rounds=3)
            found[f"ms of {factor} of the blocks"] = 1e3 * taken
    finally:
        launch._resident = original
    return found


def _gives_up(cupy: Any) -> str:
    """A kernel that finds a place outside of an array ends, and CuPy's program runs instead."""
    f = ag.to_graph(lambda x, i: np.exp(x[i]) * x[i])
    x, i = np.arange(5.0), np.array([1, -1, 4])
    for places in (i, i - 4):
        try:
            f(cupy.asarray(x), cupy.asarray(places))
            device.wait()
        except IndexError:
            continue
    found = device.on_host(f(cupy.asarray(x), cupy.asarray(i)))
    return difference(found, np.exp(x[i]) * x[i], 1e-12)


if __name__ == "__main__":
    main(sys.argv[1])
