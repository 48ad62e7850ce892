"""What a call costs, what a graph of launches saves, trips of loops, and other grids.

The grids are those of the three rows that were the furthest from the least time.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autograph as ag
from autograph.kernels.cuda import launch, products
from benchmarks.gpu import device, rows
from benchmarks.gpu.records import ABSENT, FAILED, MEASURED, RIGHT, WRONG, Records, read
from benchmarks.gpu.smoke import difference

_FLOAT32 = 2e-5  # the error of an element of a product, for numbers of 1; TF32's is above 1e-4
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


def diffused(u, rate=0.1):
    """A loop of the host's, each trip of which is some launches."""
    for _ in range(5):
        u = u.copy()
        u[1:-1] += rate * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u


def layers(x, v, w):
    """Small products, for each of which a launch is the most."""
    for _ in range(5):
        x = np.tanh(x @ v) @ w
    return x


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
        ("a product by cuBLASLt", lambda: _multiplied(64 if small else 4096)),
        ("a graph with products", lambda: _with_products(cupy)),
        ("a graph of launches", lambda: _replayed(cupy, same=True)),
        ("a graph, arguments copied", lambda: _replayed(cupy, same=False)),
        ("a graph, another number in each call", lambda: _other_numbers(cupy)),
    ]
    if not small:
        checks.append(("a collective in a graph", lambda: _collective(cupy)))
        for title in _worst(path):
            checks.append((f"grids, {title}", lambda title=title: _grids(title)))
    for name, check in checks:
        records.begin(name)
        try:
            records.add(name, MEASURED, **check())
        except ImportError as error:
            records.add(name, ABSENT, why=str(error))
        except Exception:
            records.add(name, FAILED, error=traceback.format_exc())
    name = "a kernel that gives up"
    records.begin(name)
    problem = _gives_up(cupy)
    records.add(name, WRONG if problem else RIGHT, error=problem)


def _multiplied(n: int) -> dict[str, Any]:
    """Milliseconds of a product of large matrices, by cuBLASLt and by CuPy's cuBLAS: where the
    first is slower, its algorithm is worse, or has too little memory.

    Raises:
        AssertionError: cuBLASLt is not found, or one of them rounds more than float32, as with
            TF32.
    """
    if products.load() is None:
        raise AssertionError("cuBLASLt is not found")
    x, y = (np.random.default_rng(k).standard_normal((n, n)).astype(np.float32) for k in (0, 1))
    given = device.on_device((x, y))
    expected = np.tanh(x[:8].astype(np.float64)) @ y.astype(np.float64)
    found: dict[str, Any] = {}
    for name, wanted in (("ms", "1"), ("ms of cuBLAS", "0")):
        with _setting(wanted, "AUTOGRAPH_CUBLASLT"):
            compiled = ag.to_graph(lambda x, y: np.tanh(x) @ y)
            result = device.on_host(compiled(*given))
            error = float(np.abs(result[:8] - expected).max() / n**0.5)
            found[f"rounding{name[2:]}"] = error
            if error > _FLOAT32:
                raise AssertionError(f"{name}: an error of {error} is that of TF32")
            found[name] = 1e3 * device.seconds(lambda: compiled(*given))  # noqa: B023
    return {**found, "n": n}


def _with_products(cupy: Any) -> dict[str, Any]:
    """Microseconds of a call of ten small products, in a graph, without one, and by cuBLAS."""
    rng = np.random.default_rng(0)
    shapes = ((32, 64), (64, 64), (64, 64))
    given = [cupy.asarray(rng.normal(0, 0.1, shape).astype(np.float32)) for shape in shapes]
    ways = (
        ("us", {}),
        ("us without a graph", {"AUTOGRAPH_CUDA_GRAPHS": "0"}),
        ("us of cuBLAS", {"AUTOGRAPH_CUBLASLT": "0"}),
    )
    found: dict[str, Any] = {}
    results = []
    for name, settings in ways:
        with contextlib.ExitStack() as stack:
            for setting, value in settings.items():
                stack.enter_context(_setting(value, setting))
            compiled = ag.to_graph(lambda x, v, w: layers(x, v, w))
            for _ in range(4):
                compiled(*given)
            found[name] = 1e6 * device.seconds(lambda: compiled(*given))  # noqa: B023
            with device.launches() as made:
                results.append(device.on_host(compiled(*given)))
            if bool(made) != bool(settings):
                raise AssertionError(f"{name}: it is {'no graph' if made else 'a graph'}")
    if not np.array_equal(results[0], results[1]):
        raise AssertionError("the graph has another result")
    if problem := difference(results[2], results[0], 1e-4):
        raise AssertionError(f"cuBLAS has another result: {problem}")
    return found


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
def _setting(value: str, name: str = "AUTOGRAPH_CUDA_GRAPHS") -> Iterator[None]:
    """What is called here for the first time, and what multiplies here, is as the setting says."""
    before = os.environ.get(name, "1")
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ[name] = before


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


def _other_numbers(cupy: Any) -> dict[str, Any]:
    """Microseconds of a call of some launches with a number that is another one in each call, which
    a launch before the graph tells, and of one with the same number."""
    x, rates = cupy.asarray(np.linspace(0.0, 1.0, 5000)), itertools.count()
    compiled = ag.to_graph(lambda u, rate: diffused(u, rate))
    for _ in range(8):
        compiled(x, 1e-3 * next(rates))
    with device.launches() as made:
        found = [device.on_host(compiled(x, 1e-3 * k)) for k in range(5)]
    for k, result in enumerate(found):
        if problem := difference(result, diffused(np.linspace(0.0, 1.0, 5000), 1e-3 * k), 1e-12):
            raise AssertionError(f"with the number {k}: {problem}")
    if len(made) > len(found):
        raise AssertionError(f"it is no graph, but launches {made}")
    each = 1e6 * device.seconds(lambda: compiled(x, 1e-6 * next(rates)))
    return {"us": each, "us with one number": 1e6 * device.seconds(lambda: compiled(x, 0.1))}


def _collective(cupy: Any) -> dict[str, Any]:
    """Microseconds of a sum by NCCL, alone and as a graph, which this project does not make of one
    yet: whether CuPy's NCCL may be captured."""
    nccl = importlib.import_module("cupy.cuda.nccl")
    if not nccl.available:
        raise ImportError("CuPy finds no NCCL: pip install nvidia-nccl-cu13, or -cu12")
    alone = nccl.NcclCommunicator(1, nccl.get_unique_id(), 0)
    x, total = cupy.arange(1000.0), cupy.zeros(1000)
    stream = cupy.cuda.Stream(non_blocking=True)
    how = x.data.ptr, total.data.ptr, x.size, nccl.NCCL_FLOAT64, nccl.NCCL_SUM, stream.ptr
    reduce = lambda: alone.allReduce(*how)
    device.wait()
    each = device.seconds(reduce, stream.synchronize)  # the first also sets it up
    stream.begin_capture(mode=cupy.cuda.runtime.streamCaptureModeThreadLocal)
    try:
        reduce()
    finally:
        graph = stream.end_capture()
    x *= 2.0
    device.wait()
    graph.launch(stream)
    stream.synchronize()
    if not bool((total == x).all()):
        raise AssertionError("the graph has another result")
    replayed = device.seconds(lambda: graph.launch(stream), stream.synchronize)
    return {"us": 1e6 * replayed, "us without a graph": 1e6 * each}


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
