"""Programs beside the time that memory or products take at least, and beside CuPy, JAX and PyTorch.

A row's results are compared with those of the native kernels on the CPU, all of them and by the
device, since that of 1e8 numbers takes a processor seconds; of the peers' results every so many
numbers with ours. That is before anything is timed.

What a row takes at least is by the roofline model (Williams, Waterman, Patterson, Communications of
the ACM 52, 2009): its arguments read and its results written once, at the speed of the copy that
`benchmarks.gpu.machine` measured, or its products of matrices at that of the one measured there, or
its other operations, those of all trips of its loops, at that of the arithmetic, whichever is the
longest.
"""

from __future__ import annotations

import math
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import optree

import autograph as ag
from benchmarks.beside.rebound import rebound
from benchmarks.beside.suite import mostly_equal
from benchmarks.gpu import device, machine
from benchmarks.gpu.records import ABSENT, FAILED, MEASURED, WRONG, Records, read
from benchmarks.gpu.stages import end_of
from benchmarks.kernels.peers import ours
from benchmarks.kernels.programs import elementwise, networks

_DRAWN = 2**22 + 1
_COMPARED = 2**20 + 1  # of the numbers of a peer's array, about


@dataclass(frozen=True)
class GpuRow:
    """A program at a size for a GPU.

    Attributes:
        name: in the tables of the makers.
        title: with the size.
        arguments: for a number that is the size: 1 in use, less in a rehearsal.
        flops: of its products of matrices.
        operations: besides these, of its arguments and results, if they may take the longest.
        plain: what CuPy runs as it is, if it does.
        mostly: whether single elements may differ: counts of trips until a threshold.
    """

    name: str
    title: str
    arguments: Callable[[float], tuple]
    flops: float = 0.0
    operations: Callable[[tuple, Any], float] | None = None
    plain: Callable | None = None
    mostly: bool = False


def _normal(*shape: float) -> np.ndarray:
    sizes = [max(int(n), 8) for n in shape]
    drawn = min(math.prod(sizes), _DRAWN)  # after which they come again: to draw 1e8 takes a second
    return np.resize(np.random.default_rng(0).standard_normal(drawn, dtype=np.float32), sizes)


def _prices(scale: float) -> tuple:
    rng, n = np.random.default_rng(0), int(2e7 * scale)
    limits = ((5.0, 30.0), (1.0, 100.0), (0.25, 10.0))
    return (*(rng.uniform(low, high, n) for low, high in limits), 0.02, 0.3)


def _scores(scale: float) -> tuple:
    x = _normal(32768 * scale, 1024)
    return x, np.random.default_rng(0).integers(0, 1024, len(x))


def _pixels(scale: float) -> tuple:
    n = int(4096 * scale**0.5)
    re = np.linspace(-2.0, 0.6, n, dtype=np.float32)
    im = np.linspace(-1.3, 1.3, n, dtype=np.float32)
    re, im = np.meshgrid(re, im)
    return re.ravel(), im.ravel()


def _starts(scale: float) -> tuple:
    return (np.random.default_rng(0).uniform(0.1, 1000.0, int(1e7 * scale)),)


def _normalised(scale: float) -> tuple:
    return _normal(65536 * scale, 1024), _normal(1024), _normal(1024)


def _weighted(scale: float) -> tuple:
    x, *rest = _normalised(scale)
    return x, *rest, x[::-1].copy()


def running_sum(x: np.ndarray) -> np.ndarray:
    """Sums of all elements up to each."""
    return np.cumsum(x)


def running_sums_of_columns(x: np.ndarray) -> np.ndarray:
    """Sums of all elements above each."""
    return np.cumsum(x, axis=0)


# Operations that a division takes, and a function such as the exponential, about.
_DIVISION, _FUNCTION = 8, 20


def _of_prices(args: tuple, result: Any) -> float:
    """Four normal distributions, an exponential, a logarithm, a root, and what is around them."""
    return args[0].size * (7 * _FUNCTION + 3 * _DIVISION + 25)


def _of_pixels(args: tuple, result: Any) -> float:
    return 11 * float(np.sum(result))  # its results are the trips


def _of_starts(args: tuple, result: Any) -> float:
    """A division in each trip, and in reverse its derivative."""
    some = args[0][:1000]
    x, trips, running = some, 0, np.ones(len(some), bool)
    while running.any():
        trips += np.count_nonzero(running)
        x = np.where(running, 0.5 * (x + some / x), x)
        running &= abs(x * x - some) > 1e-10 * some
    return float(args[0].size * trips / len(some) * (3 * _DIVISION + 12))


_OWN = {"scan": running_sum, "column_scan": running_sums_of_columns}
ROWS = (
    GpuRow("selu", "selu, 1e8, f32", lambda s: (_normal(1e8 * s),), plain=elementwise.selu),
    GpuRow(
        "columns",
        "normalise columns, 1e6 x 100, f64",
        lambda s: (_normal(1e6 * s, 100).astype(np.float64),),
        plain=elementwise.normalized_columns,
    ),
    GpuRow("cross_entropy", "softmax cross-entropy, gradient, 32768 x 1024, f32", _scores),
    GpuRow(
        "layer_norm", "layer norm, 65536 x 1024, f32", _normalised, plain=elementwise.layer_norm
    ),
    GpuRow("layer_norm_gradient", "layer norm, gradient", _weighted),
    GpuRow(
        "black_scholes",
        "Black-Scholes, 2e7, f64",
        _prices,
        operations=_of_prices,
        plain=elementwise.black_scholes,
    ),
    GpuRow(
        "mandelbrot", "Mandelbrot, 4096 x 4096, f32", _pixels, operations=_of_pixels, mostly=True
    ),
    GpuRow("newton_lanes", "Newton iteration, gradient, 1e7, f64", _starts, operations=_of_starts),
    GpuRow(
        "column_scan",
        "running sums, 1e6 x 100, axis 0, f32",
        lambda s: (_normal(1e6 * s, 100),),
        plain=running_sums_of_columns,
    ),
    GpuRow("scan", "running sum, 1e8, f32", lambda s: (_normal(1e8 * s),), plain=running_sum),
    GpuRow(
        "rnn",
        "RNN, gradient, 100 steps, f32",
        lambda s: networks.rnn_arguments(),
        flops=6 * 100 * 32 * (32 * 64 + 64 * 64),
    ),
    GpuRow(
        "perceptron",
        "MLP, training step, f32",
        lambda s: networks.perceptron_arguments(),
        flops=6 * 128 * (784 * 256 + 256 * 256 + 256 * 10),
    ),
    GpuRow(
        "transformer",
        "transformer, 4 blocks, f32",
        lambda s: networks.transformer_arguments(),
        flops=4 * 2 * 1024 * (12 * 256 * 256 + 2 * 128 * 256),
        plain=networks.transformer,
    ),
)
_LAST = 30  # seconds that the last comparison may take, with what another library compiles
_REHEARSED = ("selu", "columns", "newton_lanes")


def transformed(name: str) -> Any:
    """A row's program, compiled."""
    if name in _OWN:
        return ag.to_graph(_OWN[name])
    return ours.MAKERS[name].compiled()


def main(path: str) -> None:
    """Measure ours, CuPy and JAX, and then PyTorch, which compiles the longest."""
    end = end_of("rows") - _LAST
    records = Records(path, "rows")
    device.cupy()
    at_most = ceilings(path)
    rows = [x for x in ROWS if not device.rehearsing() or x.name in _REHEARSED]
    scale = 1e-5 if device.rehearsing() else 1.0
    results = {}
    for row in rows:
        records.begin(row.title)
        try:
            results[row.name] = _measured(records, row, scale, at_most)
        except Exception:
            records.add(row.title, FAILED, error=traceback.format_exc())
    if device.rehearsing():
        return
    for peer in (_jax, _torch):
        for row in rows:
            if row.name not in results:
                continue
            if time.time() > end:
                name = f"{row.title}, {peer.__name__.strip('_')}"
                records.add(name, ABSENT, why="no time is left")
            else:
                _beside(records, row, peer, *results[row.name])


@dataclass(frozen=True)
class Ceilings:
    """What the device does in a second at most; infinite where it is not known.

    Attributes:
        bandwidth: bytes read and written.
        flops: of products of matrices of float32.
        arithmetic: operations, by dtype.
    """

    bandwidth: float
    flops: float
    arithmetic: dict[str, float]

    def least(self, nbytes: float, flops: float, operations: float, dtype: str) -> dict[str, float]:
        """The seconds that each takes."""
        return {
            "memory": nbytes / self.bandwidth,
            "products": flops / self.flops,
            "arithmetic": operations / self.arithmetic[dtype],
        }


def ceilings(path: str) -> Ceilings:
    """What `benchmarks.gpu.machine` has measured."""
    known = {x["name"]: x for x in read(path) if x["stage"] == "machine"}

    def figure(name: str, unit: str) -> float:
        return known.get(name, {}).get(unit, np.inf)

    return Ceilings(
        figure(machine.COPY, "GB/s") * 1e9,
        figure(f"{machine.PRODUCT}float32", "TFLOP/s") * 1e12,
        {x: figure(machine.ARITHMETIC + x, "TFLOP/s") * 1e12 for x in ("float32", "float64")},
    )


def _measured(
    records: Records, row: GpuRow, scale: float, at_most: Ceilings
) -> tuple[tuple, Any, float]:
    """A row's arguments on the host, its results, and seconds."""
    args = row.arguments(scale)
    expected = transformed(row.name)(*args)
    compiled, given = transformed(row.name), device.on_device(args)
    with device.launches() as made:
        result = compiled(*given)
    is_same = _same_on_device(row, result, expected)
    found = device.on_host(result)
    del result
    if not is_same:
        records.add(row.title, WRONG, error=f"{found!r}\nin the place of\n{expected!r}")
        return args, expected, np.nan
    way = lambda: compiled(*given)
    taken = device.seconds(way)
    moved = sum(x.nbytes for x in _arrays((args, found)))
    operations = row.operations(args, found) if row.operations else 0.0
    (dtype,) = {str(x.dtype) for x in _arrays(args) if x.dtype.kind == "f"}
    by = at_most.least(moved, row.flops, operations, dtype)
    least = max(by.values())
    figures: dict[str, Any] = {"ms": taken * 1e3, "GB/s": moved / taken / 1e9}
    figures |= {"launches": len(made), "least ms": least * 1e3, "by": max(by, key=by.__getitem__)}
    figures["of the least"] = taken / least if least else 0.0
    if row.plain is not None and not device.rehearsing():
        plain = _of_cupy(row.plain)
        plain(*given)
        figures["ours / CuPy"] = taken / device.seconds(lambda: plain(*given))
    records.add(row.title, MEASURED, **figures)
    return args, found, taken


def _of_cupy(function: Callable) -> Callable:
    import cupy
    from cupyx.scipy.special import erf

    return rebound(function, np=cupy, erf=erf)  # type: ignore[arg-type]


def _beside(
    records: Records, row: GpuRow, peer: Callable, args: tuple, result: Any, taken: float
) -> None:
    """Measure another library."""
    name = f"{row.title}, {peer.__name__.strip('_')}"
    records.begin(name)
    try:
        way, finish, to_host = peer(row.name, args)
        if not _same(row, to_host(way()), result):
            records.add(name, ABSENT, why="its result is another")
            return
        time = device.seconds(way, finish)
        records.add(name, MEASURED, **{"ms": time * 1e3, "ours / theirs": taken / time})
    except ImportError as error:
        records.add(name, ABSENT, why=str(error))
    except Exception as error:
        records.add(name, ABSENT, why=f"{type(error).__name__}: {error}")


def _jax(name: str, args: tuple) -> tuple:
    import jax
    import jax.numpy as jnp

    from benchmarks.kernels.peers import jax as peer

    # As ours and PyTorch's: on a GPU the default is TF32.
    jax.config.update("jax_default_matmul_precision", "highest")
    function = rebound(_OWN[name], np=jnp) if name in _OWN else _function(peer, name)
    given, compiled = jax.tree.map(jnp.asarray, args), jax.jit(function)
    last = []

    def way():
        last[:] = [compiled(*given)]
        return last[0]

    return way, lambda: jax.block_until_ready(last), lambda x: jax.tree.map(np.asarray, x)


def _torch(name: str, args: tuple) -> tuple:
    import torch

    from benchmarks.kernels.peers import torch as peer

    def moved(x):
        return torch.from_numpy(x).cuda() if isinstance(x, np.ndarray) else x

    function = (lambda x: torch.cumsum(x, 0)) if name in _OWN else _function(peer, name)
    given, compiled = optree.tree_map(moved, args), torch.compile(function)
    to_host = lambda result: optree.tree_map(
        lambda x: x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else x, result
    )
    return lambda: compiled(*given), torch.cuda.synchronize, to_host


def _function(peer: Any, name: str) -> Callable:
    """A row's program as another library compiles it.

    Raises:
        LookupError: it is no one function there, such as where the loop is Python's.
    """
    if not hasattr(peer.MAKERS[name], "function"):
        raise LookupError("it is not compiled as one function")
    return peer.MAKERS[name].function


def _same(row: GpuRow, found: Any, expected: Any) -> bool:
    """Whether a peer's results agree with ours, at every so many of their elements."""
    ours, theirs = _arrays(found), _arrays(expected)
    if [x.shape for x in ours] != [x.shape for x in theirs]:
        return False
    if row.mostly:
        return mostly_equal(ours, theirs)
    steps = [max(y.size // _COMPARED, 1) | 1 for y in theirs]  # odd, so that all columns are met
    some = [x.reshape(-1)[::n] for x, n in zip(ours, steps)]
    return _close(np, some, [y.reshape(-1)[::n] for y, n in zip(theirs, steps)])


def _same_on_device(row: GpuRow, found: Any, expected: Any) -> bool:
    """Whether our results are those of the CPU, as the device finds."""
    import cupy

    if row.mostly:
        return _same(row, device.on_host(found), expected)
    ours = [cupy.asarray(x) for x in optree.tree_leaves(found) if hasattr(x, "dtype")]
    theirs = _arrays(expected)
    if [x.shape for x in ours] != [x.shape for x in theirs]:
        return False
    return _close(cupy, ours, list(map(cupy.asarray, theirs)))


def _close(library: Any, ours: list, theirs: list) -> bool:
    """Whether arrays agree to rounding, relative to the largest element of each."""
    for x, y in zip(ours, theirs):
        if not y.size:
            continue
        # A sum of 1e8 numbers has rounding of its own.
        tolerance = 1e-3 if y.dtype == np.float32 else 1e-8
        size = float(library.max(library.abs(y)))
        if not bool(library.allclose(x, y, rtol=tolerance, atol=tolerance * size)):
            return False
    return True


def _arrays(tree: Any) -> list[np.ndarray]:
    return [np.asarray(x) for x in optree.tree_leaves(tree) if hasattr(x, "dtype")]


if __name__ == "__main__":
    main(sys.argv[1])
