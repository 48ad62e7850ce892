"""Sparse Jacobians and Hessians: how many products, how long one takes, how long the first.

Beside asdex, which colours in JAX, and CasADi's SX, which differentiates expressions of scalars.
Each problem is written once, by means of what an array library gives (`Library`). All return the
same sparse matrix: SciPy's here, BCOO in JAX, CasADi's DM.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
from autograph.colouring import compression, greedy, symmetric
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

RNG = np.random.default_rng(0)


class Library(NamedTuple):
    """What the problems need of an array library."""

    join: Callable[[list], Any]
    take: Callable[[Any, np.ndarray], Any]
    added: Callable[[np.ndarray, Any, int], Any]  # numbers at places, as the sums at each
    total: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    cos: Callable[[Any], Any]


class Problem(NamedTuple):
    """A function of a vector, and where its derivative is taken."""

    name: str
    function: Callable[[Library, Any], Any]
    x: np.ndarray
    is_hessian: bool = False


def tridiagonal(lib: Library, x: Any) -> Any:
    """Second differences, with a term that is not linear."""
    return x[:-2] - 2.0 * x[1:-1] * x[1:-1] + x[2:]


def chain(lib: Library, x: Any) -> Any:
    """A sum of terms of two neighbours each."""
    d, e = x[1:] - x[:-1] * x[:-1], 1.0 - x[:-1]
    return lib.total(100.0 * d * d + e * e)


SIDE = 40


def brusselator(lib: Library, x: Any) -> Any:
    """Two substances that react and diffuse on a grid, whose ends meet."""
    n = SIDE * SIDE
    u, v = x[:n], x[n:]
    at = np.arange(n).reshape(SIDE, SIDE)
    around = [np.roll(at, shift, axis).reshape(-1) for shift in (1, -1) for axis in (0, 1)]

    def diffused(w: Any) -> Any:
        total = -4.0 * w
        for places in around:
            total = total + lib.take(w, places)
        return 0.02 * (SIDE - 1) ** 2 * total

    reaction = u * u * v
    first = 1.0 + reaction - 4.4 * u + diffused(u)
    return lib.join([first, 3.4 * u - reaction + diffused(v)])


STEPS = 200


def defects(lib: Library, z: Any) -> Any:
    """Collocation of a cart with a pole, by trapezoids: position, angle, their speeds, force."""
    n = STEPS + 1
    q, a, dq, da, force = (z[k * n : (k + 1) * n] for k in range(5))
    s, c = lib.sin(a), lib.cos(a)
    bottom = 1.0 + 0.3 * s * s
    ddq = (force + 0.3 * s * (0.5 * da * da + 9.81 * c)) / bottom
    dda = -(force * c + 0.15 * da * da * c * s + 1.3 * 9.81 * s) / (0.5 * bottom)
    h = 2.0 / STEPS
    pairs = ((q, dq), (a, da), (dq, ddq), (da, dda))
    return lib.join([y[1:] - y[:-1] - 0.5 * h * (f[1:] + f[:-1]) for y, f in pairs])


WEIGHTS = RNG.normal(size=4 * STEPS)


def lagrangian(lib: Library, z: Any) -> Any:
    """The cost of the force, and the defects times multipliers."""
    force = z[4 * (STEPS + 1) :]
    return lib.total(force * force) * (1.0 / STEPS) + lib.total(WEIGHTS * defects(lib, z))


BUSES = 1000
LINES = np.concatenate(
    [
        np.stack([np.arange(BUSES), (np.arange(BUSES) + 1) % BUSES]),
        RNG.integers(0, BUSES, size=(2, BUSES // 2)),
    ],
    axis=1,
)
LINES = LINES[:, LINES[0] != LINES[1]]
CONDUCTANCE, SUSCEPTANCE = RNG.uniform(1.0, 2.0, size=(2, LINES.shape[1]))


def power_flow(lib: Library, x: Any) -> Any:
    """The real and reactive power that flows out of each bus, by angles and voltages."""
    angle, voltage = x[:BUSES], x[BUSES:]
    start, end = LINES
    difference = lib.take(angle, start) - lib.take(angle, end)
    v, w = lib.take(voltage, start), lib.take(voltage, end)
    g, b = CONDUCTANCE, SUSCEPTANCE
    s, c = lib.sin(difference), lib.cos(difference)
    real = lib.added(start, g * v * v - v * w * (g * c - b * s), BUSES)
    real = real + lib.added(end, g * w * w - v * w * (g * c + b * s), BUSES)
    reactive = lib.added(start, b * v * v - v * w * (g * s + b * c), BUSES)
    reactive = reactive + lib.added(end, b * w * w - v * w * (b * c - g * s), BUSES)
    return lib.join([real, reactive])


CAMERAS, POINTS, SEEN = 12, 400, 4
OF_POINT = np.repeat(np.arange(POINTS), SEEN)
OF_CAMERA = np.concatenate([RNG.permutation(CAMERAS)[:SEEN] for _ in range(POINTS)])


def pictures(of_camera: np.ndarray, of_point: np.ndarray) -> Callable[[Library, Any], Any]:
    """Where points are in pictures: cameras turned about three axes, and moved.

    Args:
        of_camera, of_point: whose each picture is.
    """
    n, m = int(of_camera.max()) + 1, int(of_point.max()) + 1

    def places(lib: Library, x: Any) -> Any:
        a, b, c, tx, ty, tz = (lib.take(x[k * n : (k + 1) * n], of_camera) for k in range(6))
        first = 6 * n
        px, py, pz = (lib.take(x[first + k * m : first + (k + 1) * m], of_point) for k in range(3))
        py, pz = lib.cos(a) * py - lib.sin(a) * pz, lib.sin(a) * py + lib.cos(a) * pz
        px, pz = lib.cos(b) * px + lib.sin(b) * pz, lib.cos(b) * pz - lib.sin(b) * px
        px, py = lib.cos(c) * px - lib.sin(c) * py, lib.sin(c) * px + lib.cos(c) * py
        depth = pz + tz
        return lib.join([(px + tx) / depth, (py + ty) / depth])

    return places


bundle_adjustment = pictures(OF_CAMERA, OF_POINT)


def scene(cameras: int, points: int) -> np.ndarray:
    """Cameras that look at points."""
    placed = RNG.normal(size=6 * cameras) * 0.1
    placed[5 * cameras :] += 5.0
    return np.concatenate([placed, RNG.normal(size=3 * points)])


def problems() -> list[Problem]:
    control = RNG.normal(size=5 * (STEPS + 1)) * 0.3
    flow = np.concatenate([0.1 * RNG.normal(size=BUSES), RNG.uniform(0.9, 1.1, size=BUSES)])
    seen = scene(CAMERAS, POINTS)
    return [
        Problem("tridiagonal, n = 2000", tridiagonal, RNG.normal(size=2000)),
        Problem(f"Brusselator, {SIDE} x {SIDE}", brusselator, RNG.random(2 * SIDE * SIDE) + 0.5),
        Problem(f"collocation, {STEPS} steps", defects, control),
        Problem(f"power flow, {BUSES} buses", power_flow, flow),
        Problem(f"bundle adjustment, {len(OF_POINT)} images", bundle_adjustment, seen),
        Problem("Hessian: chain, n = 2000", chain, RNG.normal(size=2000), True),
        Problem(f"Hessian: collocation, {STEPS} steps", lagrangian, control, True),
    ]


# -- the ways --------------------------------------------------------------------------------------


def _added(places, values, count):
    total = np.zeros(count)
    np.add.at(total, places, values)
    return total


OURS = Library(
    np.concatenate,
    lambda x, places: x[places],
    _added,
    np.sum,
    np.sin,
    np.cos,
)


class Way(NamedTuple):
    """What computes the matrix, how many products it takes, and how long all before took."""

    compute: Callable[[], Any]
    products: str
    seconds: float
    dense: Callable[[Any], np.ndarray]


def _ours(problem: Problem) -> Way:
    start = time.perf_counter()
    of_library = problem.function  # so that calls need not look whether ``problem`` is as it was
    function = lambda x: of_library(OURS, x)
    derivative = (ag.sparse_hessian if problem.is_hessian else ag.sparse_jacobian)(function)
    found = derivative(problem.x)
    seconds = time.perf_counter() - start
    plan = _best(found, problem.is_hessian, ("largest_first",))
    return Way(lambda: derivative(problem.x), str(plan), seconds, lambda m: m.toarray())


def _plans(pattern: Any, is_hessian: bool, orders: tuple[str, ...]) -> Iterator[int]:
    names = ("by_star",) if is_hessian else ("by_columns", "by_rows")
    for name in names:
        for order in orders:
            if order in (symmetric.NAMES if is_hessian else greedy.NAMES):
                yield getattr(compression, name)(pattern, order).number


def _best(matrix: Any, is_hessian: bool, orders: tuple[str, ...]) -> int:
    return min(_plans(matrix.astype(bool), is_hessian, orders))


def _asdex(problem: Problem) -> Way:
    import asdex
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    library = Library(
        jnp.concatenate,
        lambda x, places: x[places],
        lambda places, values, count: jnp.zeros(count).at[places].add(values),
        jnp.sum,
        jnp.sin,
        jnp.cos,
    )
    function = lambda x: problem.function(library, x)
    start = time.perf_counter()
    kind = "hessian" if problem.is_hessian else "jacobian"
    colouring = getattr(asdex, f"{kind}_coloring")(function, problem.x)
    compiled = jax.jit(getattr(asdex, f"{kind}_from_coloring")(function, colouring))
    x = jnp.asarray(problem.x)
    compiled(x).data.block_until_ready()
    seconds = time.perf_counter() - start
    compute = lambda: compiled(x).data.block_until_ready()
    return Way(compute, str(colouring.num_colors), seconds, lambda _: compiled(x).todense())


def _casadi(problem: Problem) -> Way:
    import casadi

    def added(places: np.ndarray, values: Any, count: int) -> Any:
        columns = [*range(len(places))]
        where = casadi.Sparsity.triplet(count, len(places), places.tolist(), columns)
        return casadi.DM(where, 1.0) @ values

    library = Library(
        lambda parts: casadi.vertcat(*parts),
        lambda x, places: x[places.tolist()],
        added,
        casadi.sum1,
        casadi.sin,
        casadi.cos,
    )
    start = time.perf_counter()
    x = casadi.SX.sym("x", len(problem.x))
    y = problem.function(library, x)
    matrix = casadi.hessian(y, x)[0] if problem.is_hessian else casadi.jacobian(y, x)
    function = casadi.Function("f", [x], [matrix])
    function(problem.x)
    seconds = time.perf_counter() - start
    return Way(lambda: function(problem.x), "", seconds, lambda m: m.full())


def _row(problem: Problem) -> tuple[str, ...]:
    ways = {"ours": _ours(problem)}
    if find_spec("asdex") and find_spec("jax"):
        ways["asdex"] = _asdex(problem)
    if find_spec("casadi"):
        ways["casadi"] = _casadi(problem)
    found = {name: way.compute() for name, way in ways.items()}
    expected = found["ours"].toarray()
    for name, way in ways.items():
        np.testing.assert_allclose(way.dense(found[name]), expected, rtol=1e-9, atol=1e-9)
    timings = interleaved({name: way.compute for name, way in ways.items()})
    orders = (*greedy.NAMES,)
    fewest = _best(found["ours"], problem.is_hessian, orders)

    def cell(name: str) -> str:
        if name not in ways:
            return ""
        return f"{duration(timings.seconds(name))} ({duration(ways[name].seconds)})"

    def ratio(name: str) -> str:
        return f"{timings.ratio('ours', name):.2f}" if name in ways else ""

    shape = " x ".join(map(str, expected.shape))
    theirs = ways["asdex"].products if "asdex" in ways else ""
    return (
        *(problem.name, shape, str(found["ours"].nnz)),
        *(f"{ways['ours'].products} ({fewest})", theirs),
        *(cell("ours"), cell("asdex"), cell("casadi"), ratio("asdex"), ratio("casadi")),
    )


def run() -> Table:
    return Table(
        "Sparse derivatives",
        "Products: how many colours there are by default, in brackets the fewest of all orders. "
        "Times: of a call, and in brackets of the first, with finding the pattern, colouring and "
        "compiling. A ratio below 1 means that this package is faster.",
        (
            *("problem", "shape", "elements", "products", "of asdex"),
            *("here", "asdex", "CasADi SX", "ratio to asdex", "to CasADi"),
        ),
        [_row(problem) for problem in problems()],
    )
